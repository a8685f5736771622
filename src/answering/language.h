// The language to speak to the model in, and the fixed phrases of it.
#ifndef WHEREOF_ANSWERING_LANGUAGE_H_
#define WHEREOF_ANSWERING_LANGUAGE_H_

#include <string>
#include <string_view>
#include <vector>

namespace whereof::answering {

enum class Language { english, chinese };

// Chinese when at least a third of the letters are Han characters.
Language language_of(std::string_view text);

// How the model is asked.
struct Manner {
  Language language = Language::english;
  // Whether it is told what to say when the clauses do not mention what is asked. Not where the
  // question names clauses that the document has: small models then decline to compare them.
  bool offers_declining = true;
  std::vector<std::string> earlier = {};  // questions that stand before it, oldest first

  friend bool operator==(const Manner&, const Manner&) = default;
};

struct Phrases {
  std::string_view instruction;         // the system message
  std::string_view offer_to_decline;    // what follows it where declining is offered
  std::string_view document_heading;    // stands before the clauses
  std::string_view earlier_heading;     // stands before what was asked before
  std::string_view question_heading;    // stands before the question
  std::string_view statement_question;  // stands before a statement that is put as a question
  std::string_view answer_heading;      // stands before the answer where there is no chat format
  std::string_view declining;           // what the model is told to say when nothing is stated
  std::string_view content_free;        // a question that asks nothing
};

const Phrases& phrases_in(Language language);

// Whether the text states something ("The Receiving Party may keep copies.") and so asks whether
// the document says it: it ends as a sentence does, without a question mark, and neither asks nor
// tells to do ("List the parties.").
bool is_statement(std::string_view text);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_LANGUAGE_H_
