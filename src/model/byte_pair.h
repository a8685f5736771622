// Byte-pair encoding (Sennrich, Haddow, Birch 2016, over bytes as in GPT-2): a word starts as its
// bytes; of all neighbours that the table can merge, the pair of the lowest rank merges first, the
// leftmost of several; until none is left.
#ifndef WHEREOF_MODEL_BYTE_PAIR_H_
#define WHEREOF_MODEL_BYTE_PAIR_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/pair_merger.h"
#include "whereof/tokenizer.h"

namespace whereof::model {

// The merges, by rank and by pair. A hash table with a seed of this process: a hostile file cannot
// make its pairs collide.
class MergeTable {
 public:
  using Rank = PairMerger::Rank;
  static constexpr Rank kNoRank = PairMerger::kNoRank;

  explicit MergeTable(std::size_t expected_merges);

  // The next rank; of equal pairs the first counts.
  void add(TokenId left, TokenId right, TokenId merged);
  Rank find(TokenId left, TokenId right) const noexcept;  // kNoRank if there is none
  TokenId merged(Rank rank) const noexcept { return merged_[rank]; }

 private:
  struct Slot {
    std::uint64_t pair = 0;
    Rank rank = kNoRank;  // kNoRank: empty
  };
  std::size_t slot_of(std::uint64_t pair) const noexcept;

  std::uint64_t seed_;
  std::vector<Slot> slots_;  // a power of two, at most half full
  std::vector<TokenId> merged_;
};

// The working memory for merging, kept from word to word. Not thread-safe.
class BytePairMerger {
 public:
  BytePairMerger(const MergeTable& table, const std::array<TokenId, 256>& byte_tokens)
      : table_(table), byte_tokens_(byte_tokens) {}

  // Appends the word's tokens and their ends, which count from text_offset. A byte without a token
  // (kNoToken) merges with nothing and is left out. The word is shorter than 2^31 bytes.
  void encode(std::string_view word, std::int64_t text_offset, Encoding& encoding);

 private:
  const MergeTable& table_;
  const std::array<TokenId, 256>& byte_tokens_;
  PairMerger merger_;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_BYTE_PAIR_H_
