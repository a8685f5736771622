#include "answering/bound_documents.h"

#include <algorithm>

namespace whereof::answering {
namespace {

Span moved(Span span, std::int64_t by) { return {span.begin + by, span.end + by}; }

}  // namespace

BoundDocuments::BoundDocuments(std::span<const Document> documents) : documents_(documents) {
  for (const Document& document : documents) append(document);
  bound_.report.pages = static_cast<std::int64_t>(bound_.pages.size());
}

void BoundDocuments::append(const Document& document) {
  const Place place{static_cast<std::int64_t>(bound_.text.size()),
                    static_cast<std::int32_t>(bound_.pages.size()),
                    static_cast<std::int32_t>(bound_.clauses.size())};
  places_.push_back(place);
  bound_.text += document.text;
  if (!bound_.text.ends_with('\n')) bound_.text += '\n';
  for (Line line : document.lines) {
    line.text = moved(line.text, place.text);
    bound_.lines.push_back(line);
  }
  for (Page page : document.pages) {
    page.text = moved(page.text, place.text);
    bound_.pages.push_back(std::move(page));
  }
  Clause part;
  part.kind = ClauseKind::part;
  part.label = document.name;
  part.text = {place.text, static_cast<std::int64_t>(bound_.text.size())};
  part.own_text = {place.text, place.text};
  bound_.clauses.push_back(part);
  for (Clause clause : document.clauses) {
    clause.parent = clause.parent < 0 ? place.clause : clause.parent + place.clause + 1;
    ++clause.depth;
    clause.label = document.name + (clause.label.empty() ? "" : ", " + clause.label);
    clause.text = moved(clause.text, place.text);
    clause.own_text = moved(clause.own_text, place.text);
    clause.first_page += place.page;
    clause.last_page += place.page;
    bound_.clauses.push_back(std::move(clause));
  }
}

Passage BoundDocuments::bind(std::size_t index, Passage passage) const {
  const Place& place = places_[index];
  passage.text = moved(passage.text, place.text);
  passage.clause = passage.clause < 0 ? place.clause : passage.clause + place.clause + 1;
  return passage;
}

void BoundDocuments::unbind(Citation& citation) const {
  const auto after = std::partition_point(places_.begin(), places_.end(), [&](const Place& place) {
    return place.text <= citation.quotation.begin;
  });
  const auto index = static_cast<std::size_t>(after - places_.begin()) - 1;
  const Place& place = places_[index];
  const Document& document = documents_[index];
  citation.document = static_cast<std::int32_t>(index);
  citation.document_name = document.name;
  citation.quotation = moved(citation.quotation, -place.text);
  if (!citation.passage.is_empty()) citation.passage = moved(citation.passage, -place.text);
  citation.clause = std::max(-1, citation.clause - place.clause - 1);
  citation.label.clear();
  citation.heading.clear();
  if (citation.clause >= 0) {
    const Clause& clause = document.clauses[static_cast<std::size_t>(citation.clause)];
    citation.label = clause.label;
    citation.heading = clause.heading;
  }
  citation.page = document.page_of(citation.quotation.begin);
  citation.page_label.clear();
  if (document.report.pages > 0 &&
      static_cast<std::size_t>(citation.page) < document.pages.size()) {
    citation.page_label = document.pages[static_cast<std::size_t>(citation.page)].label;
  }
}

}  // namespace whereof::answering
