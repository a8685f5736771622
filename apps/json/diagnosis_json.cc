#include "json/diagnosis_json.h"

namespace whereof::json {

using nlohmann::ordered_json;

namespace {

ordered_json rows_json(const RowsOnText& rows) {
  return {{"share", rows.share}, {"lift", rows.lift}, {"rank", rows.rank}};
}

}  // namespace

ordered_json ablation_json(const AblationEffect& effect) {
  return {{"fall", effect.fall},
          {"fall_per_token", effect.fall_per_token},
          {"depends_on", effect.is_clear()}};
}

ordered_json diagnosis_json(const ClauseDiagnosis& diagnosis) {
  const DiagnosisFigures& figures = diagnosis.figures;
  ordered_json places = ordered_json::array();
  for (const Span place : diagnosis.expected.text) {
    places.push_back({{"text_begin", place.begin}, {"text_end", place.end}});
  }
  ordered_json json = {{"outcome", name_of(diagnosis.diagnosis)},
                       {"expected", diagnosis.expected.name},
                       {"places", places},
                       {"reasons", diagnosis.reasons},
                       {"advice", diagnosis.advice},
                       {"is_mentioned", figures.is_mentioned},
                       {"pages_without_text", figures.pages_without_text},
                       {"sentences_read", figures.sentences_read},
                       {"sentences_hidden", figures.sentences_hidden},
                       {"clauses_read", figures.clauses_read},
                       {"question_rows", rows_json(figures.question)},
                       {"answer_rows", rows_json(figures.answer)},
                       {"ablation", ablation_json(figures.ablation)}};
  if (figures.other_ablation.is_clear()) {
    json["other"] = {{"clause", figures.other_clause},
                     {"ablation", ablation_json(figures.other_ablation)}};
  }
  return json;
}

}  // namespace whereof::json
