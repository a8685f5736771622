// The graph of a document that its drafter wrote with defined terms and cross-references. An edge
// has a weight that orders the needs of one passage; how far a need is from what the question found
// is counted by whoever walks the graph (passage_choice.cc).
#include "retrieval/closure.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "text/ascii_case.h"
#include "text/utf8.h"

namespace whereof::retrieval {
namespace {

constexpr std::int64_t kPieceBytes = 500;       // of one definition; a longer one is cut
constexpr std::size_t kPiecesOfClause = 3;      // passages of one clause that is referred to
constexpr std::size_t kTargetsOfReference = 6;  // a reference to more is to a part of the document
constexpr std::size_t kReferrers = 3;           // a clause that more refer to is common ground
// A term that stands in more of the passages than this is known to every reader.
constexpr double kCommon = 0.3;

constexpr double kReferredWeight = 0.75;
constexpr double kReferrerWeight = 0.3;
constexpr double kLaterPiece = 0.2;  // taken off for each further passage of the same clause

bool is_inside(Span inner, Span outer) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Whether the text has the term as a word or words of its own; a plural counts.
bool has_term(std::string_view text, std::string_view term) {
  if (term.empty()) return false;
  for (std::size_t at = text.find(term); at != std::string_view::npos;
       at = text.find(term, at + 1)) {
    std::size_t end = at + term.size();
    if (end < text.size() && text[end] == 's') ++end;
    const bool begins = at == 0 || !is_word_byte(text[at - 1]) || !is_word_byte(term.front());
    const bool ends = end >= text.size() || !is_word_byte(text[end]) || !is_word_byte(term.back());
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace

Closure::Closure(const Document& document)
    : document_(document),
      passages_(split_passages(document)),
      definitions_(find_definitions(document)),
      references_(find_references(document)) {
  add_uses();
  add_referrers();
}

void Closure::add_uses() {
  rarities_.resize(definitions_.size(), 1);
  for (std::size_t d = 0; d < definitions_.size(); ++d) {
    std::size_t passage = 0;
    std::int64_t last_end = -1;  // of the passage that the last use was counted in
    double count = 0;
    for (const TermUse& use : definitions_[d].uses) {
      uses_.push_back({use.text.begin, d});
      if (use.text.begin < last_end) continue;
      const auto at = std::partition_point(
          passages_.begin() + static_cast<std::ptrdiff_t>(passage), passages_.end(),
          [&](const Passage& candidate) { return candidate.text.end <= use.text.begin; });
      if (at == passages_.end()) break;
      passage = static_cast<std::size_t>(at - passages_.begin());
      last_end = at->text.end;
      count += 1;
    }
    const double share = count / static_cast<double>(std::max<std::size_t>(passages_.size(), 1));
    rarities_[d] = share <= 0 ? 1 : std::max(0.0, 1 - std::sqrt(share / kCommon));
  }
  std::sort(uses_.begin(), uses_.end(),
            [](const Use& a, const Use& b) { return a.begin < b.begin; });
}

void Closure::add_referrers() {
  for (std::size_t r = 0; r < references_.size(); ++r) {
    const Reference& reference = references_[r];
    if (reference.document != -1 || reference.targets.size() > kTargetsOfReference) continue;
    for (const std::int32_t target : reference.targets) referrers_.emplace_back(target, r);
  }
  std::sort(referrers_.begin(), referrers_.end());
}

std::string Closure::label_of(std::int32_t clause) const {
  return clause < 0 ? std::string() : document_.clauses[static_cast<std::size_t>(clause)].label;
}

// At most kPieceBytes of it, cut where a line or a word ends.
Passage Closure::piece_of(Span text) const {
  if (text.length() > kPieceBytes) {
    std::int64_t end = text.begin + kPieceBytes;
    while (end > text.begin &&
           (static_cast<unsigned char>(document_.text[static_cast<std::size_t>(end)]) & 0xC0U) ==
               0x80U) {
      --end;
    }
    text.end = end;
    const std::size_t blank = document_.slice(text).find_last_of(" \n");
    const bool is_late = blank != std::string_view::npos && blank > kPieceBytes / 2;
    if (is_late) text.end = text.begin + static_cast<std::int64_t>(blank);
  }
  return {text, document_.clause_at(text.begin)};
}

std::vector<Passage> Closure::pieces_of_clause(std::int32_t clause) const {
  const Span text = document_.clauses[static_cast<std::size_t>(clause)].text;
  auto at = std::partition_point(passages_.begin(), passages_.end(), [&](const Passage& passage) {
    return passage.text.end <= text.begin;
  });
  std::vector<Passage> pieces;
  for (; at != passages_.end() && at->text.begin < text.end; ++at) {
    if (pieces.size() == kPiecesOfClause) break;
    pieces.push_back(*at);
  }
  return pieces;
}

ChosenPassage Closure::definition_need(std::size_t definition) const {
  const Definition& defined = definitions_[definition];
  return {piece_of(defined.text), PassageReason::defines, defined.term, 1};
}

void Closure::append_definitions(Span text,
                                 std::vector<std::pair<double, ChosenPassage>>& needs) const {
  auto use = std::partition_point(uses_.begin(), uses_.end(),
                                  [&](const Use& one) { return one.begin < text.begin; });
  std::set<std::size_t> seen;
  for (; use != uses_.end() && use->begin < text.end; ++use) {
    if (rarities_[use->definition] <= 0 || !seen.insert(use->definition).second) continue;
    if (is_inside(definitions_[use->definition].text, text)) continue;
    needs.emplace_back(rarities_[use->definition], definition_need(use->definition));
  }
}

void Closure::append_referred(Span text,
                              std::vector<std::pair<double, ChosenPassage>>& needs) const {
  auto reference =
      std::partition_point(references_.begin(), references_.end(),
                           [&](const Reference& one) { return one.text.begin < text.begin; });
  for (; reference != references_.end() && reference->text.begin < text.end; ++reference) {
    if (reference->document != -1 || reference->targets.size() > kTargetsOfReference) continue;
    for (const std::int32_t target : reference->targets) {
      if (is_inside(text, document_.clauses[static_cast<std::size_t>(target)].text)) continue;
      double weight = kReferredWeight;
      for (const Passage& piece : pieces_of_clause(target)) {
        needs.emplace_back(weight, ChosenPassage{piece, PassageReason::referred_to,
                                                 label_of(reference->clause), 1});
        weight -= kLaterPiece;
      }
    }
  }
}

void Closure::append_referrers(Span text,
                               std::vector<std::pair<double, ChosenPassage>>& needs) const {
  // The clauses that begin in the text, and the innermost one around its begin.
  std::vector<std::int32_t> here = {document_.clause_at(text.begin)};
  const auto& clauses = document_.clauses;
  auto clause = std::partition_point(clauses.begin(), clauses.end(), [&](const Clause& one) {
    return one.text.begin <= text.begin;
  });
  for (; clause != clauses.end() && clause->text.begin < text.end; ++clause) {
    here.push_back(static_cast<std::int32_t>(clause - clauses.begin()));
  }
  for (const std::int32_t target : here) {
    if (target < 0) continue;
    const auto first =
        std::lower_bound(referrers_.begin(), referrers_.end(), std::pair(target, std::size_t{0}));
    const auto last =
        std::lower_bound(first, referrers_.end(), std::pair(target + 1, std::size_t{0}));
    if (last - first > static_cast<std::ptrdiff_t>(kReferrers)) continue;
    for (auto referrer = first; referrer != last; ++referrer) {
      const Span place = references_[referrer->second].text;
      if (is_inside(place, text)) continue;
      const auto passage =
          std::partition_point(passages_.begin(), passages_.end(),
                               [&](const Passage& one) { return one.text.end <= place.begin; });
      if (passage == passages_.end() || passage->text.begin > place.begin) continue;
      needs.emplace_back(kReferrerWeight,
                         ChosenPassage{*passage, PassageReason::refers, label_of(target), 1});
    }
  }
}

std::vector<ChosenPassage> Closure::needs_of(Span text) const {
  std::vector<std::pair<double, ChosenPassage>> weighed;
  append_definitions(text, weighed);
  append_referred(text, weighed);
  append_referrers(text, weighed);
  std::stable_sort(weighed.begin(), weighed.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<ChosenPassage> needs;
  needs.reserve(weighed.size());
  for (auto& [weight, need] : weighed) needs.push_back(std::move(need));
  return needs;
}

std::vector<ChosenPassage> Closure::needs_of_question(std::string_view question) const {
  const std::string asked = text::ascii_lower(question);
  std::vector<ChosenPassage> needs;
  for (std::size_t d = 0; d < definitions_.size(); ++d) {
    if (has_term(asked, text::ascii_lower(definitions_[d].term)))
      needs.push_back(definition_need(d));
  }
  return needs;
}

}  // namespace whereof::retrieval
