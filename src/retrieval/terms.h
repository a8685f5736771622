// What is looked up: the terms of a text, the same for what is stored and for what is asked.
#ifndef WHEREOF_RETRIEVAL_TERMS_H_
#define WHEREOF_RETRIEVAL_TERMS_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "text/stemmer.h"
#include "text/words.h"
#include "whereof/span.h"

namespace whereof::retrieval {

// Latin and other spaced words: folded, then stemmed. Numbers: without the commas of thousands.
// Labels: whole ("3.2(a)") and their number ("3.2"). Chinese: each character and each pair of
// neighbours. 第三条 and 第3条: the term "第3条", and the characters.
struct Term {
  std::string_view text;      // valid during the call
  Span bytes;                 // of the scanned text
  bool is_colocated = false;  // stands at the place of the term before it
};

// An object belongs to one thread.
class TermScanner {
 public:
  // Calls visit for each term in order until it returns false. Linear time. No term is longer than
  // 64 bytes: what is longer is cut there.
  void scan(std::string_view text, const std::function<bool(const Term&)>& visit);

  // How many places of terms the text has (colocated ones not counted).
  std::int64_t count(std::string_view text);

 private:
  text::EnglishStemmer stemmer_;
  std::string folded_;
};

// The terms of one question.
struct QuestionTerms {
  std::vector<std::string> words;       // to be found in headings and text
  std::vector<std::string> characters;  // of the Chinese pairs among them; they count in part
  std::vector<std::string> labels;  // numbers of clauses that the question names: "3.2(a)", "11"
};

// Without stop words (unless nothing else is there) and without doubles; at most 128 of each.
// Chinese is asked for by pairs of characters, a single one among the words only where it stands
// alone; and by their characters: people say 卖 and 租, statutes write 出卖 and 租赁.
QuestionTerms terms_of_question(std::string_view question);

// The number by which a clause is found: "3.2(a)" of Section 3.2(a), "3" of 第三条, "iv" of
// Article IV; the parts of it that name its ancestors: "3.2(a)", "3.2", "3". Joined by blanks.
std::string label_terms(std::string_view clause_label);

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_TERMS_H_
