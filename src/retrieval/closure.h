// What a passage leans on: definitions of the terms it uses, clauses it refers to.
#ifndef WHEREOF_RETRIEVAL_CLOSURE_H_
#define WHEREOF_RETRIEVAL_CLOSURE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "whereof/document.h"
#include "whereof/passage_choice.h"
#include "whereof/references.h"
#include "whereof/retrieval.h"

namespace whereof::retrieval {

// Of one document; built in linear time, asked in time proportional to the answer. The document
// must outlive it.
class Closure {
 public:
  explicit Closure(const Document& document);

  // What the bytes lean on, the most telling first: definitions of rare terms, clauses referred to,
  // definitions of commoner terms, clauses that refer to this place. Nothing that lies in the bytes
  // themselves. distance is 1 throughout.
  std::vector<ChosenPassage> needs_of(Span text) const;

  // The definitions of the terms that a question uses, however common they are.
  std::vector<ChosenPassage> needs_of_question(std::string_view question) const;

 private:
  struct Use {
    std::int64_t begin = 0;  // byte of text
    std::size_t definition = 0;
  };
  void add_uses();
  void add_referrers();
  Passage piece_of(Span text) const;
  std::vector<Passage> pieces_of_clause(std::int32_t clause) const;
  ChosenPassage definition_need(std::size_t definition) const;
  void append_definitions(Span text, std::vector<std::pair<double, ChosenPassage>>& needs) const;
  void append_referred(Span text, std::vector<std::pair<double, ChosenPassage>>& needs) const;
  void append_referrers(Span text, std::vector<std::pair<double, ChosenPassage>>& needs) const;
  std::string label_of(std::int32_t clause) const;

  const Document& document_;
  std::vector<Passage> passages_;
  std::vector<Definition> definitions_;
  std::vector<Reference> references_;
  std::vector<Use> uses_;                                        // ascending
  std::vector<double> rarities_;                                 // [definitions] 0 .. 1
  std::vector<std::pair<std::int32_t, std::size_t>> referrers_;  // (clause, reference), ascending
};

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_CLOSURE_H_
