// One call of attention_forward, checked: what follows may rely on every shape and range.
#ifndef WHEREOF_ATTENTION_PROBLEM_H_
#define WHEREOF_ATTENTION_PROBLEM_H_

#include <cstdint>

#include "attention/visibility.h"
#include "whereof/attention.h"

namespace whereof::attention {

struct Problem {
  ConstTensorView query;
  ConstTensorView key;
  ConstTensorView value;
  TensorView output;
  std::int64_t batch = 0;
  std::int64_t query_length = 0;
  std::int64_t key_length = 0;
  std::int64_t query_heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t group_size = 0;
  std::int64_t head_dim = 0;
  std::int64_t value_dim = 0;
  float scale = 0;
  float soft_cap = 0;  // 0: none
  Visibility visibility;
};

// Throws Error(invalid_argument) or Error(unsupported) as attention_forward promises.
Problem checked_problem(const ConstTensorView& query, const ConstTensorView& key,
                        const ConstTensorView& value, const TensorView& output,
                        const AttentionOptions& options);
void check_request(const Problem& problem, const EvidenceRequest* request,
                   const Evidence* evidence);

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_PROBLEM_H_
