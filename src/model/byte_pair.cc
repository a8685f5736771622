#include "model/byte_pair.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "model/seeded_hash.h"

namespace whereof::model {
namespace {

constexpr std::uint32_t kNoSymbol = UINT32_MAX;

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

// The word's bytes as symbols, and the pairs among them.
void BytePairMerger::start(std::string_view word) {
  const auto size = static_cast<std::uint32_t>(word.size());
  symbols_.resize(size);
  first_pairs_.clear();
  later_pairs_.clear();
  for (std::uint32_t i = 0; i < size; ++i) {
    const TokenId token = byte_tokens_[static_cast<unsigned char>(word[i])];
    symbols_[i] = {token, i + 1, i == 0 ? kNoSymbol : i - 1, MergeTable::kNoRank};
  }
  for (std::uint32_t i = 0; i + 1 < size; ++i) {
    symbols_[i].rank = table_.find(symbols_[i].token, symbols_[i + 1].token);
    if (symbols_[i].rank != MergeTable::kNoRank)
      first_pairs_.push_back(packed(symbols_[i].rank, i));
  }
  std::sort(first_pairs_.begin(), first_pairs_.end());
}

void BytePairMerger::encode(std::string_view word, std::int64_t text_offset, Encoding& encoding) {
  start(word);
  std::size_t first = 0;
  while (first < first_pairs_.size() || !later_pairs_.empty()) {
    std::uint64_t best = 0;
    if (later_pairs_.empty() ||
        (first < first_pairs_.size() && first_pairs_[first] < later_pairs_.front())) {
      best = first_pairs_[first++];
    } else {
      best = later_pairs_.front();
      std::pop_heap(later_pairs_.begin(), later_pairs_.end(), std::greater<>());
      later_pairs_.pop_back();
    }
    const auto left = static_cast<std::uint32_t>(best);
    const auto rank = static_cast<MergeTable::Rank>(best >> 32);
    // A pair that has merged into something else meanwhile has another rank, or none.
    if (symbols_[left].rank == rank) merge_pair(left, rank);
  }
  for (std::size_t i = 0; i < word.size(); i = symbols_[i].next) {
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
  later_pairs_.push_back(packed(symbol.rank, left));
  std::push_heap(later_pairs_.begin(), later_pairs_.end(), std::greater<>());
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
