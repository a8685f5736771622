// passages of one document have neighbouring numbers, [first_passage, first_passage + passages), so
// that a document is a range of the index. The index keeps no second copy of the text: its content
// is the table passages. Term counts are those of the tokenizer; a change to it, or to the way
// passages are made, is a new version.
#include "retrieval/library_schema.h"

#include "whereof/error.h"

namespace whereof::retrieval {
namespace {

constexpr std::int64_t kApplicationId = 0x77687266;  // "whrf"
constexpr std::int64_t kVersion = 1;

constexpr const char* kTables = R"(
CREATE TABLE documents(
  id INTEGER PRIMARY KEY,
  content_hash TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  characters INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  added_unix_seconds INTEGER NOT NULL,
  first_passage INTEGER NOT NULL,
  passages INTEGER NOT NULL,
  label_terms INTEGER NOT NULL,
  heading_terms INTEGER NOT NULL,
  body_terms INTEGER NOT NULL,
  serialized BLOB NOT NULL);
CREATE TABLE passages(
  id INTEGER PRIMARY KEY,
  document INTEGER NOT NULL,
  text_begin INTEGER NOT NULL,
  text_end INTEGER NOT NULL,
  clause INTEGER NOT NULL,
  labels TEXT NOT NULL,
  heading TEXT NOT NULL,
  body TEXT NOT NULL);
CREATE VIRTUAL TABLE passage_index USING fts5(
  labels, heading, body, content='passages', content_rowid='id', tokenize='whereof');
)";

std::int64_t pragma(Database& database, const std::string& name) {
  Statement statement = database.prepare("PRAGMA " + name);
  return statement.step() ? statement.integer(0) : 0;
}

bool is_empty(Database& database) {
  Statement statement = database.prepare("SELECT count(*) FROM sqlite_schema");
  statement.step();
  return statement.integer(0) == 0;
}

}  // namespace

void prepare_schema(Database& database) {
  if (is_empty(database)) {
    Transaction transaction(database);
    if (is_empty(database)) {  // nobody was faster
      database.execute(kTables);
      database.execute("PRAGMA application_id=" + std::to_string(kApplicationId));
      database.execute("PRAGMA user_version=" + std::to_string(kVersion));
    }
    transaction.commit();
  }
  if (pragma(database, "application_id") != kApplicationId) {
    database.fail_as_corrupt("an SQLite file, but no library of whereof");
  }
  const std::int64_t version = pragma(database, "user_version");
  if (version != kVersion) {
    throw Error(ErrorKind::unsupported, "library " + database.file().string() +
                                            ": schema version " + std::to_string(version) +
                                            ", this program knows " + std::to_string(kVersion));
  }
}

}  // namespace whereof::retrieval
