// What attention_backward refuses, and the words it does it with.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "attention/backward_case.h"
#include "whereof/error.h"

namespace whereof::attention_test {
namespace {

struct BackwardCall {
  BackwardCase c{{.query_length = 4, .key_length = 6, .query_heads = 4, .kv_heads = 2}, 1};
  TensorView query = c.forward.query.view();
  TensorView key = c.forward.key.view();
  TensorView value = c.forward.value.view();
  TensorView output = c.forward.output.view();
  const float* log_sum_exp = c.forward.log_sum_exp.data();
  TensorView grad_output = c.grad_output.view();
  TensorView grad_query = c.grad_query.view();
  TensorView grad_key = c.grad_key.view();
  TensorView grad_value = c.grad_value.view();
  AttentionOptions options;

  void operator()() {
    attention_backward(query, key, value, output, log_sum_exp, grad_output, grad_query, grad_key,
                       grad_value, options);
  }
};

void expect_refused_after(const std::function<void(BackwardCall&)>& change,
                          const std::string& words, ErrorKind kind = ErrorKind::invalid_argument) {
  BackwardCall call;
  change(call);
  try {
    call();
    ADD_FAILURE() << "not refused; wanted: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_THAT(error.what(), testing::HasSubstr(words));
    EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n")));
  }
}

TEST(BackwardErrors, TheUnchangedCallRuns) {
  BackwardCall call;
  call.c.forward.run({});
  EXPECT_NO_THROW(call());
}

TEST(BackwardErrors, ShapesThatDisagree) {
  using Call = BackwardCall;
  expect_refused_after([](Call& c) { c.key.shape[3] = 8; },
                       "key has shape [1, 6, 2, 8]; wanted [1, 6, 2, 16]");
  expect_refused_after([](Call& c) { c.output.shape[1] = 3; },
                       "output has shape [1, 3, 4, 16]; wanted [1, 4, 4, 16]");
  expect_refused_after([](Call& c) { c.grad_output.shape[3] = 15; },
                       "grad_output has shape [1, 4, 4, 15]; wanted [1, 4, 4, 16]");
  expect_refused_after([](Call& c) { c.grad_query.shape[2] = 2; },
                       "grad_query has shape [1, 4, 2, 16]; wanted [1, 4, 4, 16]");
  expect_refused_after([](Call& c) { c.grad_key.shape[2] = 4; },
                       "grad_key has shape [1, 6, 4, 16]; wanted [1, 6, 2, 16]");
  expect_refused_after([](Call& c) { c.grad_value.shape[1] = 7; },
                       "grad_value has shape [1, 7, 2, 16]; wanted [1, 6, 2, 16]");
  expect_refused_after([](Call& c) { c.log_sum_exp = nullptr; },
                       "log_sum_exp is null; wanted [1, 4, 4] floats");
}

TEST(BackwardErrors, TypesAndStrides) {
  using Call = BackwardCall;
  expect_refused_after([](Call& c) { c.grad_output.type = ElementType::f16; },
                       "grad_output has type f16", ErrorKind::unsupported);
  expect_refused_after([](Call& c) { c.query.type = ElementType::f16; }, "query has type f16",
                       ErrorKind::unsupported);
  expect_refused_after([](Call& c) { c.key.type = c.value.type = ElementType::i8; },
                       "key has type i8", ErrorKind::unsupported);
  expect_refused_after([](Call& c) { c.options.key_pages.emplace(); }, "key_pages is given",
                       ErrorKind::unsupported);
  expect_refused_after([](Call& c) { c.grad_key.type = ElementType::bf16; },
                       "grad_key is bf16; wanted f32 or the type of key, f32");
  expect_refused_after([](Call& c) { c.grad_value.strides[3] = 2; },
                       "grad_value has innermost stride 2");
  expect_refused_after([](Call& c) { c.grad_query.data = nullptr; }, "grad_query of shape");
  expect_refused_after([](Call& c) { c.grad_query.strides[2] = 7; }, "rows of 16 elements overlap");
}

TEST(BackwardErrors, GradientsThatOverlap) {
  using Call = BackwardCall;
  expect_refused_after([](Call& c) { c.grad_query.data = c.query.data; },
                       "grad_query overlaps query");
  expect_refused_after([](Call& c) { c.grad_value.data = c.output.data; },
                       "grad_value overlaps output");
  expect_refused_after([](Call& c) { c.grad_key.data = c.grad_output.data; },
                       "grad_key overlaps grad_output");
  expect_refused_after([](Call& c) { c.grad_key.data = c.grad_value.data; },
                       "grad_key overlaps grad_value");
  expect_refused_after([](Call& c) { c.grad_query.data = c.grad_value.data; },
                       "grad_value overlaps grad_query");
}

TEST(BackwardErrors, OptionsOutOfRange) {
  using Call = BackwardCall;
  expect_refused_after([](Call& c) { c.options.scale = std::nanf(""); }, "scale");
  expect_refused_after([](Call& c) { c.options.soft_cap = -1; }, "soft_cap");
  expect_refused_after([](Call& c) { c.options.mask.window = -1; }, "window is -1");
}

}  // namespace
}  // namespace whereof::attention_test
