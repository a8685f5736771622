// find_definitions: places that define (definition_places.h), one entry a term, then the uses of
// all terms in one pass (definition_uses.h).
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "document/clause_numbers.h"
#include "document/clause_wording.h"
#include "document/definition_places.h"
#include "document/definition_uses.h"
#include "document/running_text.h"
#include "text/sentences.h"
#include "whereof/references.h"

namespace whereof {
namespace document {
namespace {

// Of each paragraph by itself.
std::vector<Span> sentences_of(std::string_view text) {
  std::vector<Span> all;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    for (const Span& sentence : text::sentences(text.substr(begin, end - begin))) {
      const auto offset = static_cast<std::int64_t>(begin);
      all.push_back({sentence.begin + offset, sentence.end + offset});
    }
    begin = end + 1;
  }
  return all;
}

bool heads_definitions(std::string_view heading) {
  for (const std::string_view word : {"efinition", "EFINITION", "efined Terms", "EFINED TERMS",
                                      "nterpretation", "NTERPRETATION", "定义", "释义"}) {
    if (heading.find(word) != std::string_view::npos) return true;
  }
  return false;
}

class DefinitionFinder {
 public:
  explicit DefinitionFinder(const Document& document)
      : document_(document),
        running_(document),
        sentences_(sentences_of(running_.text())),
        places_(scan_defining_places(running_.text())) {
    add_lists();
  }

  std::vector<Definition> find() {
    for (std::size_t i = 0; i < places_.size(); ++i) add(i);
    TermTree terms;
    for (std::size_t d = 0; d < definitions_.size(); ++d) {
      terms.add(definitions_[d].term, static_cast<std::int32_t>(d));
    }
    std::size_t place = 0;
    for (const TermTree::Use& use : terms.uses_in(running_.text())) {
      while (place < places_.size() && places_[place].term.end <= use.text.begin) ++place;
      const bool is_place = place < places_.size() && places_[place].term.begin < use.text.end;
      if (is_place) continue;
      const Span text = running_.source(use.text.begin, use.text.end);
      definitions_[static_cast<std::size_t>(use.index)].uses.push_back(
          {text, document_.clause_at(text.begin)});
    }
    std::sort(definitions_.begin(), definitions_.end(),
              [](const Definition& a, const Definition& b) {
                return a.term_text.begin < b.term_text.begin;
              });
    return std::move(definitions_);
  }

 private:
  std::string_view slice(PlaceInText place) const {
    return running_.text().substr(place.begin, place.end - place.begin);
  }

  // Entries of clauses headed Definitions, where nothing else defines their terms.
  void add_lists() {
    std::vector<DefiningPlace> listed;
    std::int64_t passed = 0;  // clauses nest
    for (const Clause& clause : document_.clauses) {
      if (clause.text.begin < passed || !heads_definitions(clause.heading)) continue;
      passed = clause.text.end;
      const std::size_t begin = running_.place_of(clause.text.begin);
      const std::size_t first = running_.text().find('\n', begin);  // behind the heading
      if (first == std::string_view::npos) continue;
      const PlaceInText inside = {first + 1, running_.place_of(clause.text.end)};
      for (const DefiningPlace& place : scan_definition_list(running_.text(), inside)) {
        listed.push_back(place);
      }
    }
    std::vector<DefiningPlace> merged;
    std::size_t next = 0;
    for (const DefiningPlace& place : listed) {
      while (next < places_.size() && places_[next].term.begin < place.term.end) {
        merged.push_back(places_[next++]);
      }
      const bool is_apart = merged.empty() || merged.back().term.end <= place.term.begin;
      if (is_apart) merged.push_back(place);
    }
    merged.insert(merged.end(), places_.begin() + static_cast<std::ptrdiff_t>(next), places_.end());
    places_ = std::move(merged);
  }

  void add(std::size_t i) {
    const DefiningPlace& place = places_[i];
    const std::string folded = folded_term(slice(place.term));
    if (folded.empty()) return;
    const Span term_text = running_.source(place.term.begin, place.term.end);
    const Span text = defining_text(i);
    const auto [known, is_new] = by_term_.try_emplace(folded, definitions_.size());
    if (is_new) {
      Definition definition;
      definition.term = joined_lines(slice(place.term));
      definition.term_text = term_text;
      definition.text = text;
      definition.clause = document_.clause_at(term_text.begin);
      definitions_.push_back(std::move(definition));
      is_pointer_.push_back(place.is_pointer);
      return;
    }
    Definition& definition = definitions_[known->second];
    if (is_pointer_[known->second] && !place.is_pointer) {  // this one says what it means
      definition.more.push_back(definition.text);
      definition.term = joined_lines(slice(place.term));
      definition.term_text = term_text;
      definition.text = text;
      definition.clause = document_.clause_at(term_text.begin);
      is_pointer_[known->second] = false;
    } else {
      definition.more.push_back(text);
    }
  }

  // The sentence, and the items of a list that it leads to, up to the next definition.
  Span defining_text(std::size_t i) const {
    const std::size_t at = places_[i].term.begin;
    const auto after = std::upper_bound(
        sentences_.begin(), sentences_.end(), static_cast<std::int64_t>(at),
        [](std::int64_t byte, const Span& sentence) { return byte < sentence.begin; });
    if (after == sentences_.begin()) return running_.source(at, places_[i].term.end);
    auto sentence = after - 1;
    const auto begin = static_cast<std::size_t>(sentence->begin);
    auto end = static_cast<std::size_t>(sentence->end);
    const std::size_t stop =
        i + 1 < places_.size() ? places_[i + 1].term.begin : running_.text().size();
    for (++sentence; sentence != sentences_.end(); ++sentence) {
      const auto next = static_cast<std::size_t>(sentence->begin);
      if (next + 8 >= stop || !leads_into(begin, end, next)) break;
      end = static_cast<std::size_t>(sentence->end);
      if (end - begin > 4000) break;
    }
    return running_.source(begin, std::max(end, places_[i].term.end));
  }

  bool leads_into(std::size_t, std::size_t end, std::size_t next) const {
    const std::string_view before = tail(running_.text().substr(0, end));
    return ends_clause(before) || before.ends_with(',') ||
           begins_lower(running_.text().substr(next, 8));
  }

  const Document& document_;
  RunningText running_;
  std::vector<Span> sentences_;
  std::vector<DefiningPlace> places_;
  std::vector<Definition> definitions_;
  std::vector<bool> is_pointer_;  // one a definition
  std::unordered_map<std::string, std::size_t> by_term_;
};

}  // namespace
}  // namespace document

std::vector<Definition> find_definitions(const Document& document) {
  return document::DefinitionFinder(document).find();
}

}  // namespace whereof
