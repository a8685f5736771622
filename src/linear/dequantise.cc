#include "linear/dequantise.h"

#include "linear/unpack.h"

namespace whereof::linear {

void dequantise_row(GgufTensorType type, const std::byte* row, std::int64_t columns, float* out) {
  widen_row(type, row, columns, 0, columns, out);
}

}  // namespace whereof::linear
