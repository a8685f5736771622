// An open PDF: its pages, their labels, its outline, its form.
#ifndef WHEREOF_DOCUMENT_READERS_PDF_FILE_H_
#define WHEREOF_DOCUMENT_READERS_PDF_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "document/readers/pdfium_library.h"

namespace whereof::document {

struct OutlineEntry {
  std::u32string title;
  int page = 0;   // counted from 0
  int level = 0;  // 0: at the top
};

class PdfFile {
 public:
  // bytes must outlive the file. Throws Error(bad_document) for an encrypted or a broken file; one
  // that is encrypted with the empty password is opened.
  PdfFile(const PdfiumLibrary& pdfium, std::string_view bytes, const std::string& name);
  ~PdfFile();
  PdfFile(const PdfFile&) = delete;
  PdfFile& operator=(const PdfFile&) = delete;

  int pages() const { return pdfium_.page_count(handle_); }
  std::string label(int page) const;  // empty: the file gives it none
  PdfiumLibrary::Page load(int page) const { return pdfium_.load_page(handle_, page); }
  PdfiumLibrary::Form form() const { return form_; }  // null where there is none

  // In the order of the file; entries without a page are left out.
  std::vector<OutlineEntry> outline() const;

 private:
  void add_outline(PdfiumLibrary::Bookmark parent, int level, std::size_t& visited,
                   std::vector<OutlineEntry>& entries) const;

  const PdfiumLibrary& pdfium_;
  PdfiumLibrary::Document handle_;
  PdfFormInfo form_info_;  // read by PDFium as long as the form is open
  PdfiumLibrary::Form form_ = nullptr;
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PDF_FILE_H_
