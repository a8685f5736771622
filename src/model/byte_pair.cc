#include "model/byte_pair.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "model/seeded_hash.h"

namespace whereof::model {
namespace {

constexpr std::uint32_t kNoSymbol = UINT32_MAX;

std::uint64_t packed(TokenId left, TokenId right) noexcept {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32 |
         static_cast<std::uint32_t>(right);
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
  Slot& slot = slots_[slot_of(packed(left, right))];
  if (slot.rank == kNoRank) slot = {packed(left, right), rank};
}

MergeTable::Rank MergeTable::find(TokenId left, TokenId right) const noexcept {
  if (left == kNoToken || right == kNoToken) return kNoRank;
  return slots_[slot_of(packed(left, right))].rank;
}

void BytePairMerger::encode(std::string_view word, std::int64_t text_offset, Encoding& encoding) {
  const auto size = static_cast<std::uint32_t>(word.size());
  symbols_.resize(size);
  queue_.clear();
  for (std::uint32_t i = 0; i < size; ++i) {
    const TokenId token = byte_tokens_[static_cast<unsigned char>(word[i])];
    symbols_[i] = {token, i + 1, i == 0 ? kNoSymbol : i - 1, MergeTable::kNoRank};
  }
  for (std::uint32_t i = 0; i + 1 < size; ++i) {
    Symbol& symbol = symbols_[i];
    symbol.rank = table_.find(symbol.token, symbols_[i + 1].token);
    if (symbol.rank == MergeTable::kNoRank) continue;
    queue_.push_back(static_cast<std::uint64_t>(symbol.rank) << 32 | i);
  }
  std::make_heap(queue_.begin(), queue_.end(), std::greater<>());
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    const std::uint64_t best = queue_.back();
    queue_.pop_back();
    const auto left = static_cast<std::uint32_t>(best);
    const auto rank = static_cast<MergeTable::Rank>(best >> 32);
    // A pair that has merged into something else meanwhile has another rank, or none.
    if (symbols_[left].rank == rank) merge_pair(left, rank);
  }
  for (std::uint32_t i = 0; i < size; i = symbols_[i].next) {
    if (symbols_[i].token == kNoToken) continue;
    encoding.ids.push_back(symbols_[i].token);
    encoding.ends.push_back(text_offset + symbols_[i].next);
  }
}

// Looks up the pair of the symbol at `left` and the next one, and queues it.
void BytePairMerger::offer_pair(std::uint32_t left) {
  Symbol& symbol = symbols_[left];
  symbol.rank = symbol.next < symbols_.size()
                    ? table_.find(symbol.token, symbols_[symbol.next].token)
                    : MergeTable::kNoRank;
  if (symbol.rank == MergeTable::kNoRank) return;
  queue_.push_back(static_cast<std::uint64_t>(symbol.rank) << 32 | left);
  std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
}

void BytePairMerger::merge_pair(std::uint32_t left, MergeTable::Rank rank) {
  Symbol& symbol = symbols_[left];
  Symbol& absorbed = symbols_[symbol.next];
  absorbed.rank = MergeTable::kNoRank;
  symbol.token = table_.merged(rank);
  symbol.next = absorbed.next;
  if (symbol.next < symbols_.size()) symbols_[symbol.next].previous = left;
  if (symbol.previous != kNoSymbol) offer_pair(symbol.previous);
  offer_pair(left);
}

}  // namespace whereof::model
