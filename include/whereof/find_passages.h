// What a person wants to see of a search over the whole library: the passages with their places.
#ifndef WHEREOF_FIND_PASSAGES_H_
#define WHEREOF_FIND_PASSAGES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/retrieval.h"

namespace whereof {

struct FoundPassage {
  std::string document_name;
  std::string document_path;
  std::string content_hash;
  Passage where;           // in the document that the library holds
  std::string text;        // Document::slice(where.text)
  std::string label;       // of the innermost clause around it; empty where there is none
  std::string heading;     // of that clause
  std::string page_label;  // of its first character; empty where the format has no pages
  double score = 0;
  double coverage = 0;
};

struct FoundPassages {
  std::vector<FoundPassage> passages;  // best first
  std::vector<std::string> outdated;   // names of documents that were left out, see FileState
};

// The best passages for these words, at most limit, from documents whose files still hold what was
// added or are gone. A document that another version of the program read counts as outdated too.
// Throws what Library throws.
FoundPassages find_passages(Library& library, std::string_view words, std::int64_t limit);

}  // namespace whereof

#endif  // WHEREOF_FIND_PASSAGES_H_
