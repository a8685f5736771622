// Which sentence of an answer a token belongs to, while the answer is being written.
#ifndef WHEREOF_ANSWERING_ANSWER_SENTENCES_H_
#define WHEREOF_ANSWERING_ANSWER_SENTENCES_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace whereof::answering {

// Counts the sentences of a text (text/sentences.h) as it grows. The end of a sentence shows only
// in what follows it: the token after it is the first of the next one. Linear time.
class AnswerSentences {
 public:
  // The sentence that the text now ends in, counted from 0: that of the token these bytes are.
  std::size_t append(std::string_view bytes);

 private:
  void keep_from(std::size_t begin);

  std::string open_;  // what is looked at: the end of the text, within the sentence it ends in
  std::size_t count_ = 0;
};

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_ANSWER_SENTENCES_H_
