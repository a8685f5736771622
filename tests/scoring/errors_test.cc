#include <gmock/gmock.h>

#include <functional>

#include "scoring/scoring_case.h"
#include "whereof/error.h"

namespace whereof::scoring_test {
namespace {

struct Call {
  explicit Call(ScoringForm form)
      : c({.form = form,
           .query_length = 4,
           .key_length = 6,
           .heads = 2,
           .query_dim = 5,
           .key_dim = 3,
           .value_dim = 7,
           .width = 9},
          1),
        inputs(c.inputs.inputs()),
        gradients(c.gradients.views()),
        output(c.output.view()),
        grad_output(c.grad_output.view()),
        log_sum_exp(c.log_sum_exp.data()) {}
  void forward() { scoring_forward(c.shape.form, inputs, output); }
  void backward() {
    scoring_backward(c.shape.form, inputs, output, log_sum_exp, grad_output, gradients);
  }

  ScoringCase c;
  ScoringInputs inputs;
  ScoringGradients gradients;
  TensorView output;
  ConstTensorView grad_output;
  const float* log_sum_exp;
};

void expect_refused(const std::function<void()>& call, const std::string& words,
                    ErrorKind kind = ErrorKind::invalid_argument) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown; wanted: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_THAT(error.what(), testing::HasSubstr(words));
  }
}

void expect_forward_refused(ScoringForm form, const std::function<void(Call&)>& change,
                            const std::string& words,
                            ErrorKind kind = ErrorKind::invalid_argument) {
  Call call(form);
  change(call);
  expect_refused([&] { call.forward(); }, words, kind);
}

void expect_backward_refused(const std::function<void(Call&)>& change, const std::string& words,
                             ErrorKind kind = ErrorKind::invalid_argument) {
  Call call(ScoringForm::additive);
  change(call);
  expect_refused([&] { call.backward(); }, words, kind);
}

TEST(ScoringErrors, TheUnchangedCallsRun) {
  for (const ScoringForm form : kForms) {
    Call call(form);
    EXPECT_NO_THROW(call.forward()) << name_of(form);
    EXPECT_NO_THROW(call.backward()) << name_of(form);
  }
}

TEST(ScoringErrors, ShapesThatDisagree) {
  expect_forward_refused(
      ScoringForm::dot, [](Call& c) { c.inputs.key.shape[3] = 3; },
      "key has shape [1, 6, 2, 3]; wanted [1, 6, 2, 5]");
  expect_forward_refused(
      ScoringForm::general, [](Call& c) { c.inputs.weight.shape[2] = 4; },
      "weight has shape [1, 2, 4, 5]; wanted [1, 2, 3, 5]");
  expect_forward_refused(
      ScoringForm::concat, [](Call& c) { c.inputs.weight.shape[3] = 5; },
      "weight has shape [1, 2, 9, 5]; wanted [1, 2, 9, 8]");
  expect_forward_refused(
      ScoringForm::additive, [](Call& c) { c.inputs.key_weight.shape[1] = 1; },
      "key_weight has shape [1, 1, 9, 3]; wanted [1, 2, 9, 3]");
  expect_forward_refused(
      ScoringForm::additive, [](Call& c) { c.inputs.score_vector.shape[0] = 2; },
      "score_vector has shape [2, 2, 1, 9]; wanted [1, 2, 1, 9]");
  expect_forward_refused(
      ScoringForm::additive, [](Call& c) { c.inputs.value.shape[1] = 5; },
      "value has shape [1, 5, 2, 7]; wanted [1, 6, 2, 7]");
  expect_forward_refused(
      ScoringForm::additive, [](Call& c) { c.output.shape[1] = 3; },
      "output has shape [1, 3, 2, 7]; wanted [1, 4, 2, 7]");
  expect_forward_refused(
      ScoringForm::additive,
      [](Call& c) {
        c.inputs.score_vector.shape[3] = c.inputs.weight.shape[2] = c.inputs.key_weight.shape[2] =
            0;
      },
      "score_vector has rows of 0 elements");
}

TEST(ScoringErrors, TypesStridesAndOverlap) {
  expect_forward_refused(
      ScoringForm::additive, [](Call& c) { c.inputs.key.type = ElementType::bf16; },
      "key has type bf16; scoring forms take f32", ErrorKind::unsupported);
  expect_forward_refused(
      ScoringForm::additive, [](Call& c) { c.inputs.weight.strides[3] = 2; },
      "weight has innermost stride 2");
  expect_forward_refused(
      ScoringForm::additive, [](Call& c) { c.inputs.key_weight.data = nullptr; },
      "key_weight of shape");
  expect_forward_refused(
      ScoringForm::additive,
      [](Call& c) { c.output.data = const_cast<void*>(c.inputs.value.data); },
      "output overlaps value");
}

TEST(ScoringErrors, Backward) {
  expect_backward_refused([](Call& c) { c.log_sum_exp = nullptr; }, "log_sum_exp is null");
  expect_backward_refused([](Call& c) { c.grad_output.shape[3] = 6; },
                          "grad_output has shape [1, 4, 2, 6]; wanted [1, 4, 2, 7]");
  expect_backward_refused([](Call& c) { c.gradients.key.shape[1] = 5; },
                          "gradient of key has shape [1, 5, 2, 3]; wanted [1, 6, 2, 3]");
  expect_backward_refused([](Call& c) { c.gradients.weight.data = c.gradients.key_weight.data; },
                          "in memory; it must overlap no input");
  expect_backward_refused(
      [](Call& c) { c.gradients.query.data = const_cast<void*>(c.inputs.key.data); },
      "gradient of query overlaps key");
}

}  // namespace
}  // namespace whereof::scoring_test
