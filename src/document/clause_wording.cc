#include "document/clause_wording.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "text/utf8.h"

namespace whereof::document {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_lower(c) || is_upper(c); }

template <std::size_t N>
bool is_one_of(std::string_view word, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

template <std::size_t N>
bool begins_with_one_of(std::string_view text, const std::string_view (&list)[N]) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view entry) { return text.starts_with(entry); });
}

// Equal but for the case of ASCII letters; lower is in lower case.
bool equals_folded(std::string_view word, std::string_view lower) {
  if (word.size() != lower.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char folded = is_upper(word[i]) ? static_cast<char>(word[i] | 0x20) : word[i];
    if (folded != lower[i]) return false;
  }
  return true;
}

template <std::size_t N>
bool is_one_of_folded(std::string_view word, const std::string_view (&list)[N]) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view entry) { return equals_folded(word, entry); });
}

constexpr std::string_view kReferenceNouns[] = {
    "section",    "sections",   "clause",     "clauses",     "article",      "articles",
    "paragraph",  "paragraphs", "subsection", "subsections", "subparagraph", "subparagraphs",
    "sub-clause", "subclause",  "schedule",   "exhibit",     "annex",        "appendix",
    "attachment", "part",       "item",       "items",       "sec",          "secs",
    "sect",       "art",        "arts",       "para",        "paras",        "no",
    "nos",        "number",     "rule",       "rules",       "regulation",   "regulations",
    "form",       "title",      "chapter",    "sub-section", "sub-paragraph"};

constexpr std::string_view kAbbreviations[] = {"no",   "nos",  "sec",   "secs", "sect", "art",
                                               "arts", "para", "paras", "cl",   "pp",   "v"};

constexpr std::string_view kLeadingOn[] = {
    "in",        "of",      "under",  "to",    "with",
    "by",        "per",     "this",   "the",   "from",
    "at",        "on",      "see",    "said",  "through",
    "than",      "least",   "most",   "for",   "such",
    "exceed",    "between", "within", "about", "approximately",
    "foregoing", "both",    "either", "each",  "is",
    "are",       "be",      "a",      "an",    "not",
    "shall",     "will"};

// Behind any number.
constexpr std::string_view kReferenceRests[] = {
    "above",   "below",     "hereof",      "hereto",      "thereof", "thereto",
    "through", "inclusive", "hereinabove", "hereinafter", "and",     "or"};

// Behind a number that is the subject of a sentence: "Section 3.2 shall apply".
constexpr std::string_view kPredicates[] = {
    "of",       "herein",   "hereunder", "shall", "may",     "will",    "is",      "are",
    "was",      "were",     "has",       "have",  "applies", "apply",   "applied", "sets",
    "does",     "do",       "must",      "can",   "cannot",  "would",   "should",  "contains",
    "requires", "provides", "then",      "which", "but",     "governs", "refers"};

constexpr std::string_view kMonths[] = {
    "January",   "February", "March",    "April",    "May",  "June", "July", "August",
    "September", "October",  "November", "December", "Jan",  "Feb",  "Mar",  "Apr",
    "Jun",       "Jul",      "Aug",      "Sep",      "Sept", "Oct",  "Nov",  "Dec"};

constexpr std::string_view kUnits[] = {
    "million",     "billion", "trillion", "thousand", "hundred",  "percent",  "per",     "basis",
    "day",         "days",    "week",     "weeks",    "month",    "months",   "year",    "years",
    "hour",        "hours",   "minutes",  "seconds",  "business", "calendar", "working", "times",
    "USD",         "EUR",     "GBP",      "RMB",      "CNY",      "HKD",      "shares",  "units",
    "p.m",         "a.m",     "pm",       "am",       "AM",       "PM",       "U.S.C",   "CFR",
    "consecutive", "th",      "st",       "nd",       "rd",       "x",        "Million", "Billion",
    "inches",      "feet",    "square",   "points",   "pages",    "copies",   "kg",      "mg",
    "ml",          "km",      "cm",       "mm",       "miles",    "dollars",  "Dollars"};

constexpr std::string_view kHanRests[] = {
    "的",   "所述", "所列", "所规定", "所约定", "所指", "规定", "约定",   "之规定", "之约定",
    "中的", "中所", "中规", "中约",   "第",     "项",   "款",   "，",     "；",     "。",
    "）",   "、",   ",",    ";",      "和第",   "与第", "及第", "或第",   "至第",   "到第",
    "和（", "与（", "及（", "或（",   "至（",   "到（", "及其", "以及第", "或者第", "或者（"};

// （一）项: fewer, for an item of a list may begin with almost anything.
constexpr std::string_view kHanListRests[] = {"项",   "、",   "，",   "；",   "。",   "和（",
                                              "与（", "及（", "或（", "至（", "到（", "或者（"};

// Some fonts of PDF files map their semicolon to this twin of it.
constexpr std::string_view kGreekQuestion = "\u037E";

constexpr std::string_view kClosers[] = {"\"", "'", ")", "]", "*", "_", "”", "’", "」", "』", "）"};

std::string_view strip_closers(std::string_view text) {
  bool again = true;
  while (again) {
    again = false;
    for (const std::string_view closer : kClosers) {
      if (text.ends_with(closer)) {
        text.remove_suffix(closer.size());
        again = true;
      }
    }
  }
  return text;
}

}  // namespace

bool is_space_at(std::string_view text, std::size_t at, std::size_t& bytes) noexcept {
  if (at >= text.size()) return false;
  const char c = text[at];
  if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
    bytes = 1;
    return true;
  }
  if (text.substr(at, 2) == "\u00A0") {
    bytes = 2;
    return true;
  }
  if (text.substr(at, 3) == "\u3000") {
    bytes = 3;
    return true;
  }
  return false;
}

std::string_view trim(std::string_view text) noexcept {
  std::size_t bytes = 0;
  while (is_space_at(text, 0, bytes)) text.remove_prefix(bytes);
  while (!text.empty()) {
    if (is_space_at(text, text.size() - 1, bytes) && bytes == 1) {
      text.remove_suffix(1);
    } else if (text.ends_with("\u00A0")) {
      text.remove_suffix(2);
    } else if (text.ends_with("\u3000")) {
      text.remove_suffix(3);
    } else {
      break;
    }
  }
  return text;
}

std::size_t markdown_marks(std::string_view text) noexcept {
  std::size_t n = 0, bytes = 0;
  while (n < text.size()) {
    if (is_space_at(text, n, bytes)) {
      n += bytes;
    } else if (text[n] == '#' || text[n] == '*' || text[n] == '>' || text[n] == '_') {
      ++n;
    } else {
      break;
    }
  }
  return n;
}

std::string_view first_word(std::string_view text) noexcept {
  std::size_t n = 0;
  while (n < text.size() && (is_letter(text[n]) || (n > 0 && n + 1 < text.size() &&
                                                    text[n] == '.' && is_letter(text[n + 1])))) {
    ++n;
  }
  return text.substr(0, n);
}

std::string_view last_word(std::string_view text) noexcept {
  std::size_t n = text.size();
  while (n > 0 && (is_letter(text[n - 1]) || text[n - 1] == '-')) --n;
  return text.substr(n);
}

bool begins_lower(std::string_view text) noexcept { return !text.empty() && is_lower(text[0]); }

bool begins_sentence(std::string_view text) noexcept {
  if (text.empty()) return false;
  const char c = text[0];
  return is_upper(c) || c == '"' || c == '\'' || c == '(' || c == '[' || c == '*' || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool begins_han(std::string_view text) noexcept {
  if (text.empty()) return false;
  const char32_t c = text::decode_at(text, 0).value;
  return (c >= 0x3400 && c <= 0x9FFF) || (c >= 0x20000 && c <= 0x3FFFF) || c == U'“' ||
         c == U'《' || c == U'【' || c == U'「';
}

bool ends_sentence(std::string_view text) noexcept {
  text = strip_closers(trim(text));
  if (text.ends_with("。") || text.ends_with("！") || text.ends_with("？")) return true;
  if (text.empty()) return false;
  const char last = text.back();
  if (last == '?' || last == '!') return true;
  if (last != '.') return false;
  text.remove_suffix(1);
  return !is_one_of_folded(last_word(text), kAbbreviations);
}

bool ends_clause(std::string_view text) noexcept {
  text = trim(text);
  for (const std::string_view joint : {"and/or", "and", "or", "和", "或", "及"}) {
    if (text.ends_with(joint)) {
      const std::string_view before = trim(text.substr(0, text.size() - joint.size()));
      return before.ends_with(';') || before.ends_with("；") || before.ends_with(kGreekQuestion);
    }
  }
  text = strip_closers(text);
  if (text.ends_with(":-") || text.ends_with(":–") || text.ends_with(":—")) return true;
  return text.ends_with(';') || text.ends_with(':') || text.ends_with("；") ||
         text.ends_with("：") || text.ends_with(kGreekQuestion);
}

std::string_view tail(std::string_view text) noexcept {
  constexpr std::size_t kTail = 96;
  return text.size() > kTail ? text.substr(text.size() - kTail) : text;
}

std::string_view head(std::string_view text) noexcept { return text.substr(0, 192); }

bool leads_to_reference(std::string_view text) noexcept {
  text = trim(text);
  if (text.ends_with('$') || text.ends_with('#') || text.ends_with("§")) return true;
  if (text.ends_with('.')) {
    text.remove_suffix(1);
    return is_one_of_folded(last_word(text), kAbbreviations);
  }
  return is_one_of_folded(last_word(text), kReferenceNouns);
}

bool leads_on(std::string_view text) noexcept {
  text = trim(text);
  if (is_one_of(last_word(text), kLeadingOn)) return true;
  for (const std::string_view lead : {"依照", "按照", "根据", "依据", "本协议", "本合同", "适用",
                                      "违反", "符合", "以及", "前述", "上述", "，", "、"}) {
    if (text.ends_with(lead)) return true;
  }
  return false;
}

bool continues_reference(std::string_view text) noexcept {
  text = trim(text);
  if (text.empty()) return false;
  if (text[0] == ',' || text[0] == ';' || text[0] == ')' || text[0] == '%' || text[0] == '/' ||
      (text[0] == '.' && text.size() == 1)) {
    return true;
  }
  return is_one_of(first_word(text), kReferenceRests);
}

bool continues_as_subject(std::string_view text) noexcept {
  return is_one_of(first_word(trim(text)), kPredicates);
}

bool continues_han_reference(std::string_view text) noexcept {
  return begins_with_one_of(text, kHanRests);
}

bool continues_han_list_reference(std::string_view text) noexcept {
  return begins_with_one_of(text, kHanListRests);
}

bool continues_quantity(std::string_view text) noexcept {
  text = trim(text);
  if (text.starts_with('%') || text.starts_with("％")) return true;
  const std::string_view word = first_word(text);
  if (word.empty()) return false;
  if (is_one_of(word, kUnits)) return true;
  if (!is_one_of(word, kMonths)) return false;
  // "4 March 2026", but not "4. May a party terminate?".
  const std::string_view rest = trim(text.substr(word.size()));
  return rest.empty() || (rest[0] >= '0' && rest[0] <= '9') || rest[0] == ',';
}

bool begins_with_capitals(std::string_view text) noexcept {
  text = text.substr(markdown_marks(text));
  std::size_t letters = 0, words = 0, n = 0;
  while (n < text.size() && words < 3) {
    std::size_t word = 0;
    while (n < text.size() && is_upper(text[n])) {
      ++n;
      ++word;
    }
    if (n < text.size() && is_lower(text[n])) break;
    letters += word;
    if (word > 0) ++words;
    if (n < text.size() && word == 0) {
      if (text[n] != ' ' && text[n] != '&' && text[n] != '\'' && text[n] != '-') break;
      ++n;
    }
  }
  return letters >= 4;
}

bool ends_with_capitals(std::string_view text) noexcept {
  const std::string_view word = last_word(trim(text));
  return word.size() >= 4 && std::all_of(word.begin(), word.end(), is_upper);
}

bool looks_like_heading(std::string_view text) noexcept {
  text = trim(text);
  if (text.empty() || text.size() > 120 || begins_lower(text) || !begins_sentence(text)) {
    return false;
  }
  if (text.ends_with("。") || text.ends_with("；") || text.ends_with("，")) return false;
  const char last = text.back();
  return last != ',' && last != ';' && !(last == '.' && text.size() > 60);
}

bool heads_numbered_table(std::string_view text) noexcept {
  constexpr std::size_t kLongest = 120;
  text = trim(text);
  if (text.size() > kLongest || ends_sentence(text) || ends_clause(text)) return false;
  for (const std::string_view first : {"序号", "编号"}) {
    if (text.starts_with(first)) return text.size() > first.size();
  }
  for (const std::string_view first : {"No.", "NO.", "No", "Nr.", "Sr. No.", "Sl. No.", "S. No.",
                                       "S/N", "S.N.", "Item No.", "Item #", "#"}) {
    if (!text.starts_with(first)) continue;
    const std::string_view rest = text.substr(first.size());
    const std::string_view column = trim(rest);
    const bool is_apart = rest.size() > column.size() && column.size() > 1;
    if (is_apart && column[0] >= 'A' && column[0] <= 'Z') return true;
  }
  return false;
}

}  // namespace whereof::document
