#include "retrieval/fts_index.h"

#include <cstdint>
#include <exception>
#include <new>
#include <string_view>
#include <vector>

#include "retrieval/terms.h"

namespace whereof::retrieval {
namespace {

fts5_api* api_of(Database& database) {
  fts5_api* api = nullptr;
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(database.handle(), "SELECT fts5(?1)", -1, &statement, nullptr);
  if (code != SQLITE_OK) database.fail(code);
  sqlite3_bind_pointer(statement, 1, static_cast<void*>(&api), "fts5_api_ptr", nullptr);
  code = sqlite3_step(statement);
  sqlite3_finalize(statement);
  if (api == nullptr) database.fail(code);
  return api;
}

int create_tokenizer(void*, const char**, int, Fts5Tokenizer** made) {
  try {
    *made = reinterpret_cast<Fts5Tokenizer*>(new TermScanner);
    return SQLITE_OK;
  } catch (const std::exception&) {
    return SQLITE_NOMEM;
  }
}

void delete_tokenizer(Fts5Tokenizer* tokenizer) {
  delete reinterpret_cast<TermScanner*>(tokenizer);
}

using TokenCallback = int (*)(void*, int, const char*, int, int, int);

int tokenize(Fts5Tokenizer* tokenizer, void* context, int flags, const char* bytes, int length,
             TokenCallback callback) {
  const std::string_view text(bytes, bytes == nullptr ? 0 : static_cast<std::size_t>(length));
  if ((flags & FTS5_TOKENIZE_QUERY) != 0) return callback(context, 0, bytes, length, 0, length);
  try {
    int code = SQLITE_OK;
    reinterpret_cast<TermScanner*>(tokenizer)->scan(text, [&](const Term& term) {
      code = callback(context, term.is_colocated ? FTS5_TOKEN_COLOCATED : 0, term.text.data(),
                      static_cast<int>(term.text.size()), static_cast<int>(term.bytes.begin),
                      static_cast<int>(term.bytes.end));
      return code == SQLITE_OK;
    });
    return code;
  } catch (const std::exception&) {
    return SQLITE_NOMEM;
  }
}

int count_row(const Fts5ExtensionApi* api, Fts5Context* context, std::vector<std::uint32_t>& row) {
  const int columns = api->xColumnCount(context);
  const int phrases = api->xPhraseCount(context);
  row.assign(static_cast<std::size_t>(columns) * static_cast<std::size_t>(phrases + 1), 0);
  for (int column = 0; column < columns; ++column) {
    int terms = 0;
    const int code = api->xColumnSize(context, column, &terms);
    if (code != SQLITE_OK) return code;
    row[static_cast<std::size_t>(column)] = static_cast<std::uint32_t>(terms < 0 ? 0 : terms);
  }
  for (int phrase = 0; phrase < phrases; ++phrase) {
    Fts5PhraseIter at;
    int column = 0;
    int offset = 0;
    const int code = api->xPhraseFirst(context, phrase, &at, &column, &offset);
    if (code != SQLITE_OK) return code;
    while (column >= 0) {
      if (column >= columns) return SQLITE_CORRUPT_VTAB;
      ++row[static_cast<std::size_t>(columns) * static_cast<std::size_t>(phrase + 1) +
            static_cast<std::size_t>(column)];
      api->xPhraseNext(context, &at, &column, &offset);
    }
  }
  return SQLITE_OK;
}

void counts(const Fts5ExtensionApi* api, Fts5Context* context, sqlite3_context* result, int,
            sqlite3_value**) {
  try {
    std::vector<std::uint32_t> row;
    const int code = count_row(api, context, row);
    if (code != SQLITE_OK) {
      sqlite3_result_error_code(result, code);
      return;
    }
    sqlite3_result_blob64(result, row.data(), row.size() * sizeof(row[0]), SQLITE_TRANSIENT);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(result);
  }
}

}  // namespace

void register_fts(Database& database) {
  fts5_api* api = api_of(database);
  fts5_tokenizer tokenizer{create_tokenizer, delete_tokenizer, tokenize};
  int code = api->xCreateTokenizer(api, "whereof", nullptr, &tokenizer, nullptr);
  if (code == SQLITE_OK) {
    code = api->xCreateFunction(api, "whereof_counts", nullptr, counts, nullptr);
  }
  if (code != SQLITE_OK) database.fail(code);
}

}  // namespace whereof::retrieval
