#include "answer_json.h"

namespace whereof::cli {
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
  json["boxes"] = boxes_json(document, citation.quotation);
  return json;
}

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
          {"budget_seconds", plan.budget_seconds}};
}

}  // namespace

ordered_json answer_json(const Answer& answer, const Document& document, const Model& model) {
  ordered_json citations = ordered_json::array();
  for (const Citation& citation : answer.citations) {
    citations.push_back(citation_json(citation, document));
  }
  const bool is_withheld = answer.verdict == Verdict::no_basis;
  return {{"question", answer.question},
          {"language", answer.language},
          {"document",
           {{"name", document.name},
            {"type", name_of(document.type)},
            {"sha256", document.content_hash},
            {"pages", document.report.pages},
            {"characters", document.report.characters},
            {"clauses", document.clauses.size()}}},
          {"model", model.description().name},
          {"verdict", name_of(answer.verdict)},
          {"reasons", answer.reasons},
          {"answer", is_withheld ? ordered_json(nullptr) : ordered_json(answer.text)},
          {"withheld", is_withheld ? ordered_json(answer.text) : ordered_json(nullptr)},
          {"is_truncated", answer.is_truncated},
          {is_withheld ? "nearest" : "citations", citations},
          {"plan", plan_json(answer.plan)},
          {"evidence",
           {{"max_document_weight", answer.max_document_weight},
            {"uniform_threshold", answer.uniform_threshold},
            {"document_mass", answer.document_mass},
            {"sink_mass", answer.sink_mass},
            {"decline_probability", answer.decline_probability}}},
          {"timing",
           {{"prefill_seconds", answer.prefill_seconds},
            {"decode_seconds", answer.decode_seconds},
            {"answer_tokens", answer.answer_tokens}}}};
}

}  // namespace whereof::cli
