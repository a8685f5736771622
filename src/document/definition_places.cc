// A quoted term is defined by what stands behind it ("X" means) or before it (the "X"),
// 以下简称“X”. A term without quotation marks is one at the head of a paragraph: X means, X，是指.
// Quoted terms with only "and" or "or" between them share what defines the last of them, or the
// first.
#include "document/definition_places.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "document/clause_numbers.h"
#include "document/clause_wording.h"
#include "document/definition_wording.h"
#include "document/reference_wording.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr std::size_t kLongestTerm = 90;      // bytes
constexpr std::size_t kLongestBracket = 400;  // bytes from "(" to a term in it

struct QuotePair {
  std::string_view open, close;
};
constexpr QuotePair kQuotes[] = {{"“", "”"}, {"\"", "\""}, {"「", "」"}, {"『", "』"},
                                 {"„", "“"}, {"＂", "＂"}, {"‘", "’"},   {"''", "''"}};

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

bool is_han(char32_t c) { return c >= 0x3400 && c <= 0x9FFF; }

struct Quoted {
  PlaceInText term;   // inside the marks, without blanks, commas and asterisks
  PlaceInText whole;  // with the marks
};

// The term inside without what belongs to the sentence around it: "Buyer," is Buyer.
bool trim_term(std::string_view text, PlaceInText& term) {
  constexpr std::string_view kEdges = " \t\n*_,.;:";
  while (term.begin < term.end && kEdges.find(text[term.begin]) != std::string_view::npos) {
    ++term.begin;
  }
  while (term.begin < term.end && kEdges.find(text[term.end - 1]) != std::string_view::npos) {
    --term.end;
  }
  for (const std::string_view mark : {"，", "。", "；", "："}) {
    if (text.substr(term.begin, term.end - term.begin).ends_with(mark)) term.end -= mark.size();
  }
  if (term.end <= term.begin) return false;
  const auto first = static_cast<unsigned char>(text[term.begin]);
  if (!is_alphanumeric(text[term.begin]) && first < 0x80) return false;
  const std::string_view inside = text.substr(term.begin, term.end - term.begin);
  for (const std::string_view mark : {"。", "；", ". ", "; ", "? "}) {
    if (inside.find(mark) != std::string_view::npos) return false;
  }
  return std::count(inside.begin(), inside.end(), ' ') < 12;
}

bool scan_quoted(std::string_view text, std::size_t at, Quoted& quoted) {
  for (const QuotePair& pair : kQuotes) {
    if (!has(text, at, pair.open)) continue;
    const bool is_straight = pair.open == pair.close;
    const std::size_t begin = at + pair.open.size();
    if (is_straight) {  // a closing mark stands behind a word
      const bool behind_word =
          at > 0 && (is_alphanumeric(text[at - 1]) || text[at - 1] == ',' || text[at - 1] == '.');
      if (behind_word || begin >= text.size() || is_blank(text[begin])) continue;
    }
    const std::string_view inside = text.substr(begin, kLongestTerm);
    std::size_t end = inside.find(pair.close);
    if (end == std::string_view::npos && pair.open == "“") end = inside.find('"');
    if (end == std::string_view::npos ||
        inside.substr(0, end).find('\n') != std::string_view::npos) {
      continue;
    }
    quoted.term = {begin, begin + end};
    const std::size_t close = has(text, begin + end, pair.close) ? pair.close.size() : 1;
    quoted.whole = {at, begin + end + close};
    if (trim_term(text, quoted.term)) return true;
  }
  return false;
}

class DefinitionScanner {
 public:
  explicit DefinitionScanner(std::string_view text) : text_(text) {}

  std::vector<DefiningPlace> scan() {
    for (std::size_t n = 0; n < text_.size();) {
      track_brackets(n);
      const bool is_head = n == 0 || text_[n - 1] == '\n';
      if (is_head) scan_head(n);
      Quoted quoted;
      if (may_open(n) && scan_quoted(text_, n, quoted)) {
        take(quoted);
        n = quoted.whole.end;
        continue;
      }
      if (has(text_, n, "称")) scan_han_naming(n);
      ++n;
    }
    std::stable_sort(
        places_.begin(), places_.end(),
        [](const DefiningPlace& a, const DefiningPlace& b) { return a.term.begin < b.term.begin; });
    return std::move(places_);
  }

 private:
  bool may_open(std::size_t n) const {
    const auto c = static_cast<unsigned char>(text_[n]);
    return c == '"' || c == '\'' || c == 0xE2 || c == 0xE3 || c == 0xEF;
  }

  void track_brackets(std::size_t n) {
    if (text_[n] == '(' || has(text_, n, "（")) {
      opens_.push_back(n);
    } else if ((text_[n] == ')' || has(text_, n, "）")) && !opens_.empty()) {
      opens_.pop_back();
    } else if (text_[n] == '\n') {
      opens_.clear();
    }
  }

  std::string_view before(std::size_t n) const {
    const std::size_t begin = n > 96 ? n - 96 : 0;
    return text_.substr(begin, n - begin);
  }

  void take(const Quoted& quoted) {
    // "X" or "Y": one group.
    const bool chained = !group_.empty() && joins(group_.back().whole.end, quoted.whole.begin);
    if (!chained) {
      group_.clear();
      is_group_defined_ = false;
    }
    group_.push_back(quoted);
    if (speaks_of_words()) return;
    const DefiningVerb* verb = behind(quoted.whole.end);
    if (verb == nullptr && heads_paragraph(quoted.whole.begin) && has_colon(quoted.whole.end)) {
      verb = &plain_verb();
    }
    if (verb != nullptr) {
      const std::size_t first = is_group_defined_ ? group_.size() - 1 : 0;
      for (std::size_t i = first; i < group_.size(); ++i) add(group_[i].term, verb->is_pointer);
      group_.clear();
      is_group_defined_ = false;
      return;
    }
    const bool named = is_group_defined_ || is_named(quoted);
    if (!named) return;
    add(quoted.term, false);
    is_group_defined_ = true;
  }

  // The words "herein" and "hereof" refer to: rules of reading, no terms.
  bool speaks_of_words() const {
    const Quoted& first = group_.front();
    if (!begins_lower(text_.substr(first.term.begin, 1))) return false;
    std::string_view lead = trim(before(first.whole.begin));
    for (const std::string_view word : {"such as", "like", ",", ":"}) {
      if (lead.ends_with(word)) lead = trim(lead.substr(0, lead.size() - word.size()));
    }
    const std::string_view word = last_word(lead);
    for (const std::string_view noun :
         {"word", "words", "phrase", "phrases", "expression", "expressions", "Words", "pronouns"}) {
      if (word == noun) return true;
    }
    return false;
  }

  bool joins(std::size_t end, std::size_t begin) const {
    if (begin - end > 40) return false;
    std::string_view between = trim(text_.substr(end, begin - end));
    for (const std::string_view mark : {",", "、", "，", ")", "("}) {
      if (between.starts_with(mark)) between = trim(between.substr(mark.size()));
    }
    for (const std::string_view word : {"and", "or", "或", "和", "及", "与", "/", "and/or"}) {
      if (between.starts_with(word)) between = trim(between.substr(word.size()));
    }
    for (const std::string_view word :
         {"the", "each a", "each an", "a", "an", "each", "collectively", "collectively,", "(", "“",
          "individually,"}) {
      if (between == word) return true;
    }
    return between.empty() || between == "the term";
  }

  const DefiningVerb* behind(std::size_t end) const {
    std::size_t n = skip_blanks(text_, skip_brackets(text_, end));
    while (has(text_, n, "*") || has(text_, n, "_")) ++n;
    n = skip_blanks(text_, n);
    if (const DefiningVerb* verb = verb_at(text_, n)) return checked(verb);
    if (!has(text_, n, ",")) return nullptr;
    // "X", as used in this Agreement, means
    const std::string_view inserted = text_.substr(n + 1, 120);
    const std::size_t comma = inserted.find(',');
    const std::size_t next = skip_blanks(text_, n + 1);
    if (const DefiningVerb* verb = verb_at(text_, next)) return checked(verb);
    if (comma == std::string_view::npos) return nullptr;
    const DefiningVerb* verb = verb_at(text_, skip_blanks(text_, n + 1 + comma + 1));
    return checked(verb);
  }

  const DefiningVerb* checked(const DefiningVerb* verb) const {
    if (verb == nullptr || verb->strength != DefiningVerb::Strength::weak) return verb;
    return heads_paragraph(group_.front().whole.begin) ? verb : nullptr;
  }

  // Nothing but marks and a number between the start of the paragraph and the place.
  bool heads_paragraph(std::size_t n) const {
    const std::size_t begin = n > 40 ? n - 40 : 0;
    const std::size_t newline = text_.substr(begin, n - begin).rfind('\n');
    if (newline == std::string_view::npos && begin > 0) return false;
    std::size_t at = newline == std::string_view::npos ? 0 : begin + newline + 1;
    at += markdown_marks(text_.substr(at, n - at));
    if (const auto number = scan_number(text_.substr(at, 60))) {
      at += static_cast<std::size_t>(number->bytes);
    }
    while (at < n && !is_alphanumeric(text_[at]) && static_cast<unsigned char>(text_[at]) < 0x80) {
      ++at;
    }
    const std::string_view rest = text_.substr(at, n > at ? n - at : 0);
    return rest.empty() || rest == "The term " || rest == "The terms " || rest == "•" ||
           rest == "• " || rest == "Term " || rest.ends_with("所称");
  }

  bool has_colon(std::size_t n) const {
    while (has(text_, n, "*") || has(text_, n, "_")) ++n;
    if (has(text_, n, "\t")) return true;  // the next cell of a table
    n = skip_blanks(text_, n);
    for (const std::string_view mark : {":", "：", "–", "—", "- ", "=", "|"}) {
      if (has(text_, n, mark)) return true;
    }
    return false;
  }

  bool is_named(const Quoted& quoted) const {
    std::string_view lead = before(quoted.whole.begin);
    while (lead.ends_with('*') || lead.ends_with('_')) lead.remove_suffix(1);
    if (han_naming_bytes(trim(lead)) > 0) return true;
    if (ends_in_naming(lead)) return true;
    const bool in_brackets =
        !opens_.empty() && quoted.whole.begin - opens_.back() <= kLongestBracket;
    if (!in_brackets) return false;
    lead = trim(lead);
    const bool is_first = lead.ends_with('(') || lead.ends_with("（");
    if (!is_first && !ends_in_lead(lead)) return false;
    std::size_t n = quoted.whole.end;
    while (has(text_, n, "*") || has(text_, n, "_")) ++n;
    n = skip_blanks(text_, n);
    if (has(text_, n, "-")) n = skip_blanks(text_, n + 1);
    for (const std::string_view mark : {")", "）", ",", "，", ";", "、", "]", ".", "或", "和"}) {
      if (has(text_, n, mark)) return true;
    }
    for (const std::string_view word : {"and", "or", "together", "collectively", "as", "when",
                                        "individually", "each", "for", "in", "which", "herein"}) {
      if (word_at(text_, n, word)) return true;
    }
    return false;
  }

  void add(PlaceInText term, bool is_pointer) { places_.push_back({term, is_pointer}); }

  // Affiliate means, **Affiliate** means, 损失，是指: at the head of a paragraph, unquoted.
  void scan_head(std::size_t n) {
    const std::size_t end = std::min(text_.size(), n + 140);
    std::size_t at = n;
    at += markdown_marks(text_.substr(at, end - at));
    if (const auto number = scan_number(text_.substr(at, 60))) {
      at += static_cast<std::size_t>(number->bytes);
    }
    at = skip_blanks(text_, at);
    while (has(text_, at, "*") || has(text_, at, "_")) ++at;
    if (at >= end) return;
    if (is_upper(text_[at])) {
      scan_latin_head(at, end);
    } else if (is_han(text::decode_at(text_, at).value)) {
      scan_han_head(at, end);
    }
  }

  void scan_latin_head(std::size_t begin, std::size_t end) {
    std::size_t n = begin;
    int words = 0;
    while (n < end && words < 9) {
      std::size_t stop = n;
      while (stop < end && (is_alphanumeric(text_[stop]) || text_[stop] == '-' ||
                            text_[stop] == '/' || text_[stop] == '\'' || text_[stop] == '&' ||
                            static_cast<unsigned char>(text_[stop]) >= 0x80)) {
        ++stop;
      }
      if (stop == n || !may_be_in_term(text_.substr(n, stop - n))) return;
      ++words;
      const std::size_t term_end = stop;
      while (has(text_, stop, "*") || has(text_, stop, "_")) ++stop;
      const std::size_t next = skip_blanks(text_, skip_brackets(text_, stop));
      const DefiningVerb* verb = verb_at(text_, next);
      if (verb != nullptr && verb->strength == DefiningVerb::Strength::strong) {
        add_head({begin, term_end}, verb->is_pointer);
        return;
      }
      if (!has(text_, stop, " ")) return;
      n = stop + 1;
    }
  }

  static bool may_be_in_term(std::string_view word) {
    if (!begins_lower(word)) return true;
    for (const std::string_view joint :
         {"of", "and", "or", "for", "to", "the", "in", "on", "by", "a", "with"}) {
      if (word == joint) return true;
    }
    return false;
  }

  void add_head(PlaceInText term, bool is_pointer) {
    const std::string_view words = text_.substr(term.begin, term.end - term.begin);
    const std::string_view first = first_word(words);
    for (const std::string_view word : {"This", "That", "It", "The", "Which", "Nothing", "What",
                                        "For", "In", "As", "These", "Such", "If"}) {
      if (first == word) return;
    }
    add(term, is_pointer);
  }

  // 【本协议所称】损失，是指: up to twenty characters without a mark between.
  void scan_han_head(std::size_t begin, std::size_t end) {
    std::size_t n = begin, term = begin;
    for (int count = 0; n < end && count < 24; ++count) {
      for (const std::string_view verb : {"是指", "系指", "，是指", "，指", "：指", "，系指",
                                          "：是指", "：系指", ":指", "指的是"}) {
        if (has(text_, n, verb) && n >= term + 6) {
          add({term, n}, false);
          return;
        }
      }
      if (has(text_, n, "所称")) {
        n += 6;
        if (has(text_, n, "的")) n += 3;
        term = n;
        continue;
      }
      const text::CodePoint c = text::decode_at(text_, n);
      const bool may_stand = is_han(c.value) || is_alphanumeric(text_[n]) || c.value == U'（' ||
                             c.value == U'）' || c.value == U'/' || c.value == U'、';
      if (!may_stand) return;
      n += static_cast<std::size_t>(c.bytes);
    }
  }

  // 以下简称甲方） without quotation marks. n: at 称.
  void scan_han_naming(std::size_t n) {
    const std::size_t naming = han_naming_bytes(before(n + 3));
    const bool follows_below = naming > 0 && n + 3 >= naming + 3 &&
                               (has(text_, n + 3 - naming, "以下") ||
                                has(text_, n + 3 - naming, "下称") || has(text_, n - 3, "简"));
    if (!follows_below) return;
    std::size_t begin = n + 3;
    if (has(text_, begin, "为")) begin += 3;
    if (has(text_, begin, "：") || has(text_, begin, "作")) begin += 3;
    begin = skip_blanks(text_, begin);
    std::size_t end = begin;
    for (int count = 0; end < text_.size() && count < 16; ++count) {
      const text::CodePoint c = text::decode_at(text_, end);
      const bool is_end = c.value == U'）' || c.value == ')' || c.value == U'，' ||
                          c.value == U'。' || c.value == U'；' || c.value == '\n';
      if (is_end) {
        if (end > begin) add({begin, end}, false);
        return;
      }
      if (!is_han(c.value) && !is_alphanumeric(text_[end])) return;
      end += static_cast<std::size_t>(c.bytes);
    }
  }

  std::string_view text_;
  std::vector<std::size_t> opens_;
  std::vector<Quoted> group_;
  bool is_group_defined_ = false;
  std::vector<DefiningPlace> places_;
};

}  // namespace

std::vector<DefiningPlace> scan_defining_places(std::string_view text) {
  return DefinitionScanner(text).scan();
}

}  // namespace whereof::document
