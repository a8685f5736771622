// Fields of a JSON body, each checked for its kind and range; the refusal names the field, what it
// was and what was wanted.
#ifndef WHEREOF_SERVER_JSON_FIELDS_H_
#define WHEREOF_SERVER_JSON_FIELDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exchange.h"

namespace whereof::server {

// The object in a request's body. Throws HttpError: 415 (another Content-Type), 400 (no JSON, no
// UTF-8, no object, nested deeper than 64, over 10,000 keys, a key twice in one object). Of what
// was parsed the request lets its bytes go: those who wait for their turn hold it once.
Json parse_body(Request& request);

// Reads fields of one object, which must outlive it. null counts as absent. Each throws
// HttpError(400) with the field as its param.
class JsonFields {
 public:
  // path: how the object is named in messages, such as "messages[2]"; empty for the body.
  explicit JsonFields(const Json& object, std::string path = {});

  std::optional<std::string> text(std::string_view name, std::size_t most_bytes) const;
  std::string needed_text(std::string_view name, std::size_t most_bytes) const;
  // A whole number; 3.0 is one, "3" and 1e308 are none.
  std::optional<std::int64_t> integer(std::string_view name, std::int64_t least,
                                      std::int64_t most) const;
  std::optional<double> number(std::string_view name, double least, double most) const;
  std::optional<bool> boolean(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name, std::size_t most,
                                 std::size_t most_bytes) const;
  const Json* array(std::string_view name, std::size_t most) const;  // null where absent
  const Json* object(std::string_view name) const;                   // null where absent
  const Json* any(std::string_view name) const;                      // null where absent
  // Refuses fields that are none of these.
  void only(std::initializer_list<std::string_view> names) const;
  // Refuses one field: "FIELD: VALUE was given, WANTED is wanted".
  [[noreturn]] void refuse(std::string_view name, std::string_view wanted) const;

 private:
  std::string named(std::string_view name) const;
  const Json& object_;
  std::string path_;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_JSON_FIELDS_H_
