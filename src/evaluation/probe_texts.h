// What probes are made of, in one language. In templates {n} is a number, {p} and {o} the parties,
// {v} a fact's value.
#ifndef WHEREOF_EVALUATION_PROBE_TEXTS_H_
#define WHEREOF_EVALUATION_PROBE_TEXTS_H_

#include <array>
#include <span>
#include <string_view>

namespace whereof::evaluation {

struct CommonClause {
  std::string_view heading;
  std::array<std::string_view, 4> sentences;
};

struct PlantedFact {
  std::string_view heading;
  std::string_view sentence;
  std::array<std::string_view, 3> values;
  std::string_view copied;       // the question in the sentence's words
  std::string_view paraphrased;  // in other words
};

struct ProbeTexts {
  std::string_view language;  // "en"
  std::string_view title;
  std::array<std::string_view, 2> parties;
  std::string_view number_before;  // "" or "第"
  std::string_view number_after;   // ". " or "条 "
  std::string_view after_heading;
  std::string_view between_sentences;
  double characters_a_token = 4;  // about
  std::span<const CommonClause> clauses;
  std::span<const PlantedFact> facts;  // an even number
};

const ProbeTexts& english_probe_texts();
const ProbeTexts& chinese_probe_texts();

}  // namespace whereof::evaluation

#endif  // WHEREOF_EVALUATION_PROBE_TEXTS_H_
