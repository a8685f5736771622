#include "answering/candidate_ranking.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "answering/earlier_questions.h"
#include "answering/language.h"
#include "answering/passage_masses.h"

namespace whereof::answering {
namespace {

constexpr std::int64_t kMostCandidates = 30;
constexpr std::size_t kFewestCandidates = 10;
constexpr std::int64_t kFrameTokens = 256;  // room for what stands around the passages

struct Candidates {
  std::vector<Passage> passages;    // in document order
  std::vector<std::size_t> places;  // of each among all
  std::vector<double> words;        // its score by full text
  std::int64_t tokens = 0;          // with what stands around them
};

// tokens: of what stands around the passages; tokens_of: of one passage.
Candidates best_by_words(const Document& document, std::span<const Passage> all, Library& library,
                         const SearchedQuestion& question, std::span<const std::string> earlier,
                         std::int64_t tokens, std::int64_t most_tokens,
                         const std::function<std::int64_t(const Passage&)>& tokens_of) {
  std::vector<Hit> hits;
  for (Hit& hit : search(library, question.text, earlier, kMostCandidates, document.content_hash,
                         kMostEarlierShare, question.more_words)) {
    const auto place = static_cast<std::size_t>(hit.passage);
    if (place >= all.size()) continue;
    const std::int64_t more = tokens_of(all[place]);
    if (tokens + more > most_tokens) break;
    tokens += more;
    hits.push_back(std::move(hit));
  }
  std::sort(hits.begin(), hits.end(),
            [](const Hit& a, const Hit& b) { return a.passage < b.passage; });
  Candidates found;
  found.tokens = tokens;
  for (const Hit& hit : hits) {
    found.places.push_back(static_cast<std::size_t>(hit.passage));
    found.passages.push_back(all[found.places.back()]);
    found.words.push_back(hit.score);
  }
  return found;
}

// Nothing where the windows would have to be read first.
std::optional<PassageMasses> masses_in_windows(const Candidates& candidates,
                                               std::string_view question,
                                               const std::shared_ptr<const Model>& model,
                                               const PassageMassOptions& reading,
                                               const AskOptions& options,
                                               WindowedDocument& windows) {
  windows.choose(candidates.passages);
  for (const WindowedDocument::WindowState& window : windows.chosen_windows()) {
    if (window.kept < window.tokens) return std::nullopt;
  }
  MassSource source;
  source.prompts = {windows.prompt_for(phrases_in(language_of(question)).content_free),
                    windows.prompt_for(question)};
  source.kv_type = options.kv_type;
  source.fill = [&](Context& context) { return windows.fill(context, model); };
  PassageMasses masses = no_masses(*model, candidates.passages.size(), 1);
  read_masses(std::move(source), model, reading, 0, masses);
  return masses;
}

}  // namespace

std::optional<RankedCandidates> rank_candidates(const Document& document,
                                                std::span<const Passage> all, Library& library,
                                                const SearchedQuestion& question,
                                                const std::shared_ptr<const Model>& model,
                                                std::int64_t most_tokens, const AskOptions& options,
                                                WindowedDocument* windows) {
  const auto tokens_of = [&](const Passage& passage) -> std::int64_t {
    if (windows == nullptr) {
      return std::ssize(model->tokenizer().encode(document.slice(passage.text)).ids);
    }
    windows->choose({&passage, 1});
    return windows->chosen_tokens();
  };
  const Candidates candidates =
      best_by_words(document, all, library, question, options.earlier,
                    windows == nullptr ? kFrameTokens : 0, most_tokens, tokens_of);
  if (candidates.passages.size() < kFewestCandidates) return std::nullopt;
  PassageMassOptions reading;
  reading.window_tokens = most_tokens;
  reading.earlier = questions_that_count(options.earlier);
  reading.threads = options.threads;
  reading.shared_steps = options.shared_steps;
  reading.progress = options.progress;
  reading.stop = options.stop;
  std::optional<PassageMasses> masses;
  if (windows != nullptr) {
    masses = masses_in_windows(candidates, question.text, model, reading, options, *windows);
    if (!masses) return std::nullopt;
  } else {
    masses =
        read_passage_masses(document, candidates.passages, {&question.text, 1}, model, reading);
  }
  const HeadWeights& heads = options.calibration.heads;
  const std::vector<double> scores =
      combined_scores(attention_scores(*masses, 0, heads), candidates.words, heads);
  std::vector<std::size_t> best(scores.size());
  std::iota(best.begin(), best.end(), std::size_t{0});
  std::stable_sort(best.begin(), best.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  RankedCandidates ranked;
  ranked.tokens = candidates.tokens;
  for (const std::size_t i : best) ranked.order.push_back(candidates.places[i]);
  return ranked;
}

}  // namespace whereof::answering
