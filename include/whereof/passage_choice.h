// Which passages of a document are read when not all of them can be: those that a search found, and
// what they lean on.
//
// A passage leans on the definitions of the terms it uses and on the clauses it refers to; these
// lean on others in turn. They come along, nearest first: "such Losses shall not exceed ..." does
// not travel without the sentence that says what Losses are.
#ifndef WHEREOF_PASSAGE_CHOICE_H_
#define WHEREOF_PASSAGE_CHOICE_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/document.h"
#include "whereof/retrieval.h"

namespace whereof {

enum class PassageReason {
  named,        // the question names its clause
  full_text,    // the search ranked it
  defines,      // it defines a term that the question or a passage uses
  referred_to,  // a passage refers to its clause
  refers,       // it refers to the clause of a passage: an exception, a limit
};
std::string_view name_of(PassageReason reason) noexcept;

struct ChosenPassage {
  Passage where;
  PassageReason reason = PassageReason::full_text;
  // defines: the term; referred_to: the label of the clause that refers to it; refers: the label of
  // the clause that it refers to. Empty where that clause has none, and for the other reasons.
  std::string subject;
  std::int32_t distance = 0;  // steps from a passage that was named or found; 0: it is one
};

// One line for people, "defines “Losses”", in the question's language.
std::string reason_text(const ChosenPassage& passage, bool is_chinese);

struct RankedForChoice {
  Passage where;
  bool is_named = false;  // else it was found
};

struct ChoiceOptions {
  std::int64_t room = 0;                   // what the chosen ones may cost together
  std::function<std::int64_t(Span)> cost;  // of reading these bytes of Document::text; positive
  double closure_share = 0.4;              // of room, at most, for what others lean on; 0: none
};

// Takes ranked passages, best first, and what they lean on, until the room is full; at least the
// first of them, whatever it costs. Room that the closure does not need goes to the ranked ones.
// Terms that are used all over the document (its parties, "Agreement") are brought along only where
// the question uses them. In document order, disjoint. Pure; time is linear in the document, plus
// what the chosen ones cost to count.
std::vector<ChosenPassage> choose_passages(const Document& document, std::string_view question,
                                           std::span<const RankedForChoice> ranked,
                                           const ChoiceOptions& options);

}  // namespace whereof

#endif  // WHEREOF_PASSAGE_CHOICE_H_
