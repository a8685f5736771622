// The document that a command names: read once, then taken from the library.
#ifndef WHEREOF_CLI_DOCUMENT_SOURCE_H_
#define WHEREOF_CLI_DOCUMENT_SOURCE_H_

#include <stop_token>
#include <string>

#include "terminal.h"
#include "whereof/document.h"
#include "whereof/retrieval.h"

namespace whereof::cli {

// What a FILE argument may be, for --help.
constexpr const char* kFileTypes = "PDF, DOCX, HTML, EPUB, e-mail, TXT or Markdown";

// The document in this file; "-" is standard input. When the library holds these bytes, the
// document comes from there, else it is read and added. Warnings of the reader go to standard
// error. Throws what read_document and Library throw.
Document document_from(const std::string& file, Library& library, ProgressLine& progress,
                       std::stop_token stop);

// The same without a library.
Document document_from(const std::string& file, ProgressLine& progress, std::stop_token stop);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_DOCUMENT_SOURCE_H_
