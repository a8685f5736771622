#include "document/reference_wording.h"

#include <algorithm>
#include <iterator>

#include "document/clause_wording.h"
#include "text/ascii_case.h"

namespace whereof::document {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }

using Unit = ReferenceUnit;

constexpr ReferenceNoun kNouns[] = {
    {"section", Unit::section, false, false, ""},
    {"sections", Unit::section, true, false, ""},
    {"sec.", Unit::section, false, false, ""},
    {"secs.", Unit::section, true, false, ""},
    {"sect.", Unit::section, false, false, ""},
    {"clause", Unit::clause, false, false, ""},
    {"clauses", Unit::clause, true, false, ""},
    {"article", Unit::article, false, false, ""},
    {"articles", Unit::article, true, false, ""},
    {"art.", Unit::article, false, false, ""},
    {"arts.", Unit::article, true, false, ""},
    {"paragraph", Unit::paragraph, false, false, ""},
    {"paragraphs", Unit::paragraph, true, false, ""},
    {"para.", Unit::paragraph, false, false, ""},
    {"paras.", Unit::paragraph, true, false, ""},
    {"para", Unit::paragraph, false, false, ""},
    {"subsection", Unit::paragraph, false, false, ""},
    {"subsections", Unit::paragraph, true, false, ""},
    {"sub-section", Unit::paragraph, false, false, ""},
    {"sub-sections", Unit::paragraph, true, false, ""},
    {"subclause", Unit::paragraph, false, false, ""},
    {"subclauses", Unit::paragraph, true, false, ""},
    {"sub-clause", Unit::paragraph, false, false, ""},
    {"sub-clauses", Unit::paragraph, true, false, ""},
    {"subparagraph", Unit::paragraph, false, false, ""},
    {"subparagraphs", Unit::paragraph, true, false, ""},
    {"sub-paragraph", Unit::paragraph, false, false, ""},
    {"sub-paragraphs", Unit::paragraph, true, false, ""},
    {"item", Unit::item, false, false, ""},
    {"items", Unit::item, true, false, ""},
    {"part", Unit::part, false, true, ""},
    {"parts", Unit::part, true, true, ""},
    {"chapter", Unit::chapter, false, true, ""},
    {"chapters", Unit::chapter, true, true, ""},
    {"schedule", Unit::schedule, false, true, "schedule"},
    {"schedules", Unit::schedule, true, true, "schedule"},
    {"exhibit", Unit::schedule, false, true, "exhibit"},
    {"exhibits", Unit::schedule, true, true, "exhibit"},
    {"annex", Unit::schedule, false, true, "annex"},
    {"annexes", Unit::schedule, true, true, "annex"},
    {"annexure", Unit::schedule, false, true, "annexure"},
    {"annexures", Unit::schedule, true, true, "annexure"},
    {"appendix", Unit::schedule, false, true, "appendix"},
    {"appendices", Unit::schedule, true, true, "appendix"},
    {"attachment", Unit::schedule, false, true, "attachment"},
    {"attachments", Unit::schedule, true, true, "attachment"},
    {"addendum", Unit::schedule, false, true, "addendum"},
};

constexpr std::string_view kStatuteWords[] = {
    "act",   "code",   "law",   "laws",   "statute",    "statutes",  "regulation",   "regulations",
    "rules", "u.s.c",  "c.f.r", "u.s.c.", "c.f.r.",     "usc",       "cfr",          "reg",
    "reg.",  "regs.",  "ucc",   "gdpr",   "directive",  "ordinance", "constitution", "decree",
    "erisa", "u.c.c.", "stat.", "irc",    "convention", "treaty"};

constexpr std::string_view kJoiningWords[] = {"of", "and", "for", "the", "on", "to", "&"};

constexpr std::string_view kOwnNames[] = {"agreement", "contract", "deed", "this agreement"};

bool is_word_byte(char c) {
  return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '\'' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string_view last_name_word(std::string_view text) {
  std::size_t n = text.size();
  while (n > 0 && is_word_byte(text[n - 1])) --n;
  return text.substr(n);
}

bool is_statute_word(std::string_view word) {
  const std::string folded = text::ascii_lower(word);
  return std::find(std::begin(kStatuteWords), std::end(kStatuteWords), folded) !=
         std::end(kStatuteWords);
}

}  // namespace

bool word_at(std::string_view text, std::size_t at, std::string_view lower) {
  if (text.size() < at + lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (text::ascii_lower(text[at + i]) != lower[i]) return false;
  }
  const std::size_t end = at + lower.size();
  return end == text.size() || !is_letter(text[end]) || !is_letter(lower.back());
}

std::size_t blanks_at(std::string_view text, std::size_t at) {
  std::size_t n = at;
  while (n < text.size() && n - at < 3 && (text[n] == ' ' || text[n] == '\t' || text[n] == '\n')) {
    ++n;
  }
  return n - at;
}

const ReferenceNoun* noun_at(std::string_view text, std::size_t at, std::size_t& bytes) {
  if (at >= text.size() || !is_letter(text[at])) return nullptr;
  for (const ReferenceNoun& noun : kNouns) {
    if (text::ascii_lower(text[at]) != noun.text[0] || !word_at(text, at, noun.text)) continue;
    if (noun.needs_capital && !is_upper(text[at])) continue;
    const std::size_t end = at + noun.text.size();
    if (end < text.size() && (text[end] == '-' || is_digit(text[end]))) continue;
    // "10 Sec.", then the next cell of a table.
    if (noun.text == "sec." && end < text.size() && text[end] == '\t') continue;
    bytes = noun.text.size();
    return &noun;
  }
  return nullptr;
}

Statute statute_before(std::string_view text, std::size_t at) {
  std::string_view before = text.substr(at > 48 ? at - 48 : 0, std::min<std::size_t>(at, 48));
  if (before.ends_with('\t') || before.ends_with('\n')) return Statute::none;
  before = trim(before);
  if (before.ends_with(',')) before = trim(before.substr(0, before.size() - 1));
  const std::string_view word = last_name_word(before);
  const std::string_view previous =
      last_name_word(trim(before.substr(0, before.size() - word.size())));
  if (word.empty() || !is_upper(word[0])) return Statute::none;
  if (previous == "Regulation") return Statute::regulation;  // Regulation S-K
  if (!is_statute_word(word)) return Statute::none;
  const std::string folded = text::ascii_lower(word);
  const bool is_regulation = folded.starts_with("reg") || folded.starts_with("c") ||
                             folded.starts_with("rule") || folded == "directive";
  return is_regulation && folded != "code" ? Statute::regulation : Statute::act;
}

bool follows_name(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(at > 32 ? at - 32 : 0, std::min<std::size_t>(at, 32));
  const std::string_view word = last_name_word(trim(before));
  return word.size() > 1 && is_upper(word[0]) && !word.ends_with('.');
}

std::size_t name_bytes(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 120;
  constexpr std::string_view kMarks[] = {"\"", "“", "*", "_"};
  std::size_t n = at;
  for (const std::string_view mark : kMarks) {
    if (text.substr(n, mark.size()) == mark) n += mark.size();
  }
  std::size_t end = at;
  while (n < text.size() && n - at < kLongest) {
    std::size_t stop = n;
    while (stop < text.size() && is_word_byte(text[stop])) ++stop;
    std::string_view word = text.substr(n, stop - n);
    if (word.empty() && text.substr(n, 1) == "&") word = text.substr(n, 1);
    std::size_t noun = 0;
    if (word.empty() || (end > at && noun_at(text, n, noun) != nullptr)) break;
    const bool is_joining = std::find(std::begin(kJoiningWords), std::end(kJoiningWords), word) !=
                            std::end(kJoiningWords);
    const bool is_name = is_upper(word[0]) || (is_digit(word[0]) && word.size() >= 4);
    if (!is_name && (!is_joining || end == at)) break;
    n += word.size();
    if (is_name) end = n - (word.ends_with('.') ? 1 : 0);
    if (n >= text.size() || (text[n] != ' ' && text[n] != '\n')) break;
    ++n;
  }
  return end - at;
}

bool is_own_name(std::string_view name) {
  const std::string folded = text::ascii_lower(name);
  return std::find(std::begin(kOwnNames), std::end(kOwnNames), folded) != std::end(kOwnNames);
}

bool ends_in_statute_word(std::string_view name) {
  std::size_t n = name.size();
  while (n > 0 && name[n - 1] != ' ' && name[n - 1] != '\n') --n;
  return is_statute_word(name.substr(n));
}

}  // namespace whereof::document
