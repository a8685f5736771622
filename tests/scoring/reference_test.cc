// The oracle against central differences and hand-worked values.
#include "scoring/scoring_case.h"

namespace whereof::scoring_test {
namespace {

// sum of output * grad_output: a loss whose gradient by the output is grad_output.
double loss_of(ScoringForm form, const reference::ScoringArrays<double>& inputs, bool is_causal,
               const reference::Array<double>& grad_output) {
  const reference::NaiveScoring<double> result(form, inputs, is_causal);
  double loss = 0;
  for (std::size_t i = 0; i < grad_output.data.size(); ++i) {
    loss += result.output.data[i] * grad_output.data[i];
  }
  return loss;
}

TEST(NaiveScoring, GradientsAreThoseOfCentralDifferences) {
  for (const ScoringForm form : kForms) {
    for (const bool is_causal : {false, true}) {
      const ScoringCase c({.form = form,
                           .batch = 2,
                           .query_length = 3,
                           .key_length = 4,
                           .heads = 2,
                           .query_dim = 3,
                           .key_dim = 2,
                           .value_dim = 2,
                           .width = 3},
                          7);
      reference::ScoringArrays<double> inputs = c.inputs.arrays<double>();
      const auto grad_output = c.grad_output.array<double>();
      const auto gradients =
          reference::NaiveScoring<double>(form, inputs, is_causal).backward(grad_output);
      for (std::size_t part = 0; part < 6; ++part) {
        std::vector<double>& values = const_cast<std::vector<double>&>(array_at(inputs, part).data);
        for (std::size_t i = 0; i < values.size(); ++i) {
          const double at = values[i];
          const double step = 1e-5;
          values[i] = at + step;
          const double above = loss_of(form, inputs, is_causal, grad_output);
          values[i] = at - step;
          const double below = loss_of(form, inputs, is_causal, grad_output);
          values[i] = at;
          EXPECT_NEAR(array_at(gradients, part).data[i], (above - below) / (2 * step), 1e-8)
              << name_of(form) << " " << kTensorNames[part] << " " << i;
        }
      }
    }
  }
}

// One query 1, keys 0 and 1, values 0 and 1, every weight 1: the output is the second weight.
TEST(NaiveScoring, HandWorkedValues) {
  const auto array = [](std::array<std::int64_t, 4> shape, std::vector<double> data) {
    reference::Array<double> result(shape);
    result.data = std::move(data);
    return result;
  };
  reference::ScoringArrays<double> inputs;
  inputs.query = array({1, 1, 1, 1}, {1});
  inputs.key = array({1, 2, 1, 1}, {0, 1});
  inputs.value = array({1, 2, 1, 1}, {0, 1});
  const auto second_weight = [&](ScoringForm form) {
    return reference::NaiveScoring<double>(form, inputs, false).output.data[0];
  };
  EXPECT_NEAR(second_weight(ScoringForm::dot), 0.731059, 1e-6);  // 1 / (1 + e^-1)
  inputs.weight = array({1, 1, 1, 1}, {2});
  EXPECT_NEAR(second_weight(ScoringForm::general), 0.880797, 1e-6);  // 1 / (1 + e^-2)
  inputs.weight = array({1, 1, 1, 1}, {1});
  inputs.key_weight = inputs.weight;
  inputs.score_vector = inputs.weight;
  // 1 / (1 + e^(tanh 1 - tanh 2))
  EXPECT_NEAR(second_weight(ScoringForm::additive), 0.550436, 1e-6);
  inputs.weight = array({1, 1, 1, 2}, {1, 1});
  EXPECT_NEAR(second_weight(ScoringForm::concat), 0.550436, 1e-6);
}

}  // namespace
}  // namespace whereof::scoring_test
