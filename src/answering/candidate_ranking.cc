#include "answering/candidate_ranking.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace whereof::answering {
namespace {

constexpr std::int64_t kMostCandidates = 30;
constexpr std::size_t kFewestCandidates = 10;
constexpr std::int64_t kFrameTokens = 256;  // room for what stands around the passages

}  // namespace

std::optional<RankedCandidates> rank_candidates(const Document& document,
                                                std::span<const Passage> all, Library& library,
                                                std::string_view question,
                                                const std::shared_ptr<const Model>& model,
                                                std::int64_t most_tokens,
                                                const AskOptions& options) {
  RankedCandidates ranked;
  ranked.tokens = kFrameTokens;
  std::vector<Hit> hits;
  for (Hit& hit : library.search(question, kMostCandidates, document.content_hash)) {
    const auto tokens = std::ssize(model->tokenizer().encode(document.slice(hit.where.text)).ids);
    if (static_cast<std::size_t>(hit.passage) >= all.size()) continue;
    if (ranked.tokens + tokens > most_tokens) break;
    ranked.tokens += tokens;
    hits.push_back(std::move(hit));
  }
  if (hits.size() < kFewestCandidates) return std::nullopt;
  std::sort(hits.begin(), hits.end(),
            [](const Hit& a, const Hit& b) { return a.passage < b.passage; });
  std::vector<Passage> passages;
  std::vector<double> words;
  for (const Hit& hit : hits) {
    passages.push_back(all[static_cast<std::size_t>(hit.passage)]);
    words.push_back(hit.score);
  }
  PassageMassOptions reading;
  reading.window_tokens = most_tokens;
  reading.threads = options.threads;
  reading.shared_steps = options.shared_steps;
  reading.progress = options.progress;
  reading.stop = options.stop;
  const std::string one(question);
  const PassageMasses masses = read_passage_masses(document, passages, {&one, 1}, model, reading);
  const std::vector<double> scores = combined_scores(
      attention_scores(masses, 0, options.calibration.heads), words, options.calibration.heads);
  std::vector<std::size_t> best(hits.size());
  std::iota(best.begin(), best.end(), std::size_t{0});
  std::stable_sort(best.begin(), best.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  for (const std::size_t i : best) {
    ranked.order.push_back(static_cast<std::size_t>(hits[i].passage));
  }
  return ranked;
}

}  // namespace whereof::answering
