// The bar for a kernel: its error against the oracle is at most twice that of a plain
// implementation in the same precision.
#ifndef WHEREOF_TESTS_ATTENTION_ACCURACY_BAR_H_
#define WHEREOF_TESTS_ATTENTION_ACCURACY_BAR_H_

#include "attention/attention_case.h"

namespace whereof::attention_test {

// Where queries are bf16, and keys and values bf16 or i8, the plain implementation keeps everything
// but its sums in bf16: its weights, and what it makes of i8.
inline bool plain_is_bf16(const Case& c) {
  return c.shape.query_type == ElementType::bf16 &&
         (c.shape.kv_type == ElementType::bf16 || c.shape.kv_type == ElementType::i8);
}

// What the plain implementation answers, rounded as the output is.
inline std::vector<float> plain_output(const Case& c, const AttentionOptions& options) {
  std::vector<float> plain = c.naive<float>(options, plain_is_bf16(c)).output.data;
  for (float& x : plain) {
    if (c.shape.output_type == ElementType::bf16) {
      x = numeric::float_of_bf16(numeric::bf16_of_float(x));
    } else if (c.shape.output_type == ElementType::f16) {
      x = numeric::float_of_f16(numeric::f16_of_float(x));
    }
  }
  return plain;
}

inline void expect_within_bar(Case& c, const AttentionOptions& options) {
  c.run(options);
  const reference::Naive<double> exact = c.naive<double>(options);
  const double plain_error = rms_difference(plain_output(c, options), exact.output.data);
  const double error = rms_difference(c.output.array<double>().data, exact.output.data);
  // One rounding of the output is allowed where the plain code happens to be exact.
  EXPECT_LE(error, 2 * plain_error + 0x1p-24) << c.shape.text();
  const double plain_lse_error = rms_difference(
      c.naive<float>(options, plain_is_bf16(c)).log_sum_exp.data, exact.log_sum_exp.data);
  double lse_error = 0;
  std::size_t finite = 0;
  for (std::size_t i = 0; i < c.log_sum_exp.size(); ++i) {
    ASSERT_EQ(std::isinf(c.log_sum_exp[i]), std::isinf(exact.log_sum_exp.data[i]));
    if (std::isinf(c.log_sum_exp[i])) continue;
    ++finite;
    lse_error += std::pow(c.log_sum_exp[i] - exact.log_sum_exp.data[i], 2);
  }
  if (finite > 0 && !std::isnan(plain_lse_error)) {
    EXPECT_LE(std::sqrt(lse_error / static_cast<double>(finite)), 2 * plain_lse_error + 0x1p-22)
        << c.shape.text();
  }
  EXPECT_TRUE(c.output.guards_hold()) << c.shape.text();
}

}  // namespace whereof::attention_test

#endif  // WHEREOF_TESTS_ATTENTION_ACCURACY_BAR_H_
