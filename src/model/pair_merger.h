// Merging of neighbours, the step that byte-pair encoding and SentencePiece's BPE share: of all
// neighbours that can merge, the pair of the lowest rank merges first, the leftmost of several;
// until none can.
//
// Symbols form a linked list over the text's bytes and the candidate pairs wait in queues ordered
// by (rank, place), so a text of n symbols takes O(n log n) time and O(n) memory whatever it holds.
#ifndef WHEREOF_MODEL_PAIR_MERGER_H_
#define WHEREOF_MODEL_PAIR_MERGER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "whereof/tokenizer.h"

namespace whereof::model {

constexpr TokenId kNoToken = -1;

// The working memory, kept from text to text. Not thread-safe. Texts are shorter than 2^31 bytes.
class PairMerger {
 public:
  using Rank = std::uint32_t;
  static constexpr Rank kNoRank = UINT32_MAX;

  struct Symbol {
    TokenId token = kNoToken;
    std::uint32_t end = 0;       // where the next symbol begins
    std::uint32_t previous = 0;  // where the one before begins; UINT32_MAX for the first
    TokenId merged = kNoToken;   // the token of this symbol and the next one
    Rank rank = kNoRank;         // and its rank
  };
  // What two neighbours make; kNoRank: nothing.
  struct Merge {
    Rank rank = kNoRank;
    TokenId token = kNoToken;
  };

  // Forgets the symbols before; those of the new text are then added, in order, each beginning
  // where the last one ended, up to its size.
  void start(std::size_t text_bytes) {
    symbols_.resize(text_bytes);
    last_ = kNoSymbol;
  }
  void add(std::size_t begin, std::size_t end, TokenId token) {
    symbols_[begin] = {token, static_cast<std::uint32_t>(end), last_, kNoToken, kNoRank};
    last_ = static_cast<std::uint32_t>(begin);
  }

  // find(left, middle, right) tells what the symbols of bytes [left, middle) and [middle, right)
  // make; symbol(left) and symbol(middle) are theirs.
  template <typename Find>
  void merge_all(Find find) {
    look_at_all(find);
    std::size_t first = 0;
    while (first < first_pairs_.size() || !later_pairs_.empty()) {
      const std::uint64_t best = take_best(first);
      const auto left = static_cast<std::uint32_t>(best);
      // A pair that has merged into something else meanwhile has another rank, or none.
      if (symbols_[left].rank == static_cast<Rank>(best >> 32)) merge(left, find);
    }
  }

  // What is left begins at 0, and each next symbol at the end of the one before.
  const Symbol& symbol(std::size_t begin) const noexcept { return symbols_[begin]; }

 private:
  static constexpr std::uint32_t kNoSymbol = UINT32_MAX;

  static std::uint64_t queued(Rank rank, std::uint32_t left) noexcept {
    return static_cast<std::uint64_t>(rank) << 32 | left;
  }

  // Looks up the pair of the symbol at `left` and the next one; whether there is one.
  template <typename Find>
  bool look_at(std::uint32_t left, Find& find) {
    Symbol& symbol = symbols_[left];
    Merge merge;
    if (symbol.end < symbols_.size()) merge = find(left, symbol.end, symbols_[symbol.end].end);
    symbol.rank = merge.rank;
    symbol.merged = merge.token;
    return merge.rank != kNoRank;
  }

  template <typename Find>
  void look_at_all(Find& find) {
    first_pairs_.clear();
    later_pairs_.clear();
    for (std::uint32_t i = 0; i < symbols_.size(); i = symbols_[i].end) {
      if (look_at(i, find)) first_pairs_.push_back(queued(symbols_[i].rank, i));
    }
    std::sort(first_pairs_.begin(), first_pairs_.end());
  }

  template <typename Find>
  void look_again(std::uint32_t left, Find& find) {
    if (!look_at(left, find)) return;
    later_pairs_.push_back(queued(symbols_[left].rank, left));
    std::push_heap(later_pairs_.begin(), later_pairs_.end(), std::greater<>());
  }

  std::uint64_t take_best(std::size_t& first) {
    if (later_pairs_.empty() ||
        (first < first_pairs_.size() && first_pairs_[first] < later_pairs_.front())) {
      return first_pairs_[first++];
    }
    const std::uint64_t best = later_pairs_.front();
    std::pop_heap(later_pairs_.begin(), later_pairs_.end(), std::greater<>());
    later_pairs_.pop_back();
    return best;
  }

  template <typename Find>
  void merge(std::uint32_t left, Find& find) {
    Symbol& symbol = symbols_[left];
    Symbol& absorbed = symbols_[symbol.end];
    absorbed.rank = kNoRank;
    symbol.token = symbol.merged;
    symbol.end = absorbed.end;
    if (symbol.end < symbols_.size()) symbols_[symbol.end].previous = left;
    if (symbol.previous != kNoSymbol) look_again(symbol.previous, find);
    look_again(left, find);
  }

  std::vector<Symbol> symbols_;  // [bytes of the text]; a symbol stands at its first byte
  std::uint32_t last_ = kNoSymbol;
  // Pairs as rank << 32 | place of the left symbol: those of the first symbols, sorted, and those
  // that merging made, as a min-heap. A pair that is gone stays in its queue and is skipped.
  std::vector<std::uint64_t> first_pairs_;
  std::vector<std::uint64_t> later_pairs_;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_PAIR_MERGER_H_
