#include "scoring/checked_scoring.h"

#include <array>
#include <string>
#include <vector>

#include "attention/argument_checks.h"
#include "whereof/error.h"

namespace whereof::scoring {
namespace {

using Shape = std::array<std::int64_t, 4>;

// The tensors that a form takes, with the shapes that they must have.
struct Part {
  const char* name;
  const char* gradient_name;
  ConstTensorView ScoringInputs::*input;
  TensorView ScoringGradients::*gradient;
  Shape shape;
};

std::vector<Part> parts_of(ScoringForm form, const ScoringInputs& inputs) {
  const auto [batch, query_length, heads, query_dim] = inputs.query.shape;
  const std::int64_t key_length = inputs.key.shape[1];
  const std::int64_t key_dim = form == ScoringForm::dot ? query_dim : inputs.key.shape[3];
  const std::int64_t width = inputs.score_vector.shape[3];
  std::vector<Part> parts = {{"query", "gradient of query", &ScoringInputs::query,
                              &ScoringGradients::query, inputs.query.shape},
                             {"key",
                              "gradient of key",
                              &ScoringInputs::key,
                              &ScoringGradients::key,
                              {batch, key_length, heads, key_dim}},
                             {"value",
                              "gradient of value",
                              &ScoringInputs::value,
                              &ScoringGradients::value,
                              {batch, key_length, heads, inputs.value.shape[3]}}};
  const auto add_weight = [&](std::int64_t rows, std::int64_t columns) {
    parts.push_back({"weight",
                     "gradient of weight",
                     &ScoringInputs::weight,
                     &ScoringGradients::weight,
                     {1, heads, rows, columns}});
  };
  const auto add_score_vector = [&] {
    parts.push_back({"score_vector",
                     "gradient of score_vector",
                     &ScoringInputs::score_vector,
                     &ScoringGradients::score_vector,
                     {1, heads, 1, width}});
  };
  switch (form) {
    case ScoringForm::dot:
      break;
    case ScoringForm::general:
      add_weight(key_dim, query_dim);
      break;
    case ScoringForm::concat:
      add_score_vector();
      add_weight(width, query_dim + key_dim);
      break;
    case ScoringForm::additive:
      add_score_vector();
      add_weight(width, query_dim);
      parts.push_back({"key_weight",
                       "gradient of key_weight",
                       &ScoringInputs::key_weight,
                       &ScoringGradients::key_weight,
                       {1, heads, width, key_dim}});
      break;
  }
  return parts;
}

void check_tensor(const char* name, const ConstTensorView& view, const Shape& wanted) {
  attention::check_view(name, view);
  if (view.type != ElementType::f32) {
    throw Error(ErrorKind::unsupported, std::string(name) + " has type " +
                                            std::string(name_of(view.type)) +
                                            "; scoring forms take f32");
  }
  attention::check_shape(name, view.shape, wanted);
  if (view.shape[3] < 1) {
    attention::refuse(std::string(name) + " has rows of " + std::to_string(view.shape[3]) +
                      " elements; wanted at least 1");
  }
}

Shape output_shape(const ScoringInputs& inputs) {
  return {inputs.query.shape[0], inputs.query.shape[1], inputs.query.shape[2],
          inputs.value.shape[3]};
}

}  // namespace

void check_forward(ScoringForm form, const ScoringInputs& inputs, const TensorView& output) {
  const std::vector<Part> parts = parts_of(form, inputs);
  for (const Part& part : parts) check_tensor(part.name, inputs.*part.input, part.shape);
  check_tensor("output", output, output_shape(inputs));
  for (const Part& part : parts) {
    attention::check_no_overlap("output", output, part.name, inputs.*part.input);
  }
  attention::check_rows_apart("output", output);
}

void check_backward(ScoringForm form, const ScoringInputs& inputs, const ConstTensorView& output,
                    const float* log_sum_exp, const ConstTensorView& grad_output,
                    const ScoringGradients& gradients) {
  const std::vector<Part> parts = parts_of(form, inputs);
  for (const Part& part : parts) check_tensor(part.name, inputs.*part.input, part.shape);
  check_tensor("output", output, output_shape(inputs));
  check_tensor("grad_output", grad_output, output_shape(inputs));
  if (log_sum_exp == nullptr && !output.is_empty()) {
    attention::refuse("log_sum_exp is null; wanted what scoring_forward wrote");
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const char* name = parts[i].gradient_name;
    const TensorView& gradient = gradients.*parts[i].gradient;
    check_tensor(name, gradient, parts[i].shape);
    attention::check_rows_apart(name, gradient);
    attention::check_no_overlap(name, gradient, "output", output);
    attention::check_no_overlap(name, gradient, "grad_output", grad_output);
    for (const Part& part : parts) {
      attention::check_no_overlap(name, gradient, part.name, inputs.*part.input);
    }
    for (std::size_t j = 0; j < i; ++j) {
      attention::check_no_overlap(name, gradient, parts[j].gradient_name,
                                  gradients.*parts[j].gradient);
    }
  }
}

}  // namespace whereof::scoring
