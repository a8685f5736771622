// How much memory this process may still take, asked before large allocations.
#ifndef WHEREOF_MEMORY_AVAILABLE_MEMORY_H_
#define WHEREOF_MEMORY_AVAILABLE_MEMORY_H_

#include <cstdint>

namespace whereof::memory {

// The least of: what the kernel calls available, what the control group still allows, what the
// address-space limit of the process still allows, and the environment variable
// WHEREOF_MEMORY_LIMIT (bytes). An estimate: others may take it first.
std::int64_t available_bytes();

}  // namespace whereof::memory

#endif  // WHEREOF_MEMORY_AVAILABLE_MEMORY_H_
