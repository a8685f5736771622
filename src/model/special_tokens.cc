#include "model/special_tokens.h"

#include <algorithm>

namespace whereof::model {

SpecialTokenTable::SpecialTokenTable(std::vector<std::pair<std::string_view, TokenId>> names)
    : names_(std::move(names)) {
  std::sort(names_.begin(), names_.end());
  for (const auto& [name, id] : names_) is_first_byte_[static_cast<unsigned char>(name[0])] = true;
}

std::optional<TokenId> SpecialTokenTable::find(std::string_view name) const noexcept {
  const auto found =
      std::lower_bound(names_.begin(), names_.end(), name,
                       [](const auto& entry, std::string_view text) { return entry.first < text; });
  if (found == names_.end() || found->first != name) return std::nullopt;
  return found->second;
}

std::optional<SpecialTokenTable::Found> SpecialTokenTable::match_at(
    std::string_view text, std::size_t begin) const noexcept {
  std::optional<Found> longest;
  auto first = names_.begin();
  auto last = names_.end();
  for (std::size_t length = 0; begin + length < text.size(); ++length) {
    // All names in [first, last) begin with the `length` bytes before; shorter ones come first.
    const auto wanted = static_cast<unsigned char>(text[begin + length]);
    const auto byte_of = [length](const auto& entry) {
      return entry.first.size() > length ? static_cast<unsigned char>(entry.first[length]) : -1;
    };
    first = std::lower_bound(first, last, wanted, [&](const auto& entry, unsigned char byte) {
      return byte_of(entry) < byte;
    });
    last = std::upper_bound(first, last, wanted, [&](unsigned char byte, const auto& entry) {
      return byte < byte_of(entry);
    });
    if (first == last) break;
    if (first->first.size() == length + 1) {
      longest = Found{begin, begin + length + 1, first->second};
    }
  }
  return longest;
}

std::optional<SpecialTokenTable::Found> SpecialTokenTable::search(
    std::string_view text, std::size_t begin) const noexcept {
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (!is_first_byte_[static_cast<unsigned char>(text[at])]) continue;
    if (const auto found = match_at(text, at)) return found;
  }
  return std::nullopt;
}

}  // namespace whereof::model
