// Quantised blocks to floats, an element at a time as the format says.
#ifndef WHEREOF_LINEAR_DEQUANTISE_H_
#define WHEREOF_LINEAR_DEQUANTISE_H_

#include <cstddef>
#include <cstdint>

#include "whereof/gguf.h"

namespace whereof::linear {

// Writes the `columns` elements of one row of a tensor to `out`. columns is a multiple of
// block_elements(type); row holds columns / block_elements(type) * block_bytes(type) bytes.
void dequantise_row(GgufTensorType type, const std::byte* row, std::int64_t columns, float* out);

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_DEQUANTISE_H_
