// The SGML files in which the SEC publishes filings: documents one after another, each HTML, plain
// text or encoded data.
//
//     <DOCUMENT>
//     <TYPE>EX-10.1
//     <FILENAME>lease.htm
//     <TEXT>
//     ...
//     </TEXT>
//     </DOCUMENT>
#ifndef WHEREOF_DOCUMENT_READERS_SEC_FILING_H_
#define WHEREOF_DOCUMENT_READERS_SEC_FILING_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "document/readers/flow_writer.h"

namespace whereof::document {

struct SecPart {
  enum class Kind { html, text, data };
  Kind kind = Kind::text;
  std::string name;       // its file's name, else its type
  std::string_view text;  // of the source
};

struct SecFiling {
  std::vector<SecPart> parts;  // none: it is no such file
};

SecFiling sec_filing(std::string_view utf8);

// Whether a line of filed text is markup alone; of old filings, before HTML: "<PAGE>" with or
// without the number of the page that it begins, "<TABLE>", "<S>   <C>".
enum class SecMark { none, page, table };
SecMark sec_mark(std::string_view line);

// Writes plain text, line by line; page marks end pages, table marks are left out.
void write_filed_text(std::string_view utf8, std::int64_t first_place, FlowWriter& writer);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_SEC_FILING_H_
