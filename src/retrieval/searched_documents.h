// The documents that hits of a search over the whole library lie in.
#ifndef WHEREOF_RETRIEVAL_SEARCHED_DOCUMENTS_H_
#define WHEREOF_RETRIEVAL_SEARCHED_DOCUMENTS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "whereof/retrieval.h"

namespace whereof::retrieval {

// Each is loaded and compared with its file once. Of one thread; the library must outlive it.
class SearchedDocuments {
 public:
  explicit SearchedDocuments(Library& library) : library_(library) {}

  // Null for one that must not be shown: changed since it was added, read by another version of the
  // program, or removed meanwhile. Valid as long as this object. Throws what Library throws.
  const Document* find(const std::string& content_hash);

  // Names of those that were asked for and are outdated, in the order in which they were.
  const std::vector<std::string>& outdated() const { return outdated_; }

 private:
  std::optional<Document> load(const std::string& content_hash);

  Library& library_;
  std::map<std::string, std::optional<Document>> documents_;
  std::vector<std::string> outdated_;
};

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_SEARCHED_DOCUMENTS_H_
