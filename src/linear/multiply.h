// Products of input rows with the weight matrices of a model.
//
//   output[t, r] = sum over k of input[t, k] * weight[r, k] + bias[r]
#ifndef WHEREOF_LINEAR_MULTIPLY_H_
#define WHEREOF_LINEAR_MULTIPLY_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "linear/linear_kernels.h"
#include "memory/aligned_array.h"
#include "whereof/gguf.h"

namespace whereof::linear {

// A weight matrix as it lies in a file: [rows, columns], quantised by blocks along the columns.
struct WeightMatrix {
  GgufTensorType type = GgufTensorType::f32;
  const std::byte* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  std::int64_t row_bytes() const noexcept {
    return columns / block_elements(type) * block_bytes(type);
  }
};

struct Product {
  WeightMatrix weights;
  const float* bias = nullptr;  // [rows], or null
  float* output = nullptr;      // [input rows, rows]; row t begins at output + t * output_stride
  std::int64_t output_stride = 0;
};

// How rows of input are multiplied: each row's result is the same bits in any company, but the two
// ways round differently.
enum class ProductWay {
  few_rows,   // in eight bits with the weights as they lie
  many_rows,  // with weights widened panel by panel
};

// Runs products with one instruction set on a number of threads, and owns the memory that they
// need. Not thread-safe; the same bits for any number of threads.
class Multiplier {
 public:
  // For inputs of at most max_rows rows of max_columns elements. threads 0: all of the process's
  // pool. Throws Error(unsupported) as kernels_for does, and std::bad_alloc.
  Multiplier(InstructionSet set, int threads, std::int64_t max_rows, std::int64_t max_columns);
  // With these kernels, which must live as long.
  Multiplier(const LinearKernels& kernels, int threads, std::int64_t max_rows,
             std::int64_t max_columns);

  // Bytes that such a Multiplier allocates.
  static std::int64_t bytes_needed(InstructionSet set, int threads, std::int64_t max_rows,
                                   std::int64_t max_columns);

  // Up to this many rows of one sequence's block the weights are read as they lie; above, widening
  // them pays.
  static constexpr std::int64_t kMostFewRows = 4;
  static constexpr ProductWay way_of(std::int64_t rows) noexcept {
    return rows <= kMostFewRows ? ProductWay::few_rows : ProductWay::many_rows;
  }

  // All products share the input: [rows, columns] floats, row t at input + t * stride, with
  // `columns` that of every product's weights.
  void multiply(const float* input, std::int64_t stride, std::int64_t rows,
                std::span<const Product> products, ProductWay way);
  void multiply(const float* input, std::int64_t stride, std::int64_t rows,
                std::span<const Product> products) {
    multiply(input, stride, rows, products, way_of(rows));
  }

  const LinearKernels& kernels() const noexcept { return kernels_; }
  int threads() const noexcept { return threads_; }

 private:
  void multiply_panels(const float* input, std::int64_t stride, std::int64_t rows,
                       std::span<const Product> products);
  void multiply_rows(const float* input, std::int64_t stride, std::int64_t rows,
                     std::span<const Product> products);

  const LinearKernels& kernels_;
  int threads_;
  memory::AlignedArray<std::byte> inputs_;   // packed groups, or chunks
  memory::AlignedArray<std::byte> scratch_;  // [threads, scratch_stride_]
  std::int64_t scratch_stride_;
};

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_MULTIPLY_H_
