// Candidates of full text, ranked anew by the model's attention before it is chosen what to read.
#ifndef WHEREOF_ANSWERING_CANDIDATE_RANKING_H_
#define WHEREOF_ANSWERING_CANDIDATE_RANKING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "whereof/answer.h"
#include "whereof/passage_ranking.h"

namespace whereof::answering {

struct RankedCandidates {
  std::vector<std::size_t> order;  // indices of passages, best first
  std::int64_t tokens = 0;         // of the candidates, which were read for it
};

// Reads the best passages by full text, as many as fit in most_tokens but at most 30, in document
// order in one window, and ranks them by attention and full text together. Nothing where fewer
// than 10 fit or match: too few to be worth their reading. Throws what read_passage_masses and
// Library throw.
std::optional<RankedCandidates> rank_candidates(const Document& document,
                                                std::span<const Passage> all, Library& library,
                                                std::string_view question,
                                                const std::shared_ptr<const Model>& model,
                                                std::int64_t most_tokens,
                                                const AskOptions& options);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_CANDIDATE_RANKING_H_
