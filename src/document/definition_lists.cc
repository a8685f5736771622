#include <cstddef>
#include <string_view>

#include "document/clause_numbers.h"
#include "document/clause_wording.h"
#include "document/definition_places.h"
#include "document/definition_wording.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr std::size_t kLongestEntryTerm = 80;  // bytes
constexpr int kMostWords = 8;

// "Business Day", 交割日: begins with a capital or is Chinese, few words, no stops.
bool could_be_term(std::string_view term) {
  if (term.size() < 2 || term.size() > kLongestEntryTerm) return false;
  if (begins_han(term)) {
    for (const std::string_view mark : {"。", "，", "；", "、", "：", "“", "《"}) {
      if (term.find(mark) != std::string_view::npos) return false;
    }
    return term.size() <= 45;
  }
  if (!(term[0] >= 'A' && term[0] <= 'Z')) return false;
  int words = 1;
  for (const char c : term) {
    if (c == ',' || c == '.' || c == ';' || c == '"') return false;
    if (c == ' ') ++words;
  }
  return words <= kMostWords;
}

// The term that a paragraph begins with, up to a colon, a dash or the next cell.
bool entry_at(std::string_view text, std::size_t begin, std::size_t end, PlaceInText& term) {
  std::size_t at = begin + markdown_marks(text.substr(begin, end - begin));
  if (const auto number = scan_number(text.substr(at, 60))) {
    at = skip_blanks(text, at + static_cast<std::size_t>(number->bytes));
  }
  while (has(text, at, "*") || has(text, at, "_") || has(text, at, "|") || has(text, at, " ")) ++at;
  if (at >= end) return false;
  const std::string_view paragraph = text.substr(at, end - at);
  std::size_t stop = std::string_view::npos;
  std::size_t behind = 0;
  for (const std::string_view mark : {": ", "：", " – ", " — ", " - ", "\t", " | "}) {
    const std::size_t place = paragraph.substr(0, kLongestEntryTerm + 8).find(mark);
    if (place >= stop) continue;
    stop = place;
    behind = place + mark.size();
  }
  if (stop == std::string_view::npos || trim(paragraph.substr(behind)).size() < 4) return false;
  std::string_view words = trim(paragraph.substr(0, stop));
  while (words.ends_with('*') || words.ends_with('_')) words.remove_suffix(1);
  term = {at, at + words.size()};
  return could_be_term(words);
}

}  // namespace

std::vector<DefiningPlace> scan_definition_list(std::string_view text, PlaceInText clause) {
  std::vector<DefiningPlace> places;
  for (std::size_t begin = clause.begin; begin < clause.end;) {
    const std::size_t newline = text.find('\n', begin);
    const std::size_t end = newline < clause.end ? newline : clause.end;
    PlaceInText term;
    if (entry_at(text, begin, end, term)) places.push_back({term, false});
    begin = end + 1;
  }
  if (places.size() < 2) places.clear();
  return places;
}

}  // namespace whereof::document
