#include "model/byte_pair.h"

#include <bit>

#include "model/seeded_hash.h"

namespace whereof::model {
namespace {

std::uint64_t packed(std::uint32_t high, std::uint32_t low) noexcept {
  return static_cast<std::uint64_t>(high) << 32 | low;
}

std::uint64_t pair_of(TokenId left, TokenId right) noexcept {
  return packed(static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(right));
}

}  // namespace

MergeTable::MergeTable(std::size_t expected_merges)
    : seed_(process_hash_seed()), slots_(std::bit_ceil(2 * expected_merges + 2)) {
  merged_.reserve(expected_merges);
}

std::size_t MergeTable::slot_of(std::uint64_t pair) const noexcept {
  std::size_t slot = hash_of(pair, seed_) & (slots_.size() - 1);
  while (slots_[slot].rank != kNoRank && slots_[slot].pair != pair) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

void MergeTable::add(TokenId left, TokenId right, TokenId merged) {
  const auto rank = static_cast<Rank>(merged_.size());
  merged_.push_back(merged);
  Slot& slot = slots_[slot_of(pair_of(left, right))];
  if (slot.rank == kNoRank) slot = {pair_of(left, right), rank};
}

MergeTable::Rank MergeTable::find(TokenId left, TokenId right) const noexcept {
  if (left == kNoToken || right == kNoToken) return kNoRank;
  return slots_[slot_of(pair_of(left, right))].rank;
}

void BytePairMerger::encode(std::string_view word, std::int64_t text_offset, Encoding& encoding) {
  merger_.start(word.size());
  for (std::size_t i = 0; i < word.size(); ++i) {
    merger_.add(i, i + 1, byte_tokens_[static_cast<unsigned char>(word[i])]);
  }
  merger_.merge_all([this](std::uint32_t left, std::uint32_t middle, std::uint32_t) {
    const MergeTable::Rank rank =
        table_.find(merger_.symbol(left).token, merger_.symbol(middle).token);
    return rank == MergeTable::kNoRank ? PairMerger::Merge()
                                       : PairMerger::Merge{rank, table_.merged(rank)};
  });
  for (std::size_t i = 0; i < word.size(); i = merger_.symbol(i).end) {
    const PairMerger::Symbol& symbol = merger_.symbol(i);
    if (symbol.token == kNoToken) continue;
    encoding.ids.push_back(symbol.token);
    encoding.ends.push_back(text_offset + symbol.end);
  }
}

}  // namespace whereof::model
