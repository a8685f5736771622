// What an answer depends on: how likely it stays when a part of the document is hidden.
//
//   fall(S) = ln P(answer | question, all that was read) - ln P(answer | question, all but S)
//
// Exact: the question's and the answer's rows see no key of S. Approximate: what was read after S
// was read with S in view, and its kept keys and values may carry some of it on. So a fall shows
// that the answer drew on S; that there is none does not show that S was never used.
#ifndef WHEREOF_ANSWERING_ABLATION_H_
#define WHEREOF_ANSWERING_ABLATION_H_

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "answering/prompt.h"
#include "whereof/model.h"
#include "whereof/span.h"

namespace whereof::answering {

// Which sentences of the prompt overlap one of the spans (bytes of Document::text): [sentences].
std::vector<bool> sentences_within(const Prompt& prompt, std::span<const Span> text);

// The positions at which rows must not look so that they see none of the marked sentences
// [prompt.sentences]: what lies between two marked neighbours is hidden with them, and a passage of
// which every sentence is marked with its label. Ascending, disjoint.
std::vector<Span> hidden_positions(const Prompt& prompt, const std::vector<bool>& is_marked);

// An answer, and the context that it was given in.
struct GivenAnswer {
  std::span<const TokenId> question;  // tokens of the prompt that the context does not hold; >= 1
  std::span<const TokenId> answer;
  std::int64_t branch_tokens = 0;  // ContextOptions::branch_tokens; holds one branch at least
  std::stop_token stop;
};

// ln of the probability of each token of the answer, once for each of the hidden positions
// (ascending, disjoint, read by the context): [hidden][answer]. The context has no open branches
// before and after. As many of them as its branch_tokens hold pass the layers together, so that
// weights are read once for all. Time: that of reading question and answer, times hidden.size().
// Error(cancelled) when stopped; branches are then left open.
std::vector<std::vector<double>> answer_log_probabilities(
    Context& context, const GivenAnswer& given, std::span<const std::vector<Span>> hidden);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_ABLATION_H_
