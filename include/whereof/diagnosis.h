// Why an answer does or does not rest on the clause that it should have been read from.
//
//   not_in_text     the reader found no such text in the document
//   not_in_context  the text has it, but it was not among what the model read for this question
//   not_seen        it was read, but neither the question nor the answer looked at it
//   not_chosen      they looked at it, but hiding it leaves the answer about as likely
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
  std::string name;           // as it was asked for: a clause's label, or words
  std::vector<Span> text;     // bytes of Document::text, ascending, disjoint; empty: not there
  bool is_mentioned = false;  // a label that begins no clause, but stands somewhere in the text
};

// The clauses of this label, each with all that lies below it: "3.1", "Section 3.02(a)",
// "Schedule 2, 1", 第三条. Case, blanks and "clause" or "section" before it do not count. Where no
// clause has the label whole, those that have it after their schedule's; else those of this
// heading.
ExpectedText find_clause_text(const Document& document, std::string_view label);

// The places of these words in the text, whatever blanks and line breaks stand between them; case,
// accents and width do not count.
ExpectedText find_words(const Document& document, std::string_view words);

// The clauses of this label; where there is none, the places of these words.
ExpectedText find_clause_or_words(const Document& document, std::string_view label_or_words);

// How rows of queries looked at the expected text, against other clauses (evidence/mass_table.h).
struct RowsOnText {
  double share = 0;       // of the evidence on the document, 0 .. 1
  double lift = 0;        // share over its share of the tokens read
  std::int64_t rank = 0;  // by score among the clauses read, from 1; 0: no score at all
};

struct DiagnosisFigures {
  std::int64_t places = 0;              // where it stands in the text; 0: not there
  bool is_mentioned = false;            // ExpectedText::is_mentioned
  std::int64_t pages_without_text = 0;  // of the document, that it may stand on
  bool is_whole_document_read = false;
  std::int64_t sentences_read = 0;    // of it, by the model
  std::int64_t sentences_hidden = 0;  // of these, by AskOptions::hidden
  std::int64_t clauses_read = 0;      // that hold sentences; the expected text counts as one
  RowsOnText question;                // the question's rows
  RowsOnText answer;                  // the answer's rows
  AblationEffect ablation;            // when it is hidden
  // Of the cited clauses beside it, the one whose hiding lets the answer fall furthest.
  std::string other_clause;
  AblationEffect other_ablation;
};

// What the figures say. Pure.
Diagnosis diagnosis_of(const DiagnosisFigures& figures) noexcept;

struct ClauseDiagnosis {
  Diagnosis diagnosis = Diagnosis::not_in_text;
  ExpectedText expected;
  DiagnosisFigures figures;
  bool is_chinese = false;           // the language of the question, and so of the lines below
  std::vector<std::string> reasons;  // one line each
  std::string advice;                // what to do about it, one line
};

// Of a text that is not there (expected.text is empty), with nothing asked: the question gives the
// language of the words alone.
ClauseDiagnosis diagnosis_of_absent(const Document& document, const ExpectedText& expected,
                                    std::string_view question);

}  // namespace whereof

#endif  // WHEREOF_DIAGNOSIS_H_
