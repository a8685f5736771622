#include "model/kv_reading.h"

#include <algorithm>

#include "whereof/error.h"

namespace whereof::model {

KvReading::KvReading(std::filesystem::path path, KvIdentity identity, KvBlockLayout layout,
                     std::function<bool(std::int64_t bytes)> make_room)
    : file_(std::move(path), std::move(identity), layout), make_room_(std::move(make_room)) {}

std::int64_t KvReading::length() const { return static_cast<std::int64_t>(file_.tokens().size()); }

std::int64_t KvReading::matching(std::span<const TokenId> tokens) const {
  const std::span<const TokenId> kept = file_.tokens();
  const auto [end, unused] = std::mismatch(kept.begin(), kept.end(), tokens.begin(), tokens.end());
  return end - kept.begin();
}

std::int64_t KvReading::restore(std::span<const TokenId> tokens, Span part, KvCache& cache,
                                std::int64_t at) {
  const std::int64_t wanted = std::min(part.end, matching(tokens));
  std::int64_t next = part.begin;
  while (next < wanted) {
    const std::int64_t block = next / kKvBlockTokens;
    const std::span<const std::byte> content = file_.read_block(block);
    if (content.empty()) break;
    const std::int64_t count = std::min(wanted, (block + 1) * kKvBlockTokens) - next;
    cache.restore(content.data(), next % kKvBlockTokens, at + next - part.begin, count);
    next += count;
  }
  return next - part.begin;
}

void KvReading::keep(std::span<const TokenId> tokens, const KvCache& cache, bool is_last) {
  const auto all = static_cast<std::int64_t>(tokens.size());
  const std::int64_t end = is_last ? all : all / kKvBlockTokens * kKvBlockTokens;
  if (matching(tokens) >= end || !file_.prepare_writing()) return;
  const std::int64_t first = matching(tokens) / kKvBlockTokens * kKvBlockTokens;
  for (std::int64_t begin = first; begin < end && trouble().empty(); begin += kKvBlockTokens) {
    const std::int64_t count = std::min(kKvBlockTokens, end - begin);
    if (!make_room_(file_.layout().file_bytes())) {
      file_.set_trouble("the budget for kept readings is used up");
      return;
    }
    cache.copy_to(file_.staging().data(), begin, count);
    file_.write_block(begin / kKvBlockTokens, tokens.subspan(static_cast<std::size_t>(begin),
                                                             static_cast<std::size_t>(count)));
  }
}

KvReading& kv_reading_of(KeptReading& kept, const KvBlockLayout& layout) {
  auto* reading = dynamic_cast<KvReading*>(&kept);
  if (reading == nullptr || !reading->fits(layout)) {
    throw Error(ErrorKind::invalid_argument,
                "the reading is none that KvStore::reading gave for this model and kv_type");
  }
  return *reading;
}

}  // namespace whereof::model
