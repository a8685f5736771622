// Which keys a query row sees: AttentionMask, checked and made quick to ask.
//
// What a row sees is two runs of keys, the kept sinks and the run around its own position, less the
// hidden spans. Begin and end of the second run never fall from one row to the next, so what a
// block of rows sees is again two runs, and a tile's kind follows from its first and its last row.
#ifndef WHEREOF_ATTENTION_VISIBILITY_H_
#define WHEREOF_ATTENTION_VISIBILITY_H_

#include <cstdint>
#include <vector>

#include "whereof/attention.h"
#include "whereof/span.h"

namespace whereof::attention {

// Hidden spans are not taken out. sinks.end <= keys.begin.
struct VisibleKeys {
  Span sinks;
  Span keys;
};

class Visibility {
 public:
  Visibility() = default;
  // The mask must outlive this; it has been checked (check_mask).
  Visibility(const AttentionMask& mask, std::int64_t query_length, std::int64_t key_length);

  VisibleKeys of_row(std::int64_t batch, std::int64_t row) const noexcept;
  // How many keys a row sees, hidden ones not counted.
  std::int64_t count(std::int64_t batch, std::int64_t row) const noexcept;
  // The keys of `within` that a row of first_row .. last_row sees: ascending, disjoint, none empty.
  void runs_of(std::int64_t batch, std::int64_t first_row, std::int64_t last_row, Span within,
               std::vector<Span>& runs) const;
  // True when every row of first_row .. last_row sees the whole tile, which lies in one run.
  bool is_full(std::int64_t batch, std::int64_t first_row, std::int64_t last_row,
               Span tile) const noexcept;

 private:
  // Rows of a sequence that take part, and keys.
  std::int64_t rows_of(std::int64_t batch) const noexcept;
  std::int64_t keys_of(std::int64_t batch) const noexcept;
  std::int64_t hidden_before(std::int64_t position) const noexcept;

  const AttentionMask* mask_ = nullptr;
  std::int64_t query_length_ = 0;
  std::int64_t key_length_ = 0;
  std::vector<std::int64_t> hidden_until_;  // keys of the hidden spans up to and with this one
};

// Throws Error(invalid_argument) for a mask that contradicts itself or the shapes.
void check_mask(const AttentionMask& mask, std::int64_t batch, std::int64_t query_length,
                std::int64_t key_length);

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_VISIBILITY_H_
