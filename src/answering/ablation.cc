#include "answering/ablation.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "whereof/error.h"

namespace whereof::answering {
namespace {

// The union of spans that ascend by their begins.
void add_joined(std::vector<Span>& joined, Span span) {
  if (span.is_empty()) return;
  if (!joined.empty() && span.begin <= joined.back().end) {
    joined.back().end = std::max(joined.back().end, span.end);
  } else {
    joined.push_back(span);
  }
}

// Reads the question and the answer in one branch for each of the hidden positions.
void read_hiding(Context& context, const GivenAnswer& given,
                 std::span<const std::vector<Span>> hidden,
                 std::vector<std::vector<double>>& of_tokens) {
  std::vector<TokenId> tokens(given.question.begin(), given.question.end());
  tokens.insert(tokens.end(), given.answer.begin(), given.answer.end());
  std::vector<BranchRead> reads;
  std::vector<std::vector<double>> log_probabilities(hidden.size());
  for (std::size_t i = 0; i < hidden.size(); ++i) {
    BranchRead& read = reads.emplace_back();
    read.branch = context.open_branch({std::ssize(tokens), hidden[i]});
    read.tokens = tokens;
    read.log_probabilities = &log_probabilities[i];
    read.log_probabilities_from = std::ssize(given.question);
    read.wants_logits = false;
  }
  context.read_branches(reads, given.stop);
  context.close_branches();
  for (std::vector<double>& found : log_probabilities) of_tokens.push_back(std::move(found));
}

}  // namespace

std::vector<bool> sentences_within(const Prompt& prompt, std::span<const Span> text) {
  std::vector<bool> is_within;
  is_within.reserve(prompt.sentences.size());
  for (const ReadSentence& sentence : prompt.sentences) {
    is_within.push_back(std::any_of(text.begin(), text.end(),
                                    [&](Span span) { return span.overlaps(sentence.document); }));
  }
  return is_within;
}

std::vector<Span> hidden_positions(const Prompt& prompt, const std::vector<bool>& is_marked) {
  const std::vector<ReadSentence>& sentences = prompt.sentences;
  std::vector<Span> positions;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (!is_marked[i]) continue;
    const bool follows_marked = i > 0 && is_marked[i - 1];
    positions.push_back({follows_marked ? sentences[i - 1].tokens.end : sentences[i].tokens.begin,
                         sentences[i].tokens.end});
  }
  std::size_t sentence = 0;
  for (const Span passage : prompt.passages) {
    std::size_t inside = 0;
    std::size_t marked = 0;
    for (; sentence < sentences.size() && sentences[sentence].tokens.begin < passage.end;
         ++sentence) {
      ++inside;
      if (is_marked[sentence]) ++marked;
    }
    if (inside > 0 && marked == inside) positions.push_back(passage);
  }
  std::sort(positions.begin(), positions.end(),
            [](Span one, Span other) { return one.begin < other.begin; });
  std::vector<Span> joined;
  for (const Span span : positions) add_joined(joined, span);
  return joined;
}

std::vector<std::vector<double>> answer_log_probabilities(
    Context& context, const GivenAnswer& given, std::span<const std::vector<Span>> hidden) {
  if (given.answer.empty() || hidden.empty())
    return std::vector<std::vector<double>>(hidden.size());
  const std::int64_t of_one =
      std::ssize(given.question) + std::ssize(given.answer) + kBranchOverheadTokens;
  const std::int64_t most = std::max<std::int64_t>(1, given.branch_tokens / of_one);
  // As many times as the room asks for, each time about as many: a few left over for the last time
  // would have all weights read for them alone.
  const std::int64_t times = (std::ssize(hidden) + most - 1) / most;
  const auto together = static_cast<std::size_t>((std::ssize(hidden) + times - 1) / times);
  std::vector<std::vector<double>> of_tokens;
  for (std::size_t first = 0; first < hidden.size(); first += together) {
    if (given.stop.stop_requested()) throw Error(ErrorKind::cancelled, "the ablation was stopped");
    read_hiding(context, given, hidden.subspan(first, std::min(together, hidden.size() - first)),
                of_tokens);
  }
  return of_tokens;
}

}  // namespace whereof::answering
