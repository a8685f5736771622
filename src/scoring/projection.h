// A linear map of every row, a weight a head, and its gradients:
//
//   to[b, i, h] = weight[h] from[b, i, h]
//   grad_from[b, i, h] = weight[h]^T grad_to[b, i, h]
//   grad_weight[h] = sum over b, i of grad_to[b, i, h] from[b, i, h]^T
#ifndef WHEREOF_SCORING_PROJECTION_H_
#define WHEREOF_SCORING_PROJECTION_H_

#include "kernels/kernel_set.h"
#include "scoring/head_rows.h"
#include "whereof/tensor_view.h"

namespace whereof::scoring {

// from    [batch, length, heads, in], f32
// weight  [1, heads, out, in], f32
HeadRows project(const kernels::KernelSet& kernels, const ConstTensorView& from,
                 const ConstTensorView& weight, int threads);

// Overwrites grad_from and grad_weight, which have the shapes of from and weight.
void project_backward(const kernels::KernelSet& kernels, const ConstTensorView& from,
                      const ConstTensorView& weight, const HeadRows& grad_to,
                      const TensorView& grad_from, const TensorView& grad_weight, int threads);

}  // namespace whereof::scoring

#endif  // WHEREOF_SCORING_PROJECTION_H_
