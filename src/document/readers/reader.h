// One reader a file type: bytes in, Document out, in the worker process.
#ifndef WHEREOF_DOCUMENT_READERS_READER_H_
#define WHEREOF_DOCUMENT_READERS_READER_H_

#include <cstdint>
#include <functional>
#include <string_view>

#include "document/readers/pdfium_library.h"
#include "document/readers/text_recognition.h"
#include "whereof/document.h"

namespace whereof::document {

// Pages or parts done, of how many.
using ReaderProgress = std::function<void(std::int64_t done, std::int64_t total)>;

// Each fills text, lines, pages, report and places; document.name and type are set by the caller.
// Each throws Error(bad_document) and, when memory ends, std::bad_alloc; nothing else.
void read_plain(std::string_view bytes, const ReadLimits& limits, Document& document);
void read_html(std::string_view bytes, const ReadLimits& limits, Document& document);
void read_epub(std::string_view bytes, const ReadLimits& limits, const ReaderProgress& progress,
               Document& document);
void read_email(std::string_view bytes, const ReadLimits& limits, Document& document);
void read_docx(std::string_view bytes, const ReadLimits& limits, const ReaderProgress& progress,
               Document& document);
// recognizer: null where pages without text are to stay unread.
void read_pdf(std::string_view bytes, const ReadLimits& limits, const PdfiumLibrary& pdfium,
              TextRecognizer* recognizer, const ReaderProgress& progress, Document& document);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_READER_H_
