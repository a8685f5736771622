// What tokenizers differ in: how text without special tokens becomes tokens.
#ifndef WHEREOF_MODEL_PLAIN_ENCODER_H_
#define WHEREOF_MODEL_PLAIN_ENCODER_H_

#include <cstddef>
#include <string_view>

#include "model/vocabulary.h"
#include "whereof/tokenizer.h"

namespace whereof::model {

// Immutable; safe to use from several threads.
class PlainEncoder {
 public:
  virtual ~PlainEncoder() = default;
  virtual const Vocabulary& vocabulary() const = 0;
  // Appends the tokens of text[begin, end), begin < end; what stands around it decides nothing.
  // place tells whether something other than a special token stands right before.
  virtual void encode(std::string_view text, std::size_t begin, std::size_t end, TextPlace place,
                      Encoding& encoding) const = 0;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_PLAIN_ENCODER_H_
