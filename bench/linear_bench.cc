// Products of many input rows with quantised weights, beside oneDNN's bf16 product of the same size
// where oneDNN is installed (libdnnl-dev; a peer here, no dependency).
//
//     linear_bench [--rows N] [--rounds N] [--threads N] [--few 0|1]
//
// Prints one JSON object a shape. All do rows x weight_rows x columns multiply-adds with f32 sums:
//   seconds          ours: quantised weights, widened panel by panel in cache
//   onednn_seconds   weights that were widened to bf16 and packed in oneDNN's own layout before:
//   the
//                    least that oneDNN can take, at the memory of the whole matrix in bf16
//   panels_seconds   quantised weights, 512 rows at a time widened, packed by oneDNN and
//   multiplied:
//                    what it takes at our memory. Widening is that of linear/dequantise.h.
// With --few 1 the rows are multiplied as a decode multiplies them, in eight bits.
// Each is the median of the rounds, taken in turn. Give OMP_NUM_THREADS the same number of threads,
// and OMP_WAIT_POLICY=passive, else the threads of oneDNN spin beside ours.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "linear/dequantise.h"
#include "linear/multiply.h"
#include "whereof/instruction_set.h"

#ifdef WHEREOF_HAS_ONEDNN
#include <oneapi/dnnl/dnnl.hpp>
#endif

namespace whereof {
namespace {

struct Shape {
  const char* what;
  GgufTensorType type;
  std::int64_t weight_rows;
  std::int64_t columns;
};

constexpr Shape kShapes[] = {
    {"Qwen 0.5B, up", GgufTensorType::q5_0, 4864, 896},
    {"Qwen 0.5B, down", GgufTensorType::q6_k, 896, 4864},
    {"Qwen 1.5B, up", GgufTensorType::q4_k, 8960, 1536},
    {"SmolLM2, up", GgufTensorType::q4_1, 1536, 576},
    {"Eight bits", GgufTensorType::q8_0, 8000, 896},
};

struct Arguments {
  std::int64_t rows = 512;
  std::int64_t rounds = 5;
  int threads = 1;
  bool is_few = false;
};

template <typename Work>
double seconds_of(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Bytes whose 16-bit floats are all finite and below 2.
std::vector<std::byte> some_weights(const linear::WeightMatrix& matrix) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(matrix.rows * matrix.row_bytes()));
  std::mt19937 random(1);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 0x3f);
  return bytes;
}

struct Operands {
  linear::WeightMatrix weights;
  std::vector<std::byte> bytes;
  std::vector<float> input;
  std::vector<float> output;
  std::int64_t rows = 0;
};

Operands operands_of(const Shape& shape, std::int64_t rows) {
  Operands operands;
  operands.rows = rows;
  operands.weights = {shape.type, nullptr, shape.weight_rows, shape.columns};
  operands.bytes = some_weights(operands.weights);
  operands.weights.data = operands.bytes.data();
  operands.input.resize(static_cast<std::size_t>(rows * shape.columns));
  operands.output.resize(static_cast<std::size_t>(rows * shape.weight_rows));
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  for (float& x : operands.input) x = normal(random);
  return operands;
}

#ifdef WHEREOF_HAS_ONEDNN

// output [rows, count] = input [rows, columns] times weights [count, columns] transposed.
class OneDnnProduct {
 public:
  using Type = dnnl::memory::data_type;
  using Tag = dnnl::memory::format_tag;

  OneDnnProduct(std::int64_t rows, std::int64_t count, std::int64_t columns)
      : input_({{rows, columns}, Type::bf16, Tag::ab}, engine_),
        floats_({{rows, columns}, Type::f32, Tag::ab}, engine_, nullptr),
        plain_({{columns, count}, Type::f32, Tag::ba}, engine_, nullptr),
        output_({{rows, count}, Type::f32, dnnl::memory::dims{count, 1}}, engine_, nullptr),
        description_(dnnl::matmul::desc(input_.get_desc(), {{columns, count}, Type::bf16, Tag::any},
                                        output_.get_desc()),
                     engine_),
        packed_(description_.weights_desc(), engine_),
        product_(description_) {}

  void set_input(float* input) {
    floats_.set_data_handle(input);
    dnnl::reorder(floats_, input_).execute(stream_, floats_, input_);
    stream_.wait();
  }
  void set_weights(float* weights) {
    plain_.set_data_handle(weights);
    dnnl::reorder(plain_, packed_).execute(stream_, plain_, packed_);
    stream_.wait();
  }
  void multiply(float* output) {
    output_.set_data_handle(output);
    product_.execute(
        stream_, {{DNNL_ARG_SRC, input_}, {DNNL_ARG_WEIGHTS, packed_}, {DNNL_ARG_DST, output_}});
    stream_.wait();
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::memory input_, floats_, plain_, output_;
  dnnl::matmul::primitive_desc description_;
  dnnl::memory packed_;
  dnnl::matmul product_;
};

constexpr std::int64_t kOneDnnPanel = 512;

class OneDnn {
 public:
  explicit OneDnn(Operands& operands)
      : operands_(operands),
        whole_(operands.rows, operands.weights.rows, operands.weights.columns),
        panel_(operands.rows, kOneDnnPanel, operands.weights.columns),
        widened_(static_cast<std::size_t>(operands.weights.rows * operands.weights.columns)),
        panel_output_(static_cast<std::size_t>(operands.rows * kOneDnnPanel)) {
    widen(0, operands.weights.rows);
    whole_.set_weights(widened_.data());
  }

  void multiply_whole() {
    whole_.set_input(operands_.input.data());
    whole_.multiply(operands_.output.data());
  }

  // The last panel may be filled with rows of the one before: their time counts, as it would.
  void multiply_panels() {
    panel_.set_input(operands_.input.data());
    for (std::int64_t row = 0; row < operands_.weights.rows; row += kOneDnnPanel) {
      widen(row, std::min(kOneDnnPanel, operands_.weights.rows - row));
      panel_.set_weights(widened_.data());
      panel_.multiply(panel_output_.data());
    }
  }

 private:
  void widen(std::int64_t first, std::int64_t count) {
    const linear::WeightMatrix& weights = operands_.weights;
    for (std::int64_t row = 0; row < count; ++row) {
      linear::dequantise_row(weights.type, weights.data + (first + row) * weights.row_bytes(),
                             weights.columns, widened_.data() + row * weights.columns);
    }
  }

  Operands& operands_;
  OneDnnProduct whole_, panel_;
  std::vector<float> widened_;
  std::vector<float> panel_output_;
};

#endif

void measure(const Shape& shape, const Arguments& arguments) {
  Operands operands = operands_of(shape, arguments.rows);
  const InstructionSet set = chosen_instruction_set();
  linear::Multiplier multiplier(set, arguments.threads, arguments.rows, shape.columns);
  const linear::Product product{operands.weights, nullptr, operands.output.data(),
                                shape.weight_rows};
  const auto ours = [&] {
    multiplier.multiply(
        operands.input.data(), shape.columns, arguments.rows, {&product, 1},
        arguments.is_few ? linear::ProductWay::few_rows : linear::ProductWay::many_rows);
  };
  std::vector<double> times;
#ifdef WHEREOF_HAS_ONEDNN
  OneDnn onednn(operands);
  std::vector<double> whole_times, panel_times;
  onednn.multiply_whole();
#endif
  ours();
  for (std::int64_t round = 0; round < arguments.rounds; ++round) {
    times.push_back(seconds_of(ours));
#ifdef WHEREOF_HAS_ONEDNN
    whole_times.push_back(seconds_of([&] { onednn.multiply_whole(); }));
    panel_times.push_back(seconds_of([&] { onednn.multiply_panels(); }));
#endif
  }
  const double seconds = median(times);
  const double products = static_cast<double>(arguments.rows * shape.weight_rows * shape.columns);
  std::printf(R"({"shape": "%s", "type": "%s", "rows": %lld, "weights": [%lld, %lld], )"
              R"("threads": %d, "instruction_set": "%s", "seconds": %.6f, "gmac_per_s": %.1f)",
              shape.what, std::string(name_of(shape.type)).c_str(),
              static_cast<long long>(arguments.rows), static_cast<long long>(shape.weight_rows),
              static_cast<long long>(shape.columns), arguments.threads,
              std::string(name_of(set)).c_str(), seconds, 1e-9 * products / seconds);
#ifdef WHEREOF_HAS_ONEDNN
  const double whole = median(whole_times);
  const double panels = median(panel_times);
  std::printf(R"(, "onednn_seconds": %.6f, "ratio": %.2f, "panels_seconds": %.6f, )"
              R"("panels_ratio": %.2f)",
              whole, whole / seconds, panels, panels / seconds);
#endif
  std::printf("}\n");
  std::fflush(stdout);
}

Arguments parse(int count, char** words) {
  Arguments arguments;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string_view name = words[i];
    const long value = std::strtol(words[i + 1], nullptr, 10);
    if (name == "--rows") arguments.rows = value;
    if (name == "--rounds") arguments.rounds = value;
    if (name == "--few") arguments.is_few = value != 0;
    if (name == "--threads") arguments.threads = static_cast<int>(value);
  }
  return arguments;
}

}  // namespace
}  // namespace whereof

int main(int count, char** words) {
  const whereof::Arguments arguments = whereof::parse(count, words);
  for (const whereof::Shape& shape : whereof::kShapes) whereof::measure(shape, arguments);
}
