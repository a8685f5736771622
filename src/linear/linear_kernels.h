// What an instruction set offers for products with quantised weights: one table of functions.
//
//   output[t, r] = sum over k of input[t, k] * weight[r, k]  (+ bias[r])
//
// Two ways. Many rows of input (prefill): a panel of weight rows is widened in cache, a depth block
// at a time, and multiplied with inputs packed once for all panels; sums in f32. Few rows (decode):
// the inputs are quantised to eight bits, a scale for each 32, and multiplied with the weights as
// they lie; products of integers are exact, sums over a chunk's groups in f32.
#ifndef WHEREOF_LINEAR_LINEAR_KERNELS_H_
#define WHEREOF_LINEAR_LINEAR_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "linear/block_formats.h"
#include "whereof/gguf.h"
#include "whereof/instruction_set.h"

namespace whereof::linear {

// Weight rows that one work item of a prefill product takes.
constexpr std::int64_t kPanelRows = 48;
// Elements of the inner dimension that are widened at a time: a multiple of kChunk.
constexpr std::int64_t kDepthBlock = 1024;

// 256 elements of one input row, for products with quantised weights.
struct alignas(64) InputChunk {
  std::int8_t quants[kChunk];
  float scales[kChunkScales];  // for each 16 elements; pairs are equal
  float sums[kChunkScales];    // scale * sum of the 16 quants
};

struct WeightRows {
  GgufTensorType type = GgufTensorType::f32;
  const std::byte* data = nullptr;
  std::int64_t row_bytes = 0;
  std::int64_t count = 0;
  std::int64_t columns = 0;
};

struct OutputRows {
  const float* bias = nullptr;  // of the first weight row, or null
  float* data = nullptr;        // [input row, weight row]
  std::int64_t stride = 0;      // floats from one input row to the next
};

struct LinearKernels {
  InstructionSet set;

  // Prefill. Inputs are packed in groups of group_rows rows: group g at byte g * group_bytes(c).
  std::int64_t group_rows;
  std::int64_t (*group_bytes)(std::int64_t columns) noexcept;
  // Packs `rows` (1 .. group_rows) rows, the rest of the group as zeros.
  void (*pack_group)(const float* input, std::int64_t stride, std::int64_t rows,
                     std::int64_t columns, std::byte* packed) noexcept;
  std::int64_t (*panel_scratch_bytes)(std::int64_t input_rows) noexcept;
  // At most kPanelRows weight rows times all packed rows.
  void (*multiply_panel)(const WeightRows& weights, const std::byte* packed,
                         std::int64_t input_rows, const OutputRows& output,
                         std::byte* scratch) noexcept;

  // Decode. `chunks` holds ceil(columns / kChunk) chunks for each input row.
  void (*quantise_row)(const float* input, std::int64_t columns, InputChunk* chunks) noexcept;
  // Any number of weight rows times input_rows rows. f32, f16 and bf16 weights take `input` (f32,
  // [input_rows, stride]); all others take `chunks`.
  void (*multiply_rows)(const WeightRows& weights, const float* input, std::int64_t stride,
                        const InputChunk* chunks, std::int64_t input_rows,
                        const OutputRows& output) noexcept;

  // Functions of one row: see row_functions.h. out may be an input.
  void (*rms_norm)(const float* x, const float* weight, std::int64_t count, float epsilon,
                   float* out) noexcept;
  void (*swiglu)(const float* gate, const float* up, std::int64_t count, float* out) noexcept;
  void (*geglu)(const float* gate, const float* up, std::int64_t count, float* out) noexcept;
  void (*soft_cap)(float* x, std::int64_t count, float cap) noexcept;
  void (*exp_sum)(const float* x, std::int64_t count, float* largest, float* sum) noexcept;
};

// Throws Error(unsupported) for a set that this build or this machine does not have.
const LinearKernels& kernels_for(InstructionSet set);

extern const LinearKernels kPortableKernels;
extern const LinearKernels kAvx2Kernels;
extern const LinearKernels kAvx512Kernels;
extern const LinearKernels kAvx512Bf16Kernels;
extern const LinearKernels kAmxKernels;

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_LINEAR_KERNELS_H_
