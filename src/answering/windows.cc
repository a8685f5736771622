#include "answering/windows.h"

#include <algorithm>
#include <chrono>

#include "answering/reading.h"

namespace whereof::answering {
namespace {

constexpr std::int64_t kCheckedDepths = 2;  // of each window that is read

std::int64_t frame_of(std::span<const Span> passages) { return passages.front().begin; }

}  // namespace

WindowedDocument::WindowedDocument(const Document& document, std::span<const Passage> all,
                                   const Prompt& whole, const Manner& manner, const Model& model,
                                   const AskOptions& options)
    : document_(document),
      last_(all.back()),
      tokens_(whole.tokens.begin(), whole.tokens.begin() + whole.passages.back().end),
      sentences_(whole.sentences),
      passages_(whole.passages),
      manner_(manner),
      model_(model),
      options_(options) {
  for (const Passage& passage : all) begins_.push_back(passage.text.begin);
  cuts_ = cut_into_windows(passages_, model_.description().window_tokens - frame_of(passages_));
}

void WindowedDocument::choose(std::span<const Passage> passages) {
  chosen_.clear();
  chosen_tokens_ = 0;
  for (const Passage& passage : passages) {
    const auto at = std::lower_bound(begins_.begin(), begins_.end(), passage.text.begin);
    chosen_.push_back(passages_[static_cast<std::size_t>(at - begins_.begin())]);
    chosen_tokens_ += chosen_.back().length();
  }
}

Prompt WindowedDocument::prompt_for(std::string_view question) const {
  Prompt prompt;
  const std::int64_t frame = frame_of(passages_);
  prompt.tokens.assign(tokens_.begin(), tokens_.begin() + frame);
  for (const Span passage : chosen_) {
    const auto at = static_cast<std::int64_t>(prompt.tokens.size());
    const std::int64_t moved = at - passage.begin;
    prompt.tokens.insert(prompt.tokens.end(), tokens_.begin() + passage.begin,
                         tokens_.begin() + passage.end);
    prompt.passages.push_back({at, at + passage.length()});
    auto sentence = std::partition_point(
        sentences_.begin(), sentences_.end(),
        [&](const ReadSentence& earlier) { return earlier.tokens.begin < passage.begin; });
    for (; sentence != sentences_.end() && sentence->tokens.begin < passage.end; ++sentence) {
      ReadSentence its = *sentence;
      its.tokens = {its.tokens.begin + moved, std::min(its.tokens.end, passage.end) + moved};
      prompt.sentences.push_back(its);
    }
  }
  const Prompt asked = compose_prompt(document_, {&last_, 1}, question, manner_, model_);
  prompt.tokens.insert(prompt.tokens.end(), asked.tokens.begin() + asked.passages.back().end,
                       asked.tokens.end());
  return prompt;
}

std::int64_t WindowedDocument::tokens_in(std::size_t window) const {
  return frame_of(passages_) + cuts_[window].tokens.length();
}

std::vector<TokenId> WindowedDocument::tokens_of(std::size_t window) const {
  const Span cut = cuts_[window].tokens;
  std::vector<TokenId> tokens(tokens_.begin(), tokens_.begin() + frame_of(passages_));
  tokens.insert(tokens.end(), tokens_.begin() + cut.begin, tokens_.begin() + cut.end);
  return tokens;
}

std::unique_ptr<KeptReading> WindowedDocument::kept_reading(std::size_t window) const {
  if (!options_.store) return nullptr;
  const ReadingPart part{.number = static_cast<std::int64_t>(window) + 1,
                         .count = static_cast<std::int64_t>(cuts_.size())};
  return answering::kept_reading(*options_.store, document_, model_, manner_, options_.kv_type,
                                 part);
}

// The frame is taken from the first window that holds anything. Neighbours are one part.
std::vector<WindowedDocument::Part> WindowedDocument::parts() const {
  std::vector<Part> parts;
  const std::int64_t frame = frame_of(passages_);
  std::size_t window = 0;
  for (const Span passage : chosen_) {
    if (passage.is_empty()) continue;
    while (window + 1 < cuts_.size() && cuts_[window + 1].own <= passage.begin) ++window;
    const std::int64_t moved = frame - cuts_[window].tokens.begin;
    const Span tokens{passage.begin + moved, passage.end + moved};
    if (parts.empty()) parts.push_back({window, {0, frame}});
    if (parts.back().window == window && parts.back().tokens.end == tokens.begin) {
      parts.back().tokens.end = tokens.end;
    } else {
      parts.push_back({window, tokens});
    }
  }
  return parts;
}

std::vector<WindowedDocument::WindowState> WindowedDocument::chosen_windows() const {
  std::vector<WindowState> states;
  const std::vector<Part> all = parts();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i].window == all[i - 1].window) continue;
    const auto kept = kept_reading(all[i].window);
    states.push_back({.tokens = tokens_in(all[i].window),
                      .kept = kept ? kept->matching(tokens_of(all[i].window)) : 0});
  }
  return states;
}

bool WindowedDocument::append_kept(Context& context, std::span<const TokenId> tokens,
                                   KeptReading* kept, std::span<const Part> parts) const {
  if (kept == nullptr || kept->matching(tokens) < parts.back().tokens.end) return false;
  const std::int64_t before = context.length();
  for (const Part& part : parts) {
    if (context.append_kept(*kept, tokens, part.tokens) == part.tokens.length()) continue;
    context.truncate(before);  // a damaged block shows when it is read
    return false;
  }
  return true;
}

std::unique_ptr<Context> WindowedDocument::window_context(const std::shared_ptr<const Model>& model,
                                                          std::int64_t capacity) const {
  ContextOptions context_options;
  context_options.threads = options_.threads;
  context_options.shared_steps = options_.shared_steps;
  context_options.fault = options_.fault;
  context_options.kv_type = options_.kv_type;
  context_options.capacity_tokens = capacity;
  return Context::create(model, context_options);
}

void WindowedDocument::read(Context& context, std::span<const TokenId> tokens, KeptReading* kept) {
  ReadOptions read;
  read.wants_logits = false;
  read.kept = kept;
  read.stop = options_.stop;
  if (options_.progress) {
    read.progress = [&](Progress progress) {
      progress.done += tokens_read_;
      progress.total = tokens_to_read_;
      options_.progress(progress);
    };
  }
  context.read(tokens, read);
  tokens_read_ += static_cast<std::int64_t>(tokens.size());
  require_sound_positions(context, model_, kCheckedDepths);
  if (kept != nullptr && trouble_.empty()) trouble_ = kept->trouble();
}

std::int64_t WindowedDocument::fill(Context& context, const std::shared_ptr<const Model>& model) {
  const std::vector<Part> all = parts();
  std::int64_t capacity = context.capacity();
  tokens_to_read_ = tokens_read_ = 0;
  for (const WindowState& state : chosen_windows()) {
    capacity = std::max(capacity, state.tokens);
    if (state.kept < state.tokens) tokens_to_read_ += state.tokens;
  }
  std::unique_ptr<Context> reading;
  for (std::size_t first = 0; first < all.size();) {
    const std::size_t window = all[first].window;
    std::size_t end = first;
    while (end < all.size() && all[end].window == window) ++end;
    const std::span<const Part> here = std::span(all).subspan(first, end - first);
    const std::vector<TokenId> tokens = tokens_of(window);
    const std::unique_ptr<KeptReading> kept = kept_reading(window);
    if (!append_kept(context, tokens, kept.get(), here)) {
      if (!reading) reading = window_context(model, capacity);
      reading->truncate(0);
      read(*reading, tokens, kept.get());
      for (const Part& part : here) context.append_part_of(*reading, part.tokens);
    }
    first = end;
  }
  return context.length();
}

ReadAhead WindowedDocument::read_all(const std::shared_ptr<const Model>& model) {
  ReadAhead result;
  result.windows = static_cast<std::int64_t>(cuts_.size());
  std::vector<std::int64_t> kept_before;
  std::int64_t capacity = 0;
  tokens_to_read_ = tokens_read_ = 0;
  for (std::size_t window = 0; window < cuts_.size(); ++window) {
    const auto kept = kept_reading(window);
    kept_before.push_back(kept ? kept->matching(tokens_of(window)) : 0);
    result.tokens += tokens_in(window);
    result.kept_before += kept_before.back();
    capacity = std::max(capacity, tokens_in(window));
    if (kept_before.back() < tokens_in(window)) tokens_to_read_ += tokens_in(window);
  }
  if (tokens_to_read_ == 0) return result;
  const auto begin = std::chrono::steady_clock::now();
  const std::unique_ptr<Context> reading = window_context(model, capacity);
  for (std::size_t window = 0; window < cuts_.size(); ++window) {
    if (kept_before[window] == tokens_in(window)) continue;
    reading->truncate(0);
    read(*reading, tokens_of(window), kept_reading(window).get());
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.trouble = trouble_;
  return result;
}

}  // namespace whereof::answering
