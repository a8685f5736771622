// f64 beside the oracle, which is double too: both must agree to rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "attention/evidence_check.h"
#include "attention/mask_cases.h"
#include "reference/naive_attention.h"
#include "reference/naive_backward.h"
#include "whereof/attention.h"
#include "whereof/attention_backward.h"
#include "whereof/error.h"

namespace whereof::attention_test {
namespace {

using Doubles = reference::Array<double>;
constexpr double kNear = 1e-11;

TensorView view_of(Doubles& array) {
  return dense_view(static_cast<void*>(array.data.data()), ElementType::f64, array.shape);
}

Doubles random_array(std::array<std::int64_t, 4> shape, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Doubles array(shape);
  for (double& x : array.data) x = normal(random);
  return array;
}

void expect_near_all(const Doubles& found, const Doubles& wanted, const std::string& what) {
  ASSERT_EQ(found.data.size(), wanted.data.size());
  for (std::size_t i = 0; i < found.data.size(); ++i) {
    ASSERT_NEAR(found.data[i], wanted.data[i], kNear * (1 + std::abs(wanted.data[i])))
        << what << " element " << i;
  }
}

// Grouped heads, dimensions of no whole vectors.
struct DoubleCase {
  std::int64_t rows = 37;
  std::int64_t keys = 53;
  Doubles query = random_array({2, rows, 4, 10}, 1);
  Doubles key = random_array({2, keys, 2, 10}, 2);
  Doubles value = random_array({2, keys, 2, 7}, 3);
  Doubles output = Doubles({2, rows, 4, 7}, std::nan(""));
  Doubles grad_output = random_array({2, rows, 4, 7}, 4);
  Doubles grad_query = Doubles(query.shape, std::nan(""));
  Doubles grad_key = Doubles(key.shape, std::nan(""));
  Doubles grad_value = Doubles(value.shape, std::nan(""));
  std::vector<float> log_sum_exp = std::vector<float>(static_cast<std::size_t>(2 * 4 * rows));

  void forward(const AttentionOptions& options, const EvidenceRequest* request = nullptr,
               Evidence* evidence = nullptr) {
    attention_forward(view_of(query), view_of(key), view_of(value), view_of(output), options,
                      log_sum_exp.data(), request, evidence);
  }
  void backward(const AttentionOptions& options) {
    attention_backward(view_of(query), view_of(key), view_of(value), view_of(output),
                       log_sum_exp.data(), view_of(grad_output), view_of(grad_query),
                       view_of(grad_key), view_of(grad_value), options);
  }
};

void expect_the_oracle(DoubleCase& c, const AttentionOptions& options, const std::string& what) {
  c.forward(options);
  c.backward(options);
  const reference::Naive<double> exact =
      reference::naive_attention(c.query, c.key, c.value, options);
  expect_near_all(c.output, exact.output, what + ", output");
  for (std::size_t i = 0; i < c.log_sum_exp.size(); ++i) {
    const double wanted = exact.log_sum_exp.data[i];
    if (std::isinf(wanted)) {
      EXPECT_EQ(c.log_sum_exp[i], -HUGE_VALF) << what;
    } else {
      EXPECT_NEAR(c.log_sum_exp[i], wanted, 1e-6 * (1 + std::abs(wanted))) << what;
    }
  }
  const auto gradients =
      reference::naive_backward(c.query, c.key, c.value, exact, c.grad_output, options);
  expect_near_all(c.grad_query, gradients.query, what + ", grad_query");
  expect_near_all(c.grad_key, gradients.key, what + ", grad_key");
  expect_near_all(c.grad_value, gradients.value, what + ", grad_value");
}

TEST(Double, EveryMaskIsTheOracles) {
  DoubleCase c{.rows = 70, .keys = 90};
  for (const NamedMask& named : masks_for(c.rows, c.keys)) {
    for (const float soft_cap : {0.0F, 1.5F}) {
      expect_the_oracle(c, {.soft_cap = soft_cap, .mask = named.mask}, named.name);
    }
  }
}

TEST(Double, AScaleKeepsItsDigits) {
  DoubleCase c;
  expect_the_oracle(c, {.scale = 0.1}, "a scale that no float is");
  expect_the_oracle(c, {.scale = -4.0}, "large scores");
}

TEST(Double, EveryInstructionSetAndThreadGivesTheSameBits) {
  DoubleCase c;
  c.forward({.threads = 1});
  c.backward({.threads = 1});
  const DoubleCase first = c;
  for (const InstructionSet set : runnable_instruction_sets()) {
    c.forward({.threads = 3, .instruction_set = set});
    c.backward({.threads = 3, .instruction_set = set});
    EXPECT_EQ(c.output.data, first.output.data);
    EXPECT_EQ(c.log_sum_exp, first.log_sum_exp);
    EXPECT_EQ(c.grad_query.data, first.grad_query.data);
    EXPECT_EQ(c.grad_key.data, first.grad_key.data);
    EXPECT_EQ(c.grad_value.data, first.grad_value.data);
  }
}

TEST(Double, ALongRowIsNotCutIntoPieces) {
  DoubleCase c{.rows = 1, .keys = 3000};
  expect_the_oracle(c, {.mask = {.is_causal = true}}, "decode");
}

// Rows apart, misaligned and between guard bytes.
TEST(Double, EvidenceIsTheOracles) {
  constexpr ElementType kDouble = ElementType::f64;
  std::uint32_t seed = 70;
  for (const NamedMask& named : masks_for(70, 90)) {
    Case c({.batch = 2,
            .query_length = 70,
            .key_length = 90,
            .query_heads = 6,
            .kv_heads = 2,
            .query_type = kDouble,
            .kv_type = kDouble,
            .output_type = kDouble,
            .spread = 2},
           ++seed);
    SCOPED_TRACE(named.name);
    expect_equal(c, {.mask = named.mask}, request_for(70, 90, kAllGroupings[seed % 3]));
    EXPECT_TRUE(c.output.guards_hold());
  }
}

TEST(Double, NotANumberStaysInItsRow) {
  DoubleCase c;
  c.query.at(1, 5, 2, 3) = std::nan("");
  EvidenceRequest request{.top_keys = 2};
  Evidence evidence;
  c.forward({}, &request, &evidence);
  for (std::int64_t row = 0; row < c.rows; ++row) {
    EXPECT_EQ(std::isnan(c.output.at(1, row, 2, 0)), row == 5) << row;
    EXPECT_FALSE(std::isnan(c.output.at(1, row, 3, 0))) << row;
  }
  EXPECT_TRUE(std::isnan(evidence.entropy[static_cast<std::size_t>(evidence.index(1, 2, 0))]));
  EXPECT_FALSE(std::isnan(evidence.entropy[static_cast<std::size_t>(evidence.index(1, 3, 0))]));
}

TEST(Double, GoesWithDoubleAlone) {
  DoubleCase c;
  std::vector<float> floats(c.query.data.size());
  const ConstTensorView query = dense_view(floats.data(), ElementType::f32, c.query.shape);
  const auto expect_refused = [](auto&& call, const std::string& words) {
    try {
      call();
      ADD_FAILURE() << "not refused: " << words;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  expect_refused(
      [&] { attention_forward(query, view_of(c.key), view_of(c.value), view_of(c.output)); },
      "key is f64 and query f32; f64 goes with f64 alone");
  c.forward({});
  const TensorView grad_query =
      dense_view(static_cast<void*>(floats.data()), ElementType::f32, c.query.shape);
  expect_refused(
      [&] {
        attention_backward(view_of(c.query), view_of(c.key), view_of(c.value), view_of(c.output),
                           c.log_sum_exp.data(), view_of(c.grad_output), grad_query,
                           view_of(c.grad_key), view_of(c.grad_value));
      },
      "grad_query is f32 and query f64; f64 goes with f64 alone");
}

}  // namespace
}  // namespace whereof::attention_test
