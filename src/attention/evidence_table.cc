#include "attention/evidence_table.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

namespace whereof::attention {
namespace {

constexpr double kLn2 = 0.693147180559945309417;

std::int64_t groups_of(const EvidenceRequest& request) {
  switch (request.rows) {
    case EvidenceRows::all_summed:
      return 1;
    case EvidenceRows::by_query_span:
      return static_cast<std::int64_t>(request.query_spans.size());
    case EvidenceRows::single:
      return static_cast<std::int64_t>(request.query_rows.size());
  }
  return 0;
}

std::vector<std::int32_t> groups_of_rows(const EvidenceRequest& request, std::int64_t rows) {
  if (request.rows == EvidenceRows::all_summed) return {};
  std::vector<std::int32_t> group_of_row(static_cast<std::size_t>(rows), -1);
  for (std::size_t group = 0; group < static_cast<std::size_t>(groups_of(request)); ++group) {
    Span span;
    if (request.rows == EvidenceRows::single) {
      span = {request.query_rows[group], request.query_rows[group] + 1};
    } else {
      span = request.query_spans[group];
    }
    std::fill(group_of_row.begin() + span.begin, group_of_row.begin() + span.end,
              static_cast<std::int32_t>(group));
  }
  return group_of_row;
}

// The largest power of two that keeps rows * 64 (an entropy is under 64 nats) in 63 bits.
double units_in_one(const EvidenceRequest& request, std::int64_t query_length) {
  const bool is_single = request.rows == EvidenceRows::single;
  const std::int64_t rows = is_single ? 1 : std::max<std::int64_t>(1, query_length);
  const int row_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(rows)));
  return std::ldexp(1.0, 62 - 6 - row_bits);
}

void raise_to(std::uint32_t& cell, std::uint32_t bits) {
  const std::atomic_ref<std::uint32_t> shared(cell);
  std::uint32_t seen = shared.load(std::memory_order_relaxed);
  while (seen < bits && !shared.compare_exchange_weak(seen, bits, std::memory_order_relaxed)) {
  }
}

bool is_before(const TopKey& x, const TopKey& y) {
  if ((x.key < 0) != (y.key < 0)) return y.key < 0;
  if (x.weight != y.weight) return x.weight > y.weight;
  return x.key < y.key;
}

// Offers a key to a list sorted by is_before; a key keeps its largest weight.
void offer(std::span<TopKey> list, TopKey candidate) {
  if (list.empty() || !is_before(candidate, list.back())) return;
  auto at = std::find_if(list.begin(), list.end(),
                         [&](const TopKey& entry) { return entry.key == candidate.key; });
  if (at == list.end()) {
    --at;
  } else if (at->weight >= candidate.weight) {
    return;
  }
  for (; at != list.begin() && is_before(candidate, at[-1]); --at) *at = at[-1];
  *at = candidate;
}

}  // namespace

EvidenceTable::EvidenceTable(const Problem& problem, const EvidenceRequest& request)
    : problem_(problem),
      request_(request),
      groups_(groups_of(request)),
      spans_(static_cast<std::int64_t>(request.key_spans.size())),
      units_(units_in_one(request, problem.query_length)),
      group_of_row_(groups_of_rows(request, problem.query_length)) {
  const auto cells = static_cast<std::size_t>(problem.batch * problem.query_heads * groups_);
  entropy_.resize(cells);
  sink_mass_.resize(cells);
  unassigned_mass_.resize(cells);
  max_weight_.resize(cells);
  has_nan_.resize(cells);
  span_mass_.resize(cells * static_cast<std::size_t>(spans_));
  top_.resize(cells * static_cast<std::size_t>(request.top_keys));
}

std::vector<EvidenceTable::Slot> EvidenceTable::slots_of(const WorkBlock& block) const {
  std::vector<Slot> slots;
  const std::int64_t members = problem_.group_size;
  std::vector<std::int64_t> slot_of_member(static_cast<std::size_t>(members), -1);
  std::int64_t group_now = -1;
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const std::int64_t flat = block.first_row + r;
    const std::int64_t group = group_of(flat / members);
    if (group != group_now) {
      std::fill(slot_of_member.begin(), slot_of_member.end(), -1);
      group_now = group;
    }
    if (group < 0) continue;
    std::int64_t& slot = slot_of_member[static_cast<std::size_t>(flat % members)];
    if (slot < 0) {
      const std::int64_t head = block.kv_head * members + flat % members;
      slot = static_cast<std::int64_t>(slots.size());
      slots.push_back(
          {.cell = (block.batch * problem_.query_heads + head) * groups_ + group, .first = r});
    }
    ++slots[static_cast<std::size_t>(slot)].count;
  }
  return slots;
}

void EvidenceTable::add_sums(const std::vector<Slot>& slots, const float* figures,
                             std::vector<std::int64_t>& table, std::int64_t cell_stride,
                             std::int64_t at) {
  const std::int64_t step = problem_.group_size;
  for (const Slot& slot : slots) {
    const float* from = figures + slot.first;
    double sums[4] = {};  // four chains of additions run side by side
    std::int64_t n = 0;
    for (; n + 4 <= slot.count; n += 4) {
      for (int k = 0; k < 4; ++k) sums[k] += static_cast<double>(from[(n + k) * step]);
    }
    for (; n < slot.count; ++n) sums[0] += static_cast<double>(from[n * step]);
    const double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    if (std::isnan(sum)) {
      raise_to(has_nan_[static_cast<std::size_t>(slot.cell)], 1);
      continue;
    }
    std::int64_t& cell = table[static_cast<std::size_t>(slot.cell * cell_stride + at)];
    std::atomic_ref<std::int64_t>(cell).fetch_add(std::llrint(sum * units_),
                                                  std::memory_order_relaxed);
  }
}

void EvidenceTable::add_row_figures(const std::vector<Slot>& slots, const WorkBlock& block,
                                    const FinishedRows& finished) {
  const BlockState& state = *finished.state;
  std::vector<float> entropy(static_cast<std::size_t>(state.rows), 0.0F);
  for (const Slot& slot : slots) {
    const auto cell = static_cast<std::size_t>(slot.cell);
    for (std::int64_t n = 0; n < slot.count; ++n) {
      const std::int64_t r = slot.first + n * problem_.group_size;
      const float row_sum = state.row_sum[r];
      if (row_sum == 0.0F) continue;
      const std::int64_t row = (block.first_row + r) / problem_.group_size;
      const double sum = static_cast<double>(row_sum);
      const double nats = (std::log2(sum) - static_cast<double>(state.row_dot[r]) / sum) * kLn2;
      const double most = std::log(static_cast<double>(problem_.visible_keys(row)));
      // Comparisons with NaN are false, so NaN stays.
      entropy[static_cast<std::size_t>(r)] = static_cast<float>(nats < 0      ? 0
                                                                : nats > most ? most
                                                                              : nats);
      const float max_weight = 1.0F / row_sum;
      if (std::isnan(max_weight)) {
        raise_to(has_nan_[cell], 1);
      } else {
        raise_to(max_weight_[cell], std::bit_cast<std::uint32_t>(max_weight));
      }
    }
  }
  add_sums(slots, entropy.data(), entropy_, 1, 0);
}

void EvidenceTable::add_top_keys(const std::vector<Slot>& slots, const FinishedRows& finished) {
  const BlockState& state = *finished.state;
  const std::int64_t count = request_.top_keys;
  const std::lock_guard lock(top_mutex_);
  for (const Slot& slot : slots) {
    const std::span<TopKey> list(top_.data() + slot.cell * count, static_cast<std::size_t>(count));
    for (std::int64_t n = 0; n < slot.count; ++n) {
      const std::int64_t r = slot.first + n * problem_.group_size;
      for (std::int64_t i = 0; i < count; ++i) {
        const ScoredKey& scored = state.top[static_cast<std::size_t>(r * count + i)];
        if (scored.key < 0) break;
        const float weight = std::exp2(scored.score - state.row_max[r]) / state.row_sum[r];
        if (!std::isnan(weight)) offer(list, {scored.key, weight});
      }
    }
  }
}

void EvidenceTable::add(const kernels::KernelSet& kernels, const WorkBlock& block,
                        const FinishedRows& finished) {
  const std::vector<Slot> slots = slots_of(block);
  if (slots.empty()) return;
  const BlockState& state = *finished.state;
  add_row_figures(slots, block, finished);
  std::vector<float> mass(static_cast<std::size_t>(state.stride));
  for (const BlockState& piece : finished.pieces) {
    for (std::int64_t bin = 0; bin < piece.bins; ++bin) {
      kernels.mass_of_bin({.bin_sum = piece.bin_sum + bin * state.stride,
                           .bin_max = piece.bin_max + bin * state.stride,
                           .row_max = state.row_max,
                           .row_sum = state.row_sum,
                           .mass = mass.data(),
                           .columns = state.stride});
      if (bin == kUnassignedBin) {
        add_sums(slots, mass.data(), unassigned_mass_, 1, 0);
      } else if (bin == kSinkBin) {
        add_sums(slots, mass.data(), sink_mass_, 1, 0);
      } else {
        add_sums(slots, mass.data(), span_mass_, spans_, piece.first_span + bin - kFirstSpanBin);
      }
    }
  }
  if (request_.top_keys > 0) add_top_keys(slots, finished);
}

void EvidenceTable::write(const float* log_sum_exp, Evidence& evidence) const {
  evidence = Evidence{};
  evidence.batch = problem_.batch;
  evidence.query_heads = problem_.query_heads;
  evidence.groups = groups_;
  evidence.key_spans = spans_;
  evidence.top_keys = request_.top_keys;
  evidence.row_count.assign(static_cast<std::size_t>(groups_), 0);
  for (std::int64_t row = 0; row < problem_.query_length; ++row) {
    const std::int64_t group = group_of(row);
    if (group < 0 || problem_.visible_keys(row) == 0) continue;
    ++evidence.row_count[static_cast<std::size_t>(group)];
  }
  const std::int64_t heads = problem_.batch * problem_.query_heads;
  std::vector<double> sums(static_cast<std::size_t>(heads * groups_), 0.0);
  for (std::int64_t head = 0; head < heads; ++head) {
    for (std::int64_t row = 0; row < problem_.query_length; ++row) {
      const std::int64_t group = group_of(row);
      const float figure = log_sum_exp[head * problem_.query_length + row];
      const bool is_blind = figure == -std::numeric_limits<float>::infinity();
      if (group < 0 || (is_blind && request_.rows != EvidenceRows::single)) continue;
      sums[static_cast<std::size_t>(head * groups_ + group)] += static_cast<double>(figure);
    }
  }
  for (const double sum : sums) evidence.log_sum_exp.push_back(static_cast<float>(sum));
  const auto floats_of = [&](const std::vector<std::int64_t>& table, std::size_t per_cell) {
    std::vector<float> floats(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      floats[i] = has_nan_[i / per_cell] != 0
                      ? std::numeric_limits<float>::quiet_NaN()
                      : static_cast<float>(static_cast<double>(table[i]) / units_);
    }
    return floats;
  };
  evidence.entropy = floats_of(entropy_, 1);
  evidence.sink_mass = floats_of(sink_mass_, 1);
  evidence.unassigned_mass = floats_of(unassigned_mass_, 1);
  evidence.span_mass = floats_of(span_mass_, std::max<std::size_t>(1, request_.key_spans.size()));
  for (std::size_t cell = 0; cell < max_weight_.size(); ++cell) {
    evidence.max_weight.push_back(has_nan_[cell] != 0 ? std::numeric_limits<float>::quiet_NaN()
                                                      : std::bit_cast<float>(max_weight_[cell]));
  }
  evidence.top = top_;
}

}  // namespace whereof::attention
