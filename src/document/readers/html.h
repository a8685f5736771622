// What readers of formats that hold HTML share (read_html is in reader.h).
#ifndef WHEREOF_DOCUMENT_READERS_HTML_H_
#define WHEREOF_DOCUMENT_READERS_HTML_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "whereof/document.h"

namespace whereof::document {

// The encoding that <meta> or an XML declaration in the first 4,096 bytes names; else empty.
std::string declared_html_encoding(std::string_view bytes);

// Throws Error(bad_document) when a document of so many bytes has no line of text.
void require_text(const Document& document, std::size_t source_bytes);

// Adds the warning that says how many hidden characters were kept out, where there are some. Names
// of parts in warnings come from the file: bytes that are no UTF-8 become U+FFFD.
void finish_warnings(Document& document);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_HTML_H_
