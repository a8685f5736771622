// Why an answer does or does not rest on the clause that it should have been read from.
//
//   not_in_text     the reader found no such text in the document
//   not_in_context  the text has it, but it was not among what the model read for this question
//   not_seen        it was read, but neither the question nor the answer looked at it
//   not_chosen      they looked at it, but hiding it leaves the answer as likely
//   used            hiding it makes the answer clearly less likely (whereof/ablation.h)
#ifndef WHEREOF_DIAGNOSIS_H_
#define WHEREOF_DIAGNOSIS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/ablation.h"
#include "whereof/document.h"
#include "whereof/span.h"

namespace whereof {

enum class Diagnosis { not_in_text, not_in_context, not_seen, not_chosen, used };
std::string_view name_of(Diagnosis diagnosis) noexcept;  // "not_in_context"

// A part of a document that an answer should have been read from.
struct ExpectedText {
  std::string name;         // as it was asked for: a clause's label, or words
  std::vector<Span> text;   // bytes of Document::text, ascending, disjoint; empty: not there
  bool is_mentioned = false;  // a label that begins no clause, but stands somewhere in the text
};

// The clauses of this label, each with all that lies below it: "3.1", "Section 3.02(a)",
// "Schedule 2, 1", 第三条. Words that announce a clause, case and blanks do not count. A label that
// only its end distinguishes ("3.1" of a schedule) is found when no clause has it whole.
ExpectedText find_clause_text(const Document& document, std::string_view label);

// The places of these words in the text, whatever blanks and line breaks stand between them; case,
// accents and width do not count. Whole characters only.
ExpectedText find_words(const Document& document, std::string_view words);

// How rows of queries looked at the expected text, against other clauses (evidence/mass_table.h).
struct RowsOnText {
  double share = 0;       // of the evidence on the document, 0 .. 1
  double lift = 0;        // share over its share of the tokens read
  std::int64_t rank = 0;  // by score among the clauses read, from 1; 0: no score at all
};

struct DiagnosisFigures {
  std::int64_t places = 0;              // where it stands in the text; 0: not there
  std::int64_t pages_without_text = 0;  // of the document, that it may stand on
  std::int64_t sentences_read = 0;      // of it, by the model
  std::int64_t sentences_hidden = 0;    // of these, by AskOptions::hidden
  std::int64_t clauses_read = 0;        // that hold sentences; the expected text counts as one
  RowsOnText question;                  // the question's rows
  RowsOnText answer;                    // the answer's rows
  AblationEffect ablation;              // the expected text hidden
};

struct ClauseDiagnosis {
  Diagnosis diagnosis = Diagnosis::not_in_text;
  ExpectedText expected;
  DiagnosisFigures figures;
  std::vector<std::string> reasons;  // one line each, in the question's language
  std::string advice;                // what to do about it, one line
};

// What the figures say. Pure.
Diagnosis diagnosis_of(const DiagnosisFigures& figures) noexcept;

}  // namespace whereof

#endif  // WHEREOF_DIAGNOSIS_H_
