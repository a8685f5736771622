#include "document/readers/pdf_annotations.h"

#include <algorithm>
#include <set>

#include "document/readers/page_display.h"
#include "document/readers/pdf_strings.h"

namespace whereof::document {
namespace {

constexpr int kMostNotes = 10000;  // a page

// Subtypes and flags as PDFium numbers them (fpdf_annot.h).
constexpr int kLink = 2;
constexpr int kFreeText = 3;
constexpr int kPopup = 16;
constexpr int kWidget = 20;
constexpr int kHidden = 1 << 1;
constexpr int kNoView = 1 << 5;

// Types of form fields (fpdf_formfill.h).
constexpr int kPushButton = 1;
constexpr int kCheckBox = 2;
constexpr int kRadioButton = 3;
constexpr int kSignature = 7;

class NotesReader {
 public:
  NotesReader(const PdfiumLibrary& pdfium, PdfiumLibrary::Page page, PdfiumLibrary::Form form)
      : pdfium_(pdfium), form_(form), page_(page), display_(pdfium, page) {}

  PageNotes read() {
    const int count = std::min(pdfium_.count_annotations(page_), kMostNotes);
    for (int i = 0; i < count; ++i) {
      PdfiumLibrary::Annotation annotation = pdfium_.annotation(page_, i);
      if (annotation == nullptr) continue;
      add(annotation);
      pdfium_.close_annotation(annotation);
    }
    return std::move(notes_);
  }

 private:
  void add(PdfiumLibrary::Annotation annotation) {
    PageNote note;
    const int subtype = pdfium_.annotation_subtype(annotation);
    if (subtype == kLink || subtype == kPopup) return;
    if (subtype == kWidget) {
      note.kind = LineKind::form_field;
      note.text = field_text(annotation);
    } else if (subtype == kFreeText) {
      note.kind = LineKind::form_field;
      note.text = value(annotation, "Contents");
    } else {
      note.text = value(annotation, "Contents");
      if (note.text.empty()) return;
      const std::u32string author = value(annotation, "T");
      note.text =
          (author.empty() ? U"Annotation: " : U"Annotation (" + author + U"): ") + note.text;
    }
    if (note.text.empty()) return;
    if ((pdfium_.annotation_flags(annotation) & (kHidden | kNoView)) != 0) {
      notes_.hidden_characters += static_cast<std::int64_t>(note.text.size());
      return;
    }
    PdfRectangle rectangle{};
    if (pdfium_.annotation_rectangle(annotation, &rectangle) != 0) {
      note.box = display_.map(rectangle);
    }
    notes_.notes.push_back(std::move(note));
  }

  std::u32string value(PdfiumLibrary::Annotation annotation, const char* key) const {
    return pdf_string([&](char16_t* out, unsigned long bytes) {
      return pdfium_.annotation_string(annotation, key, out, bytes);
    });
  }

  std::u32string field_text(PdfiumLibrary::Annotation annotation) {
    if (form_ == nullptr) return {};
    const int type = pdfium_.field_type(form_, annotation);
    if (type <= kPushButton || type == kSignature) return {};
    const bool is_switch = type == kCheckBox || type == kRadioButton;
    const std::u32string filled_in = pdf_string([&](char16_t* out, unsigned long bytes) {
      return pdfium_.field_value(form_, annotation, out, bytes);
    });
    if (filled_in.empty() || (is_switch && filled_in == U"Off")) return {};
    std::u32string name = pdf_string([&](char16_t* out, unsigned long bytes) {
      return pdfium_.field_shown_name(form_, annotation, out, bytes);
    });
    if (name.empty()) {
      name = pdf_string([&](char16_t* out, unsigned long bytes) {
        return pdfium_.field_name(form_, annotation, out, bytes);
      });
    }
    const std::u32string text = name.empty() ? filled_in : name + U": " + filled_in;
    // All buttons of a group say which of them is set.
    return is_switch && !switches_.insert(text).second ? std::u32string() : text;
  }

  const PdfiumLibrary& pdfium_;
  PdfiumLibrary::Form form_;
  PdfiumLibrary::Page page_;
  PageDisplay display_;
  PageNotes notes_;
  std::set<std::u32string> switches_;
};

}  // namespace

PageNotes read_notes(const PdfiumLibrary& pdfium, PdfiumLibrary::Page page,
                     PdfiumLibrary::Form form) {
  return NotesReader(pdfium, page, form).read();
}

}  // namespace whereof::document
