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

// In this order: a byte order mark; UTF-16 by its zero bytes; what `declared` says, where it is an
// encoding that readers of HTML and mail know and the bytes are no UTF-8 that it denies; valid
// UTF-8; GB18030 where nearly all high bytes pair up to common characters; what ICU's detector says
// of Big5, Shift-JIS and EUC-KR; else windows-1252. Bytes without a meaning become U+FFFD. Throws
// Error(bad_document) when the bytes are no text.
//
// declared: a label as in <meta charset> or Content-Type ("gb2312", "iso-8859-1"); may be empty.
DecodedText decode_text(std::string_view bytes, const std::string& name,
                        std::string_view declared = {});

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_ENCODING_H_
