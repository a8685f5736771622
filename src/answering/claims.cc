#include "answering/claims.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "text/ascii_case.h"
#include "text/fold.h"
#include "text/sentences.h"
#include "text/words.h"
#include "whereof/references.h"

namespace whereof::answering {
namespace {

using text::Word;
using text::WordKind;

constexpr std::size_t kLongestQuotation = 400;  // bytes
constexpr std::size_t kLongestName = 12;        // words
constexpr std::size_t kMostClaims = 256;        // of a kind; a babbling model repeats itself

std::string_view slice(std::string_view text, Span span) {
  return text.substr(static_cast<std::size_t>(span.begin), static_cast<std::size_t>(span.length()));
}

bool is_alphanumeric(char c) noexcept {
  const char l = text::ascii_lower(c);
  return (l >= 'a' && l <= 'z') || (l >= '0' && l <= '9');
}

bool is_same_figure(const text::Quantity& a, const text::Quantity& b) {
  return a.kind == b.kind && bears_out(a, b) && bears_out(b, a);
}

void add_figures(std::string_view answer, std::vector<Claim>& claims) {
  for (text::Quantity& quantity : text::quantities(answer)) {
    if (quantity.is_slight || claims.size() == kMostClaims) continue;
    const bool is_known = std::any_of(claims.begin(), claims.end(), [&](const Claim& claim) {
      return is_same_figure(claim.quantity, quantity);
    });
    if (is_known) continue;
    Claim claim;
    claim.text = quantity.text;
    claim.quantity = std::move(quantity);
    claims.push_back(std::move(claim));
  }
}

bool is_capitalised(std::string_view word) {
  return !word.empty() && word.front() >= 'A' && word.front() <= 'Z';
}

// Words in capitals that are no part of a name: before the number of a clause, or in a date.
bool is_of_number(std::string_view word) {
  constexpr auto kAnnouncing = std::to_array<std::string_view>(
      {"January",  "February",  "March",   "April",    "May",      "June",    "July",
       "August",   "September", "October", "November", "December", "Section", "Sections",
       "Clause",   "Clauses",   "Article", "Articles", "Schedule", "Exhibit", "Annex",
       "Appendix", "Paragraph", "Part",    "Chapter"});
  return std::find(kAnnouncing.begin(), kAnnouncing.end(), word) != kAnnouncing.end();
}

// Words that begin sentences and no names.
bool begins_sentences(std::string_view word) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"The",   "This",  "That",   "These", "Those", "A",      "An",     "In",       "On",
       "At",    "Under", "If",     "As",    "Each",  "Any",    "All",    "Both",     "Either",
       "No",    "Yes",   "It",     "Its",   "For",   "Upon",   "After",  "Before",   "By",
       "Such",  "Where", "When",   "With",  "To",    "From",   "Unless", "Pursuant", "Neither",
       "Every", "Only",  "Should", "Is",    "Are",   "During", "Within", "According"});
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

// Finds runs of words in capitals, one sentence at a time.
class NameFinder {
 public:
  NameFinder(std::string_view answer, std::string_view asked, std::vector<Claim>& claims)
      : answer_(answer), asked_(asked), claims_(claims) {}

  void run() {
    for (const Span sentence : text::sentences(answer_)) {
      begin_ = sentence.begin;
      run_in(slice(answer_, sentence));
    }
  }

 private:
  void run_in(std::string_view sentence) {
    text::WordScanner scanner(sentence);
    Word word;
    bool is_first = true;
    std::int64_t previous_end = 0;
    while (scanner.next(word)) {
      const std::string_view letters = slice(sentence, word.bytes);
      const bool is_letters = word.kind == WordKind::letters;
      const bool is_joined =
          is_connected(sentence.substr(static_cast<std::size_t>(previous_end),
                                       static_cast<std::size_t>(word.bytes.begin - previous_end)));
      previous_end = word.bytes.end;
      if (!is_joined) end_run(sentence);
      if (is_letters && letters == "of" && !run_.empty()) {
        continue;  // part of the name where a capital follows
      } else if (is_letters && is_capitalised(letters) && !is_of_number(letters) &&
                 !(is_first && begins_sentences(letters))) {
        if (run_.empty()) is_first_word_ = is_first;
        run_.push_back(word.bytes);
      } else {
        end_run(sentence);
      }
      is_first = false;
    }
    end_run(sentence);
  }

  // What may stand between two words of a name: a blank, "&", a hyphen, a point, "'s ".
  static bool is_connected(std::string_view between) {
    return between == " " || between == "-" || between == " & " || between == ". " ||
           between == "'s " || between == ".";
  }

  void end_run(std::string_view sentence) {
    if (run_.size() >= 2 && run_.size() <= kLongestName) add(sentence);
    run_.clear();
  }

  void add(std::string_view sentence) {
    Claim claim;
    claim.kind = ClaimKind::name;
    const Span text{run_.front().begin, run_.back().end};
    claim.text = {begin_ + text.begin, begin_ + text.end};
    claim.words = plain_words(slice(sentence, text));
    if (is_first_word_) {
      claim.words_without_first = plain_words(slice(sentence, {run_[1].begin, text.end}));
    }
    const bool is_asked = holds_words(asked_, claim.words) ||
                          (is_first_word_ && holds_words(asked_, claim.words_without_first));
    const bool is_known = std::any_of(claims_.begin(), claims_.end(), [&](const Claim& earlier) {
      return earlier.kind == ClaimKind::name && earlier.words == claim.words;
    });
    if (!is_asked && !is_known && names_++ < kMostClaims) claims_.push_back(std::move(claim));
  }

  std::string_view answer_;
  std::string_view asked_;
  std::vector<Claim>& claims_;
  std::int64_t begin_ = 0;  // of the sentence
  std::vector<Span> run_;   // words, bytes of the sentence
  bool is_first_word_ = false;
  std::size_t names_ = 0;
};

// Where a quotation is left out: its parts are quoted apart.
constexpr std::array<std::string_view, 3> kGaps = {"...", "…", "[…]"};

void add_quotation(std::string_view answer, Span text, std::string_view asked,
                   std::vector<Claim>& claims) {
  std::string_view rest = slice(answer, text);
  while (!rest.empty()) {
    std::size_t end = rest.size();
    std::size_t gap_bytes = 0;
    for (const std::string_view gap : kGaps) {
      const std::size_t at = rest.find(gap);
      if (at >= end) continue;
      end = at;
      gap_bytes = gap.size();
    }
    Claim claim;
    claim.kind = ClaimKind::quotation;
    const std::int64_t begin = rest.data() - answer.data();
    claim.text = {begin, begin + static_cast<std::int64_t>(end)};
    claim.words = plain_words(rest.substr(0, end));
    const bool says_something = claim.words.size() > 2;
    if (says_something && !holds_words(asked, claim.words)) claims.push_back(std::move(claim));
    rest.remove_prefix(end + gap_bytes);
  }
}

void add_quotations(std::string_view answer, std::string_view asked, std::vector<Claim>& claims) {
  struct Marks {
    std::string_view open, close;
  };
  constexpr std::array<Marks, 5> kMarks = {
      {{"\"", "\""}, {"“", "”"}, {"「", "」"}, {"『", "』"}, {"《", "》"}}};
  std::size_t quotations = 0;
  for (const Marks& marks : kMarks) {
    for (std::size_t at = answer.find(marks.open); at != std::string_view::npos;) {
      const std::size_t begin = at + marks.open.size();
      const std::size_t end = answer.find(marks.close, begin);
      if (end == std::string_view::npos || quotations == kMostClaims) break;
      if (end - begin <= kLongestQuotation) {
        add_quotation(answer, {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)},
                      asked, claims);
        ++quotations;
      }
      at = answer.find(marks.open, end + marks.close.size());
    }
  }
}

}  // namespace

std::vector<Claim> claims_of(std::string_view answer, std::string_view question) {
  std::vector<Claim> claims;
  add_figures(answer, claims);
  const std::string asked = plain_words(question);
  NameFinder(answer, asked, claims).run();
  add_quotations(answer, asked, claims);
  return claims;
}

std::string plain_words(std::string_view text) {
  const std::string folded = text::fold(text);
  std::string words = " ";
  text::WordScanner scanner(folded);
  Word word;
  bool is_after_ideograph = false;
  while (scanner.next(word)) {
    if (word.kind == WordKind::chinese_label) continue;  // its characters follow
    const bool is_ideograph = word.kind == WordKind::ideograph;
    if (words.back() != ' ' && !(is_ideograph && is_after_ideograph)) words += ' ';
    words += slice(folded, word.bytes);
    is_after_ideograph = is_ideograph;
  }
  if (words.back() != ' ') words += ' ';
  return words;
}

bool holds_words(std::string_view words, std::string_view wanted) {
  if (wanted.size() <= 2) return true;
  wanted = wanted.substr(1, wanted.size() - 2);
  for (std::size_t at = words.find(wanted); at != std::string_view::npos;
       at = words.find(wanted, at + 1)) {
    if (is_alphanumeric(wanted.front()) && is_alphanumeric(words[at - 1])) continue;
    std::size_t end = at + wanted.size();
    if (!is_alphanumeric(wanted.back())) return true;
    if (words[end] == 's') ++end;
    if (!is_alphanumeric(words[end])) return true;
  }
  return false;
}

std::vector<Span> invented_clauses(const Document& document, std::string_view answer) {
  std::vector<Span> invented;
  std::string words;  // of the document, once they are needed
  for (const Reference& reference : find_references_to(document, answer)) {
    const bool is_missing =
        reference.kind == ReferenceKind::dangling || reference.kind == ReferenceKind::unattached;
    if (!is_missing) continue;
    if (words.empty()) words = plain_words(document.text);
    if (!holds_words(words, plain_words(slice(answer, reference.text)))) {
      invented.push_back(reference.text);
    }
  }
  return invented;
}

}  // namespace whereof::answering
