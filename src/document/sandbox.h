// What the worker process gives up before it looks at an untrusted byte.
#ifndef WHEREOF_DOCUMENT_SANDBOX_H_
#define WHEREOF_DOCUMENT_SANDBOX_H_

#include <cstdint>

namespace whereof::document {

// Address space, CPU time, no core file, no file that it may write to. Under AddressSanitizer the
// address space is not limited: its shadow needs terabytes of it.
void limit_resources(std::int64_t memory_bytes, int cpu_seconds);

// Closes every descriptor from `first` on.
void close_descriptors_from(int first);

// From here on only the calls that memory, the open descriptors and the end of the process need
// are let through (seccomp); all others fail with EPERM: no file can be opened, no socket, no
// program. Returns false where the kernel or the processor's numbering of calls is not known; the
// resource limits hold all the same.
bool refuse_system_calls();

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_SANDBOX_H_
