// Attention of a layer against its formula in double, and against what known faults make of it.
//
//   output = sum over j of w_j value_j,   w = exp(s - log_sum_exp),   s_j = scale query . key_j
//
// Queries, keys and values are those of the layer, as the runtime made and rounded them; what is
// left to differ is the rounding of weights (bf16) and sums. Where the output is not the
// formula's, it is compared with what each fault would give: another scale, another mask.
#ifndef WHEREOF_MODEL_ATTENTION_CHECK_H_
#define WHEREOF_MODEL_ATTENTION_CHECK_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/loaded_model.h"
#include "model/sequence.h"
#include "model/transformer.h"
#include "whereof/health.h"

namespace whereof::model {

// What the rows of attention are compared with; the first is right.
constexpr std::array<InjectedFault, 5> kAttentionHypotheses = {
    InjectedFault::none, InjectedFault::mask_on_wrong_triangle, InjectedFault::mask_after_softmax,
    InjectedFault::no_scale, InjectedFault::scale_by_head_dim};

class AttentionCheck {
 public:
  // The transformer that is checked, and a sequence of its own; both outlive this.
  AttentionCheck(const LoadedModel& model, Transformer& transformer, Sequence& sequence);

  // Runs all layers over tokens that stand at positions start, start + 1, ... of what was run
  // before, and looks at every row_step-th row, the last among them.
  void run(std::span<const TokenId> tokens, std::int64_t start, std::int64_t row_step);

  // Writes holds, alarm, recognised and layers.
  void report(Health& health) const;

 private:
  struct Difference {
    double squares = 0;  // of the difference
    double size = 0;     // of what is wanted
    double relative() const;
  };
  struct Layer {
    std::array<Difference, kAttentionHypotheses.size()> of;
    LayerHealth sums;  // of evidence, over rows and heads
  };
  // What is at hand of a layer that was run.
  struct LayerRows {
    std::int64_t layer = 0;
    std::int64_t start = 0;
    std::int64_t keys = 0;
    std::vector<float> cached;  // [keys][2, kv_heads, head_dim]
  };

  void look_at_row(const LayerRows& rows, std::int64_t row, const Evidence& evidence,
                   std::int64_t group);
  double largest_difference(std::size_t hypothesis) const;
  std::string alarm_of(std::size_t hypothesis) const;

  const LoadedModel& model_;
  const Hyperparameters& sizes_;
  Transformer& transformer_;
  Sequence& sequence_;
  std::vector<Layer> layers_;
  std::int64_t rows_ = 0;  // that were looked at
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_ATTENTION_CHECK_H_
