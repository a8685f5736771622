// SQLite as this project uses it: one connection, prepared statements, errors as whereof::Error.
#ifndef WHEREOF_RETRIEVAL_DATABASE_H_
#define WHEREOF_RETRIEVAL_DATABASE_H_

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace whereof::retrieval {

class Statement;

// A connection belongs to one thread. Every member throws Error: out_of_space, out_of_memory,
// corrupt_library, input_output, each naming the file and what SQLite says.
class Database {
 public:
  // Creates the file if absent. Hardened: defensive, no trust in the schema, no extensions, no
  // triggers or views, cell sizes and page checksums checked, no memory mapping. Waits up to 10 s
  // for others' locks.
  explicit Database(const std::filesystem::path& file);

  void execute(const std::string& sql);
  Statement prepare(std::string_view sql);
  std::int64_t changes() const { return sqlite3_changes64(connection_.get()); }
  sqlite3* handle() const { return connection_.get(); }
  const std::filesystem::path& file() const { return file_; }
  // The file's first bytes, as many of these as it has, past all locks and checks.
  std::string head(std::size_t bytes) const;

  [[noreturn]] void fail(int code) const;
  // Of damage that SQLite itself cannot see.
  [[noreturn]] void fail_as_corrupt(const std::string& what) const;

 private:
  struct Closer {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Closer> connection_;
};

// Parameters count from 1, columns from 0. Bound views must outlive the step.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);

  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, std::string_view value);
  Statement& bind_blob(int parameter, std::string_view value);
  bool step();   // whether there is a row
  void run();    // to the end, then reset
  void reset();  // ready to be bound again; the row is gone

  std::int64_t integer(int column) const;
  // Valid until the next step. The types of a damaged file's values are what they are: a number
  // comes as its digits.
  std::string_view text(int column) const;
  std::string_view blob(int column) const;

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
};

// The first bytes of the blobs in one column, row by row: no more of a blob is read from the disk.
class BlobHeads {
 public:
  // Both names outlive this object.
  BlobHeads(Database& database, const char* table, const char* column)
      : database_(&database), table_(table), column_(column) {}

  // As many of these bytes as the row's blob has. Throws Error: corrupt_library also where there is
  // no such row or no blob in it.
  std::string of_row(std::int64_t row, std::size_t bytes);

 private:
  struct Closer {
    void operator()(sqlite3_blob* blob) const { sqlite3_blob_close(blob); }
  };
  Database* database_;
  const char* table_;
  const char* column_;
  std::unique_ptr<sqlite3_blob, Closer> blob_;
};

// Rolled back unless committed. One that writes takes the write lock at once; one that reads sees
// the file as it is now until it ends.
class Transaction {
 public:
  enum class Kind { write, read };
  explicit Transaction(Database& database, Kind kind = Kind::write);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool is_open_ = true;
};

}  // namespace whereof::retrieval

#endif  // WHEREOF_RETRIEVAL_DATABASE_H_
