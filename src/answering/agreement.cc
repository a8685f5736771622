#include "answering/agreement.h"

#include <algorithm>

namespace whereof::answering {
namespace {

bool stands_in(std::string_view words, const Claim& claim) {
  return holds_words(words, claim.words) ||
         (!claim.words_without_first.empty() && holds_words(words, claim.words_without_first));
}

bool is_before_clauses(const Document& document, std::int32_t clause) {
  return clause < 0 ||
         document.clauses[static_cast<std::size_t>(clause)].kind == ClauseKind::preamble;
}

}  // namespace

Agreement::Agreement(const Document& document, std::span<const ReadSentence> sentences,
                     std::span<const Claim> claims)
    : document_(document), sentences_(sentences), claims_(claims), holders_(claims.size()) {
  const auto figures = std::count_if(claims.begin(), claims.end(), [](const Claim& claim) {
    return claim.kind == ClaimKind::figure;
  });
  if (figures == 0) return;
  borne_out_.assign(sentences.size(), 0);
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const auto stated = text::quantities(document.slice(sentences[s].document));
    if (stated.empty()) continue;
    for (std::size_t c = 0; c < claims.size(); ++c) {
      if (claims[c].kind != ClaimKind::figure) continue;
      const bool is_held = std::any_of(
          stated.begin(), stated.end(),
          [&](const text::Quantity& quantity) { return bears_out(quantity, claims[c].quantity); });
      if (!is_held) continue;
      holders_[c].push_back(s);
      borne_out_[s] += 1 / static_cast<double>(figures);
    }
  }
}

std::string Agreement::words_of(const std::vector<bool>& chosen) const {
  std::string text;
  for (std::size_t s = 0; s < sentences_.size(); ++s) {
    if (!chosen[s]) continue;
    text += document_.slice(sentences_[s].document);
    text += '\n';
  }
  return plain_words(text);
}

std::vector<ClaimPlace> Agreement::places(const std::set<std::int32_t>& cited) const {
  std::set<std::int32_t> clauses = cited;
  for (const std::int32_t clause : cited) {
    if (clause >= 0) clauses.insert(document_.clauses[static_cast<std::size_t>(clause)].parent);
  }
  if (!cited.contains(-1)) clauses.erase(-1);
  std::vector<bool> is_cited(sentences_.size());
  std::vector<bool> is_for_names(sentences_.size());
  for (std::size_t s = 0; s < sentences_.size(); ++s) {
    is_cited[s] = clauses.contains(sentences_[s].clause);
    is_for_names[s] = is_cited[s] || is_before_clauses(document_, sentences_[s].clause);
  }
  std::string for_quotations, for_names, all;  // built where they are needed
  const auto words = [&](std::string& built,
                         const std::vector<bool>& chosen) -> const std::string& {
    if (built.empty()) built = words_of(chosen);
    return built;
  };
  std::vector<ClaimPlace> places(claims_.size(), ClaimPlace::nowhere);
  for (std::size_t c = 0; c < claims_.size(); ++c) {
    const Claim& claim = claims_[c];
    if (claim.kind == ClaimKind::figure) {
      if (!holders_[c].empty()) places[c] = ClaimPlace::read;
      for (const std::size_t s : holders_[c]) {
        if (is_cited[s]) places[c] = ClaimPlace::cited;
      }
      continue;
    }
    const bool is_name = claim.kind == ClaimKind::name;
    if (stands_in(is_name ? words(for_names, is_for_names) : words(for_quotations, is_cited),
                  claim)) {
      places[c] = ClaimPlace::cited;
    } else if (stands_in(words(all, std::vector<bool>(sentences_.size(), true)), claim)) {
      places[c] = ClaimPlace::read;
    }
  }
  return places;
}

}  // namespace whereof::answering
