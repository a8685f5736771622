// SentencePiece's BPE (Kudo and Richardson 2018, arXiv 1808.06226) with the tables of a GGUF file:
// the text's characters are the first symbols; of all neighbours whose bytes together are a token,
// those of the token with the highest score merge first. What is left of no token becomes byte
// tokens.
#ifndef WHEREOF_MODEL_SENTENCE_PIECE_ENCODER_H_
#define WHEREOF_MODEL_SENTENCE_PIECE_ENCODER_H_

#include <vector>

#include "model/plain_encoder.h"

namespace whereof::model {

class SentencePieceEncoder final : public PlainEncoder {
 public:
  // Longer tokens exist in no published vocabulary; text does not lead to them.
  static constexpr std::size_t kMaxPieceBytes = 1024;

  // Throws Error(bad_model) as Vocabulary does, and for scores that are absent, too few or NaN.
  explicit SentencePieceEncoder(const GgufFile& file);

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  // Where the file asks for it, text that does not continue other text gets a space before it,
  // which stands for no byte of the text.
  void encode(std::string_view text, std::size_t begin, std::size_t end, TextPlace place,
              Encoding& encoding) const override;

 private:
  PairMerger::Merge merge_into(std::string_view bytes) const noexcept;
  void append_symbol(std::string_view bytes, TokenId token, std::int64_t begin,
                     Encoding& encoding) const;

  Vocabulary vocabulary_;
  std::vector<PairMerger::Rank> ranks_;  // [size]: by falling score; equal scores, equal ranks
  std::size_t longest_piece_ = 0;
  bool adds_space_ = true;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_SENTENCE_PIECE_ENCODER_H_
