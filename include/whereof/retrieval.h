// The library: documents kept on disk, found again by their words.
#ifndef WHEREOF_RETRIEVAL_H_
#define WHEREOF_RETRIEVAL_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/document.h"
#include "whereof/span.h"

namespace whereof {

// A piece of one clause: never across two clauses that are siblings at the top, at most
// max_characters code points. Small clauses are kept with their parent's other small ones.
struct Passage {
  Span text;                 // bytes of Document::text
  std::int32_t clause = -1;  // index into Document::clauses of the innermost that holds all of it
};

// In document order, together covering every body line. Pure function.
std::vector<Passage> split_passages(const Document& document, std::int64_t max_characters = 800);

struct Hit {
  std::string content_hash;  // of the document
  std::int32_t passage = 0;  // index into split_passages of that document
  Passage where;
  double score = 0;  // BM25, larger is better
};

struct LibraryEntry {
  std::string content_hash;
  std::string name;
  std::string path;
  std::int64_t characters = 0;
  std::int64_t pages = 0;
  std::int64_t added_unix_seconds = 0;
};

// One SQLite file. Several processes may use one library at once; an object belongs to one thread.
class Library {
 public:
  // Creates the file and its folder if absent. Throws Error: input_output, out_of_space,
  // corrupt_library (the file is not ours, or fails its checks).
  static std::unique_ptr<Library> open(const std::filesystem::path& file);
  // $XDG_DATA_HOME/whereof/library.db, else $HOME/.local/share/whereof/library.db.
  // Throws Error(not_found) when neither variable is set.
  static std::filesystem::path default_path();
  virtual ~Library() = default;

  virtual bool contains(std::string_view content_hash) = 0;
  // Whole or not at all, also when the process is killed. Replaces an entry of the same hash.
  virtual void add(const Document& document) = 0;
  // std::nullopt when absent. Throws Error(corrupt_library) when the stored bytes fail their check.
  virtual std::optional<Document> load(std::string_view content_hash) = 0;
  virtual bool remove(std::string_view content_hash) = 0;
  virtual std::vector<LibraryEntry> entries() = 0;

  // Passages by BM25 over words (stemmed Latin words, Han unigrams and bigrams, clause labels
  // whole), best first, at most limit. The question is plain text: nothing in it is query syntax.
  // content_hash empty: all documents.
  virtual std::vector<Hit> search(std::string_view question, std::int64_t limit,
                                  std::string_view content_hash = {}) = 0;
};

}  // namespace whereof

#endif  // WHEREOF_RETRIEVAL_H_
