// What became of each page of a PDF, as the warnings and errors that people read.
#ifndef WHEREOF_DOCUMENT_READERS_PAGE_REPORT_H_
#define WHEREOF_DOCUMENT_READERS_PAGE_REPORT_H_

#include <string>
#include <vector>

#include "whereof/document.h"

namespace whereof::document {

enum class PageOutcome {
  text,
  recognized,      // read from its picture, or some of it
  picture_unread,  // a picture, and nothing to read it with
  picture_failed,  // recognition failed, or its time was over
  picture_blank,   // recognition found no words
  broken,
  empty,
};

struct PageOutcomes {
  std::vector<PageOutcome> pages;
  std::vector<bool> has_text;  // [pages], characters, whatever their source
  std::string recognizer;      // "tesseract eng, chi_sim"; empty: none was used
  double confidence_sum = 0;   // over recognised characters
  double recognized_characters = 0;
};

// Fills the page counts, the confidence and the warnings of document.report.
void report_pages(const PageOutcomes& outcomes, Document& document);

// Throws the Error of a document without text, which says what its pages are.
[[noreturn]] void refuse_textless(const PageOutcomes& outcomes, const Document& document);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PAGE_REPORT_H_
