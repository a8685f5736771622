#include "attention/backward_problem.h"

#include <string>

#include "attention/argument_checks.h"
#include "whereof/error.h"

namespace whereof::attention {
namespace {

constexpr auto kTypes = {ElementType::f32, ElementType::bf16, ElementType::f64};

void check_gradient(const char* name, const TensorView& gradient, const char* tensor_name,
                    const ConstTensorView& tensor) {
  check_view(name, gradient, kTypes);
  check_shape(name, gradient.shape, tensor.shape);
  if (gradient.type != ElementType::f32 && gradient.type != tensor.type) {
    refuse(std::string(name) + " is " + std::string(name_of(gradient.type)) +
           "; wanted f32 or the type of " + tensor_name + ", " + std::string(name_of(tensor.type)));
  }
  check_doubles(name, gradient, tensor_name, tensor);
  check_rows_apart(name, gradient);
}

}  // namespace

BackwardProblem checked_backward_problem(const ConstTensorView& query, const ConstTensorView& key,
                                         const ConstTensorView& value,
                                         const ConstTensorView& output, const float* log_sum_exp,
                                         const ConstTensorView& grad_output,
                                         const TensorView& grad_query, const TensorView& grad_key,
                                         const TensorView& grad_value,
                                         const AttentionOptions& options) {
  if (options.key_pages) {
    throw Error(ErrorKind::unsupported,
                "key_pages is given; backward takes keys and values that lie in one piece");
  }
  check_view("query", query, kTypes);
  check_view("key", key, kTypes);
  check_view("value", value, kTypes);
  check_view("output", output, kTypes);
  check_view("grad_output", grad_output, kTypes);
  // What holds for a call of forward holds here; nothing is written through this view.
  const TensorView forward_output{const_cast<void*>(output.data), output.type, output.shape,
                                  output.strides};
  const Problem forward = checked_problem(query, key, value, forward_output, options);
  check_shape("grad_output", grad_output.shape, output.shape);
  check_doubles("grad_output", grad_output, "query", query);
  if (log_sum_exp == nullptr && !output.is_empty())
    refuse("log_sum_exp is null; wanted [" + std::to_string(forward.batch) + ", " +
           std::to_string(forward.query_heads) + ", " + std::to_string(forward.query_length) +
           "] floats");
  check_gradient("grad_query", grad_query, "query", query);
  check_gradient("grad_key", grad_key, "key", key);
  check_gradient("grad_value", grad_value, "value", value);
  struct Named {
    const char* name;
    const ConstTensorView& view;
  };
  const Named inputs[] = {{"query", query},
                          {"key", key},
                          {"value", value},
                          {"output", output},
                          {"grad_output", grad_output}};
  struct NamedGradient {
    const char* name;
    const TensorView& view;
  };
  const NamedGradient gradients[] = {
      {"grad_query", grad_query}, {"grad_key", grad_key}, {"grad_value", grad_value}};
  for (const NamedGradient& gradient : gradients) {
    for (const Named& input : inputs) {
      check_no_overlap(gradient.name, gradient.view, input.name, input.view);
    }
  }
  for (int i = 0; i < 3; ++i) {
    const NamedGradient& other = gradients[(i + 1) % 3];
    check_no_overlap(gradients[i].name, gradients[i].view, other.name, other.view);
  }
  return {.forward = forward,
          .output = output,
          .log_sum_exp = log_sum_exp,
          .grad_output = grad_output,
          .grad_query = grad_query,
          .grad_key = grad_key,
          .grad_value = grad_value};
}

}  // namespace whereof::attention
