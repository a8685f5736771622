#include "retrieval/passage_fields.h"

#include <algorithm>
#include <vector>

#include "retrieval/terms.h"

namespace whereof::retrieval {
namespace {

void append(std::string& list, std::string_view more, char separator) {
  if (more.empty()) return;
  if (!list.empty()) list.push_back(separator);
  list.append(more);
}

// Clauses around the passage, outermost first.
std::vector<const Clause*> clauses_around(const Document& document, std::int32_t innermost) {
  std::vector<const Clause*> around;
  for (std::int32_t at = innermost; at >= 0;) {
    const Clause& clause = document.clauses[static_cast<std::size_t>(at)];
    around.push_back(&clause);
    at = clause.parent < at ? clause.parent : -1;
  }
  std::reverse(around.begin(), around.end());
  return around;
}

std::string body_of(const Document& document, Span span) {
  std::string body;
  auto line = std::lower_bound(
      document.lines.begin(), document.lines.end(), span.begin,
      [](const Line& candidate, std::int64_t begin) { return candidate.text.end <= begin; });
  for (; line != document.lines.end() && line->text.begin < span.end; ++line) {
    if (!is_covered(line->kind)) continue;
    const Span part{std::max(line->text.begin, span.begin), std::min(line->text.end, span.end)};
    append(body, document.slice(part), '\n');
  }
  return body;
}

}  // namespace

bool is_covered(LineKind kind) {
  return kind == LineKind::body || kind == LineKind::table || kind == LineKind::footnote ||
           kind == LineKind::form_field;
}

PassageFields fields_of(const Document& document, const Passage& passage) {
  PassageFields fields;
  for (const Clause* clause : clauses_around(document, passage.clause)) {
    append(fields.labels, label_terms(clause->label), ' ');
    append(fields.heading, clause->heading, '\n');
  }
  const auto first = std::lower_bound(
      document.clauses.begin(), document.clauses.end(), passage.text.begin,
      [](const Clause& clause, std::int64_t at) { return clause.text.begin < at; });
  for (auto clause = first;
       clause != document.clauses.end() && clause->text.begin < passage.text.end; ++clause) {
    append(fields.labels, label_terms(clause->label), ' ');
    append(fields.heading, clause->heading, '\n');
  }
  fields.body = body_of(document, passage.text);
  return fields;
}

}  // namespace whereof::retrieval
