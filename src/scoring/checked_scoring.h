// One call of scoring_forward or scoring_backward, checked.
#ifndef WHEREOF_SCORING_CHECKED_SCORING_H_
#define WHEREOF_SCORING_CHECKED_SCORING_H_

#include "whereof/scoring.h"

namespace whereof::scoring {

// Throw Error(invalid_argument) or Error(unsupported) as whereof/scoring.h promises.
void check_forward(ScoringForm form, const ScoringInputs& inputs, const TensorView& output);
void check_backward(ScoringForm form, const ScoringInputs& inputs, const ConstTensorView& output,
                    const float* log_sum_exp, const ConstTensorView& grad_output,
                    const ScoringGradients& gradients);

}  // namespace whereof::scoring

#endif  // WHEREOF_SCORING_CHECKED_SCORING_H_
