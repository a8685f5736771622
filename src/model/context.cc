#include <algorithm>
#include <string>

#include "memory/available_memory.h"
#include "model/block_evidence.h"
#include "model/kv_cache.h"
#include "model/kv_reading.h"
#include "model/loaded_model.h"
#include "model/transformer.h"
#include "whereof/error.h"
#include "whereof/instruction_set.h"
#include "whereof/model.h"

namespace whereof {
namespace {

using model::LoadedModel;

constexpr std::int64_t kBlockTokens = 512;
constexpr std::int64_t kMostBlockTokens = 65536;

const LoadedModel& loaded(const Model& model) {
  const auto* found = dynamic_cast<const LoadedModel*>(&model);
  if (found == nullptr) {
    throw Error(ErrorKind::invalid_argument, "a Context needs a Model that Model::open returned");
  }
  return *found;
}

// The options with every 0 replaced by what it stands for.
ContextOptions resolved(const LoadedModel& model, const ContextOptions& options) {
  const std::int64_t window = model.hyperparameters().window_tokens;
  ContextOptions all = options;
  if (all.capacity_tokens == 0) all.capacity_tokens = window;
  if (all.capacity_tokens < 0 || all.capacity_tokens > window) {
    throw Error(ErrorKind::invalid_argument,
                "capacity_tokens is " + std::to_string(all.capacity_tokens) + ", wanted 1 to " +
                    std::to_string(window) + ", the window of " + model.description().name);
  }
  if (all.block_tokens < 0 || all.block_tokens > kMostBlockTokens) {
    throw Error(ErrorKind::invalid_argument, "block_tokens is " + std::to_string(all.block_tokens) +
                                                 ", wanted 0 to " +
                                                 std::to_string(kMostBlockTokens));
  }
  if (all.block_tokens == 0) all.block_tokens = kBlockTokens;
  all.block_tokens = std::min(all.block_tokens, all.capacity_tokens);
  return all;
}

std::int64_t bytes_of_context(const LoadedModel& model, const ContextOptions& options) {
  return model::KvCache::bytes_needed(model.hyperparameters(), options.capacity_tokens) +
         model::Transformer::bytes_needed(model, chosen_instruction_set(), options.threads,
                                          options.block_tokens, options.capacity_tokens) +
         static_cast<std::int64_t>(sizeof(float)) * model.weights().vocabulary_size;
}

void check_memory(const LoadedModel& model, const ContextOptions& options) {
  const std::int64_t available = memory::available_bytes();
  if (bytes_of_context(model, options) <= available) return;
  std::int64_t fits = 0;  // the largest capacity that does
  std::int64_t too_large = options.capacity_tokens;
  while (too_large - fits > 1) {
    const std::int64_t middle = fits + (too_large - fits) / 2;
    ContextOptions smaller = options;
    smaller.capacity_tokens = middle;
    smaller.block_tokens = std::min(options.block_tokens, middle);
    (bytes_of_context(model, smaller) <= available ? fits : too_large) = middle;
  }
  throw Error(ErrorKind::out_of_memory,
              "a context of " + std::to_string(options.capacity_tokens) + " tokens needs " +
                  std::to_string(bytes_of_context(model, options)) + " bytes and " +
                  std::to_string(available) + " are available; the largest that fits is " +
                  std::to_string(fits) + " tokens");
}

class ReadContext final : public Context {
 public:
  ReadContext(std::shared_ptr<const Model> owner, const LoadedModel& model,
              const ContextOptions& options)
      : owner_(std::move(owner)),
        model_(model),
        capacity_(options.capacity_tokens),
        block_tokens_(options.block_tokens),
        cache_(model.hyperparameters(), options.capacity_tokens),
        transformer_(model, chosen_instruction_set(), options.threads, options.block_tokens,
                     options.capacity_tokens),
        logits_(static_cast<std::size_t>(vocabulary_size())) {}

  void read(std::span<const TokenId> tokens, const ReadOptions& options) override;

  std::int64_t length() const override { return length_; }
  std::int64_t capacity() const override { return capacity_; }
  void truncate(std::int64_t length) override;
  std::span<const float> logits() const override { return logits_; }
  std::span<const float> all_logits() const override { return all_logits_; }

 private:
  std::int64_t vocabulary_size() const { return model_.weights().vocabulary_size; }
  void check(std::span<const TokenId> tokens, const ReadOptions& options) const;
  void prepare_all_logits(std::int64_t tokens, const ReadOptions& options);
  // Runs all layers of the block that begins at token `begin` of the call.
  void read_block(std::span<const TokenId> block, std::int64_t begin, const ReadOptions& options);

  // The logits of the last of the block's rows.
  void write_last_logits(std::int64_t rows);

  std::shared_ptr<const Model> owner_;
  const LoadedModel& model_;
  std::int64_t capacity_;
  std::int64_t block_tokens_;
  std::int64_t length_ = 0;
  model::KvCache cache_;
  model::Transformer transformer_;
  std::vector<float> logits_;
  std::vector<float> all_logits_;
};

void ReadContext::check(std::span<const TokenId> tokens, const ReadOptions& options) const {
  const auto count = static_cast<std::int64_t>(tokens.size());
  if (count > capacity_ - length_) {
    throw Error(ErrorKind::over_window,
                std::to_string(count) + " tokens after " + std::to_string(length_) +
                    " do not fit the context of " + std::to_string(capacity_) + " tokens");
  }
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
  if (options.evidence != nullptr) model::check_request(*options.evidence, count);
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
                             const ReadOptions& options) {
  const auto rows = static_cast<std::int64_t>(block.size());
  std::optional<model::BlockRequest> asked;
  if (options.evidence != nullptr) {
    asked = model::block_request(*options.evidence, begin, begin + rows, length_ + rows);
  }
  transformer_.embed(block, length_);
  Evidence part;
  for (std::int64_t layer = 0; layer < model_.hyperparameters().layers; ++layer) {
    if (options.stop.stop_requested()) {
      throw Error(ErrorKind::cancelled,
                  "reading stopped after " + std::to_string(begin) + " tokens of this call");
    }
    transformer_.run_layer(layer, cache_, asked ? &asked->request : nullptr,
                           asked ? &part : nullptr);
    if (asked) {
      model::add_block(*asked, part, (*options.layer_evidence)[static_cast<std::size_t>(layer)]);
    }
  }
}

void ReadContext::write_last_logits(std::int64_t rows) {
  if (all_logits_.empty()) {
    transformer_.write_logits(rows - 1, 1, logits_.data());
  } else {
    std::copy(all_logits_.end() - vocabulary_size(), all_logits_.end(), logits_.begin());
  }
}

void ReadContext::read(std::span<const TokenId> tokens, const ReadOptions& options) {
  check(tokens, options);
  const auto count = static_cast<std::int64_t>(tokens.size());
  prepare_all_logits(count, options);
  if (options.layer_evidence != nullptr) {
    const model::Hyperparameters& sizes = model_.hyperparameters();
    options.layer_evidence->assign(static_cast<std::size_t>(sizes.layers),
                                   model::empty_evidence(*options.evidence, sizes.query_heads));
  }
  model::KvReading* kept = nullptr;
  // Keys rotated by a long context's own factors are no keys of a shorter one: they are not kept.
  if (options.kept != nullptr &&
      !model_.hyperparameters().rotary_scaling.has_factors_of_length(capacity_)) {
    kept = &model::kv_reading_of(*options.kept, model::KvBlockLayout::of(model_.hyperparameters()));
    length_ = kept->restore(tokens, cache_);
    if (options.progress) options.progress({"reading", "tokens", length_, count});
  }
  for (std::int64_t begin = kept != nullptr ? length_ : 0; begin < count; begin += block_tokens_) {
    const std::int64_t rows = std::min(block_tokens_, count - begin);
    read_block(tokens.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(rows)),
               begin, options);
    length_ += rows;
    if (options.wants_all_logits) {
      transformer_.write_logits(0, rows, all_logits_.data() + begin * vocabulary_size());
    }
    if (begin + rows == count && options.wants_logits) write_last_logits(rows);
    model_.check_intact();
    if (kept != nullptr) {
      kept->keep(tokens.first(static_cast<std::size_t>(length_)), cache_, length_ == count);
    }
    if (options.progress) options.progress({"reading", "tokens", begin + rows, count});
  }
}

void ReadContext::truncate(std::int64_t length) {
  if (length < 0 || length > length_) {
    throw Error(ErrorKind::invalid_argument, "truncate to " + std::to_string(length) +
                                                 ", wanted 0 to " + std::to_string(length_));
  }
  length_ = length;
}

}  // namespace

std::int64_t Context::bytes_needed(const Model& model, const ContextOptions& options) {
  return bytes_of_context(loaded(model), resolved(loaded(model), options));
}

std::unique_ptr<Context> Context::create(std::shared_ptr<const Model> model,
                                         const ContextOptions& options) {
  if (model == nullptr) throw Error(ErrorKind::invalid_argument, "a Context needs a model");
  const LoadedModel& found = loaded(*model);
  const ContextOptions all = resolved(found, options);
  check_memory(found, all);
  return std::make_unique<ReadContext>(std::move(model), found, all);
}

}  // namespace whereof
