// The tokens of a GGUF file: what they stand for, their kinds, and a table by their bytes.
#ifndef WHEREOF_MODEL_VOCABULARY_H_
#define WHEREOF_MODEL_VOCABULARY_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/pair_merger.h"
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
  byte = 6,  // stands for the byte that its name ("<0x41>") tells
};

// Error(bad_model) "FILE: metadata 'KEY': WHAT"
[[noreturn]] void fail_metadata(const GgufFile& file, std::string_view key,
                                const std::string& what);
// Error(bad_model) if absent.
std::vector<std::string_view> required_strings(const GgufFile& file, std::string_view key);

// Immutable after its constructor.
class Vocabulary {
 public:
  // Appends the bytes that a normal token, as the file writes it, stands for in text.
  using AppendBytes = void (*)(std::string_view written, std::string& bytes);

  // Throws Error(bad_model) for tables that are absent or contradict each other: two normal tokens
  // of one text, a byte token whose name is no byte, kinds that are not known or too few.
  Vocabulary(const GgufFile& file, AppendBytes append_bytes);

  std::int64_t size() const noexcept { return static_cast<std::int64_t>(kinds_.size()); }
  bool contains(TokenId id) const noexcept { return id >= 0 && id < size(); }
  TokenKind kind(TokenId id) const noexcept { return kinds_[static_cast<std::size_t>(id)]; }
  // The bytes of a normal or byte token; the name of a special one.
  std::string_view text(TokenId id) const noexcept;
  // A normal token by its bytes, else the byte token of a single byte.
  std::optional<TokenId> find(std::string_view bytes) const noexcept;
  // The byte tokens, or kNoToken.
  const std::array<TokenId, 256>& byte_tokens() const noexcept { return byte_tokens_; }

 private:
  void read_tokens(const GgufFile& file, AppendBytes append_bytes);
  void index_tokens(const GgufFile& file);
  // The slot that has the token of these bytes, or the empty one where it belongs.
  std::size_t slot_of(std::string_view bytes, std::uint64_t hash) const noexcept;

  std::string arena_;              // the texts of all tokens, one after the other
  std::vector<std::size_t> ends_;  // [size]: where each ends in the arena
  std::vector<TokenKind> kinds_;   // [size]
  std::array<TokenId, 256> byte_tokens_;
  std::uint64_t seed_;
  // A hash table of the normal tokens: a power of two, at most half full. The tag is a part of the
  // hash, so that a text is looked at only where it is likely to match.
  struct Slot {
    std::uint32_t tag = 0;
    TokenId id = kNoToken;  // kNoToken: empty
  };
  std::vector<Slot> slots_;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_VOCABULARY_H_
