#include "evaluation/subject.h"

#include <cstddef>
#include <utility>

namespace whereof::evaluation {

Subject subject_of(const Document& document, std::vector<const GoldQuestion*> questions,
                   Library& library) {
  Subject subject;
  subject.document = &document;
  subject.passages = split_passages(document);
  subject.questions = std::move(questions);
  for (const Passage& passage : subject.passages) {
    subject.places.push_back(source_span(document, passage.text));
  }
  for (const GoldQuestion* question : subject.questions) {
    std::vector<double>& scores = subject.full_text.emplace_back(subject.passages.size(), 0);
    const auto most = static_cast<std::int64_t>(subject.passages.size());
    for (const Hit& hit :
         library.search(question->text, most, document.content_hash, question->more_words)) {
      scores.at(static_cast<std::size_t>(hit.passage)) = hit.score;
    }
  }
  return subject;
}

nlohmann::ordered_json details_of(const Subject& subject) {
  auto gold = nlohmann::ordered_json::array();
  for (const GoldQuestion* question : subject.questions) {
    auto right = nlohmann::ordered_json::array();
    for (std::size_t p = 0; p < subject.places.size(); ++p) {
      if (first_hit({&subject.places[p], 1}, question->gold) > 0) right.push_back(p);
    }
    gold.push_back(std::move(right));
  }
  return {{"document", subject.document->name},
          {"gold", std::move(gold)},
          {"full_text", subject.full_text}};
}

}  // namespace whereof::evaluation
