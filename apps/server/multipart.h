// multipart/form-data (RFC 7578): the parts of an upload.
#ifndef WHEREOF_SERVER_MULTIPART_H_
#define WHEREOF_SERVER_MULTIPART_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whereof::server {

struct FormPart {
  std::string name;
  std::optional<std::string> file_name;  // as sent
  std::string_view content;              // in the body
};

// Linear in the body; a body is at most 16 parts, a part's head at most 8 KiB. Throws HttpError:
// 415 (content_type names no form or no boundary), 400 (a body that is cut or ill-formed).
std::vector<FormPart> form_parts(std::string_view content_type, std::string_view body);

// What remains of a client's file name: what follows its last slash of either kind, UTF-8, no
// control characters, at most 200 bytes; "document" when nothing remains. It is shown and kept as
// data; no path is made of it.
std::string safe_file_name(std::string_view name);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_MULTIPART_H_
