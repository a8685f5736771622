// What was asked before a question ("And for the Seller?"): the question may refer to it.
#ifndef WHEREOF_ANSWERING_EARLIER_QUESTIONS_H_
#define WHEREOF_ANSWERING_EARLIER_QUESTIONS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/answer.h"
#include "whereof/retrieval.h"

namespace whereof::answering {

constexpr double kMostEarlierShare = 0.5;

// Of what was asked before, oldest first, what takes part: the last three that say anything, of
// together at most 4,096 bytes; one that does not fit is left out with all before it. Whole and
// without the blanks around them.
std::vector<std::string> questions_that_count(std::span<const std::string> earlier);

// The score of the first of these, the best; 0 where there is none.
double best_of(const std::vector<Hit>& hits);

// Library::search, to whose scores each earlier question that counts adds a share of what it would
// give alone: the less, the better the question's own words find something,
//
//     share = min(most_share, max(0, 1 - 1.25 own / its)),
//
// own and its the scores of the best passage for the question and for the earlier one; halved for
// each question between them. A question that finds as much as those before it needs nothing of
// them, one of few words ("And for the Seller?") much. The numbers are from bench/follow_up_bench.
// more_words go with the question, but own counts its own words alone.
// Hit::coverage is the question's own. Each search gives at most limit hits, and so does this.
std::vector<Hit> search(Library& library, std::string_view question,
                        std::span<const std::string> earlier, std::int64_t limit,
                        std::string_view content_hash = {}, double most_share = kMostEarlierShare,
                        std::string_view more_words = {});

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_EARLIER_QUESTIONS_H_
