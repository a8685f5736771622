#include "model/read_context.h"

#include <algorithm>
#include <optional>
#include <string>

#include "memory/available_memory.h"
#include "model/block_evidence.h"
#include "model/kv_reading.h"
#include "whereof/error.h"
#include "whereof/instruction_set.h"

namespace whereof::model {

ReadContext::ReadContext(std::shared_ptr<const Model> owner, const LoadedModel& model,
                         const ContextOptions& options)
    : owner_(std::move(owner)),
      model_(model),
      capacity_(options.capacity_tokens),
      block_tokens_(options.block_tokens),
      sequence_{{model.hyperparameters(), cache_size_for(options),
                 options.kv_type == ElementType::i8 ? model.key_units() : std::vector<float>()},
                {model.hyperparameters(), options.capacity_tokens, options.fault},
                options.fault},
      logits_(static_cast<std::size_t>(vocabulary_size())) {
  if (options.shared_steps != nullptr) {
    steps_ = std::dynamic_pointer_cast<StepRunner>(options.shared_steps);
  } else {
    steps_ = std::make_shared<StepRunner>(owner_, model, step_room_for(options));
  }
}

StepRoom ReadContext::step_room_for(const ContextOptions& options) noexcept {
  return {.threads = options.threads, .block_tokens = options.block_tokens};
}

void ReadContext::check_room(std::int64_t count, const char* what) const {
  if (count <= capacity_ - length_) return;
  throw Error(ErrorKind::over_window, std::to_string(count) + " " + what + " after " +
                                          std::to_string(length_) + " do not fit the context of " +
                                          std::to_string(capacity_) + " tokens");
}

void ReadContext::check(std::span<const TokenId> tokens, const ReadOptions& options) const {
  const auto count = static_cast<std::int64_t>(tokens.size());
  check_room(count, "tokens");
  for (const TokenId token : tokens) {
    if (token < 0 || token >= vocabulary_size()) {
      throw Error(ErrorKind::invalid_argument, "token " + std::to_string(token) + ", wanted 0 to " +
                                                   std::to_string(vocabulary_size() - 1));
    }
  }
  if ((options.evidence == nullptr) != (options.layer_evidence == nullptr)) {
    throw Error(ErrorKind::invalid_argument,
                "ReadOptions: evidence and layer_evidence are both null or neither");
  }
  if (options.evidence != nullptr) check_request(*options.evidence, count);
  if (options.kept != nullptr && (options.evidence != nullptr || options.wants_logits ||
                                  options.wants_all_logits || length_ > 0)) {
    throw Error(ErrorKind::invalid_argument,
                "ReadOptions::kept goes with an empty context and without evidence or logits");
  }
}

void ReadContext::prepare_all_logits(std::int64_t tokens, const ReadOptions& options) {
  all_logits_.clear();
  if (!options.wants_all_logits) return;
  const std::int64_t floats = tokens * vocabulary_size();
  const std::int64_t bytes = floats * static_cast<std::int64_t>(sizeof(float));
  const std::int64_t available = memory::available_bytes();
  if (bytes > available) {
    throw Error(ErrorKind::out_of_memory, "the logits of " + std::to_string(tokens) +
                                              " tokens need " + std::to_string(bytes) +
                                              " bytes and " + std::to_string(available) +
                                              " are available");
  }
  all_logits_.resize(static_cast<std::size_t>(floats));
}

void ReadContext::read_block(std::span<const TokenId> block, std::int64_t begin,
                             const ReadOptions& options, bool is_last) {
  const auto rows = static_cast<std::int64_t>(block.size());
  std::optional<BlockRequest> asked;
  if (options.evidence != nullptr) {
    asked = block_request(*options.evidence, begin, begin + rows, length_ + rows);
  }
  Evidence evidence;
  Step step;
  step.stop = options.stop;
  step.parts.push_back({.sequence = &sequence_,
                        .tokens = block,
                        .start = length_,
                        .request = asked ? &asked->request : nullptr,
                        .evidence = asked ? &evidence : nullptr});
  if (asked) {
    step.after_layer = [&](std::int64_t layer) {
      add_block(*asked, evidence, (*options.layer_evidence)[static_cast<std::size_t>(layer)]);
    };
  }
  float* const all = all_logits_.data() + begin * vocabulary_size();
  if (options.wants_all_logits) {
    step.after_layers = [&](Transformer& transformer, std::int64_t first) {
      transformer.write_logits(first, rows, all);
    };
  } else if (is_last && options.wants_logits) {
    step.logits.push_back({rows - 1, logits_.data()});
  }
  steps_->run(this, step);
  if (is_last && options.wants_logits && options.wants_all_logits) {
    std::copy_n(all + (rows - 1) * vocabulary_size(), vocabulary_size(), logits_.begin());
  }
}

void ReadContext::read(std::span<const TokenId> tokens, const ReadOptions& options) {
  check_no_branches("read");
  check(tokens, options);
  const auto count = static_cast<std::int64_t>(tokens.size());
  prepare_all_logits(count, options);
  if (options.layer_evidence != nullptr) {
    const Hyperparameters& sizes = model_.hyperparameters();
    options.layer_evidence->assign(static_cast<std::size_t>(sizes.layers),
                                   empty_evidence(*options.evidence, sizes.query_heads));
  }
  KvReading* kept = nullptr;
  // Keys rotated by a long context's own factors are no keys of a shorter one: they are not kept.
  if (options.kept != nullptr &&
      !model_.hyperparameters().rotary_scaling.has_factors_of_length(capacity_)) {
    kept = &kv_reading_of(*options.kept, cache_.block_layout());
    length_ = kept->restore(tokens, {0, count}, cache_, 0);
    tokens_.assign(tokens.begin(), tokens.begin() + length_);
    if (options.progress) options.progress({"reading", "tokens", length_, count});
  }
  for (std::int64_t begin = kept != nullptr ? length_ : 0; begin < count; begin += block_tokens_) {
    const std::int64_t rows = std::min(block_tokens_, count - begin);
    read_block(tokens.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(rows)),
               begin, options, begin + rows == count);
    length_ += rows;
    tokens_.insert(tokens_.end(), tokens.begin() + begin, tokens.begin() + begin + rows);
    model_.check_intact();
    if (kept != nullptr) {
      kept->keep(tokens.first(static_cast<std::size_t>(length_)), cache_, length_ == count);
    }
    if (options.progress) options.progress({"reading", "tokens", begin + rows, count});
  }
}

void ReadContext::truncate(std::int64_t length) {
  check_no_branches("truncate");
  if (length < 0 || length > length_) {
    throw Error(ErrorKind::invalid_argument, "truncate to " + std::to_string(length) +
                                                 ", wanted 0 to " + std::to_string(length_));
  }
  length_ = length;
  tokens_.resize(static_cast<std::size_t>(length));
  while (!stacked_.empty() && stacked_.back().positions.begin >= length) stacked_.pop_back();
  if (stacked_.empty()) return;
  Span& last = stacked_.back().positions;
  last.end = std::min(last.end, length);
}

}  // namespace whereof::model
