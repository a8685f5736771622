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

// A contiguous piece of text of at most max_characters code points, all counted. Headers, footers
// and page numbers that lie between its lines are part of the span, but neither begin nor end it.
struct Passage {
  Span text;                 // bytes of Document::text
  std::int32_t clause = -1;  // index into Document::clauses of the innermost that holds all of it
};

// In document order, disjoint, together covering every body, table and footnote line but the blanks
// around it. Clauses are kept whole where they fit; longer ones are cut at sentence ends; small
// subclauses are kept with their neighbours under the same parent. Never across clauses at the top
// of the tree, across the clauses of a part, or across contents lines. Clauses deeper than 32
// levels count as text of their ancestor there. Pure function, linear time.
std::vector<Passage> split_passages(const Document& document, std::int64_t max_characters = 800);

struct Hit {
  std::string content_hash;  // of the document
  std::int32_t passage = 0;  // index into split_passages of that document
  Passage where;
  double score = 0;     // BM25 over fields (src/retrieval/ranking.h), larger is better
  double coverage = 0;  // 0 .. 1: share of the question's words, weighted by rarity, found here
};

struct LibraryEntry {
  std::string content_hash;
  std::string name;
  std::string path;
  std::int64_t characters = 0;
  std::int64_t pages = 0;
  std::int64_t added_unix_seconds = 0;
  bool is_current = true;  // false: another version of the program read it, load gives nothing
};

// What the file of an entry is now. changed: its bytes are others, so what the library holds of it
// must not be shown as its text; absent: it is gone or cannot be read, the library's copy stands.
enum class FileState { unchanged, changed, absent };
FileState file_state(const LibraryEntry& entry);

// One SQLite file. Several processes may use one library at once; an object belongs to one thread.
class Library {
 public:
  // Creates the file (readable by its owner only) and its folder if absent. Throws Error:
  // input_output, out_of_space, corrupt_library (the file is not ours, or fails its checks),
  // unsupported (another version of the schema). Every other member throws these too: each page of
  // the file has a checksum, and a lock is waited for 10 s. Not for network file systems.
  static std::unique_ptr<Library> open(const std::filesystem::path& file);
  // $XDG_DATA_HOME/whereof/library.db, else $HOME/.local/share/whereof/library.db.
  // Throws Error(not_found) when neither variable is set.
  static std::filesystem::path default_path();
  virtual ~Library() = default;

  virtual bool contains(std::string_view content_hash) = 0;
  // Whole or not at all, also when the process is killed. Replaces an entry of the same hash.
  virtual void add(const Document& document) = 0;
  // std::nullopt when absent, or when another version of the program read it: read it again then.
  // Throws Error(corrupt_library) when the stored bytes fail their check.
  virtual std::optional<Document> load(std::string_view content_hash) = 0;
  virtual bool remove(std::string_view content_hash) = 0;
  virtual std::vector<LibraryEntry> entries() = 0;
  virtual std::optional<LibraryEntry> entry(std::string_view content_hash) = 0;

  // Passages by BM25 over words (stemmed Latin words, Han unigrams and bigrams, clause labels
  // whole), best first, at most limit. The question is plain text: nothing in it is query syntax.
  // Words that contracts use for one another count in part; a clause that the question names by its
  // number comes first. content_hash empty: all documents; else only this one, and its ranking does
  // not depend on the others. more_words: plain text that is looked for beside the question's words
  // (whereof/rewording.h); no clause numbers are read from it, and coverage does not count it.
  virtual std::vector<Hit> search(std::string_view question, std::int64_t limit,
                                  std::string_view content_hash = {},
                                  std::string_view more_words = {}) = 0;
};

}  // namespace whereof

#endif  // WHEREOF_RETRIEVAL_H_
