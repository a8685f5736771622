// Text to token ids and back.
#ifndef WHEREOF_TOKENIZER_H_
#define WHEREOF_TOKENIZER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/gguf.h"

namespace whereof {

using TokenId = std::int32_t;

enum class SpecialTokens {
  as_text,     // "<|im_end|>" in a document is plain text
  recognised,  // for prompts built by a chat template
};

// Some vocabularies (SentencePiece, where the file asks for it) put a space before a text.
enum class TextPlace {
  begins,     // the first text of a prompt, or text after a special token
  continues,  // text right after other text
};

struct Encoding {
  std::vector<TokenId> ids;
  // [ids]: token i stands for bytes [ends[i-1] or 0, ends[i]) of the text; the last is its size.
  // Some vocabularies lack bytes that UTF-8 does not use or that are rare controls (SmolLM2 lacks
  // 21): such a byte has no token and lies in the range of the next one. A space that was put
  // before the text is no byte of it.
  std::vector<std::int64_t> ends;
};

// Immutable; safe to use from several threads.
class Tokenizer {
 public:
  // Throws Error(unsupported) naming a tokenizer model or pre-tokenizer that is not known, and
  // Error(bad_model) for tables that contradict each other.
  static std::shared_ptr<const Tokenizer> from_gguf(const GgufFile& file);
  virtual ~Tokenizer() = default;

  // Any bytes are allowed: invalid UTF-8 is encoded byte by byte. Time O(n log n), stack O(1).
  // as_text never gives a control token; a token that the file calls user-defined ("<tool_call>")
  // is a piece of text and always whole. Throws Error(invalid_argument) from 2^31 - 1
  // bytes on.
  virtual Encoding encode(std::string_view text, SpecialTokens special = SpecialTokens::as_text,
                          TextPlace place = TextPlace::begins) const = 0;
  // The bytes of one token, as they stand in text; empty for control tokens.
  virtual std::string_view bytes_of_token(TokenId id) const = 0;
  virtual std::int64_t vocabulary_size() const = 0;
  virtual bool is_control(TokenId id) const = 0;
  virtual bool ends_generation(TokenId id) const = 0;        // end of text, end of turn
  virtual std::optional<TokenId> begin_of_text() const = 0;  // to be put before a text, if any
  // A special token by its name, else a token by its bytes as they stand in text.
  virtual std::optional<TokenId> find(std::string_view token_text) const = 0;

  std::string decode(std::span<const TokenId> ids) const;  // bytes_of_token joined
};

}  // namespace whereof

#endif  // WHEREOF_TOKENIZER_H_
