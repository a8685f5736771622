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
double units_in_one(std::int64_t rows) {
  const auto at_least_one = static_cast<std::uint64_t>(std::max<std::int64_t>(1, rows));
  const int row_bits = static_cast<int>(std::bit_width(at_least_one));
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
      group_of_row_(groups_of_rows(request, problem.query_length)) {
  const auto cells = static_cast<std::size_t>(problem.batch * problem.query_heads * groups_);
  const double units =
      units_in_one(request.rows == EvidenceRows::single ? 1 : problem.query_length);
  max_weight_.resize(cells);
  has_nan_.resize(cells);
  for (Sums* sums : {&entropy_, &sink_mass_, &unassigned_mass_, &span_mass_}) {
    const bool is_by_span = sums == &span_mass_;
    sums->units = units;
    sums->cells.resize(is_by_span ? cells * static_cast<std::size_t>(spans_) : cells);
    sums->has_nan = &has_nan_;
  }
  if (request.column_sums) {
    const auto heads = static_cast<std::size_t>(problem.batch * problem.query_heads);
    column_has_nan_.resize(heads);
    column_mass_.units = units_in_one(problem.query_length);
    column_mass_.cells.resize(heads * static_cast<std::size_t>(spans_));
    column_mass_.has_nan = &column_has_nan_;
  }
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

std::vector<EvidenceTable::Slot> EvidenceTable::column_slots_of(const WorkBlock& block) const {
  std::vector<Slot> slots;
  const std::int64_t members = problem_.group_size;
  for (std::int64_t first = 0; first < std::min(members, block.rows); ++first) {
    const std::int64_t head = block.kv_head * members + (block.first_row + first) % members;
    slots.push_back({.cell = block.batch * problem_.query_heads + head,
                     .first = first,
                     .count = (block.rows - first + members - 1) / members});
  }
  return slots;
}

void EvidenceTable::add_sums(const std::vector<Slot>& slots, const float* figures, Sums& table,
                             std::int64_t cell_stride, std::int64_t at) {
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
      raise_to((*table.has_nan)[static_cast<std::size_t>(slot.cell)], 1);
      continue;
    }
    std::int64_t& cell = table.cells[static_cast<std::size_t>(slot.cell * cell_stride + at)];
    std::atomic_ref<std::int64_t>(cell).fetch_add(std::llrint(sum * table.units),
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
      const double most =
          std::log(static_cast<double>(problem_.visibility.count(block.batch, row)));
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

void EvidenceTable::add_masses(const kernels::KernelSet& kernels, const WorkBlock& block,
                               const std::vector<Slot>& slots, const FinishedRows& finished) {
  const BlockState& state = *finished.state;
  std::vector<Slot> columns;
  if (request_.column_sums) columns = column_slots_of(block);
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
        const std::int64_t span = piece.first_span + bin - kFirstSpanBin;
        add_sums(slots, mass.data(), span_mass_, spans_, span);
        add_sums(columns, mass.data(), column_mass_, spans_, span);
      }
    }
  }
}

void EvidenceTable::add(const kernels::KernelSet& kernels, const WorkBlock& block,
                        const FinishedRows& finished) {
  const std::vector<Slot> slots = slots_of(block);
  if (slots.empty() && !request_.column_sums) return;
  add_row_figures(slots, block, finished);
  add_masses(kernels, block, slots, finished);
  if (request_.top_keys > 0) add_top_keys(slots, finished);
}

void EvidenceTable::write(const float* log_sum_exp, Evidence& evidence) const {
  evidence = Evidence{};
  evidence.batch = problem_.batch;
  evidence.query_heads = problem_.query_heads;
  evidence.groups = groups_;
  evidence.key_spans = spans_;
  evidence.top_keys = request_.top_keys;
  evidence.row_count.assign(static_cast<std::size_t>(problem_.batch * groups_), 0);
  for (std::int64_t b = 0; b < problem_.batch; ++b) {
    for (std::int64_t row = 0; row < problem_.query_length; ++row) {
      const std::int64_t group = group_of(row);
      if (group < 0 || problem_.visibility.count(b, row) == 0) continue;
      ++evidence.row_count[static_cast<std::size_t>(b * groups_ + group)];
    }
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
  const auto floats_of = [](const Sums& table, std::size_t per_cell) {
    std::vector<float> floats(table.cells.size());
    for (std::size_t i = 0; i < floats.size(); ++i) {
      floats[i] = (*table.has_nan)[i / per_cell] != 0
                      ? std::numeric_limits<float>::quiet_NaN()
                      : static_cast<float>(static_cast<double>(table.cells[i]) / table.units);
    }
    return floats;
  };
  evidence.entropy = floats_of(entropy_, 1);
  evidence.sink_mass = floats_of(sink_mass_, 1);
  evidence.unassigned_mass = floats_of(unassigned_mass_, 1);
  const std::size_t spans = std::max<std::size_t>(1, request_.key_spans.size());
  evidence.span_mass = floats_of(span_mass_, spans);
  evidence.column_mass = floats_of(column_mass_, spans);
  for (std::size_t cell = 0; cell < max_weight_.size(); ++cell) {
    evidence.max_weight.push_back(has_nan_[cell] != 0 ? std::numeric_limits<float>::quiet_NaN()
                                                      : std::bit_cast<float>(max_weight_[cell]));
  }
  evidence.top = top_;
}

}  // namespace whereof::attention
