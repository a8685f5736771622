#include "whereof/find_passages.h"

#include "retrieval/searched_documents.h"

namespace whereof {
namespace {

FoundPassage found_passage(const Document& document, const Hit& hit) {
  FoundPassage found;
  found.document_name = document.name;
  found.document_path = document.path.string();
  found.content_hash = hit.content_hash;
  found.where = hit.where;
  found.text = document.slice(hit.where.text);
  if (hit.where.clause >= 0) {
    const Clause& clause = document.clauses[static_cast<std::size_t>(hit.where.clause)];
    found.label = clause.label;
    found.heading = clause.heading;
  }
  if (document.report.pages > 0) {
    const auto page = static_cast<std::size_t>(document.page_of(hit.where.text.begin));
    if (page < document.pages.size()) found.page_label = document.pages[page].label;
  }
  found.score = hit.score;
  found.coverage = hit.coverage;
  return found;
}

}  // namespace

FoundPassages find_passages(Library& library, std::string_view words, std::int64_t limit) {
  FoundPassages found;
  retrieval::SearchedDocuments documents(library);
  // Documents that are left out make room for later hits.
  for (std::int64_t wanted = limit; limit > 0; wanted *= 4) {
    const std::vector<Hit> hits = library.search(words, wanted);
    found.passages.clear();
    for (const Hit& hit : hits) {
      if (static_cast<std::int64_t>(found.passages.size()) == limit) break;
      const Document* document = documents.find(hit.content_hash);
      if (document != nullptr) found.passages.push_back(found_passage(*document, hit));
    }
    const bool is_full = static_cast<std::int64_t>(found.passages.size()) == limit;
    if (is_full || static_cast<std::int64_t>(hits.size()) < wanted) break;
  }
  found.outdated = documents.outdated();
  return found;
}

}  // namespace whereof
