// The experiments of "whereof lab": facts about attention, computed or measured by the library in
// this run, each beside the figure that must come out.
#ifndef WHEREOF_CLI_LAB_H_
#define WHEREOF_CLI_LAB_H_

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "svg_plot.h"
#include "whereof/tensor_view.h"
#include "workspace/model_files.h"

namespace whereof::cli {

// One figure.
struct LabLine {
  std::string name;  // stays the same from run to run: what JSON calls it
  std::string what;
  double measured = 0;
  std::string expected;
  bool matches = false;
};

LabLine near(std::string name, std::string what, double measured, double expected,
             double relative_tolerance);
LabLine at_most(std::string name, std::string what, double measured, double bound);
LabLine at_least(std::string name, std::string what, double measured, double bound);

struct LabReport {
  std::string title;
  std::vector<LabLine> lines;
  std::string drawing;  // text shown below the lines; may be empty
  std::optional<Plot> plot;

  bool all_match() const;
};

struct LabOptions {
  std::int64_t largest_length = 16384;           // of memory
  std::string model = workspace::kDefaultModel;  // of faults
  int threads = 0;
};

LabReport lab_scale(const LabOptions& options);
LabReport lab_masks(const LabOptions& options);
LabReport lab_positions(const LabOptions& options);
LabReport lab_rank(const LabOptions& options);
LabReport lab_scoring(const LabOptions& options);
LabReport lab_memory(const LabOptions& options);
LabReport lab_faults(const LabOptions& options);

// A dense array of floats [n0, n1, n2, n3] with its view.
struct LabTensor {
  std::array<std::int64_t, 4> shape{};
  std::vector<float> data;

  LabTensor() = default;
  explicit LabTensor(std::array<std::int64_t, 4> extents)
      : shape(extents),
        data(static_cast<std::size_t>(extents[0] * extents[1] * extents[2] * extents[3])) {}
  TensorView view() { return dense_view(data.data(), ElementType::f32, shape); }
  float& at(std::int64_t row, std::int64_t element) {  // of a single batch and head
    return data[static_cast<std::size_t>(row * shape[3] + element)];
  }
};

// Independent N(0, spread^2).
LabTensor random_tensor(std::array<std::int64_t, 4> shape, std::mt19937_64& random,
                        float spread = 1);
// [1, n, 1, n]: as values it makes the output the weights themselves.
LabTensor identity(std::int64_t n);
// Processor time of this process so far, in seconds: other processes do not lengthen it.
double processor_seconds();

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_LAB_H_
