// The encoding of a text file, and its text as UTF-8.
#ifndef WHEREOF_DOCUMENT_READERS_ENCODING_H_
#define WHEREOF_DOCUMENT_READERS_ENCODING_H_

#include <string>
#include <string_view>

namespace whereof::document {

struct DecodedText {
  std::string utf8;       // a byte order mark stays in it as U+FEFF: positions count it
  std::string encoding;   // "UTF-8", "UTF-16LE", "GB18030", ...
  bool is_guess = false;  // neither a mark nor the bytes themselves prove it
};

// In this order: a byte order mark; valid UTF-8; UTF-16 by its zero bytes; GB18030 where nearly all
// high bytes pair up to common characters; what ICU's detector says of Big5, Shift-JIS and EUC-KR;
// else windows-1252. Bytes without a meaning become U+FFFD. Throws Error(bad_document) when the
// bytes are no text.
DecodedText decode_text(std::string_view bytes, const std::string& name);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_ENCODING_H_
