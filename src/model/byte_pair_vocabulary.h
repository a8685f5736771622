// The token tables of a GGUF file with a byte-level BPE tokenizer, checked against each other.
#ifndef WHEREOF_MODEL_BYTE_PAIR_VOCABULARY_H_
#define WHEREOF_MODEL_BYTE_PAIR_VOCABULARY_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/byte_pair.h"
#include "whereof/gguf.h"

namespace whereof::model {

// What tokenizer.ggml.token_type holds.
enum class TokenKind : std::uint8_t {
  undefined = 0,
  normal = 1,
  unknown = 2,
  control = 3,
  user_defined = 4,  // a piece of text that is always one token
  unused = 5,
  byte = 6,
};

// Immutable after its constructor.
class BytePairVocabulary {
 public:
  // Throws Error(bad_model) for tables that are absent or contradict each other: two
  // tokens of one text, a merge of what is no token, a merge into a special token. Error
  // (unsupported) for byte tokens, which byte-level vocabularies do not have.
  explicit BytePairVocabulary(const GgufFile& file);

  std::int64_t size() const noexcept { return static_cast<std::int64_t>(kinds_.size()); }
  bool contains(TokenId id) const noexcept { return id >= 0 && id < size(); }
  TokenKind kind(TokenId id) const noexcept { return kinds_[static_cast<std::size_t>(id)]; }
  // The bytes of a normal token; the name of a special one.
  std::string_view text(TokenId id) const noexcept;
  // A normal token by its bytes.
  std::optional<TokenId> find(std::string_view bytes) const noexcept;

  const MergeTable& merges() const noexcept { return merges_; }
  const std::array<TokenId, 256>& byte_tokens() const noexcept { return byte_tokens_; }

 private:
  void read_tokens(const GgufFile& file);
  void index_tokens(const std::string& file_name);
  void read_merges(const GgufFile& file);
  // The slot that has the token of these bytes, or the empty one where it belongs.
  std::size_t slot_of(std::string_view bytes, std::uint64_t hash) const noexcept;

  std::string arena_;              // the texts of all tokens, one after the other
  std::vector<std::size_t> ends_;  // [size]: where each ends in the arena
  std::vector<TokenKind> kinds_;   // [size]
  std::uint64_t seed_;
  // A hash table of the normal tokens: a power of two, at most half full. The tag is a part of the
  // hash, so that a text is looked at only where it is likely to match.
  struct Slot {
    std::uint32_t tag = 0;
    TokenId id = kNoToken;  // kNoToken: empty
  };
  std::vector<Slot> slots_;
  std::array<TokenId, 256> byte_tokens_;  // the token of each single byte, or kNoToken
  MergeTable merges_;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_BYTE_PAIR_VOCABULARY_H_
