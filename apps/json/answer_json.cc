#include "json/answer_json.h"

#include "json/diagnosis_json.h"

namespace whereof::json {
namespace {

using nlohmann::ordered_json;

ordered_json boxes_json(const Document& document, Span quotation) {
  ordered_json boxes = ordered_json::array();
  for (const Document::PlacedBox& placed : document.boxes_of(quotation)) {
    boxes.push_back({{"page", placed.page + 1},
                     {"left", placed.box.left},
                     {"top", placed.box.top},
                     {"right", placed.box.right},
                     {"bottom", placed.box.bottom}});
  }
  return boxes;
}

ordered_json citation_json(const Citation& citation, const Document& document) {
  ordered_json json = {{"clause", citation.label},
                       {"heading", citation.heading},
                       {"quotation", citation.quotation_text},
                       {"text_begin", citation.quotation.begin},
                       {"text_end", citation.quotation.end},
                       {"share", citation.share},
                       {"lift", citation.lift}};
  if (!citation.document_name.empty()) json["document"] = citation.document_name;
  if (citation.ablation) json["ablation"] = ablation_json(*citation.ablation);
  if (citation.page_label.empty()) {
    json["page"] = nullptr;
    json["page_label"] = nullptr;
  } else {
    json["page"] = citation.page + 1;
    json["page_label"] = citation.page_label;
  }
  if (const auto begin = document.source_code_point(citation.quotation.begin)) {
    json["source_begin"] = *begin;
    json["source_end"] = document.source_code_point(citation.quotation.end).value_or(*begin);
  }
  if (!citation.passage.is_empty()) {
    json["passage"] = {{"text", citation.passage_text},
                       {"text_begin", citation.passage.begin},
                       {"text_end", citation.passage.end}};
  }
  json["boxes"] = boxes_json(document, citation.quotation);
  return json;
}

ordered_json document_json(const Document& document) {
  return {{"name", document.name},
          {"type", name_of(document.type)},
          {"sha256", document.content_hash},
          {"pages", document.report.pages},
          {"characters", document.report.characters},
          {"clauses", document.clauses.size()}};
}

ordered_json evidence_json(const Answer& answer) {
  ordered_json json = {{"uniform_threshold", answer.uniform_threshold}};
  for (const SignalName& signal : kAnswerSignals) {
    json[std::string(signal.name)] = answer.signals.*signal.value;
  }
  return json;
}

ordered_json citations_json(const std::vector<Citation>& citations,
                            std::span<const Document> documents) {
  ordered_json list = ordered_json::array();
  for (const Citation& citation : citations) {
    list.push_back(citation_json(citation, documents[static_cast<std::size_t>(citation.document)]));
  }
  return list;
}

ordered_json sentences_json(const Answer& answer, std::span<const Document> documents) {
  ordered_json list = ordered_json::array();
  for (const AnswerSentence& sentence : answer.sentences) {
    list.push_back({{"answer_begin", sentence.text.begin},
                    {"answer_end", sentence.text.end},
                    {"citations", citations_json(sentence.citations, documents)}});
  }
  return list;
}

ordered_json signals_json(const std::vector<VerdictSignal>& signals) {
  ordered_json list = ordered_json::array();
  for (const VerdictSignal& signal : signals) {
    ordered_json json = {{"name", signal.name},
                         {"value", signal.value},
                         {"threshold", nullptr},
                         {"allows", nullptr}};
    if (signal.threshold) json["threshold"] = *signal.threshold;
    if (signal.allows) json["allows"] = name_of(*signal.allows);
    list.push_back(json);
  }
  return list;
}

// What an answer about one document and one about many have in common; documents[i] is what
// citations name.
ordered_json judged_json(const Answer& answer, std::span<const Document> documents) {
  const bool is_withheld = answer.verdict == Verdict::no_basis;
  const bool is_shown = !is_withheld && !answer.is_extract;
  return {{"verdict", name_of(answer.verdict)},
          {"reasons", answer.reasons},
          {"verdict_signals", signals_json(answer.verdict_signals)},
          {"is_extract", answer.is_extract},
          {"answer", is_shown ? ordered_json(answer.text) : ordered_json(nullptr)},
          {"withheld",
           is_withheld && !answer.is_extract ? ordered_json(answer.text) : ordered_json(nullptr)},
          {"is_truncated", answer.is_truncated},
          {"alarms", alarms_json(answer.alarms)},
          {is_withheld ? "nearest" : "citations", citations_json(answer.citations, documents)},
          {"sentences", sentences_json(answer, documents)},
          {"plan", plan_json(answer.plan)},
          {"evidence", evidence_json(answer)},
          {"timing",
           {{"prefill_seconds", answer.prefill_seconds},
            {"decode_seconds", answer.decode_seconds},
            {"answer_tokens", answer.answer_tokens}}}};
}

}  // namespace

ordered_json plan_json(const RoutePlan& plan) {
  return {{"route", name_of(plan.route)},
          {"reason", plan.reason},
          {"document_tokens", plan.document_tokens},
          {"prompt_tokens", plan.prompt_tokens},
          {"kept_tokens", plan.kept_tokens},
          {"windows", plan.windows},
          {"window_tokens_read", plan.window_tokens_read},
          {"window_tokens", plan.window_tokens},
          {"passages_read", plan.passages_read},
          {"passages_in_document", plan.passages_in_document},
          {"passages_ranked", plan.passages_ranked},
          {"whole_seconds", plan.whole_seconds},
          {"predicted_seconds", plan.predicted_seconds},
          {"ranking_seconds", plan.ranking_seconds},
          {"added_words", plan.added_words},
          {"rewording_seconds", plan.rewording_seconds},
          {"budget_seconds", plan.budget_seconds}};
}

ordered_json chosen_json(const std::vector<ChosenPassage>& chosen, const Document& document) {
  ordered_json list = ordered_json::array();
  for (const ChosenPassage& passage : chosen) {
    const std::int32_t clause = passage.where.clause;
    list.push_back(
        {{"clause", clause < 0 ? "" : document.clauses[static_cast<std::size_t>(clause)].label},
         {"text_begin", passage.where.text.begin},
         {"text_end", passage.where.text.end},
         {"reason", name_of(passage.reason)},
         {"subject", passage.subject},
         {"distance", passage.distance}});
  }
  return list;
}

ordered_json alarms_json(std::span<const Alarm> alarms) {
  ordered_json list = ordered_json::array();
  for (const Alarm& alarm : alarms) {
    list.push_back({{"kind", name_of(alarm.kind)},
                    {"layer", alarm.layer < 0 ? ordered_json(nullptr) : ordered_json(alarm.layer)},
                    {"figure", alarm.figure},
                    {"threshold", alarm.threshold},
                    {"text", alarm.text}});
  }
  return list;
}

ordered_json answer_json(const Answer& answer, const Document& document, const Model& model) {
  ordered_json json = {{"question", answer.question},
                       {"language", answer.language},
                       {"document", document_json(document)},
                       {"model", model.description().name}};
  json.update(judged_json(answer, {&document, 1}));
  if (answer.diagnosis) json["diagnosis"] = diagnosis_json(*answer.diagnosis);
  json["plan"]["passages"] = chosen_json(answer.plan.chosen, document);
  return json;
}

ordered_json library_answer_json(const LibraryAnswer& result, const Model& model) {
  ordered_json documents = ordered_json::array();
  for (std::size_t i = 0; i < result.documents.size(); ++i) {
    documents.push_back(document_json(result.documents[i]));
    documents.back()["path"] = result.documents[i].path.string();
    documents.back()["passages"] = chosen_json(result.chosen[i], result.documents[i]);
  }
  ordered_json json = {{"question", result.answer.question},
                       {"language", result.answer.language},
                       {"documents", documents},
                       {"outdated", result.outdated},
                       {"model", model.description().name}};
  json.update(judged_json(result.answer, result.documents));
  return json;
}

}  // namespace whereof::json
