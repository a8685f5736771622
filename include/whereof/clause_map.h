// Which clauses a question, its answer and each sentence of it looked at, and which each layer.
//
// With s(r, i) the score of sentence i of the document for rows r (AnswerMasses, what citations are
// made from):
//
//     share(r, c) = sum of s(r, i) over the sentences i of clause c / sum of s(r, i) over all i
//
// Of layer l, with m and m0 the mean weights of the answer's rows (an extract's: of the question's)
// and of the content-free rows, all heads h of the layer alike:
//
//     s(l, i) = sum over h of max(0, m(l, h, i) - m0(l, h, i))
#ifndef WHEREOF_CLAUSE_MAP_H_
#define WHEREOF_CLAUSE_MAP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "whereof/answer.h"
#include "whereof/document.h"
#include "whereof/span.h"

namespace whereof {

struct ClauseMap {
  // What was read of a clause itself, without those below it.
  struct Column {
    std::int32_t clause = -1;  // index into Document::clauses; -1: text of none
    Span text;                 // bytes of Document::text, from its first sentence to its last
  };
  struct Row {
    std::string name;            // "question", "answer", "sentence 1" and so on
    std::vector<double> shares;  // [columns]; sum to 1, or all 0 where nothing was looked at
  };
  struct Layer {
    double entropy_share = 0;    // LayerFigures
    double sink_mass = 0;        // likewise
    std::vector<double> shares;  // [columns], likewise
  };
  std::vector<Column> columns;  // in document order
  std::vector<Row> rows;        // the question's, the answer's if there is one, its sentences'
  std::vector<Layer> layers;    // [layers] of the model
};

// Of an answer about this document that was given with AskOptions::keeps_masses. Pure; time linear
// in the masses. Throws Error(invalid_argument) for an answer without masses, for masses whose
// counts do not agree.
ClauseMap clause_map(const Answer& answer, const Document& document);

}  // namespace whereof

#endif  // WHEREOF_CLAUSE_MAP_H_
