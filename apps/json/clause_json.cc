#include "json/clause_json.h"

#include <cstddef>

namespace whereof::json {

using nlohmann::ordered_json;

namespace {

ordered_json uses_json(const Document& document, const std::vector<TermUse>& uses) {
  ordered_json json = ordered_json::array();
  for (const TermUse& use : uses) {
    json.push_back({{"text_begin", use.text.begin},
                    {"text_end", use.text.end},
                    {"clause", clause_name(document, use.clause)}});
  }
  return json;
}

}  // namespace

const char* name_of(ClauseKind kind) noexcept {
  switch (kind) {
    case ClauseKind::preamble:
      return "preamble";
    case ClauseKind::part:
      return "part";
    case ClauseKind::clause:
      return "clause";
    case ClauseKind::schedule:
      return "schedule";
    case ClauseKind::closing:
      return "closing";
  }
  return "clause";
}

const char* name_of(ReferenceKind kind) noexcept {
  switch (kind) {
    case ReferenceKind::resolved:
      return "resolved";
    case ReferenceKind::external:
      return "external";
    case ReferenceKind::unattached:
      return "unattached";
    case ReferenceKind::dangling:
      return "dangling";
  }
  return "dangling";
}

std::string clause_name(const Document& document, std::int32_t clause) {
  if (clause < 0) return "-";
  const Clause& at = document.clauses[static_cast<std::size_t>(clause)];
  if (at.kind == ClauseKind::closing) return "closing";
  return at.kind == ClauseKind::preamble ? "preamble" : at.label;
}

std::string page_label(const Document& document, std::int32_t page) {
  const auto at = static_cast<std::size_t>(page);
  return document.report.pages > 0 && at < document.pages.size() ? document.pages[at].label : "";
}

ordered_json tree_json(const Document& document) {
  ordered_json clauses = ordered_json::array();
  for (const Clause& clause : document.clauses) {
    clauses.push_back({{"kind", name_of(clause.kind)},
                       {"number", clause.number},
                       {"label", clause.label},
                       {"heading", clause.heading},
                       {"parent", clause.parent},
                       {"depth", clause.depth},
                       {"text_begin", clause.text.begin},
                       {"text_end", clause.text.end},
                       {"first_page", page_label(document, clause.first_page)},
                       {"last_page", page_label(document, clause.last_page)}});
  }
  return {{"document", document.name},
          {"sha256", document.content_hash},
          {"pages", document.report.pages},
          {"characters", document.report.characters},
          {"clauses", clauses}};
}

ordered_json definitions_json(const Document& document,
                              const std::vector<Definition>& definitions) {
  ordered_json json = ordered_json::array();
  for (const Definition& definition : definitions) {
    json.push_back({{"term", definition.term},
                    {"clause", clause_name(document, definition.clause)},
                    {"text_begin", definition.text.begin},
                    {"text_end", definition.text.end},
                    {"text", joined_lines(document.slice(definition.text))},
                    {"uses", uses_json(document, definition.uses)}});
  }
  return json;
}

ordered_json undefined_json(const Document& document, const std::vector<UndefinedTerm>& undefined) {
  ordered_json json = ordered_json::array();
  for (const UndefinedTerm& term : undefined) {
    json.push_back({{"term", term.term}, {"uses", uses_json(document, term.uses)}});
  }
  return json;
}

ordered_json references_json(const Document& document, const std::vector<Reference>& references) {
  ordered_json json = ordered_json::array();
  for (const Reference& reference : references) {
    ordered_json targets = ordered_json::array();
    for (const std::int32_t target : reference.targets) {
      targets.push_back(clause_name(document, target));
    }
    ordered_json missing = ordered_json::array();
    for (const Span& span : reference.missing) {
      missing.push_back(joined_lines(document.slice(span)));
    }
    json.push_back({{"text", joined_lines(document.slice(reference.text))},
                    {"text_begin", reference.text.begin},
                    {"text_end", reference.text.end},
                    {"clause", clause_name(document, reference.clause)},
                    {"kind", name_of(reference.kind)},
                    {"targets", targets},
                    {"missing", missing}});
  }
  return json;
}

}  // namespace whereof::json
