// The tensor types: how many elements a block holds and how many bytes it takes (ggml docs/gguf.md,
// and the block layouts of ggml's quantisation).
#include <array>
#include <cstdint>
#include <string_view>

#include "model/gguf_cursor.h"
#include "whereof/gguf.h"

namespace whereof {
namespace {

struct TensorTypeRow {
  GgufTensorType type;
  std::string_view name;
  std::int64_t block_elements;
  std::int64_t block_bytes;
};

constexpr std::array kTensorTypes = {
    TensorTypeRow{GgufTensorType::f32, "f32", 1, 4},
    TensorTypeRow{GgufTensorType::f16, "f16", 1, 2},
    TensorTypeRow{GgufTensorType::q4_0, "q4_0", 32, 2 + 16},
    TensorTypeRow{GgufTensorType::q4_1, "q4_1", 32, 2 + 2 + 16},
    TensorTypeRow{GgufTensorType::q5_0, "q5_0", 32, 2 + 4 + 16},
    TensorTypeRow{GgufTensorType::q5_1, "q5_1", 32, 2 + 2 + 4 + 16},
    TensorTypeRow{GgufTensorType::q8_0, "q8_0", 32, 2 + 32},
    TensorTypeRow{GgufTensorType::q2_k, "q2_k", 256, 16 + 64 + 2 + 2},
    TensorTypeRow{GgufTensorType::q3_k, "q3_k", 256, 32 + 64 + 12 + 2},
    TensorTypeRow{GgufTensorType::q4_k, "q4_k", 256, 2 + 2 + 12 + 128},
    TensorTypeRow{GgufTensorType::q5_k, "q5_k", 256, 2 + 2 + 12 + 32 + 128},
    TensorTypeRow{GgufTensorType::q6_k, "q6_k", 256, 128 + 64 + 16 + 2},
    TensorTypeRow{GgufTensorType::iq4_nl, "iq4_nl", 32, 2 + 16},
    TensorTypeRow{GgufTensorType::iq4_xs, "iq4_xs", 256, 2 + 2 + 4 + 128},
    TensorTypeRow{GgufTensorType::bf16, "bf16", 1, 2},
};

const TensorTypeRow* find_row(std::uint32_t number) noexcept {
  for (const TensorTypeRow& row : kTensorTypes) {
    if (static_cast<std::uint32_t>(row.type) == number) return &row;
  }
  return nullptr;
}

}  // namespace

std::string_view name_of(GgufTensorType type) noexcept {
  const TensorTypeRow* row = find_row(static_cast<std::uint32_t>(type));
  return row == nullptr ? "unknown" : row->name;
}

std::int64_t block_elements(GgufTensorType type) noexcept {
  const TensorTypeRow* row = find_row(static_cast<std::uint32_t>(type));
  return row == nullptr ? 1 : row->block_elements;
}

std::int64_t block_bytes(GgufTensorType type) noexcept {
  const TensorTypeRow* row = find_row(static_cast<std::uint32_t>(type));
  return row == nullptr ? 0 : row->block_bytes;
}

namespace model {

bool is_known_tensor_type(std::uint32_t number) noexcept { return find_row(number) != nullptr; }

}  // namespace model
}  // namespace whereof
