#include "document/definition_uses.h"

#include <algorithm>

#include "text/ascii_case.h"
#include "text/words.h"

namespace whereof::document {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

std::string edge(std::int32_t node, std::string_view word) {
  std::string key = std::to_string(node);
  key += '|';
  key += word;
  return key;
}

bool is_apart(text::WordKind kind) { return kind == text::WordKind::chinese_label; }

}  // namespace

std::string folded_word(std::string_view word) {
  for (const std::string_view mark : {"'", "’"}) {
    if (const std::size_t at = word.find(mark); at != std::string_view::npos && at > 0) {
      word = word.substr(0, at);
    }
  }
  std::string folded = text::ascii_lower(word);
  const auto ends = [&folded](std::string_view tail) { return folded.ends_with(tail); };
  if (folded.size() > 4 && ends("ies")) {
    folded.replace(folded.size() - 3, 3, "y");
  } else if (ends("sses") || ends("xes") || ends("ches") || ends("shes")) {
    folded.resize(folded.size() - 2);
  } else if (folded.size() > 2 && ends("s") && !ends("ss") && !ends("us") && !ends("is")) {
    folded.pop_back();
  }
  return folded;
}

std::string folded_term(std::string_view term) {
  std::string folded;
  text::WordScanner scanner(term);
  text::Word word;
  while (scanner.next(word)) {
    if (is_apart(word.kind)) continue;
    if (!folded.empty()) folded += ' ';
    folded += folded_word(term.substr(static_cast<std::size_t>(word.bytes.begin),
                                      static_cast<std::size_t>(word.bytes.length())));
  }
  return folded;
}

void TermTree::add(std::string_view term, std::int32_t index) {
  text::WordScanner scanner(term);
  text::Word word;
  std::int32_t node = 0;
  std::size_t words = 0;
  bool begins_with_capital = false;
  while (scanner.next(word)) {
    if (is_apart(word.kind)) continue;
    if (++words > kMostWords) return;
    const std::string_view bytes = term.substr(static_cast<std::size_t>(word.bytes.begin),
                                               static_cast<std::size_t>(word.bytes.length()));
    if (words == 1) begins_with_capital = is_upper(bytes[0]);
    const auto [place, is_new] = edges_.try_emplace(edge(node, folded_word(bytes)),
                                                    static_cast<std::int32_t>(nodes_.size()));
    if (is_new) nodes_.emplace_back();
    node = place->second;
  }
  if (words == 0 || nodes_[static_cast<std::size_t>(node)].term >= 0) return;
  nodes_[static_cast<std::size_t>(node)] = {index, begins_with_capital};
}

std::vector<TermTree::Use> TermTree::uses_in(std::string_view text) const {
  struct Token {
    PlaceInText text;
    std::string folded;
    bool begins_with_capital = false;
  };
  std::vector<Use> uses;
  std::vector<Token> window;  // what was read and not yet passed
  text::WordScanner scanner(text);
  bool has_more = true;
  const auto fill = [&] {
    text::Word word;
    while (has_more && window.size() < kMostWords) {
      has_more = scanner.next(word);
      if (!has_more || is_apart(word.kind)) continue;
      const auto begin = static_cast<std::size_t>(word.bytes.begin);
      const auto end = static_cast<std::size_t>(word.bytes.end);
      window.push_back(
          {{begin, end}, folded_word(text.substr(begin, end - begin)), is_upper(text[begin])});
    }
  };
  for (fill(); !window.empty(); fill()) {
    std::int32_t node = 0;
    std::size_t taken = 0;
    Use best;
    for (std::size_t i = 0; i < window.size(); ++i) {
      const auto next = edges_.find(edge(node, window[i].folded));
      if (next == edges_.end()) break;
      node = next->second;
      const Node& reached = nodes_[static_cast<std::size_t>(node)];
      if (reached.term < 0 || (reached.begins_with_capital && !window[0].begins_with_capital)) {
        continue;
      }
      taken = i + 1;
      best = {{window[0].text.begin, window[i].text.end}, reached.term};
    }
    if (taken > 0) uses.push_back(best);
    window.erase(window.begin(),
                 window.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(taken, 1)));
  }
  return uses;
}

}  // namespace whereof::document
