#include "answering/figures.h"

#include <algorithm>
#include <cstddef>
#include <unordered_set>

namespace whereof::answering {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// Each run of digits in text, without thousands separators: "5,000.00" gives "5000.00".
template <typename Visit>
void visit_figures(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    std::string plain;
    while (at < text.size()) {
      const bool is_inner =
          (text[at] == ',' || text[at] == '.') && at + 1 < text.size() && is_digit(text[at + 1]);
      if (!is_digit(text[at]) && !is_inner) break;
      if (text[at] != ',') plain.push_back(text[at]);
      ++at;
    }
    visit(text.substr(begin, at - begin), plain);
  }
}

}  // namespace

std::vector<std::string> figures_not_in(std::string_view answer, std::string_view text) {
  std::unordered_set<std::string> known;
  visit_figures(text, [&](std::string_view, const std::string& plain) { known.insert(plain); });
  std::vector<std::string> unfound;
  visit_figures(answer, [&](std::string_view written, const std::string& plain) {
    if (plain.size() < 2 || known.contains(plain)) return;
    if (std::find(unfound.begin(), unfound.end(), written) == unfound.end()) {
      unfound.emplace_back(written);
    }
  });
  return unfound;
}

}  // namespace whereof::answering
