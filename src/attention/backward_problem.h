// One call of attention_backward, checked: what follows may rely on every shape and range.
#ifndef WHEREOF_ATTENTION_BACKWARD_PROBLEM_H_
#define WHEREOF_ATTENTION_BACKWARD_PROBLEM_H_

#include "attention/problem.h"
#include "kernels/kernel_set.h"
#include "whereof/attention_backward.h"

namespace whereof::attention {

struct BackwardProblem {
  Problem forward;  // its output has no data
  ConstTensorView output;
  const float* log_sum_exp = nullptr;
  ConstTensorView grad_output;
  TensorView grad_query;
  TensorView grad_key;
  TensorView grad_value;
};

// Throws Error(invalid_argument) or Error(unsupported) as attention_backward promises.
BackwardProblem checked_backward_problem(const ConstTensorView& query, const ConstTensorView& key,
                                         const ConstTensorView& value,
                                         const ConstTensorView& output, const float* log_sum_exp,
                                         const ConstTensorView& grad_output,
                                         const TensorView& grad_query, const TensorView& grad_key,
                                         const TensorView& grad_value,
                                         const AttentionOptions& options);

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_BACKWARD_PROBLEM_H_
