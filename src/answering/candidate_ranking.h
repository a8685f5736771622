// Candidates of full text, ranked anew by the model's attention before it is chosen what to read.
#ifndef WHEREOF_ANSWERING_CANDIDATE_RANKING_H_
#define WHEREOF_ANSWERING_CANDIDATE_RANKING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "answering/searched_question.h"
#include "answering/windows.h"
#include "whereof/answer.h"
#include "whereof/passage_ranking.h"

namespace whereof::answering {

struct RankedCandidates {
  std::vector<std::size_t> order;  // indices of passages, best first
  std::int64_t tokens = 0;         // of the candidates, which were read or kept
};

// Reads the best passages by full text, as many as fit in most_tokens but at most 30, in document
// order in one window, and ranks them by attention and full text together. Nothing where fewer
// than 10 fit or match: too few to be worth their reading. With windows, which may be null, the
// candidates are taken as kept windows hold them, so that only the question is read; nothing where
// one of those windows is not kept whole. Throws what read_passage_masses and Library throw.
std::optional<RankedCandidates> rank_candidates(const Document& document,
                                                std::span<const Passage> all, Library& library,
                                                const SearchedQuestion& question,
                                                const std::shared_ptr<const Model>& model,
                                                std::int64_t most_tokens, const AskOptions& options,
                                                WindowedDocument* windows = nullptr);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_CANDIDATE_RANKING_H_
