// Finds the texts of special tokens in a prompt: the leftmost, and of several at one place the
// longest. Names lie sorted; at each place of the text the range of names that still fit is
// narrowed byte by byte, which takes O(longest name * log names) at most and one look as a rule.
#ifndef WHEREOF_MODEL_SPECIAL_TOKENS_H_
#define WHEREOF_MODEL_SPECIAL_TOKENS_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "whereof/tokenizer.h"

namespace whereof::model {

class SpecialTokenTable {
 public:
  static constexpr std::size_t kMaxNameBytes = 256;

  struct Found {
    std::size_t begin = 0;  // in the text
    std::size_t end = 0;
    TokenId id = -1;
  };

  // Names are not empty, differ, have at most kMaxNameBytes and outlive the table.
  explicit SpecialTokenTable(std::vector<std::pair<std::string_view, TokenId>> names);

  std::optional<TokenId> find(std::string_view name) const noexcept;
  // The first special token at or after text[begin].
  std::optional<Found> search(std::string_view text, std::size_t begin) const noexcept;

 private:
  std::optional<Found> match_at(std::string_view text, std::size_t begin) const noexcept;

  std::vector<std::pair<std::string_view, TokenId>> names_;  // sorted
  std::array<bool, 256> is_first_byte_{};
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_SPECIAL_TOKENS_H_
