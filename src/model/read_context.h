// The Context that Model::open's models get.
#ifndef WHEREOF_MODEL_READ_CONTEXT_H_
#define WHEREOF_MODEL_READ_CONTEXT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/loaded_model.h"
#include "model/sequence.h"
#include "model/step_runner.h"
#include "whereof/model.h"

namespace whereof::model {

class ReadContext final : public Context {
 public:
  // `options` with nothing left to the runtime.
  ReadContext(std::shared_ptr<const Model> owner, const LoadedModel& model,
              const ContextOptions& options);
  ~ReadContext() override { steps_->leave(this); }
  ReadContext(const ReadContext&) = delete;
  ReadContext& operator=(const ReadContext&) = delete;

  void read(std::span<const TokenId> tokens, const ReadOptions& options) override;

  std::int64_t length() const override { return length_; }
  std::int64_t capacity() const override { return capacity_; }
  void truncate(std::int64_t length) override;
  std::int64_t append_kept(KeptReading& kept, std::span<const TokenId> tokens,
                           std::optional<Span> part) override;
  void append_part_of(const Context& other, Span part) override;
  std::int64_t open_branch(const BranchOptions& options) override;
  void read_branches(std::span<const BranchRead> reads, std::stop_token stop) override;
  std::span<const float> branch_logits(std::int64_t branch) const override;
  void close_branches() override;
  PositionCheck check_positions(std::int64_t count) override;
  std::span<const float> logits() const override { return logits_; }
  std::span<const float> all_logits() const override { return all_logits_; }

  // What such options ask for.
  static KvCacheSize cache_size_for(const ContextOptions& options) noexcept;
  static StepRoom step_room_for(const ContextOptions& options) noexcept;

 private:
  struct Branch {
    std::vector<std::int32_t> pages;  // of positions 0, 1, ...: the context's, then its own
    std::vector<Span> hidden;
    std::int64_t length = 0;
    std::int64_t limit = 0;  // of length
    std::vector<float> logits;
  };
  // Keys that were read elsewhere, without seeing what is before them here.
  struct Stacked {
    Span positions;
    bool is_whole = true;  // they saw, there, nothing that is not here
  };
  // A read on its way through several blocks.
  struct OngoingRead;

  void check_no_branches(const char* call) const;
  void check_room(std::int64_t count, const char* what) const;
  // Takes over the rows of these tokens, which lie in the cache behind length_ and whose keys are
  // rotated for positions from, from + 1, ...
  void take_stacked(std::span<const TokenId> tokens, std::int64_t from);
  void check_reads(std::span<const BranchRead> reads) const;
  void run_branch_block(std::span<OngoingRead*> reads, const std::stop_token& stop);
  static void add_following_tokens(const OngoingRead& read, std::int64_t first,
                                   std::vector<FollowingToken>& wanted);

  std::int64_t vocabulary_size() const { return model_.weights().vocabulary_size; }
  void check(std::span<const TokenId> tokens, const ReadOptions& options) const;
  void prepare_all_logits(std::int64_t tokens, const ReadOptions& options);
  // Runs all layers of the block that begins at token `begin` of the call.
  void read_block(std::span<const TokenId> block, std::int64_t begin, const ReadOptions& options,
                  bool is_last);
  // Reads the token at `position` alone; what was kept there is put back. The largest relative
  // difference of a layer's key and value from what was kept, where that saw the same tokens, and
  // the first layer's key.
  struct DecodedRow {
    double difference = 0;
    std::vector<float> first_key;
  };
  DecodedRow decode_alone(std::int64_t position);

  std::shared_ptr<const Model> owner_;
  const LoadedModel& model_;
  std::int64_t capacity_;
  std::int64_t block_tokens_;
  std::int64_t length_ = 0;
  std::vector<TokenId> tokens_;  // [length_]
  std::vector<Stacked> stacked_;
  Sequence sequence_;
  KvCache& cache_ = sequence_.cache;
  std::shared_ptr<StepRunner> steps_;
  std::vector<float> logits_;
  std::vector<float> all_logits_;
  std::vector<Branch> branches_;
  std::int32_t next_branch_page_ = 0;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_READ_CONTEXT_H_
