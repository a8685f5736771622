// Questions over windows of a document: what is read once, and what goes on as branches.
#include "answering/passage_masses.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "answering/language.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using answering::Manner;
using answering::MassSource;
using answering::Prompt;

// Branches that go on side by side: more share the reading of weights, and take more memory.
constexpr std::size_t kMostBranches = 16;

std::int64_t length_of(const Prompt& prompt) { return std::ssize(prompt.tokens); }

// Runs of passages of about equal length in tokens, none longer than the window but a single
// passage that is.
std::vector<std::span<const Passage>> windows_of(std::span<const Passage> passages,
                                                 const Prompt& whole, std::int64_t window_tokens) {
  std::int64_t total = 0;
  for (const Span& tokens : whole.passages) total += tokens.length();
  const std::int64_t count = std::max<std::int64_t>(1, (total + window_tokens - 1) / window_tokens);
  const std::int64_t wanted = (total + count - 1) / count;
  std::vector<std::span<const Passage>> windows;
  std::size_t first = 0;
  std::int64_t used = 0;
  for (std::size_t i = 0; i < passages.size(); ++i) {
    const std::int64_t tokens = whole.passages[i].length();
    const bool is_full = used >= wanted || used + tokens > window_tokens;
    if (i > first && is_full) {
      windows.push_back(passages.subspan(first, i - first));
      first = i;
      used = 0;
    }
    used += tokens;
  }
  if (first < passages.size()) windows.push_back(passages.subspan(first));
  return windows;
}

// Questions about passages that one context holds.
class MassReading {
 public:
  MassReading(MassSource source, std::shared_ptr<const Model> model,
              const PassageMassOptions& options)
      : options_(options), source_(std::move(source)), prompts_(source_.prompts) {
    shared_ = length_of(prompts_[0]) - 1;
    std::int64_t longest = 0;
    for (const Prompt& prompt : prompts_) {
      shared_ = std::min({shared_, answering::shared_prefix(prompt.tokens, prompts_[0].tokens),
                          length_of(prompt) - 1});
      longest = std::max(longest, length_of(prompt));
    }
    for (std::size_t i = 0; i < prompts_[0].passages.size(); ++i) {
      if (prompts_[0].passages[i].is_empty()) continue;
      request_.key_spans.push_back(prompts_[0].passages[i]);
      places_.push_back(i);
    }
    ContextOptions context_options;
    context_options.threads = options.threads;
    context_options.shared_steps = options.shared_steps;
    context_options.kv_type = source_.kv_type;
    context_options.capacity_tokens = longest;
    const auto branches = static_cast<std::int64_t>(std::min(kMostBranches, prompts_.size()));
    context_options.branch_tokens = branches * (longest - shared_ + kBranchOverheadTokens);
    context_ = Context::create(std::move(model), context_options);
  }

  // Fills in the columns of the passages, the first of which is first_passage.
  void read(PassageMasses& masses, std::int64_t first_passage) {
    ReadOptions read;
    read.wants_logits = false;
    read.progress = options_.progress;
    read.stop = options_.stop;
    const std::int64_t there = source_.fill ? source_.fill(*context_) : 0;
    const auto rest =
        std::span(prompts_[0].tokens)
            .subspan(static_cast<std::size_t>(there), static_cast<std::size_t>(shared_ - there));
    if (!rest.empty()) context_->read(rest, read);
    for (std::size_t begin = 0; begin < prompts_.size(); begin += kMostBranches) {
      if (options_.stop.stop_requested()) {
        throw Error(ErrorKind::cancelled, "the ranking was stopped");
      }
      read_branches(begin, std::min(begin + kMostBranches, prompts_.size()));
      for (std::size_t i = begin; i < begin + evidence_.size(); ++i) {
        std::vector<float>& table = i == 0 ? masses.content_free : masses.questions[i - 1];
        add(evidence_[i - begin], masses, first_passage, table);
      }
    }
  }

 private:
  void read_branches(std::size_t begin, std::size_t end) {
    evidence_.assign(end - begin, {});
    std::vector<BranchRead> reads;
    for (std::size_t i = begin; i < end; ++i) {
      const auto rest = std::span(prompts_[i].tokens).subspan(static_cast<std::size_t>(shared_));
      reads.push_back({.branch = context_->open_branch({std::ssize(rest), {}}),
                       .tokens = rest,
                       .evidence = &request_,
                       .layer_evidence = &evidence_[i - begin],
                       .log_probabilities = nullptr});
    }
    context_->read_branches(reads, options_.stop);
    context_->close_branches();
  }

  void add(const std::vector<Evidence>& layers, const PassageMasses& masses,
           std::int64_t first_passage, std::vector<float>& table) const {
    const std::size_t spans = places_.size();
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
      const Evidence& evidence = layers[layer];
      const auto rows = static_cast<float>(std::max<std::int64_t>(1, evidence.row_count[0]));
      for (std::size_t head = 0; head < static_cast<std::size_t>(masses.heads); ++head) {
        const std::size_t row = (layer * static_cast<std::size_t>(masses.heads) + head) *
                                    static_cast<std::size_t>(masses.passages) +
                                static_cast<std::size_t>(first_passage);
        for (std::size_t s = 0; s < spans; ++s) {
          table[row + places_[s]] = evidence.span_mass[head * spans + s] / rows;
        }
      }
    }
  }

  const PassageMassOptions& options_;
  const MassSource source_;
  const std::vector<Prompt>& prompts_;  // of source_
  std::int64_t shared_ = 0;             // tokens that all begin with
  EvidenceRequest request_;
  std::vector<std::size_t> places_;  // the window's passage of each key span
  std::unique_ptr<Context> context_;
  std::vector<std::vector<Evidence>> evidence_;  // of the branches read last
};

}  // namespace

namespace answering {

PassageMasses no_masses(const Model& model, std::size_t passages, std::size_t questions) {
  PassageMasses masses;
  masses.layers = model.description().layers;
  masses.heads = model.description().query_heads;
  masses.passages = static_cast<std::int64_t>(passages);
  const auto cells = static_cast<std::size_t>(masses.layers * masses.heads * masses.passages);
  masses.content_free.assign(cells, 0);
  masses.questions.assign(questions, std::vector<float>(cells, 0));
  return masses;
}

void read_masses(MassSource source, std::shared_ptr<const Model> model,
                 const PassageMassOptions& options, std::int64_t first_passage,
                 PassageMasses& masses) {
  MassReading(std::move(source), std::move(model), options).read(masses, first_passage);
}

}  // namespace answering

PassageMasses read_passage_masses(const Document& document, std::span<const Passage> passages,
                                  std::span<const std::string> questions,
                                  const std::shared_ptr<const Model>& model,
                                  const PassageMassOptions& options) {
  PassageMasses masses = answering::no_masses(*model, passages.size(), questions.size());
  if (questions.empty()) return masses;
  const Manner manner{answering::language_of(questions[0]), true, options.earlier};
  const Prompt whole = answering::compose_prompt(document, passages, questions[0], manner, *model);
  std::int64_t first = 0;
  for (const auto window : windows_of(passages, whole, options.window_tokens)) {
    const auto compose = [&](std::string_view question) {
      return answering::compose_prompt(document, window, question, manner, *model);
    };
    MassSource source;
    source.prompts.push_back(compose(answering::phrases_in(manner.language).content_free));
    for (const std::string& question : questions) source.prompts.push_back(compose(question));
    answering::read_masses(std::move(source), model, options, first, masses);
    first += std::ssize(window);
  }
  return masses;
}

}  // namespace whereof
