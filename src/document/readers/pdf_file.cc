#include "document/readers/pdf_file.h"

#include "document/readers/pdf_strings.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof::document {
namespace {

// An outline may be a ring.
constexpr std::size_t kMostBookmarks = 20000;
constexpr int kDeepestBookmarks = 16;

}  // namespace

PdfFile::PdfFile(const PdfiumLibrary& pdfium, std::string_view bytes, const std::string& name)
    : pdfium_(pdfium), handle_(pdfium.load_document(bytes.data(), bytes.size(), nullptr)) {
  if (handle_ != nullptr) {
    if (pdfium.form_type(handle_) != 0) form_ = pdfium.open_form(handle_, &form_info_);
    return;
  }
  switch (pdfium.get_last_error()) {
    case kPdfErrorPassword:
      throw Error(ErrorKind::bad_document,
                  name + ": an encrypted PDF that needs a password; nothing was read");
    case kPdfErrorSecurity:
      throw Error(ErrorKind::bad_document,
                  name + ": an encrypted PDF of an unknown security scheme; nothing was read");
    default:
      throw Error(ErrorKind::bad_document, name + ": a broken PDF; no page could be found in its " +
                                               std::to_string(bytes.size()) + " bytes");
  }
}

PdfFile::~PdfFile() {
  if (form_ != nullptr) pdfium_.close_form(form_);
  if (handle_ != nullptr) pdfium_.close_document(handle_);
}

std::string PdfFile::label(int page) const {
  constexpr std::size_t kLongest = 120;
  const std::u32string found = pdf_string([&](char16_t* out, unsigned long bytes) {
    return pdfium_.page_label(handle_, page, out, bytes);
  });
  std::string label;
  if (found.size() > kLongest) return label;
  for (const char32_t c : found) text::append(label, c);
  return label;
}

std::vector<OutlineEntry> PdfFile::outline() const {
  std::vector<OutlineEntry> entries;
  std::size_t visited = 0;
  add_outline(nullptr, 0, visited, entries);
  return entries;
}

void PdfFile::add_outline(PdfiumLibrary::Bookmark parent, int level, std::size_t& visited,
                          std::vector<OutlineEntry>& entries) const {
  if (level > kDeepestBookmarks) return;
  PdfiumLibrary::Bookmark bookmark = pdfium_.first_bookmark(handle_, parent);
  for (; bookmark != nullptr && visited < kMostBookmarks;
       bookmark = pdfium_.next_bookmark(handle_, bookmark)) {
    ++visited;
    OutlineEntry entry;
    entry.level = level;
    entry.title = pdf_string([&](char16_t* out, unsigned long bytes) {
      return pdfium_.bookmark_title(bookmark, out, bytes);
    });
    PdfiumLibrary::Destination destination = pdfium_.bookmark_destination(handle_, bookmark);
    entry.page = destination == nullptr ? -1 : pdfium_.destination_page(handle_, destination);
    if (entry.page >= 0 && !entry.title.empty()) entries.push_back(std::move(entry));
    add_outline(bookmark, level + 1, visited, entries);
  }
}

}  // namespace whereof::document
