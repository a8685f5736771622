#include "text/utf8.h"
#include "whereof/document.h"

namespace whereof {

std::string joined_lines(std::string_view text) {
  std::string joined;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\n') {
      joined += text[at++];
      continue;
    }
    while (!joined.empty() && joined.back() == ' ') joined.pop_back();
    while (at < text.size() && (text[at] == '\n' || text[at] == ' ')) ++at;
    if (joined.empty() || at == text.size()) continue;
    const bool is_solid = text::joins_without_blank(
        text::decode_before(joined, joined.size()).value, text::decode_at(text, at).value);
    if (!is_solid) joined += ' ';
  }
  return joined;
}

}  // namespace whereof
