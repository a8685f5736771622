#include "whereof/scoring.h"

#include "kernels/kernel_set.h"
#include "scoring/additive_attention.h"
#include "scoring/checked_scoring.h"
#include "scoring/projection.h"
#include "whereof/attention.h"
#include "whereof/attention_backward.h"

namespace whereof {
namespace scoring {
namespace {

const kernels::KernelSet& kernels_for(const ScoringOptions& options) {
  return kernels::kernel_set_for(options.instruction_set ? *options.instruction_set
                                                         : chosen_instruction_set());
}

// Columns begin .. begin + count of every row.
template <typename View>
View columns_of(View view, std::int64_t begin, std::int64_t count) {
  if constexpr (requires { static_cast<float*>(view.data); }) {
    view.data = static_cast<float*>(view.data) + begin;
  } else {
    view.data = static_cast<const float*>(view.data) + begin;
  }
  view.shape[3] = count;
  return view;
}

// The weights of queries and of keys in concat and additive.
template <typename View>
struct QueryAndKeyWeights {
  View query;
  View key;
};
template <typename View>
QueryAndKeyWeights<View> weights_of(ScoringForm form, const ScoringTensors<View>& tensors) {
  if (form == ScoringForm::additive) return {tensors.weight, tensors.key_weight};
  const std::int64_t query_dim = tensors.query.shape[3];
  return {columns_of(tensors.weight, 0, query_dim),
          columns_of(tensors.weight, query_dim, tensors.key.shape[3])};
}

// dot and general: a scaled dot product of scale 1, of queries that general projects first.
AttentionOptions attention_options(const ScoringOptions& options) {
  AttentionOptions result;
  result.scale = 1.0F;
  result.mask.is_causal = options.is_causal;
  result.threads = options.threads;
  result.stop = options.stop;
  result.instruction_set = options.instruction_set;
  return result;
}

AdditiveProblem additive_problem(const ScoringInputs& inputs, const HeadRows& queries,
                                 const HeadRows& keys, const ScoringOptions& options) {
  return {.queries = queries,
          .keys = keys,
          .value = inputs.value,
          .score_vector = inputs.score_vector,
          .query_length = inputs.query.shape[1],
          .is_causal = options.is_causal,
          .threads = options.threads,
          .stop = options.stop};
}

void general_backward(const kernels::KernelSet& kernels, const ScoringInputs& inputs,
                      const ConstTensorView& output, const float* log_sum_exp,
                      const ConstTensorView& grad_output, const ScoringGradients& gradients,
                      const ScoringOptions& options) {
  const auto [batch, query_length, heads, query_dim] = inputs.query.shape;
  HeadRows queries = project(kernels, inputs.query, inputs.weight, options.threads);
  HeadRows grad_queries(batch, heads, query_length, inputs.key.shape[3], kernels.lanes);
  attention_backward(queries.view(), inputs.key, inputs.value, output, log_sum_exp, grad_output,
                     grad_queries.view(), gradients.key, gradients.value,
                     attention_options(options));
  project_backward(kernels, inputs.query, inputs.weight, grad_queries, gradients.query,
                   gradients.weight, options.threads);
}

void concat_or_additive_backward(const kernels::KernelSet& kernels, ScoringForm form,
                                 const ScoringInputs& inputs, const ConstTensorView& output,
                                 const float* log_sum_exp, const ConstTensorView& grad_output,
                                 const ScoringGradients& gradients, const ScoringOptions& options) {
  const auto weights = weights_of(form, inputs);
  const auto grad_weights = weights_of(form, gradients);
  const HeadRows queries = project(kernels, inputs.query, weights.query, options.threads);
  const HeadRows keys = project(kernels, inputs.key, weights.key, options.threads);
  const AdditiveGradients of_projected =
      additive_backward(kernels, additive_problem(inputs, queries, keys, options), output,
                        log_sum_exp, grad_output, gradients.value, gradients.score_vector);
  project_backward(kernels, inputs.query, weights.query, of_projected.queries, gradients.query,
                   grad_weights.query, options.threads);
  project_backward(kernels, inputs.key, weights.key, of_projected.keys, gradients.key,
                   grad_weights.key, options.threads);
}

}  // namespace
}  // namespace scoring

std::string_view name_of(ScoringForm form) noexcept {
  switch (form) {
    case ScoringForm::dot:
      return "dot";
    case ScoringForm::general:
      return "general";
    case ScoringForm::concat:
      return "concat";
    case ScoringForm::additive:
      return "additive";
  }
  return "unknown";
}

void scoring_forward(ScoringForm form, const ScoringInputs& inputs, const TensorView& output,
                     const ScoringOptions& options, float* log_sum_exp) {
  scoring::check_forward(form, inputs, output);
  const kernels::KernelSet& kernels = scoring::kernels_for(options);
  if (form == ScoringForm::dot) {
    attention_forward(inputs.query, inputs.key, inputs.value, output,
                      scoring::attention_options(options), log_sum_exp);
    return;
  }
  if (form == ScoringForm::general) {
    scoring::HeadRows queries =
        scoring::project(kernels, inputs.query, inputs.weight, options.threads);
    attention_forward(queries.view(), inputs.key, inputs.value, output,
                      scoring::attention_options(options), log_sum_exp);
    return;
  }
  const auto weights = scoring::weights_of(form, inputs);
  const auto queries = scoring::project(kernels, inputs.query, weights.query, options.threads);
  const auto keys = scoring::project(kernels, inputs.key, weights.key, options.threads);
  scoring::additive_forward(kernels, scoring::additive_problem(inputs, queries, keys, options),
                            output, log_sum_exp);
}

void scoring_backward(ScoringForm form, const ScoringInputs& inputs, const ConstTensorView& output,
                      const float* log_sum_exp, const ConstTensorView& grad_output,
                      const ScoringGradients& gradients, const ScoringOptions& options) {
  scoring::check_backward(form, inputs, output, log_sum_exp, grad_output, gradients);
  const kernels::KernelSet& kernels = scoring::kernels_for(options);
  if (form == ScoringForm::dot) {
    attention_backward(inputs.query, inputs.key, inputs.value, output, log_sum_exp, grad_output,
                       gradients.query, gradients.key, gradients.value,
                       scoring::attention_options(options));
  } else if (form == ScoringForm::general) {
    scoring::general_backward(kernels, inputs, output, log_sum_exp, grad_output, gradients,
                              options);
  } else {
    scoring::concat_or_additive_backward(kernels, form, inputs, output, log_sum_exp, grad_output,
                                         gradients, options);
  }
}

}  // namespace whereof
