// What stands on a page beside its own text: form fields as filled in, and annotations.
#ifndef WHEREOF_DOCUMENT_READERS_PDF_ANNOTATIONS_H_
#define WHEREOF_DOCUMENT_READERS_PDF_ANNOTATIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "document/readers/pdfium_library.h"
#include "whereof/document.h"

namespace whereof::document {

struct PageNote {
  LineKind kind = LineKind::annotation;
  std::u32string text;
  Box box;
};

struct PageNotes {
  std::vector<PageNote> notes;  // in the order of the file
  std::int64_t hidden_characters = 0;
};

// Form fields with a value: "Name: value", the name that people are shown where there is one; of
// check boxes and radio buttons those that are set. Text typed over the page (FreeText) is a
// form_field without a name. Notes, comments on marked text and the like: "Annotation (author):
// text". What its flags hide is counted, not returned. form: null where the file has no form.
PageNotes read_notes(const PdfiumLibrary& pdfium, PdfiumLibrary::Page page,
                     PdfiumLibrary::Form form);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PDF_ANNOTATIONS_H_
