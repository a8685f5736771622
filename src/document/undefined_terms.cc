// find_undefined_terms: words in capitals behind an article in running text, "the Escrow Account",
// that no definition holds, and that come more than once. Names of people, places, statutes and
// documents look the same; what is known to be one is left out, the rest is for a reader to judge.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "document/clause_wording.h"
#include "document/definition_uses.h"
#include "document/reference_wording.h"
#include "document/running_text.h"
#include "text/words.h"
#include "whereof/references.h"

namespace whereof {
namespace document {
namespace {

constexpr std::size_t kFewestUses = 2;
constexpr std::size_t kMostWords = 5;

constexpr std::string_view kArticles[] = {"the",  "a",     "an",    "any",    "each",  "such",
                                          "all",  "its",   "this",  "that",   "these", "no",
                                          "said", "their", "every", "either", "both",  "other"};

// Words of names that no contract defines.
constexpr std::string_view kNameWords[] = {
    "Inc",       "LLC",        "Ltd",       "Limited",   "Corp",       "Corporation", "Company",
    "GmbH",      "LLP",        "State",     "States",    "City",       "County",      "Court",
    "Courts",    "United",     "Republic",  "Kingdom",   "Commission", "Department",  "Act",
    "Code",      "Law",        "Laws",      "Rules",     "Rule",       "Regulation",  "Regulations",
    "Section",   "Sections",   "Article",   "Articles",  "Clause",     "Exhibit",     "Schedule",
    "Annex",     "Appendix",   "Paragraph", "Part",      "Attachment", "University",  "Institute",
    "January",   "February",   "March",     "April",     "May",        "June",        "July",
    "August",    "September",  "October",   "November",  "December",   "Monday",      "Friday",
    "Saturday",  "Sunday",     "Internet",  "English",   "New",        "American",    "Association",
    "Bank",      "Union",      "Board",     "President", "Chairman",   "Secretary",   "Director",
    "Directors", "Bankruptcy", "Federal",   "Chief",     "Vice",       "Parties",     "Party",
    "Agreement", "Securities", "Treasury",  "District",  "Supreme",    "European",    "Attorney"};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

bool is_name_word(std::string_view word) {
  return std::find(std::begin(kNameWords), std::end(kNameWords), word) != std::end(kNameWords);
}

// "Escrow", not "ESCROW" and not "escrow".
bool is_title_case(std::string_view word) {
  return word.size() > 2 && is_upper(word[0]) &&
         std::any_of(word.begin() + 1, word.end(), is_lower);
}

class UndefinedTermFinder {
 public:
  UndefinedTermFinder(const Document& document, const std::vector<Definition>& definitions)
      : document_(document), running_(document) {
    for (const Definition& definition : definitions) {
      known_.push_back(definition.term_text);
      for (const TermUse& use : definition.uses) known_.push_back(use.text);
    }
    std::sort(known_.begin(), known_.end(),
              [](const Span& a, const Span& b) { return a.begin < b.begin; });
  }

  std::vector<UndefinedTerm> find() {
    const std::string_view text = running_.text();
    text::WordScanner scanner(text);
    text::Word word;
    bool after_article = false;
    std::size_t last_end = 0;  // of the word before
    while (scanner.next(word)) {
      const auto begin = static_cast<std::size_t>(word.bytes.begin);
      const auto end = static_cast<std::size_t>(word.bytes.end);
      const std::string_view bytes = text.substr(begin, end - begin);
      if (phrase_.size() < kMostWords && is_title_case(bytes) &&
          (!phrase_.empty() || after_article) && text.substr(last_end, begin - last_end) == " ") {
        phrase_.push_back({begin, end});
      } else {
        close_phrase();
      }
      last_end = end;
      after_article =
          std::find(std::begin(kArticles), std::end(kArticles), bytes) != std::end(kArticles);
    }
    close_phrase();
    std::erase_if(terms_, [](const UndefinedTerm& t) { return t.uses.size() < kFewestUses; });
    return std::move(terms_);
  }

 private:
  void close_phrase() {
    if (!phrase_.empty()) add({phrase_.front().begin, phrase_.back().end});
    phrase_.clear();
  }

  void add(PlaceInText place) {
    const std::string_view text = running_.text();
    for (const PlaceInText& word : phrase_) {
      if (is_name_word(text.substr(word.begin, word.end - word.begin))) return;
    }
    // "the Amazon.com", "the Smith & Co": the name goes on.
    const std::string_view rest = text.substr(place.end, 3);
    if (rest.starts_with(" &") || rest.starts_with("-") ||
        (rest.size() > 1 && rest[0] == '.' && rest[1] != ' ' && rest[1] != '\n')) {
      return;
    }
    if (rest.size() > 1 && rest[0] == ' ' && is_upper(rest[1])) return;
    const Span where = running_.source(place.begin, place.end);
    if (is_known(where)) return;
    const std::string_view words = text.substr(place.begin, place.end - place.begin);
    const auto [known, is_new] = by_term_.try_emplace(folded_term(words), terms_.size());
    if (is_new) terms_.push_back({joined_lines(words), {}});
    terms_[known->second].uses.push_back({where, document_.clause_at(where.begin)});
  }

  // Does a definition or a use of one overlap this place?
  bool is_known(Span where) const {
    auto after =
        std::lower_bound(known_.begin(), known_.end(), where.end,
                         [](const Span& known, std::int64_t byte) { return known.begin < byte; });
    return after != known_.begin() && (after - 1)->end > where.begin;
  }

  const Document& document_;
  RunningText running_;
  std::vector<Span> known_;  // where defined terms stand, ascending, disjoint
  std::vector<PlaceInText> phrase_;
  std::vector<UndefinedTerm> terms_;
  std::unordered_map<std::string, std::size_t> by_term_;
};

}  // namespace
}  // namespace document

std::vector<UndefinedTerm> find_undefined_terms(const Document& document,
                                                const std::vector<Definition>& definitions) {
  return document::UndefinedTermFinder(document, definitions).find();
}

}  // namespace whereof
