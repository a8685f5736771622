// Evidence in twenty lines: a question of two rows over a document of three clauses, and the share
// of its attention that each clause receives, in the pass that computes the output.
#include <cstdio>
#include <vector>

#include "whereof/attention.h"

int main() {
  using namespace whereof;
  constexpr std::int64_t kKeys = 30;
  constexpr std::int64_t kDim = 16;
  std::vector<float> keys(kKeys * kDim);
  for (std::int64_t key = 10; key < 20; ++key) keys[key * kDim] = 8.0F;  // the second clause
  std::vector<float> question(2 * kDim);
  question[0] = question[kDim] = 1.0F;  // asks for it
  std::vector<float> answer(question.size());
  const auto f32 = ElementType::f32;
  const ConstTensorView query(question.data(), f32, {1, 2, 1, kDim}, {2 * kDim, kDim, kDim, 1});
  const ConstTensorView key(keys.data(), f32, {1, kKeys, 1, kDim}, {kKeys * kDim, kDim, kDim, 1});
  const TensorView output{answer.data(), f32, {1, 2, 1, kDim}, {2 * kDim, kDim, kDim, 1}};

  EvidenceRequest request;
  request.key_spans = {{0, 10}, {10, 20}, {20, 30}};
  Evidence evidence;
  attention_forward(query, key, key, output, {}, nullptr, &request, &evidence);

  for (std::int64_t clause = 0; clause < evidence.key_spans; ++clause) {
    const float sum_of_rows = evidence.span_mass[evidence.index(0, 0, 0) + clause];
    std::printf("clause %d: %.3f of the weight\n", static_cast<int>(clause + 1),
                sum_of_rows / static_cast<float>(evidence.row_count[0]));
  }
}
