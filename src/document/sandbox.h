// What the worker process gives up before it looks at an untrusted byte.
#ifndef WHEREOF_DOCUMENT_SANDBOX_H_
#define WHEREOF_DOCUMENT_SANDBOX_H_

#include <cstdint>

namespace whereof::document {

// Address space, CPU time, no core file, no file that it may write to. Under AddressSanitizer the
// address space is not limited: its shadow needs terabytes of it. Another process may lengthen the
// CPU time by at most more_cpu_seconds.
void limit_resources(std::int64_t memory_bytes, int cpu_seconds, int more_cpu_seconds = 0);

// Closes every descriptor from `first` on.
void close_descriptors_from(int first);

enum class SystemCalls {
  of_reader,     // what memory, the open descriptors and the end of the process need
  of_tesseract,  // and starting a program, which opens its libraries and data to read them
};

// From here on only these calls are let through (seccomp); all others fail with EPERM: no socket,
// no other process, and for the reader no file and no program; for tesseract no file that could be
// written. Returns false where the kernel or the processor's numbering of calls is not known; the
// resource limits hold all the same.
bool refuse_system_calls(SystemCalls calls);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_SANDBOX_H_
