#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "retrieval/database.h"
#include "retrieval/fts_index.h"
#include "retrieval/library_file.h"
#include "retrieval/library_schema.h"
#include "retrieval/passage_fields.h"
#include "retrieval/query.h"
#include "retrieval/ranking.h"
#include "retrieval/terms.h"
#include "whereof/error.h"
#include "whereof/retrieval.h"

namespace whereof {
namespace {

using retrieval::BlobHeads;
using retrieval::Database;
using retrieval::FieldStatistics;
using retrieval::kFieldCount;
using retrieval::RankedPassage;
using retrieval::Statement;
using retrieval::TermCounts;
using retrieval::Transaction;

std::int64_t now_unix_seconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

const std::string kEntries =
    "SELECT content_hash, name, path, characters, pages, added_unix_seconds, id FROM documents";

LibraryEntry entry_of(const Statement& row, BlobHeads& serialized) {
  LibraryEntry entry;
  entry.content_hash = row.text(0);
  entry.name = row.text(1);
  entry.path = row.text(2);
  entry.characters = row.integer(3);
  entry.pages = row.integer(4);
  entry.added_unix_seconds = row.integer(5);
  entry.is_current = is_serialized_document(serialized.of_row(row.integer(6), kSerializedHead));
  return entry;
}

// The part of the library that a search looks at.
struct Scope {
  std::int64_t first_passage = 0;
  std::int64_t last_passage = -1;
  FieldStatistics statistics;
};

class LibraryFile final : public Library {
 public:
  explicit LibraryFile(const std::filesystem::path& file) : database_(file) {
    std::optional<retrieval::CreationLock> creation;
    if (!retrieval::has_log(database_)) creation.emplace(file);
    database_.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;");
    retrieval::register_fts(database_);
    retrieval::prepare_schema(database_);
  }

  bool contains(std::string_view content_hash) override {
    Statement found = database_.prepare("SELECT 1 FROM documents WHERE content_hash=?1");
    return found.bind(1, content_hash).step();
  }

  void add(const Document& document) override {
    const std::string serialized = serialize_document(document);
    const std::vector<Passage> passages = split_passages(document);
    Transaction transaction(database_);
    erase(document.content_hash);
    insert(document, serialized, passages);
    transaction.commit();
  }

  std::optional<Document> load(std::string_view content_hash) override {
    Statement stored = database_.prepare("SELECT serialized FROM documents WHERE content_hash=?1");
    if (!stored.bind(1, content_hash).step()) return std::nullopt;
    try {
      Document document = parse_document(stored.blob(0));
      if (document.content_hash == content_hash) return document;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::unsupported) return std::nullopt;
      if (error.kind() != ErrorKind::bad_document) throw;
      database_.fail_as_corrupt("document " + std::string(content_hash) + ": " + error.what());
    }
    database_.fail_as_corrupt("another document is stored as " + std::string(content_hash));
  }

  bool remove(std::string_view content_hash) override {
    Transaction transaction(database_);
    const bool was_there = erase(content_hash);
    transaction.commit();
    return was_there;
  }

  std::vector<LibraryEntry> entries() override {
    std::vector<LibraryEntry> entries;
    Statement row = database_.prepare(kEntries + " ORDER BY added_unix_seconds, id");
    BlobHeads serialized(database_, "documents", "serialized");
    while (row.step()) entries.push_back(entry_of(row, serialized));
    return entries;
  }

  std::optional<LibraryEntry> entry(std::string_view content_hash) override {
    Statement row = database_.prepare(kEntries + " WHERE content_hash=?1");
    if (!row.bind(1, content_hash).step()) return std::nullopt;
    BlobHeads serialized(database_, "documents", "serialized");
    return entry_of(row, serialized);
  }

  std::vector<Hit> search(std::string_view question, std::int64_t limit,
                          std::string_view content_hash, std::string_view more_words) override {
    const retrieval::Query query = retrieval::query_of(question, more_words);
    if (query.match.empty() || limit <= 0) return {};
    // One view of the file for all that follows, whatever others write meanwhile.
    Transaction view(database_, Transaction::Kind::read);
    const Scope scope = scope_of(content_hash);
    if (scope.first_passage > scope.last_passage) return {};
    const std::vector<TermCounts> matches = find_matches(query.match, query.terms, scope);
    std::vector<RankedPassage> ranked = retrieval::rank(matches, query.groups, scope.statistics);
    if (static_cast<std::int64_t>(ranked.size()) > limit) {
      ranked.resize(static_cast<std::size_t>(limit));
    }
    return hits_of(ranked);
  }

 private:
  bool erase(std::string_view content_hash) {
    Statement found = database_.prepare(
        "SELECT id, first_passage, first_passage + passages FROM documents WHERE content_hash=?1");
    if (!found.bind(1, content_hash).step()) return false;
    const std::int64_t id = found.integer(0);
    const std::int64_t first = found.integer(1);
    const std::int64_t end = found.integer(2);
    for (const char* sql :
         {"INSERT INTO passage_index(passage_index, rowid, labels, heading, body) "
          "SELECT 'delete', id, labels, heading, body FROM passages WHERE id>=?1 AND id<?2",
          "DELETE FROM passages WHERE id>=?1 AND id<?2"}) {
      database_.prepare(sql).bind(1, first).bind(2, end).run();
    }
    database_.prepare("DELETE FROM documents WHERE id=?1").bind(1, id).run();
    return true;
  }

  void insert(const Document& document, std::string_view serialized,
              const std::vector<Passage>& passages) {
    Statement next = database_.prepare("SELECT coalesce(max(id), 0) + 1 FROM passages");
    next.step();
    const std::int64_t first = next.integer(0);
    Statement row = database_.prepare(
        "INSERT INTO documents(content_hash, name, path, characters, pages, added_unix_seconds, "
        "first_passage, passages, label_terms, heading_terms, body_terms, serialized) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, 0, 0, ?9)");
    const std::string path = document.path.string();
    row.bind(1, document.content_hash).bind(2, document.name).bind(3, path);
    row.bind(4, document.report.characters).bind(5, document.report.pages);
    row.bind(6, now_unix_seconds()).bind(7, first);
    row.bind(8, static_cast<std::int64_t>(passages.size())).bind_blob(9, serialized).run();
    insert_passages(document, passages, sqlite3_last_insert_rowid(database_.handle()), first);
  }

  void insert_passages(const Document& document, const std::vector<Passage>& passages,
                       std::int64_t id, std::int64_t first) {
    Statement row = database_.prepare(
        "INSERT INTO passages(id, document, text_begin, text_end, clause, labels, heading, body) "
        "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    Statement index = database_.prepare(
        "INSERT INTO passage_index(rowid, labels, heading, body) VALUES(?1, ?2, ?3, ?4)");
    retrieval::TermScanner scanner;
    std::int64_t terms[kFieldCount] = {};
    for (std::size_t i = 0; i < passages.size(); ++i) {
      const auto fields = retrieval::fields_of(document, passages[i]);
      const std::int64_t number = first + static_cast<std::int64_t>(i);
      row.bind(1, number).bind(2, id).bind(3, passages[i].text.begin);
      row.bind(4, passages[i].text.end).bind(5, std::int64_t{passages[i].clause});
      row.bind(6, fields.labels).bind(7, fields.heading).bind(8, fields.body).run();
      index.bind(1, number).bind(2, fields.labels);
      index.bind(3, fields.heading).bind(4, fields.body).run();
      terms[retrieval::kLabels] += scanner.count(fields.labels);
      terms[retrieval::kHeading] += scanner.count(fields.heading);
      terms[retrieval::kBody] += scanner.count(fields.body);
    }
    Statement totals = database_.prepare(
        "UPDATE documents SET label_terms=?2, heading_terms=?3, body_terms=?4 WHERE id=?1");
    totals.bind(1, id).bind(2, terms[retrieval::kLabels]);
    totals.bind(3, terms[retrieval::kHeading]).bind(4, terms[retrieval::kBody]).run();
  }

  Scope scope_of(std::string_view content_hash) {
    Statement sums = database_.prepare(
        content_hash.empty()
            ? "SELECT min(first_passage), max(first_passage + passages) - 1, sum(passages), "
              "sum(label_terms), sum(heading_terms), sum(body_terms) FROM documents"
            : "SELECT first_passage, first_passage + passages - 1, passages, label_terms, "
              "heading_terms, body_terms FROM documents WHERE content_hash=?1");
    if (!content_hash.empty()) sums.bind(1, content_hash);
    Scope scope;
    if (!sums.step() || sums.integer(2) <= 0) return scope;
    scope.first_passage = sums.integer(0);
    scope.last_passage = sums.integer(1);
    scope.statistics.passages = static_cast<double>(sums.integer(2));
    for (int field = 0; field < kFieldCount; ++field) {
      scope.statistics.mean_lengths[static_cast<std::size_t>(field)] =
          static_cast<double>(sums.integer(3 + field)) / scope.statistics.passages;
    }
    return scope;
  }

  std::vector<TermCounts> find_matches(std::string_view query, std::size_t terms,
                                       const Scope& scope) {
    Statement row = database_.prepare(
        "SELECT rowid, whereof_counts(passage_index) FROM passage_index "
        "WHERE passage_index MATCH ?1 AND rowid BETWEEN ?2 AND ?3");
    row.bind(1, query).bind(2, scope.first_passage).bind(3, scope.last_passage);
    std::vector<TermCounts> matches;
    while (row.step()) {
      const std::string_view blob = row.blob(1);
      TermCounts match;
      match.passage = row.integer(0);
      match.counts.resize(terms);
      const std::size_t row_bytes = sizeof(match.lengths);
      if (blob.size() != row_bytes * (terms + 1)) {
        database_.fail_as_corrupt("the index does not have the columns of this version");
      }
      std::memcpy(match.lengths.data(), blob.data(), row_bytes);
      std::memcpy(match.counts.data(), blob.data() + row_bytes, row_bytes * terms);
      matches.push_back(std::move(match));
    }
    return matches;
  }

  std::vector<Hit> hits_of(const std::vector<RankedPassage>& ranked) {
    std::vector<Hit> hits;
    Statement row = database_.prepare(
        "SELECT d.content_hash, p.id - d.first_passage, p.text_begin, p.text_end, p.clause "
        "FROM passages p JOIN documents d ON d.id = p.document WHERE p.id=?1");
    for (const RankedPassage& passage : ranked) {
      if (!row.bind(1, passage.passage).step()) {
        database_.fail_as_corrupt("the index names a passage that is not there");
      }
      Hit hit;
      hit.content_hash = row.text(0);
      hit.passage = static_cast<std::int32_t>(row.integer(1));
      hit.where.text = {row.integer(2), row.integer(3)};
      hit.where.clause = static_cast<std::int32_t>(row.integer(4));
      hit.score = passage.score;
      hit.coverage = passage.coverage;
      hits.push_back(std::move(hit));
      row.reset();
    }
    return hits;
  }

  Database database_;
};

}  // namespace

FileState file_state(const LibraryEntry& entry) {
  const std::optional<std::string> hash = content_hash_of_file(entry.path);
  if (!hash) return FileState::absent;
  return *hash == entry.content_hash ? FileState::unchanged : FileState::changed;
}

std::unique_ptr<Library> Library::open(const std::filesystem::path& file) {
  retrieval::make_library_file(file);
  return std::make_unique<LibraryFile>(file);
}

std::filesystem::path Library::default_path() {
  // The XDG base directory specification has relative paths ignored.
  const char* data = std::getenv("XDG_DATA_HOME");
  if (data != nullptr && data[0] == '/') return std::filesystem::path(data) / "whereof/library.db";
  const char* home = std::getenv("HOME");
  if (home != nullptr && home[0] != '\0') {
    return std::filesystem::path(home) / ".local/share/whereof/library.db";
  }
  throw Error(ErrorKind::not_found,
              "no place for the library: neither XDG_DATA_HOME nor HOME is set");
}

}  // namespace whereof
