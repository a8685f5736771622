// Where the evidence of all blocks is summed.
//
// Blocks finish in any order and on any thread, so sums are kept as 64-bit whole numbers of a small
// unit, whose addition is associative: the same bits come out for any number of threads. The unit
// follows from the number of rows that may be summed; for a single row it is 2^-57.
#ifndef WHEREOF_ATTENTION_EVIDENCE_TABLE_H_
#define WHEREOF_ATTENTION_EVIDENCE_TABLE_H_

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "attention/problem.h"
#include "attention/row_block.h"

namespace whereof::attention {

// What is known of the finished rows of a block, in flat row order.
struct FinishedRows {
  const BlockState* state;             // merged
  std::span<const BlockState> pieces;  // whose bins hold the span masses
  const float* log_sum_exp;            // [rows], natural
};

class EvidenceTable {
 public:
  EvidenceTable(const Problem& problem, const EvidenceRequest& request);

  // May be called from several threads.
  void add(const kernels::KernelSet& kernels, const WorkBlock& block, const FinishedRows& finished);

  // log_sum_exp [batch, query_heads, query_length].
  void write(const float* log_sum_exp, Evidence& evidence) const;

 private:
  // Rows of a block that are summed into one group of one head: first, first + group_size, ...
  struct Slot {
    std::int64_t cell = 0;  // index into the tables
    std::int64_t first = 0;
    std::int64_t count = 0;
  };
  // [cells] or, with spans, [cells][spans] sums as whole numbers of a unit.
  struct Sums {
    double units = 1;  // in one
    std::vector<std::int64_t> cells;
    std::vector<std::uint32_t>* has_nan = nullptr;  // [cells]: a row that is summed is NaN
  };

  std::int64_t group_of(std::int64_t row) const noexcept {
    return group_of_row_.empty() ? 0 : group_of_row_[static_cast<std::size_t>(row)];
  }
  std::vector<Slot> slots_of(const WorkBlock& block) const;
  std::vector<Slot> column_slots_of(const WorkBlock& block) const;
  void add_sums(const std::vector<Slot>& slots, const float* figures, Sums& sums,
                std::int64_t cell_stride, std::int64_t at);
  void add_masses(const kernels::KernelSet& kernels, const WorkBlock& block,
                  const std::vector<Slot>& slots, const FinishedRows& finished);
  void add_row_figures(const std::vector<Slot>& slots, const WorkBlock& block,
                       const FinishedRows& finished);
  void add_top_keys(const std::vector<Slot>& slots, const FinishedRows& finished);

  const Problem& problem_;
  const EvidenceRequest& request_;
  std::int64_t groups_;
  std::int64_t spans_;
  std::vector<std::int32_t> group_of_row_;  // [query_length]; empty: all rows are group 0
  // [batch, query_heads, groups] and, for span_mass_ and top_, one more dimension.
  Sums entropy_;
  Sums sink_mass_;
  Sums unassigned_mass_;
  Sums span_mass_;
  Sums column_mass_;  // [batch, query_heads, spans]; empty unless asked for
  std::vector<std::uint32_t> column_has_nan_;
  std::vector<std::uint32_t> max_weight_;  // bits of a float >= 0, which order as the floats do
  std::vector<std::uint32_t> has_nan_;     // a row of the group is NaN: so are its figures
  std::mutex top_mutex_;
  std::vector<TopKey> top_;
};

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_EVIDENCE_TABLE_H_
