// PDF: characters of every page (pdf_page.h), lines in reading order (page_layout.h), headings
// by the outline, what repeats at the edges (page_furniture.h), footnotes, words and paragraphs
// joined (line_joining.h), contents pages (contents_lines.h), then the text with one box a
// character.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "document/readers/aligned_tables.h"
#include "document/readers/contents_lines.h"
#include "document/readers/line_joining.h"
#include "document/readers/margin_numbers.h"
#include "document/readers/outline_headings.h"
#include "document/readers/page_footnotes.h"
#include "document/readers/page_furniture.h"
#include "document/readers/page_layout.h"
#include "document/readers/page_report.h"
#include "document/readers/pdf_annotations.h"
#include "document/readers/pdf_file.h"
#include "document/readers/pdf_page.h"
#include "document/readers/reader.h"
#include "document/readers/ruled_tables.h"
#include "document/readers/table_rows.h"
#include "document/readers/vertical_writing.h"
#include "document/text_builder.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof::document {
namespace {

constexpr float kWideGap = 3;  // in units of the character size

struct PagesRead {
  std::vector<LaidOutPage> pages;
  std::vector<std::vector<PageNote>> notes;  // [pages]
  PageOutcomes outcomes;
};

bool is_written_at(const std::vector<Glyph>& written, std::size_t count, const Glyph& glyph) {
  const float x = (glyph.box.left + glyph.box.right) / 2;
  const float y = (glyph.box.top + glyph.box.bottom) / 2;
  return std::any_of(written.begin(), written.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const Glyph& other) {
                       return x > other.box.left && x < other.box.right && y > other.box.top &&
                              y < other.box.bottom;
                     });
}

// What recognition read of a picture joins the characters that are written over it, but for words
// that are written there as well: half of their characters at least.
void add_recognized(const RecognizedPage& recognized, PdfPageContent& content) {
  const std::size_t written = content.glyphs.size();
  const std::vector<Glyph>& words = recognized.glyphs;
  for (std::size_t i = 0; i < words.size();) {
    std::size_t end = i, hits = 0;
    for (; end < words.size() && words[end].object == words[i].object; ++end) {
      hits += is_written_at(content.glyphs, written, words[end]) ? 1 : 0;
    }
    const auto at = [&](std::size_t n) { return words.begin() + static_cast<std::ptrdiff_t>(n); };
    if (hits * 2 < end - i) content.glyphs.insert(content.glyphs.end(), at(i), at(end));
    i = end;
  }
}

class PagesReader {
 public:
  PagesReader(const PdfFile& file, const PdfiumLibrary& pdfium, TextRecognizer* recognizer,
              const ReadLimits& limits, Document& document)
      : file_(file),
        pdfium_(pdfium),
        recognition_(pdfium, recognizer),
        limits_(limits),
        document_(document) {}

  PagesRead read(const ReaderProgress& progress) {
    const int count = file_.pages();
    for (int i = 0; i < count; ++i) {
      LaidOutPage page;
      page.label = file_.label(i);
      read_.outcomes.pages.push_back(read_page(i, page));
      read_.outcomes.has_text.push_back(!page.lines.empty() || !read_.notes.back().empty());
      read_.pages.push_back(std::move(page));
      if (progress) progress(i + 1, count);
    }
    return std::move(read_);
  }

 private:
  PageOutcome read_page(int index, LaidOutPage& page) {
    PdfiumLibrary::Page handle = file_.load(index);
    read_.notes.emplace_back();
    if (handle == nullptr) return PageOutcome::broken;
    PdfPageContent content = read_pdf_page(pdfium_, handle);
    PageNotes notes = read_notes(pdfium_, handle, file_.form());
    PageOutcome outcome =
        content.glyphs.empty() && notes.notes.empty() ? PageOutcome::empty : PageOutcome::text;
    if (content.is_picture) outcome = recognize(handle, content);
    read_.notes.back() = std::move(notes.notes);
    pdfium_.close_page(handle);
    page.width = content.width;
    page.height = content.height;
    document_.report.hidden_characters += content.hidden_characters + notes.hidden_characters;
    characters_ += static_cast<std::int64_t>(content.glyphs.size());
    if (characters_ > limits_.characters) {
      throw Error(ErrorKind::bad_document,
                  document_.name + ": more than " + std::to_string(limits_.characters) +
                      " characters of text by page " + std::to_string(index + 1));
    }
    turn_vertical_writing(content);
    const std::vector<RuledTable> tables = take_tables(content);
    page.lines = lay_out(content);
    join_aligned_rows(page.lines);
    insert_tables(tables, page.lines);
    for (LayoutLine& line : page.lines) line.page = index;
    return outcome;
  }

  PageOutcome recognize(PdfiumLibrary::Page handle, PdfPageContent& content) {
    if (!recognition_.is_available()) return PageOutcome::picture_unread;
    const auto recognized = recognition_.read(handle);
    if (!recognized) return PageOutcome::picture_failed;
    const std::size_t written = content.glyphs.size();
    add_recognized(*recognized, content);
    const auto added = static_cast<double>(content.glyphs.size() - written);
    if (added == 0) return written == 0 ? PageOutcome::picture_blank : PageOutcome::text;
    read_.outcomes.recognizer = recognition_.description();
    read_.outcomes.confidence_sum += recognized->confidence * added;
    read_.outcomes.recognized_characters += added;
    return PageOutcome::recognized;
  }

  const PdfFile& file_;
  const PdfiumLibrary& pdfium_;
  PageRecognition recognition_;
  const ReadLimits& limits_;
  Document& document_;
  PagesRead read_;
  std::int64_t characters_ = 0;
};

void write_line(const LayoutLine& line, TextBuilder& builder) {
  const Glyph* last = nullptr;
  for (const Glyph& glyph : line.glyphs) {
    if (glyph.space_before && last != nullptr) {
      Box gap{last->box.right, glyph.box.top, glyph.box.left, glyph.box.bottom};
      if (gap.right < gap.left || glyph.direction != 0) gap = Box{};
      builder.add(U' ', gap);
    }
    builder.add(glyph.value, glyph.box);
    last = &glyph;
  }
}

void write_note(const PageNote& note, TextBuilder& builder, std::vector<bool>& wide_gap) {
  for (const char32_t c : note.text) builder.add(c, note.box);
  if (builder.is_line_empty()) return;
  Line line;
  line.kind = note.kind;
  line.left = note.box.left;
  builder.end_line(line);
  wide_gap.push_back(false);
}

// The labels of the file; else the numbers as printed, where nearly every page has one of its own;
// else the pages counted from 1.
std::vector<std::string> labels_of(const std::vector<LaidOutPage>& pages) {
  std::set<std::string> printed;
  std::size_t with_number = 0;
  for (const LaidOutPage& page : pages) {
    if (page.printed_number.empty()) continue;
    ++with_number;
    printed.insert(page.printed_number);
  }
  const bool use_printed = printed.size() == with_number && with_number * 5 >= pages.size() * 4;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (!pages[i].label.empty()) {
      labels.push_back(pages[i].label);
    } else if (use_printed && !pages[i].printed_number.empty()) {
      labels.push_back(pages[i].printed_number);
    } else {
      labels.push_back(std::to_string(i + 1));
    }
  }
  return labels;
}

void write_text(const PagesRead& read, const ReadLimits& limits, Document& document) {
  TextBuilder builder(document, limits.characters);
  std::vector<bool> wide_gap;
  const std::vector<std::string> labels = labels_of(read.pages);
  for (std::size_t i = 0; i < read.pages.size(); ++i) {
    const LaidOutPage& page = read.pages[i];
    for (const LayoutLine& laid_out : page.lines) {
      write_line(laid_out, builder);
      if (builder.is_line_empty()) continue;  // all its characters were stripped
      Line line;
      line.kind = laid_out.kind;
      line.starts_paragraph = laid_out.starts_paragraph;
      line.is_bold = laid_out.is_bold;
      line.left = laid_out.begin;
      line.font_size = laid_out.size;
      line.confidence = laid_out.confidence;
      line.level = laid_out.level;
      builder.end_line(line);
      wide_gap.push_back(laid_out.widest_gap > kWideGap);
    }
    for (const PageNote& note : read.notes[i]) write_note(note, builder, wide_gap);
    builder.end_page({{}, labels[i], page.width, page.height});
  }
  builder.finish();
  mark_contents(document, wide_gap);
}

}  // namespace

void read_pdf(std::string_view bytes, const ReadLimits& limits, const PdfiumLibrary& pdfium,
              TextRecognizer* recognizer, const ReaderProgress& progress, Document& document) {
  const PdfFile file(pdfium, bytes, document.name);
  if (file.pages() <= 0) {
    throw Error(ErrorKind::bad_document, document.name + ": a PDF without pages");
  }
  if (file.pages() > limits.pages) {
    throw Error(ErrorKind::bad_document, document.name + ": " + std::to_string(file.pages()) +
                                             " pages; the limit is " +
                                             std::to_string(limits.pages));
  }
  PagesRead read = PagesReader(file, pdfium, recognizer, limits, document).read(progress);
  const std::vector<bool>& has_text = read.outcomes.has_text;
  if (std::find(has_text.begin(), has_text.end(), true) == has_text.end())
    refuse_textless(read.outcomes, document);
  drop_margin_numbers(read.pages);
  mark_outline(file.outline(), read.pages);
  mark_furniture(read.pages);
  mark_footnotes(read.pages);
  undo_hyphenation(read.pages);
  mark_paragraphs(read.pages);
  write_text(read, limits, document);
  if (document.lines.empty()) refuse_textless(read.outcomes, document);
  report_pages(read.outcomes, document);
}

}  // namespace whereof::document
