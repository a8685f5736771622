// The parts of an e-mail (RFC 5322, 2045 to 2047, 2231), as tolerant as mail needs: headers may be
// broken, boundaries may be missing. Time is linear in the message for each level of nesting.
#ifndef WHEREOF_DOCUMENT_READERS_MIME_H_
#define WHEREOF_DOCUMENT_READERS_MIME_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace whereof::document {

constexpr std::size_t kMimeDepth = 16;
constexpr std::size_t kMimeParts = 1000;
constexpr std::size_t kMimeHeaders = 10'000;        // of a part; others are passed over
constexpr std::size_t kMimeHeaderBytes = 64 << 10;  // of each; the rest of it likewise

// "text/html; charset=gb2312": the value in lower case, parameters with their names in lower case.
struct MimeValue {
  std::string value;
  std::vector<std::pair<std::string, std::string>> parameters;

  std::string_view parameter(std::string_view name) const;  // empty when absent
};

struct MimePart {
  // The first header of this name (lower case), unfolded; empty when absent.
  std::string_view header(std::string_view name) const;
  MimeValue content_type() const;  // text/plain when absent
  std::string file_name() const;   // UTF-8; empty when the part is no file
  bool is_attachment() const;
  std::string decoded_body() const;  // quoted-printable and base64 undone; of any charset

  std::vector<std::pair<std::string, std::string>> headers;
  std::string_view body;  // as it is in the message
};

// Splits one entity into headers and body.
MimePart mime_part(std::string_view entity);

// The entities between the boundary lines of a multipart body; empty when there is none.
std::vector<std::string_view> mime_children(std::string_view body, std::string_view boundary);

// A header's text with its encoded words ("=?utf-8?B?...?=") decoded. UTF-8.
std::string mime_words(std::string_view text);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_MIME_H_
