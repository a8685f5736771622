// Byte-level BPE with the tables of a GGUF file: words of a pre-tokenizer, within which pairs
// merge; with some, a word that is a token is that token.
#ifndef WHEREOF_MODEL_BYTE_PAIR_ENCODER_H_
#define WHEREOF_MODEL_BYTE_PAIR_ENCODER_H_

#include <array>

#include "model/byte_pair.h"
#include "model/plain_encoder.h"
#include "model/pre_tokenizer.h"

namespace whereof::model {

class BytePairEncoder final : public PlainEncoder {
 public:
  // Throws Error(bad_model) as Vocabulary does, and for a merge of what is no token or into a
  // special token; Error(unsupported) for a pre-tokenizer that is not known, and for byte tokens,
  // which byte-level vocabularies do not have.
  explicit BytePairEncoder(const GgufFile& file);

  PreTokenizer pre_tokenizer() const noexcept { return pre_tokenizer_; }
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  void encode(std::string_view text, std::size_t begin, std::size_t end, TextPlace place,
              Encoding& encoding) const override;

 private:
  void read_merges(const GgufFile& file);

  PreTokenizer pre_tokenizer_;
  Vocabulary vocabulary_;
  std::array<TokenId, 256> byte_tokens_;  // the token of each single byte, or kNoToken
  MergeTable merges_;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_BYTE_PAIR_ENCODER_H_
