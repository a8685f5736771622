// What POST /v1/ask and /v1/why ask for.
#ifndef WHEREOF_SERVER_ASK_REQUEST_H_
#define WHEREOF_SERVER_ASK_REQUEST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exchange.h"
#include "json_fields.h"

namespace whereof::server {

constexpr std::size_t kQuestionBytes = 16'384;
constexpr std::size_t kNameBytes = 256;     // of models, users, ids
constexpr std::size_t kPlaceBytes = 2'048;  // of a clause's label or words
constexpr std::size_t kMostEarlier = 64;    // questions that may be sent along
constexpr std::size_t kMostDocuments = 12;  // that one answer reads
constexpr std::int64_t kMostTokens = 1 << 20;

struct AskRequest {
  std::vector<std::string> documents;  // "file-..." ids, each once
  bool asks_all = false;               // all documents of the library; documents is empty
  std::string question;
  std::vector<std::string> earlier;  // AskOptions::earlier
  std::string model;                 // empty: the server's own
  std::string user;                  // whose turn it is, for the queue
  double budget_seconds = 60;
  std::int64_t max_tokens = 256;
  std::int64_t max_citations = 5;
  double temperature = 0;
  std::uint64_t seed = 0;
  bool is_extract = false;  // "quote"
  bool verifies = false;
  bool ranks_by_attention = false;
  std::vector<std::string> hidden;  // labels of clauses, or words
  // What the answer should rest on: a label, words, or either.
  std::optional<std::string> expected;
  enum class Expected { clause_or_words, clause, words } expected_is = Expected::clause_or_words;
  bool streams = true;
};

// Throw HttpError(400) that names the field.
AskRequest ask_request(const Json& body);
AskRequest why_request(const Json& body);

// "budget_seconds", "max_citations", "quote", "verify", "rank": what any question to documents may
// say of how it is answered.
void read_manner(const JsonFields& fields, AskRequest& request);
// Refuses an id twice, too many, and what cannot be an id.
void check_documents(const JsonFields& fields, std::string_view name,
                     const std::vector<std::string>& ids);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_ASK_REQUEST_H_
