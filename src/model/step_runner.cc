#include "model/step_runner.h"

#include <algorithm>
#include <string>
#include <utility>

#include "memory/available_memory.h"
#include "whereof/error.h"
#include "whereof/instruction_set.h"

namespace whereof {
namespace model {
namespace {

constexpr std::int64_t kBlockTokens = 512;
constexpr std::int64_t kMostBlockTokens = 65536;
constexpr std::int64_t kMostJoinedRows = 1024;

void check_stop(const Step& step) {
  if (step.stop.stop_requested()) throw Error(ErrorKind::cancelled, "reading was stopped");
}

}  // namespace

std::int64_t resolved_block_tokens(std::int64_t asked, std::int64_t capacity) {
  if (asked < 0 || asked > kMostBlockTokens) {
    throw Error(ErrorKind::invalid_argument, "block_tokens is " + std::to_string(asked) +
                                                 ", wanted 0 to " +
                                                 std::to_string(kMostBlockTokens));
  }
  return std::min(asked == 0 ? kBlockTokens : asked, capacity);
}

// Steps that are computed together, each until it ends: then its thread goes on, and nothing of it
// may be touched any more.
class StepRunner::JointRun {
 public:
  JointRun(StepRunner& runner, std::vector<JointEntry*> entries)
      : runner_(runner), transformer_(runner.joined_), entries_(std::move(entries)) {}

  void run() noexcept {
    try {
      embed();
      const std::int64_t layers = runner_.model_.hyperparameters().layers;
      for (std::int64_t layer = 0; layer < layers && !steps_.empty(); ++layer) {
        transformer_.run_layer(layer);
        end_layer(layer);
      }
      write_logits();
      while (!steps_.empty()) {
        Joined& last = steps_.back();
        if (last.step->after_layers) {
          guard(last, [&] { last.step->after_layers(transformer_, last.first_row); });
        }
        end_step(steps_.size() - 1);
      }
    } catch (...) {
      for (JointEntry* entry : entries_) {
        if (entry != nullptr) runner_.turns_.finish(*entry, std::current_exception());
      }
    }
  }

 private:
  struct Joined {
    std::size_t entry = 0;  // of entries_
    Step* step = nullptr;
    std::int64_t first_row = 0;
    std::size_t first_part = 0;
    std::exception_ptr failure;
  };

  template <typename Work>
  static void guard(Joined& joined, Work work) {
    try {
      work();
    } catch (...) {
      joined.failure = std::current_exception();
    }
  }

  void embed() {
    std::vector<BlockPart> parts;
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      Step& step = *static_cast<Step*>(entries_[i]->work);
      steps_.push_back({i, &step, rows, parts.size(), nullptr});
      parts.insert(parts.end(), step.parts.begin(), step.parts.end());
      rows += step.rows();
    }
    runner_.joined_tokens_ += rows;
    transformer_.embed(parts, linear::ProductWay::few_rows);
  }

  void end_layer(std::int64_t layer) {
    for (std::size_t i = steps_.size(); i-- > 0;) {
      Joined& joined = steps_[i];
      for (std::size_t part = 0; part < joined.step->parts.size() && !joined.failure; ++part) {
        joined.failure = transformer_.failure(joined.first_part + part);
      }
      if (!joined.failure) {
        guard(joined, [&] {
          check_stop(*joined.step);
          if (joined.step->after_layer) joined.step->after_layer(layer);
        });
      }
      if (joined.failure) remove_step(i);
    }
  }

  // Its rows go, those of later steps move up.
  void remove_step(std::size_t i) {
    const std::size_t parts = steps_[i].step->parts.size();
    const std::int64_t rows = steps_[i].step->rows();
    for (std::size_t part = 0; part < parts; ++part) transformer_.remove_part(steps_[i].first_part);
    for (std::size_t later = i + 1; later < steps_.size(); ++later) {
      steps_[later].first_row -= rows;
      steps_[later].first_part -= parts;
    }
    end_step(i);
  }

  void end_step(std::size_t i) {
    JointEntry* entry = std::exchange(entries_[steps_[i].entry], nullptr);
    const std::exception_ptr failure = steps_[i].failure;
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(i));
    runner_.turns_.finish(*entry, failure);
  }

  void write_logits() {
    std::vector<LogitRow> rows;
    for (const Joined& joined : steps_) {
      for (const LogitRow& wanted : joined.step->logits) {
        rows.push_back({joined.first_row + wanted.row, wanted.to});
      }
    }
    transformer_.write_logits(rows);
  }

  StepRunner& runner_;
  Transformer& transformer_;
  std::vector<JointEntry*> entries_;  // null: ended
  std::vector<Joined> steps_;         // that have not ended, in the order of their rows
};

StepRunner::StepRunner(std::shared_ptr<const Model> owner, const LoadedModel& model,
                       const StepRoom& room)
    : owner_(std::move(owner)),
      model_(model),
      room_(room),
      blocks_(model, chosen_instruction_set(), room.threads, room.block_tokens),
      joined_(model, chosen_instruction_set(), room.threads, room.joined_rows),
      turns_(room.joined_rows) {}

std::int64_t StepRunner::bytes_needed(const LoadedModel& model, const StepRoom& room) {
  const InstructionSet set = chosen_instruction_set();
  return Transformer::bytes_needed(model, set, room.threads, room.block_tokens) +
         Transformer::bytes_needed(model, set, room.threads, room.joined_rows);
}

void StepRunner::run_block(Step& step) {
  blocks_.embed(step.parts, linear::ProductWay::many_rows);
  for (std::int64_t layer = 0; layer < model_.hyperparameters().layers; ++layer) {
    check_stop(step);
    blocks_.run_layer(layer);
    for (std::size_t part = 0; part < step.parts.size(); ++part) {
      if (blocks_.failure(part)) std::rethrow_exception(blocks_.failure(part));
    }
    if (step.after_layer) step.after_layer(layer);
  }
  blocks_.write_logits(step.logits);
  if (step.after_layers) step.after_layers(blocks_, 0);
}

void StepRunner::run(const void* owner, Step& step) {
  const std::int64_t rows = step.rows();
  if (linear::Multiplier::way_of(rows) == linear::ProductWay::many_rows) {
    turns_.leave(owner);
    turns_.run_block(step.stop, [&] { run_block(step); });
    return;
  }
  JointEntry entry;
  entry.owner = owner;
  entry.rows = rows;
  entry.work = &step;
  entry.stop = step.stop;
  turns_.run_joint(entry,
                   [this](std::vector<JointEntry*> entries) { JointRun(*this, entries).run(); });
}

StepCounts StepRunner::counts() const {
  return {.joined_steps = turns_.joint_turns(),
          .joined_tokens = joined_tokens_.load(),
          .blocks = turns_.blocks(),
          .pauses = turns_.pauses()};
}

StepRunner* step_runner_of(SharedSteps* steps) {
  if (steps == nullptr) return nullptr;
  if (auto* runner = dynamic_cast<StepRunner*>(steps)) return runner;
  throw Error(ErrorKind::invalid_argument, "shared_steps must come from SharedSteps::create");
}

}  // namespace model

std::shared_ptr<SharedSteps> SharedSteps::create(std::shared_ptr<const Model> model,
                                                 const SharedStepsOptions& options) {
  if (model == nullptr) throw Error(ErrorKind::invalid_argument, "SharedSteps need a model");
  const model::LoadedModel& found = model::loaded(*model, "SharedSteps");
  constexpr std::int64_t kFewest = linear::Multiplier::kMostFewRows;
  if (options.joined_rows < kFewest || options.joined_rows > model::kMostJoinedRows) {
    throw Error(ErrorKind::invalid_argument,
                "joined_rows is " + std::to_string(options.joined_rows) + ", wanted " +
                    std::to_string(kFewest) + " to " + std::to_string(model::kMostJoinedRows));
  }
  const model::StepRoom room{.threads = options.threads,
                             .block_tokens = model::resolved_block_tokens(
                                 options.block_tokens, found.hyperparameters().window_tokens),
                             .joined_rows = options.joined_rows};
  const std::int64_t needed = model::StepRunner::bytes_needed(found, room);
  if (const std::int64_t available = memory::available_bytes(); needed > available) {
    throw Error(ErrorKind::out_of_memory, "SharedSteps need " + std::to_string(needed) +
                                              " bytes and " + std::to_string(available) +
                                              " are available");
  }
  return std::make_shared<model::StepRunner>(std::move(model), found, room);
}

}  // namespace whereof
