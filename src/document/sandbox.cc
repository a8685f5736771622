#include "document/sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <vector>

namespace whereof::document {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitsAddressSpace = false;
#else
constexpr bool kLimitsAddressSpace = true;
#endif

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

constexpr std::array kAllowed = {
    __NR_read,
    __NR_pread64,
    __NR_write,
    __NR_writev,
    __NR_close,
    __NR_lseek,
    __NR_fstat,
    __NR_mmap,
    __NR_munmap,
    __NR_mremap,
    __NR_mprotect,
    __NR_madvise,
    __NR_brk,
    __NR_futex,
    __NR_clock_gettime,
    __NR_gettimeofday,
    __NR_clock_nanosleep,
    __NR_nanosleep,
    __NR_getrandom,
    __NR_sched_yield,
    __NR_getpid,
    __NR_gettid,
    __NR_tgkill,
    __NR_rt_sigaction,
    __NR_rt_sigprocmask,
    __NR_rt_sigreturn,
    __NR_sigaltstack,
    __NR_restart_syscall,
    __NR_sysinfo,
    __NR_exit,
    __NR_exit_group,
    __NR_pipe2,  // sanitizers ask by a pipe whether memory may be read
#if defined(__NR_pipe)
    __NR_pipe,
#endif
};

constexpr std::array kAllowedForTesseract = {
    __NR_execve,
    __NR_newfstatat,
    __NR_faccessat,
    __NR_readlinkat,
    __NR_getdents64,
    __NR_fcntl,
    __NR_getcwd,
    __NR_uname,
    __NR_prlimit64,
    __NR_sched_getaffinity,
    __NR_set_tid_address,
    __NR_set_robust_list,
#if defined(__NR_rseq)
    __NR_rseq,
#endif
#if defined(__NR_arch_prctl)
    __NR_arch_prctl,
    __NR_access,
    __NR_readlink,
#endif
};

void set_limit(int resource, rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

sock_filter statement(std::uint16_t code, std::uint32_t value) { return {code, 0, 0, value}; }

sock_filter jump_if_equal(std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
  return {BPF_JMP | BPF_JEQ | BPF_K, if_true, if_false, value};
}

void allow(std::vector<sock_filter>& program, int call) {
  program.push_back(jump_if_equal(static_cast<std::uint32_t>(call), 0, 1));
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

// openat, but with no flag that could change a file.
void allow_opening_to_read(std::vector<sock_filter>& program) {
  constexpr std::uint32_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  // Its flags are the third argument; the lower half of it comes first in memory.
  constexpr auto kFlags = offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t);
  program.push_back(jump_if_equal(__NR_openat, 0, 4));
  program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, kFlags));
  program.push_back({BPF_JMP | BPF_JSET | BPF_K, 1, 0, kWriting});
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
}

}  // namespace

void limit_resources(std::int64_t memory_bytes, int cpu_seconds, int more_cpu_seconds) {
  const auto memory = static_cast<rlim_t>(memory_bytes);
  const auto cpu = static_cast<rlim_t>(cpu_seconds);
  if (kLimitsAddressSpace) set_limit(RLIMIT_AS, memory, memory);
  // SIGXCPU first, SIGKILL a second later.
  set_limit(RLIMIT_CPU, cpu, cpu + static_cast<rlim_t>(more_cpu_seconds) + 1);
  set_limit(RLIMIT_CORE, 0, 0);
  set_limit(RLIMIT_FSIZE, 0, 0);
}

void close_descriptors_from(int first) {
  if (close_range(static_cast<unsigned>(first), ~0U, 0) == 0) return;
  const long most = sysconf(_SC_OPEN_MAX);
  for (int descriptor = first; descriptor < (most > 0 ? most : 1024); ++descriptor) {
    close(descriptor);
  }
}

bool refuse_system_calls(SystemCalls calls) {
  if (kArchitecture == 0) return false;
  std::vector<sock_filter> program;
  program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
  program.push_back(jump_if_equal(kArchitecture, 1, 0));
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
  program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  for (const int call : kAllowed) allow(program, call);
  if (calls == SystemCalls::of_tesseract) {
    for (const int call : kAllowedForTesseract) allow(program, call);
    allow_opening_to_read(program);
  }
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace whereof::document
