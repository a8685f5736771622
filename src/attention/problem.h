// One call of attention_forward, checked: what follows may rely on every shape and range.
#ifndef WHEREOF_ATTENTION_PROBLEM_H_
#define WHEREOF_ATTENTION_PROBLEM_H_

#include <cstdint>
#include <optional>

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
  double exact_scale = 0;  // which scale is rounded from
  float soft_cap = 0;      // 0: none
  CacheScales scales;      // without data unless the cache is of i8
  std::optional<KeyPages> pages;
  Visibility visibility;

  bool has_scales() const noexcept { return key.type == ElementType::i8; }
  std::int64_t page_length() const noexcept { return key.shape[1]; }
  // Element offset of the row of a key in key, value or a scale.
  std::int64_t key_offset(const ConstTensorView& view, std::int64_t b, std::int64_t position,
                          std::int64_t head) const noexcept {
    if (!pages) return view.row_offset(b, position, head);
    const std::int64_t entry = b * pages->pages_per_sequence + position / page_length();
    return view.row_offset(pages->table[entry], position % page_length(), head);
  }
  // The rows of the keys from `position` to here follow each other at the stride of their view.
  std::int64_t run_end(std::int64_t position) const noexcept {
    if (!pages) return key_length;
    const std::int64_t page_end = (position / page_length() + 1) * page_length();
    return page_end < key_length ? page_end : key_length;
  }
};

// Throws Error(invalid_argument) or Error(unsupported) as attention_forward promises.
Problem checked_problem(const ConstTensorView& query, const ConstTensorView& key,
                        const ConstTensorView& value, const TensorView& output,
                        const AttentionOptions& options);
void check_request(const Problem& problem, const EvidenceRequest* request,
                   const Evidence* evidence);

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_PROBLEM_H_
