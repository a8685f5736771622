// References in English. An expression is a noun, numbers with separators between them, and what
// they are said to be of:
//
//   Sections 3.1, 3.2(a) and (b), and 5 to 7 of Schedule 2
//   ^noun    ^items, the last a range        ^place
#include <algorithm>
#include <utility>

#include "document/clause_wording.h"
#include "document/reference_expression.h"
#include "document/reference_numbers.h"
#include "document/reference_wording.h"

namespace whereof::document {
namespace {

constexpr std::size_t kMostItems = 64;
constexpr int kMostOuterNouns = 4;  // "clause (i) of paragraph (b) of Section 3 of Schedule 2"

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

char at(std::string_view text, std::size_t index) {
  return index < text.size() ? text[index] : '\0';
}

NumberLetters letters_for(const ReferenceNoun& noun, bool is_capital) {
  if (!is_capital) return NumberLetters::none;
  switch (noun.unit) {
    case ReferenceUnit::item:
    case ReferenceUnit::clause:
      return NumberLetters::capitals;
    default:
      return NumberLetters::spelled;
  }
}

ReferencePath path_of(const ReferenceNoun& noun, const NamedNumber& number) {
  ReferencePath path;
  if (!number.main.empty()) {
    const bool is_schedule = noun.unit == ReferenceUnit::schedule;
    path.push_back({StepKind::numbered, noun.unit,
                    is_schedule ? std::string(noun.schedule) + " " + number.main : number.main, 1});
  }
  for (const std::string& inner : number.brackets) {
    path.push_back({StepKind::numbered, ReferenceUnit::item, inner, 1});
  }
  return path;
}

// Between two items of a list or the ends of a range.
struct Separator {
  std::size_t bytes = 0;  // with the blanks around it
  bool is_range = false;
  bool is_comma = false;  // nothing but a comma
};

Separator separator_at(std::string_view text, std::size_t begin) {
  std::size_t n = begin + blanks_at(text, begin);
  Separator separator;
  for (const std::string_view dash : {"-", "–", "—"}) {
    if (text.substr(n, dash.size()) != dash) continue;
    n += dash.size();
    separator.is_range = true;
    separator.bytes = n + blanks_at(text, n) - begin;
    return separator;
  }
  for (int commas = 0; commas < 2 && (at(text, n) == ',' || at(text, n) == ';'); ++commas) {
    separator.is_comma = true;
    ++n;
    n += blanks_at(text, n);
    separator.bytes = n - begin;
  }
  struct Joint {
    std::string_view text;
    bool is_range;
  };
  constexpr Joint kJoints[] = {
      {"and/or", false}, {"and", false}, {"or", false},   {"&", false},    {"through", true},
      {"to", true},      {"thru", true}, {"until", true}, {"up to", true}, {"as well as", false}};
  for (const Joint& joint : kJoints) {
    if (!word_at(text, n, joint.text)) continue;
    const std::size_t blanks = blanks_at(text, n + joint.text.size());
    if (blanks == 0) continue;
    separator.is_range = joint.is_range;
    separator.is_comma = false;
    separator.bytes = n + joint.text.size() + blanks - begin;
    return separator;
  }
  return separator;
}

// "(Confidentiality)" behind a number: its bytes with the blank before it, else 0.
std::size_t title_bytes(std::string_view text, std::size_t begin) {
  constexpr std::size_t kLongest = 80;
  const std::size_t open = begin + blanks_at(text, begin);
  const char mark = at(text, open);
  if (open == begin || (mark != '(' && mark != '[')) return 0;
  if (!is_upper(at(text, open + 1)) && at(text, open + 1) != '"' &&
      static_cast<unsigned char>(at(text, open + 1)) < 0x80) {
    return 0;
  }
  const std::size_t close = text.substr(open, kLongest).find(mark == '(' ? ')' : ']');
  return close == std::string_view::npos ? 0 : open + close + 1 - begin;
}

class EnglishScanner {
 public:
  EnglishScanner(std::string_view text, std::size_t begin, ReferenceExpression& found)
      : text_(text), begin_(begin), found_(found) {}

  bool scan() {
    found_ = {};
    found_.text.begin = begin_;
    std::size_t n = begin_;
    if (text_.substr(n, 2) == "§") return scan_sign();
    const bool is_this = word_at(text_, n, "this");
    if (is_this || word_at(text_, n, "the")) {
      return scan_relative(is_this);
    }
    std::size_t bytes = 0;
    const ReferenceNoun* noun = noun_at(text_, n, bytes);
    if (noun == nullptr) return false;
    if (noun->unit == ReferenceUnit::part && follows_name(text_, n)) return false;
    return scan_numbers(*noun, n, n + bytes) && finish();
  }

 private:
  bool scan_sign() {
    static constexpr ReferenceNoun kSingular = {"§", ReferenceUnit::section, false, false, ""};
    static constexpr ReferenceNoun kPlural = {"§§", ReferenceUnit::section, true, false, ""};
    const bool is_plural = text_.substr(begin_ + 2, 2) == "§";
    return scan_numbers(is_plural ? kPlural : kSingular, begin_, begin_ + (is_plural ? 4 : 2)) &&
           finish();
  }

  // "this Section", "the foregoing paragraph"; "this Section 3.2" is left to its number.
  bool scan_relative(bool is_this) {
    std::size_t n = begin_ + (is_this ? 4 : 3);
    n += blanks_at(text_, n);
    StepKind kind = StepKind::this_one;
    if (!is_this) {
      if (word_at(text_, n, "immediately")) n += 11 + blanks_at(text_, n + 11);
      kind = StepKind::numbered;
      struct Direction {
        std::string_view text;
        StepKind kind;
      };
      constexpr Direction kDirections[] = {
          {"foregoing", StepKind::previous}, {"preceding", StepKind::previous},
          {"previous", StepKind::previous},  {"prior", StepKind::previous},
          {"following", StepKind::next},     {"next", StepKind::next},
          {"succeeding", StepKind::next}};
      for (const Direction& direction : kDirections) {
        if (!word_at(text_, n, direction.text)) continue;
        kind = direction.kind;
        n += direction.text.size() + blanks_at(text_, n + direction.text.size());
      }
      if (kind == StepKind::numbered) return false;
    }
    std::size_t bytes = 0;
    const ReferenceNoun* noun = noun_at(text_, n, bytes);
    if (noun == nullptr || (noun->is_plural && kind != StepKind::previous)) return false;
    if (noun->unit == ReferenceUnit::item) return false;
    const std::size_t end = n + bytes;
    NamedNumber number;
    const std::size_t behind = end + blanks_at(text_, end);
    if (behind > end && scan_named_number(text_, behind, NumberLetters::capitals, number)) {
      return false;
    }
    ReferenceItem item;
    item.text = {begin_, end};
    item.first.push_back({kind, noun->unit, "", 1});
    found_.items.push_back(std::move(item));
    found_.text.end = end;
    found_.place = ReferencePlace::own;
    return true;
  }

  bool scan_numbers(const ReferenceNoun& noun, std::size_t noun_begin, std::size_t n) {
    const std::size_t blanks = blanks_at(text_, n);
    if (blanks == 0 && noun.text[0] != '\xC2' && at(text_, n) != '(') return false;
    n += blanks;
    letters_ = letters_for(noun, is_upper(text_[noun_begin]));
    NamedNumber number;
    if (!scan_named_number(text_, n, letters_, number)) return false;
    if (!number.is_digits() && number.main.size() == 1 && number.brackets.empty() &&
        !stands_as_letter(noun, n + 1)) {
      return false;
    }
    add_item(noun, number, noun_begin, n + number.bytes);
    return scan_more(noun);
  }

  // "Section I agree": a lone capital must not begin a sentence of its own.
  bool stands_as_letter(const ReferenceNoun& noun, std::size_t end) const {
    const char letter = text_[end - 1];
    if (noun.unit == ReferenceUnit::schedule) return true;
    if (letter != 'A' && letter != 'I') return true;
    const char next = at(text_, end + blanks_at(text_, end));
    return end == end + blanks_at(text_, end) || is_upper(next) || next == '(' || next == '\0' ||
           word_at(text_, end + 1, "of") || word_at(text_, end + 1, "and") ||
           word_at(text_, end + 1, "or") || word_at(text_, end + 1, "above") ||
           word_at(text_, end + 1, "shall") || word_at(text_, end + 1, "hereof");
  }

  void add_item(const ReferenceNoun& noun, const NamedNumber& number, std::size_t begin,
                std::size_t end) {
    ReferenceItem item;
    item.text = {begin, end};
    item.first = path_of(noun, number);
    item.is_continued = number.main.empty() && !found_.items.empty();
    found_.items.push_back(std::move(item));
    found_.text.end = end;
    last_ = number;
  }

  bool scan_more(const ReferenceNoun& noun) {
    while (found_.items.size() < kMostItems) {
      std::size_t n = found_.text.end;
      n += title_bytes(text_, n);
      const Separator separator = separator_at(text_, n);
      if (separator.bytes == 0) break;
      n += separator.bytes;
      if (separator.is_range || noun.is_plural) n += noun_again(noun, n);
      NamedNumber number;
      if (!scan_named_number(text_, n, letters_, number)) break;
      if (!goes_on(noun, separator, number, n)) break;
      if (separator.is_range && found_.items.back().last.empty()) {
        ReferenceItem& item = found_.items.back();
        item.last = path_of(noun, number);
        item.is_continued = item.is_continued || number.main.empty();
        item.text.end = found_.text.end = n + number.bytes;
        last_ = number;
      } else {
        add_item(noun, number, n, n + number.bytes);
      }
    }
    return true;
  }

  // "Section 3 through Section 5": the noun and its blank.
  std::size_t noun_again(const ReferenceNoun& noun, std::size_t n) const {
    std::size_t bytes = 0;
    const ReferenceNoun* again = noun_at(text_, n, bytes);
    if (again == nullptr || again->unit != noun.unit || again->schedule != noun.schedule) return 0;
    const std::size_t blanks = blanks_at(text_, n + bytes);
    return blanks == 0 ? 0 : bytes + blanks;
  }

  // Does the number behind a separator belong to the list?
  bool goes_on(const ReferenceNoun& noun, const Separator& separator, const NamedNumber& number,
               std::size_t n) const {
    const std::string_view rest = text_.substr(n + number.bytes, 64);
    if (number.main.empty()) return goes_on_in_brackets(noun, separator, number, n);
    if (!number.is_digits()) {  // "Exhibits A and B", "Articles I through III"
      if (last_.is_digits()) return false;
      const bool is_word = rest.starts_with(' ') && rest.size() > 1 && number.main == "I" &&
                           begins_lower(rest.substr(1));
      return (noun.is_plural || separator.is_range) && !is_word;
    }
    if (!last_.main.empty() && !last_.is_digits()) return false;
    if (continues_quantity(rest)) return false;
    if (number.is_decimal()) return true;
    if (separator.is_range) return !last_.is_decimal() && number.main.size() < 4;
    return noun.is_plural && number.main.size() < 4 && !rest.starts_with(",0");
  }

  // "3.2(a) and (b)", but not "under Section 3.2(a), (b) to pay": in a list of a sentence's own.
  bool goes_on_in_brackets(const ReferenceNoun& noun, const Separator& separator,
                           const NamedNumber& number, std::size_t n) const {
    if (last_.brackets.empty()) return false;
    if (noun.is_plural || separator.is_range) return true;
    const std::string_view rest = text_.substr(n + number.bytes, 32);
    if (separator.is_comma) {  // only where the list comes to its "and (c)"
      const Separator next = separator_at(text_, n + number.bytes);
      NamedNumber following;
      const std::size_t place = n + number.bytes + next.bytes;
      return next.bytes > 0 && scan_named_number(text_, place, NumberLetters::none, following) &&
             following.main.empty() &&
             (next.is_comma || !begins_item_text(text_.substr(place + following.bytes, 32)));
    }
    return !begins_item_text(rest);
  }

  // What an item of a list begins with: "(b) the Company shall", "(b) to pay".
  static bool begins_item_text(std::string_view rest) {
    if (!rest.starts_with(' ')) return false;
    rest = trim(rest);
    constexpr std::string_view kOpeners[] = {
        "the",  "to",   "any",  "all",  "if",   "an",    "a",  "such",   "each", "in",
        "no",   "with", "its",  "that", "by",   "for",   "on", "as",     "not",  "under",
        "upon", "at",   "from", "pay",  "such", "other", "it", "either", "when", "where"};
    const std::string_view word = first_word(rest);
    return std::find(std::begin(kOpeners), std::end(kOpeners), word) != std::end(kOpeners);
  }

  bool finish() {
    for (int outer = 0; outer < kMostOuterNouns && take_outer(); ++outer) {
    }
    take_inner();
    if (found_.place == ReferencePlace::unsaid) take_place();
    const std::string_view lead = text_.substr(begin_ > 5 ? begin_ - 5 : 0, 5);
    if (found_.place == ReferencePlace::unsaid && (lead == "this " || lead == "This ")) {
      found_.place = ReferencePlace::own;
    }
    if (found_.place != ReferencePlace::unsaid) return true;
    const Statute before = statute_before(text_, begin_);
    const bool is_decimal = found_.items[0].first[0].key.find('.') != std::string::npos;
    if (before == Statute::regulation || (before == Statute::act && !is_decimal)) {
      found_.place = ReferencePlace::outside;  // no act has a section 3.2
    }
    return true;
  }

  // "Article V, Section 2": what follows lies inside; "Section 2, Part B": or outside. Only behind
  // a single number.
  void take_inner() {
    if (found_.items.size() != 1 || !found_.items[0].last.empty()) return;
    std::size_t n = found_.text.end;
    if (at(text_, n) == ',') ++n;
    const std::size_t blanks = blanks_at(text_, n);
    if (blanks == 0) return;
    n += blanks;
    std::size_t bytes = 0;
    const ReferenceNoun* noun = noun_at(text_, n, bytes);
    if (noun == nullptr || noun->is_plural || noun->unit == ReferenceUnit::schedule) return;
    ReferencePath& path = found_.items[0].first;
    const bool is_outer = noun->unit == ReferenceUnit::part && noun->unit < path.front().unit &&
                          at(text_, found_.text.end) == ',';
    const bool is_inner =
        path.back().unit == ReferenceUnit::schedule || noun->unit > path.back().unit;
    if (!is_outer && !is_inner) return;
    n += bytes;
    const std::size_t gap = blanks_at(text_, n);
    NamedNumber number;
    if (gap == 0 || !scan_named_number(text_, n + gap, NumberLetters::capitals, number)) return;
    // "Article V, Section 5.2" are two: 5.2 is whole in itself.
    if (path.back().unit != ReferenceUnit::schedule && number.is_decimal()) return;
    const ReferencePath more = path_of(*noun, number);
    path.insert(is_outer ? path.begin() : path.end(), more.begin(), more.end());
    found_.items[0].text.end = found_.text.end = n + gap + number.bytes;
  }

  // "of Section 3", "to Schedule 2", "of this Section": what the items lie in goes before them.
  bool take_outer() {
    std::size_t n = found_.text.end;
    n += title_bytes(text_, n);
    if (at(text_, n) == ',') ++n;
    const std::size_t blanks = blanks_at(text_, n);
    if (blanks == 0) return false;
    n += blanks;
    std::size_t preposition = 0;
    for (const std::string_view word : {"of", "to", "in", "under"}) {
      if (word_at(text_, n, word)) preposition = word.size();
    }
    if (preposition == 0) return false;
    n += preposition;
    n += blanks_at(text_, n);
    const bool is_this = word_at(text_, n, "this");
    if (is_this) n += 4 + blanks_at(text_, n + 4);
    if (word_at(text_, n, "the")) n += 3 + blanks_at(text_, n + 3);
    std::size_t bytes = 0;
    const ReferenceNoun* noun = noun_at(text_, n, bytes);
    if (noun == nullptr || noun->is_plural) return false;
    if (found_.items[0].first[0].unit == ReferenceUnit::schedule) return false;
    std::size_t end = n + bytes;
    const std::size_t gap = blanks_at(text_, end);
    NamedNumber number;
    const NumberLetters letters = letters_for(*noun, is_upper(text_[n]));
    ReferencePath outer;
    if (gap > 0 && scan_named_number(text_, end + gap, letters, number)) {
      outer = path_of(*noun, number);
      end += gap + number.bytes;
    } else if (is_this) {
      outer.push_back({StepKind::this_one, noun->unit, "", 1});
    } else {
      return false;
    }
    for (ReferenceItem& item : found_.items) {
      item.first.insert(item.first.begin(), outer.begin(), outer.end());
      if (!item.last.empty()) item.last.insert(item.last.begin(), outer.begin(), outer.end());
    }
    found_.text.end = end;
    if (is_this) found_.place = ReferencePlace::own;
    return true;
  }

  // "hereof", "of this Agreement", "of the Exchange Act".
  void take_place() {
    std::size_t n = found_.text.end;
    n += title_bytes(text_, n);
    if (at(text_, n) == ',') ++n;
    n += blanks_at(text_, n);
    if (n == found_.text.end) return;
    for (const std::string_view word : {"hereof", "herein", "hereto", "hereunder", "above", "below",
                                        "hereinabove", "hereinbelow"}) {
      if (word_at(text_, n, word)) found_.place = ReferencePlace::own;
    }
    for (const std::string_view word : {"thereof", "therein", "thereto", "thereunder"}) {
      if (word_at(text_, n, word)) found_.place = ReferencePlace::outside;
    }
    const bool is_of = word_at(text_, n, "of");
    if (!is_of && !word_at(text_, n, "to") && !word_at(text_, n, "in")) return;
    n += 2;
    n += blanks_at(text_, n);
    if (word_at(text_, n, "this")) {
      found_.place = ReferencePlace::own;
      return;
    }
    bool has_article = false;
    for (const std::string_view word : {"the", "that", "such", "said", "its", "a"}) {
      if (!has_article && word_at(text_, n, word)) {
        n += word.size() + blanks_at(text_, n + word.size());
        has_article = true;
      }
    }
    if (word_at(text_, n, "certain")) n += 7 + blanks_at(text_, n + 7);
    take_name(n, is_of, has_article);
  }

  void take_name(std::size_t n, bool is_of, bool has_article) {
    const std::size_t bytes = name_bytes(text_, n);
    if (bytes == 0) return;
    const std::string_view name = text_.substr(n, bytes);
    const bool is_schedule = found_.items[0].first[0].unit == ReferenceUnit::schedule;
    if (!is_of && !is_schedule) return;
    if (is_own_name(name)) {
      found_.place = ReferencePlace::own;
      found_.outside = {n, n + bytes};  // an amendment means another agreement by it
      return;
    }
    if (!has_article && !ends_in_statute_word(name) && !begins_with_law(name)) return;
    if (!is_of && !name.ends_with("Agreement") && !name.starts_with("Form") &&
        !name.ends_with("Report")) {
      return;
    }
    found_.place = ReferencePlace::outside;
    found_.outside = {n, n + bytes};
  }

  static bool begins_with_law(std::string_view name) {
    for (const std::string_view word : {"Regulation", "Title", "Rule", "Form", "Directive",
                                        "Public Law", "Treasury", "Federal", "Law No"}) {
      if (name.starts_with(word)) return true;
    }
    const bool is_numbered_document = name.find(" Document ") != std::string_view::npos;
    return is_numbered_document || (!name.empty() && is_digit(name[0]));
  }

  std::string_view text_;
  std::size_t begin_;
  ReferenceExpression& found_;
  NumberLetters letters_ = NumberLetters::none;
  NamedNumber last_;
};

}  // namespace

bool scan_english_reference(std::string_view text, std::size_t begin, ReferenceExpression& found) {
  return EnglishScanner(text, begin, found).scan();
}

}  // namespace whereof::document
