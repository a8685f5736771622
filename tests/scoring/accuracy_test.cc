// The bar: error against the oracle at most twice that of the same formulas in plain floats.
#include "scoring/scoring_case.h"

namespace whereof::scoring_test {
namespace {

class ScoringAccuracy : public testing::TestWithParam<InstructionSet> {};

INSTANTIATE_TEST_SUITE_P(Sets, ScoringAccuracy, testing::ValuesIn(runnable_instruction_sets()),
                         name_of_set);

double rms_of(const reference::Array<double>& array) {
  return rms_difference(array.data, std::vector<double>(array.data.size()));
}

// The squares of relative errors, over many calls: in a single small call a rounding more or less
// decides.
struct Errors {
  double found = 0;
  double plain = 0;

  void add(const std::string& what, const reference::Array<double>& found_values,
           const reference::Array<float>& plain_values, const reference::Array<double>& exact) {
    const double size = rms_of(exact);
    if (size == 0) {
      EXPECT_LT(rms_of(found_values), 1e-6) << what;  // of one key: its weight cannot move
      return;
    }
    const double found_error = rms_difference(found_values.data, exact.data) / size;
    const double plain_error = rms_difference(plain_values.data, exact.data) / size;
    EXPECT_LE(found_error, 10 * plain_error + 0x1p-20) << what;
    found += found_error * found_error;
    plain += plain_error * plain_error;
  }
};

class Bar {
 public:
  explicit Bar(InstructionSet set) : set_(set) {}
  ~Bar() {
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_LE(std::sqrt(errors_[i].found), 2 * std::sqrt(errors_[i].plain)) << kNames[i];
    }
  }

  void measure(ScoringCase& c, bool is_causal) {
    const ScoringOptions options{.is_causal = is_causal, .threads = 1, .instruction_set = set_};
    const auto add = [&](std::size_t i, const auto& found, const auto& plain, const auto& exact) {
      errors_[i].add(std::string(kNames[i]) + " of " + c.shape.text(), found, plain, exact);
    };
    c.forward(options);
    const auto inputs = c.inputs.arrays<double>();
    const auto float_inputs = c.inputs.arrays<float>();
    const reference::NaiveScoring<double> exact(c.shape.form, inputs, is_causal);
    const reference::NaiveScoring<float> plain(c.shape.form, float_inputs, is_causal);
    add(6, c.output.array<double>(), plain.output, exact.output);
    EXPECT_TRUE(c.output.guards_hold());
    reference::Array<double> log_sum_exp(exact.log_sum_exp.shape);
    std::copy(c.log_sum_exp.begin(), c.log_sum_exp.end(), log_sum_exp.data.begin());
    if (!is_causal || c.shape.query_length <= c.shape.key_length) {  // else some are -infinity
      add(7, log_sum_exp, plain.log_sum_exp, exact.log_sum_exp);
    }
    c.backward(options);
    const auto exact_gradients = exact.backward(c.grad_output.array<double>());
    const auto plain_gradients = plain.backward(c.grad_output.array<float>());
    const auto found = c.gradients.arrays<double>();
    for (std::size_t i = 0; i < 6; ++i) {
      add(i, array_at(found, i), array_at(plain_gradients, i), array_at(exact_gradients, i));
    }
    c.gradients.expect_guards();
  }

 private:
  static constexpr const char* kNames[] = {"grad_query",  "grad_key",        "grad_value",
                                           "grad_weight", "grad_key_weight", "grad_score_vector",
                                           "output",      "log_sum_exp"};
  InstructionSet set_;
  std::array<Errors, 8> errors_{};
};

TEST_P(ScoringAccuracy, EveryLengthAroundTheTileEdges) {
  std::uint32_t seed = 1;
  for (const ScoringForm form : kForms) {
    Bar bar(GetParam());
    for (const std::int64_t query_length : {1, 3, 17, 97}) {
      for (const std::int64_t key_length : {1, 7, 64, 65, 130}) {
        for (const bool is_causal : {false, true}) {
          ScoringCase c({.form = form,
                         .query_length = query_length,
                         .key_length = key_length,
                         .query_dim = 5,
                         .key_dim = 6,
                         .value_dim = 3,
                         .width = 7},
                        ++seed);
          bar.measure(c, is_causal);
        }
      }
    }
  }
}

TEST_P(ScoringAccuracy, DimensionsHeadsAndBatches) {
  std::uint32_t seed = 1000;
  for (const ScoringForm form : kForms) {
    Bar bar(GetParam());
    for (const std::int64_t dim : {1, 2, 15, 16, 33}) {
      ScoringCase c({.form = form,
                     .batch = 2,
                     .query_length = 9,
                     .key_length = 21,
                     .heads = 3,
                     .query_dim = dim,
                     .key_dim = 2 * dim,
                     .value_dim = dim + 1,
                     .width = 3 * dim},
                    ++seed);
      bar.measure(c, false);
    }
  }
}

// A weight is rebuilt from log_sum_exp, one float, so that large scores of dot and general cost
// digits: these stay at a spread of one. Pieces of keys are summed in backward, and tanh is asked
// in its bend and where it is flat.
TEST_P(ScoringAccuracy, LongKeysAndLargeScores) {
  std::uint32_t seed = 2000;
  for (const ScoringForm form : kForms) {
    Bar bar(GetParam());
    const bool is_product = form == ScoringForm::dot || form == ScoringForm::general;
    for (const float spread : {0.05F, 1.0F, 4.0F}) {
      ScoringCase c({.form = form,
                     .query_length = 20,
                     .key_length = 600,
                     .heads = 2,
                     .query_dim = 9,
                     .key_dim = 8,
                     .value_dim = 8,
                     .width = 12,
                     .spread = is_product ? std::min(spread, 1.0F) : spread},
                    ++seed);
      bar.measure(c, true);
    }
  }
}

}  // namespace
}  // namespace whereof::scoring_test
