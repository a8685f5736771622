// ReadContext's branches: continuations of what was read, side by side.
//
// A branch shares the context's whole pages; the last page, if it is not full, is copied, so that
// each branch appends to one of its own. Rows of all branches go through the layers as one block;
// attention is run for each branch over its pages.
#include <algorithm>
#include <optional>
#include <string>

#include "model/block_evidence.h"
#include "model/read_context.h"
#include "whereof/error.h"

namespace whereof::model {
namespace {

std::int64_t pages_of(std::int64_t tokens) {
  return (tokens + kKvBlockTokens - 1) / kKvBlockTokens;
}

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::invalid_argument, message);
}

}  // namespace

struct ReadContext::OngoingRead {
  const BranchRead* read = nullptr;
  std::int64_t done = 0;  // tokens
  // Of the block that is run now.
  std::int64_t rows = 0;
  std::optional<BlockRequest> asked;
  Evidence evidence;

  std::int64_t left() const { return static_cast<std::int64_t>(read->tokens.size()) - done; }
};

KvCacheSize ReadContext::cache_size_for(const ContextOptions& options) noexcept {
  return {.capacity = options.capacity_tokens,
          .branch_pages = pages_of(options.branch_tokens),
          .type = options.kv_type};
}

void ReadContext::check_no_branches(const char* call) const {
  if (branches_.empty()) return;
  refuse(std::string(call) + " while " + std::to_string(branches_.size()) +
         " branches are open; close_branches first");
}

std::int64_t ReadContext::open_branch(const BranchOptions& options) {
  const std::int64_t limit = length_ + options.room_tokens;
  if (options.room_tokens < 1 || limit > model_.hyperparameters().window_tokens ||
      limit > sequence_.rotations.length()) {
    refuse("room_tokens is " + std::to_string(options.room_tokens) + "; wanted 1 to " +
           std::to_string(
               std::min(model_.hyperparameters().window_tokens, sequence_.rotations.length()) -
               length_));
  }
  std::int64_t before = 0;
  for (const Span span : options.hidden) {
    if (span.is_empty() || span.begin < before || span.end > length_) {
      refuse("hidden spans of a branch must ascend, be disjoint and lie within the " +
             std::to_string(length_) + " tokens read");
    }
    before = span.end;
  }
  if (branches_.empty()) {
    next_branch_page_ = static_cast<std::int32_t>(cache_.first_branch_page());
  }
  const std::int64_t shared = length_ / kKvBlockTokens;
  const std::int64_t own = pages_of(limit) - shared;
  if (next_branch_page_ + own > cache_.pages()) {
    throw Error(ErrorKind::over_window,
                "a branch of " + std::to_string(options.room_tokens) +
                    " tokens does not fit the branch_tokens of the context");
  }
  Branch branch;
  for (std::int64_t page = 0; page < shared; ++page) {
    branch.pages.push_back(static_cast<std::int32_t>(page));
  }
  for (std::int64_t page = 0; page < own; ++page) branch.pages.push_back(next_branch_page_++);
  cache_.copy_page(shared, branch.pages[static_cast<std::size_t>(shared)],
                   length_ % kKvBlockTokens);
  branch.hidden = options.hidden;
  branch.length = length_;
  branch.limit = limit;
  branches_.push_back(std::move(branch));
  return static_cast<std::int64_t>(branches_.size()) - 1;
}

void ReadContext::close_branches() { branches_.clear(); }

std::span<const float> ReadContext::branch_logits(std::int64_t branch) const {
  if (branch < 0 || branch >= static_cast<std::int64_t>(branches_.size())) {
    refuse("branch " + std::to_string(branch) + " is not open");
  }
  return branches_[static_cast<std::size_t>(branch)].logits;
}

void ReadContext::check_reads(std::span<const BranchRead> reads) const {
  std::vector<bool> is_named(branches_.size(), false);
  for (const BranchRead& read : reads) {
    const auto index = static_cast<std::size_t>(read.branch);
    if (read.branch < 0 || index >= branches_.size() || is_named[index]) {
      refuse("branch " + std::to_string(read.branch) + " is not open, or named twice");
    }
    is_named[index] = true;
    const auto count = static_cast<std::int64_t>(read.tokens.size());
    const Branch& branch = branches_[index];
    if (count > branch.limit - branch.length) {
      throw Error(ErrorKind::over_window,
                  std::to_string(count) + " tokens do not fit branch " +
                      std::to_string(read.branch) + ", which has room for " +
                      std::to_string(branch.limit - branch.length) + " more");
    }
    for (const TokenId token : read.tokens) {
      if (token < 0 || token >= vocabulary_size()) {
        refuse("token " + std::to_string(token) + ", wanted 0 to " +
               std::to_string(vocabulary_size() - 1));
      }
    }
    if (read.log_probabilities != nullptr && read.log_probabilities_from < 1) {
      refuse("log_probabilities_from is " + std::to_string(read.log_probabilities_from) +
             ", wanted at least 1");
    }
    if ((read.evidence == nullptr) != (read.layer_evidence == nullptr)) {
      refuse("BranchRead: evidence and layer_evidence are both null or neither");
    }
    if (read.evidence != nullptr) check_request(*read.evidence, count);
  }
}

// Of the rows that are run now, the first of which is row `first` of the block.
void ReadContext::add_following_tokens(const OngoingRead& read, std::int64_t first,
                                       std::vector<FollowingToken>& wanted) {
  if (read.read->log_probabilities == nullptr) return;
  const std::int64_t from = read.read->log_probabilities_from;
  const std::int64_t begin = std::max(from, read.done + 1);
  const std::int64_t end = std::min(std::ssize(read.read->tokens), read.done + read.rows + 1);
  for (std::int64_t next = begin; next < end; ++next) {
    wanted.push_back({first + next - 1 - read.done,
                      read.read->tokens[static_cast<std::size_t>(next)],
                      read.read->log_probabilities->data() + (next - from)});
  }
}

// The reads' next `rows` tokens as one block.
void ReadContext::run_branch_block(std::span<OngoingRead*> reads, const std::stop_token& stop) {
  Step step;
  step.stop = stop;
  std::int64_t first = 0;
  for (OngoingRead* read : reads) {
    Branch& branch = branches_[static_cast<std::size_t>(read->read->branch)];
    read->asked.reset();
    if (read->read->evidence != nullptr) {
      read->asked = block_request(*read->read->evidence, read->done, read->done + read->rows,
                                  branch.length + read->rows);
    }
    step.parts.push_back(
        {.sequence = &sequence_,
         .tokens = read->read->tokens.subspan(static_cast<std::size_t>(read->done),
                                              static_cast<std::size_t>(read->rows)),
         .start = branch.length,
         .pages = branch.pages.data(),
         .hidden = &branch.hidden,
         .request = read->asked ? &read->asked->request : nullptr,
         .evidence = read->asked ? &read->evidence : nullptr});
    first += read->rows;
    if (read->rows < read->left() || !read->read->wants_logits) continue;
    branch.logits.resize(static_cast<std::size_t>(vocabulary_size()));
    step.logits.push_back({first - 1, branch.logits.data()});
  }
  step.after_layer = [&](std::int64_t layer) {
    for (OngoingRead* read : reads) {
      if (!read->asked) continue;
      add_block(*read->asked, read->evidence,
                (*read->read->layer_evidence)[static_cast<std::size_t>(layer)]);
    }
  };
  step.after_layers = [&](Transformer& transformer, std::int64_t row) {
    std::vector<FollowingToken> wanted;
    for (const OngoingRead* read : reads) {
      add_following_tokens(*read, row, wanted);
      row += read->rows;
    }
    transformer.write_log_probabilities(wanted);
  };
  steps_->run(this, step);
  for (OngoingRead* read : reads) {
    branches_[static_cast<std::size_t>(read->read->branch)].length += read->rows;
    read->done += read->rows;
  }
}

void ReadContext::read_branches(std::span<const BranchRead> reads, std::stop_token stop) {
  check_reads(reads);
  const Hyperparameters& sizes = model_.hyperparameters();
  std::vector<OngoingRead> ongoing;
  for (const BranchRead& read : reads) {
    if (read.layer_evidence != nullptr) {
      read.layer_evidence->assign(static_cast<std::size_t>(sizes.layers),
                                  empty_evidence(*read.evidence, sizes.query_heads));
    }
    if (read.log_probabilities != nullptr) {
      const std::int64_t count = std::ssize(read.tokens) - read.log_probabilities_from;
      read.log_probabilities->assign(static_cast<std::size_t>(std::max<std::int64_t>(0, count)), 0);
    }
    ongoing.emplace_back().read = &read;
  }
  for (;;) {
    std::vector<OngoingRead*> block;
    std::int64_t rows = 0;
    for (OngoingRead& read : ongoing) {
      read.rows = std::min(read.left(), block_tokens_ - rows);
      if (read.rows == 0) continue;
      rows += read.rows;
      block.push_back(&read);
    }
    if (block.empty()) break;
    run_branch_block(block, stop);
    model_.check_intact();
  }
}

}  // namespace whereof::model
