#include "retrieval/database.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "retrieval/checked_pages.h"
#include "whereof/error.h"

namespace whereof::retrieval {
namespace {

constexpr int kBusyTimeoutMs = 10'000;

ErrorKind kind_of(int code, int system_error) {
  if (system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG) {
    if ((code & 0xFF) == SQLITE_IOERR) return ErrorKind::out_of_space;
  }
  if (code == SQLITE_IOERR_NOMEM) return ErrorKind::out_of_memory;
  if (code == SQLITE_IOERR_DATA || code == SQLITE_IOERR_CORRUPTFS) {
    return ErrorKind::corrupt_library;
  }
  switch (code & 0xFF) {
    case SQLITE_FULL:
      return ErrorKind::out_of_space;
    case SQLITE_NOMEM:
      return ErrorKind::out_of_memory;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
    // The statements are constant and right for a whole schema: it is the file that is wrong.
    case SQLITE_ERROR:
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_SCHEMA:
    case SQLITE_TOOBIG:
    case SQLITE_RANGE:
      return ErrorKind::corrupt_library;
    default:
      return ErrorKind::input_output;
  }
}

std::string one_line(const char* message) {
  std::string line = message == nullptr ? "" : message;
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return line;
}

}  // namespace

Database::Database(const std::filesystem::path& file) : file_(file) {
  sqlite3* opened = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX |
                    SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
  int code = sqlite3_open_v2(file.c_str(), &opened, flags, checked_pages_vfs());
  connection_.reset(opened);
  if (code == SQLITE_OK) code = reserve_checksum_bytes(opened);
  if (code != SQLITE_OK) fail(code);
  sqlite3_busy_timeout(opened, kBusyTimeoutMs);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0);
  execute("PRAGMA page_size=" + std::to_string(kPageBytes));
  execute("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA foreign_keys=OFF;");
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

Statement Database::prepare(std::string_view sql) { return Statement(*this, sql); }

std::string Database::head(std::size_t bytes) const {
  // SQLite's own xFileSize calls a file of one byte empty.
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file_, error);
  if (error)
    throw Error(ErrorKind::input_output, "library " + file_.string() + ": " + error.message());
  std::string head(std::min<std::uintmax_t>(bytes, size), '\0');
  if (head.empty()) return head;
  sqlite3_file* file = nullptr;
  int code = sqlite3_file_control(connection_.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code == SQLITE_OK) {
    code = file->pMethods->xRead(file, head.data(), static_cast<int>(head.size()), 0);
  }
  if (code != SQLITE_OK) fail(code);
  return head;
}

void Database::fail(int code) const {
  sqlite3* connection = connection_.get();
  std::string message = "library " + file_.string() + ": ";
  const bool is_busy = (code & 0xFF) == SQLITE_BUSY || (code & 0xFF) == SQLITE_LOCKED;
  if (is_busy) message += "another process holds it, waited 10 s: ";
  if (code == SQLITE_IOERR_DATA) message += "a page fails its checksum: ";
  message += connection == nullptr ? sqlite3_errstr(code) : one_line(sqlite3_errmsg(connection));
  throw Error(kind_of(code, connection == nullptr ? 0 : sqlite3_system_errno(connection)), message);
}

void Database::fail_as_corrupt(const std::string& what) const {
  throw Error(ErrorKind::corrupt_library, "library " + file_.string() + ": " + what);
}

Statement::Statement(Database& database, std::string_view sql) : database_(&database) {
  sqlite3_stmt* prepared = nullptr;
  const int code = sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()),
                                      &prepared, nullptr);
  statement_.reset(prepared);
  if (code != SQLITE_OK) database.fail(code);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  const int code = sqlite3_bind_int64(statement_.get(), parameter, value);
  if (code != SQLITE_OK) database_->fail(code);
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view value) {
  const int code = sqlite3_bind_text64(statement_.get(), parameter, value.data(), value.size(),
                                       SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) database_->fail(code);
  return *this;
}

Statement& Statement::bind_blob(int parameter, std::string_view value) {
  const int code =
      sqlite3_bind_blob64(statement_.get(), parameter, value.data(), value.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) database_->fail(code);
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_->fail(code);
  return false;
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

// The code that it returns is the one that step has thrown.
void Statement::reset() { sqlite3_reset(statement_.get()); }

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string_view Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string_view Statement::blob(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string BlobHeads::of_row(std::int64_t row, std::size_t bytes) {
  int code = SQLITE_OK;
  if (blob_ == nullptr) {
    sqlite3_blob* opened = nullptr;
    code = sqlite3_blob_open(database_->handle(), "main", table_, column_, row, 0, &opened);
    blob_.reset(opened);
  } else {
    code = sqlite3_blob_reopen(blob_.get(), row);
  }
  if (code != SQLITE_OK) database_->fail(code);
  const auto size = static_cast<std::size_t>(sqlite3_blob_bytes(blob_.get()));
  std::string head(std::min(bytes, size), '\0');
  code = sqlite3_blob_read(blob_.get(), head.data(), static_cast<int>(head.size()), 0);
  if (code != SQLITE_OK) database_->fail(code);
  return head;
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  database.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  // What fails here has already been rolled back by SQLite, or is when the file is next opened.
  if (is_open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  is_open_ = false;
}

}  // namespace whereof::retrieval
