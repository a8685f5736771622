// A document of a question set, with questions about it and what full text gives for each.
#ifndef WHEREOF_EVALUATION_SUBJECT_H_
#define WHEREOF_EVALUATION_SUBJECT_H_

#include <nlohmann/json.hpp>
#include <vector>

#include "whereof/document.h"
#include "whereof/evaluation.h"
#include "whereof/retrieval.h"
#include "whereof/span.h"

namespace whereof::evaluation {

struct Subject {
  const Document* document = nullptr;
  std::vector<Passage> passages;
  std::vector<Span> places;  // of the passages, in the source
  std::vector<const GoldQuestion*> questions;
  std::vector<std::vector<double>> full_text;  // [questions][passages], 0 where nothing matches
};

// The document and the questions outlive it; the library holds the document.
Subject subject_of(const Document& document, std::vector<const GoldQuestion*> questions,
                   Library& library);

// For those who fit heads: which passages are right, and what full text gives each.
nlohmann::ordered_json details_of(const Subject& subject);

}  // namespace whereof::evaluation

#endif  // WHEREOF_EVALUATION_SUBJECT_H_
