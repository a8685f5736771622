// Documents bound into one, so that passages of several stand in one prompt.
#ifndef WHEREOF_ANSWERING_BOUND_DOCUMENTS_H_
#define WHEREOF_ANSWERING_BOUND_DOCUMENTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "whereof/answer.h"
#include "whereof/document.h"
#include "whereof/retrieval.h"

namespace whereof::answering {

// Text, lines, pages and clauses one after the other; each document is a part at the top of the
// tree, and its name stands in the labels of all that lies in it. Boxes and places in source files
// are left out: unbind leads back to documents that have them. The documents must outlive it.
class BoundDocuments {
 public:
  explicit BoundDocuments(std::span<const Document> documents);

  const Document& document() const { return bound_; }
  // A passage of documents[index], in the bound document.
  Passage bind(std::size_t index, Passage passage) const;
  // A citation of the bound document, as one of the document that it lies in.
  void unbind(Citation& citation) const;

 private:
  struct Place {
    std::int64_t text = 0;    // where the document's bytes begin
    std::int32_t page = 0;    // its first page
    std::int32_t clause = 0;  // the part that it is; its own clauses follow
  };
  void append(const Document& document);

  std::span<const Document> documents_;
  std::vector<Place> places_;  // [documents]
  Document bound_;
};

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_BOUND_DOCUMENTS_H_
