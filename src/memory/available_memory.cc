#include "memory/available_memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace whereof::memory {
namespace {

constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> number_in_file(const char* path) {
  std::ifstream file(path);
  std::string word;
  if (!(file >> word)) return std::nullopt;
  return number_in(word);
}

std::int64_t kernel_available() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::int64_t kibibytes = 0;
  std::string unit;
  while (file >> key >> kibibytes) {
    std::getline(file, unit);
    if (key == "MemAvailable:") return kibibytes * 1024;
  }
  return kUnlimited;
}

std::int64_t control_group_available() {
  const auto limit = number_in_file("/sys/fs/cgroup/memory.max");  // "max" is no number
  const auto used = number_in_file("/sys/fs/cgroup/memory.current");
  if (!limit || !used) return kUnlimited;
  return std::max<std::int64_t>(0, *limit - *used);
}

std::int64_t address_space_available() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnlimited;
  const auto pages = number_in_file("/proc/self/statm");
  const std::int64_t used = pages ? *pages * sysconf(_SC_PAGESIZE) : 0;
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(limit.rlim_cur) - used);
}

std::int64_t asked_for() {
  const char* text = std::getenv("WHEREOF_MEMORY_LIMIT");
  if (text == nullptr) return kUnlimited;
  return number_in(text).value_or(kUnlimited);
}

}  // namespace

std::int64_t available_bytes() {
  return std::min(
      {kernel_available(), control_group_available(), address_space_available(), asked_for()});
}

}  // namespace whereof::memory
