#include <algorithm>
#include <string>

#include "memory/available_memory.h"
#include "model/loaded_model.h"
#include "model/read_context.h"
#include "model/sequence.h"
#include "model/step_runner.h"
#include "whereof/error.h"
#include "whereof/model.h"

namespace whereof {
namespace {

using model::LoadedModel;

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
  model::check_kv_type(all.kv_type);
  if (all.branch_tokens < 0) {
    throw Error(ErrorKind::invalid_argument,
                "branch_tokens is " + std::to_string(all.branch_tokens) + ", wanted 0 or more");
  }
  all.block_tokens = model::resolved_block_tokens(all.block_tokens, all.capacity_tokens);
  const auto* shared = model::step_runner_of(all.shared_steps.get());
  if (shared == nullptr) return all;
  if (&shared->model() != &model || options.block_tokens > shared->block_tokens()) {
    throw Error(ErrorKind::invalid_argument, "shared_steps are of another model, or of blocks of " +
                                                 std::to_string(shared->block_tokens()) +
                                                 " tokens where block_tokens is " +
                                                 std::to_string(options.block_tokens));
  }
  all.block_tokens = std::min(all.block_tokens, shared->block_tokens());
  return all;
}

std::int64_t bytes_of_context(const LoadedModel& model, const ContextOptions& options) {
  const model::Hyperparameters& sizes = model.hyperparameters();
  const std::int64_t steps =
      options.shared_steps != nullptr
          ? 0
          : model::StepRunner::bytes_needed(model, model::ReadContext::step_room_for(options));
  return model::KvCache::bytes_needed(sizes, model::ReadContext::cache_size_for(options)) +
         model::LayerRotations::bytes_needed(sizes, options.capacity_tokens) + steps +
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

}  // namespace

std::int64_t Context::bytes_needed(const Model& model, const ContextOptions& options) {
  return bytes_of_context(model::loaded(model, "a Context"),
                          resolved(model::loaded(model, "a Context"), options));
}

std::unique_ptr<Context> Context::create(std::shared_ptr<const Model> model,
                                         const ContextOptions& options) {
  if (model == nullptr) throw Error(ErrorKind::invalid_argument, "a Context needs a model");
  const LoadedModel& found = model::loaded(*model, "a Context");
  const ContextOptions all = resolved(found, options);
  check_memory(found, all);
  return std::make_unique<model::ReadContext>(std::move(model), found, all);
}

}  // namespace whereof
