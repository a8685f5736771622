// PDF: characters of every page (pdf_page.h), lines in reading order (page_layout.h), what repeats
// at the edges (page_furniture.h), words and paragraphs joined (line_joining.h), contents pages
// (contents_lines.h), then the text with one box a character.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "document/readers/contents_lines.h"
#include "document/readers/line_joining.h"
#include "document/readers/page_furniture.h"
#include "document/readers/page_layout.h"
#include "document/readers/pdf_page.h"
#include "document/readers/reader.h"
#include "document/text_builder.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof::document {
namespace {

constexpr float kWideGap = 3;  // in units of the character size

class PdfFile {
 public:
  PdfFile(const PdfiumLibrary& pdfium, std::string_view bytes, const std::string& name)
      : pdfium_(pdfium), handle_(pdfium.load_document(bytes.data(), bytes.size(), nullptr)) {
    if (handle_ != nullptr) return;
    switch (pdfium.get_last_error()) {
      case kPdfErrorPassword:
        throw Error(ErrorKind::bad_document,
                    name + ": an encrypted PDF that needs a password; nothing was read");
      case kPdfErrorSecurity:
        throw Error(ErrorKind::bad_document,
                    name + ": an encrypted PDF of an unknown security scheme; nothing was read");
      default:
        throw Error(ErrorKind::bad_document, name +
                                                 ": a broken PDF; no page could be found in its " +
                                                 std::to_string(bytes.size()) + " bytes");
    }
  }
  ~PdfFile() {
    if (handle_ != nullptr) pdfium_.close_document(handle_);
  }
  PdfFile(const PdfFile&) = delete;
  PdfFile& operator=(const PdfFile&) = delete;

  int pages() const { return pdfium_.page_count(handle_); }

  std::string label(int page) const {
    const unsigned long bytes = pdfium_.page_label(handle_, page, nullptr, 0);
    if (bytes < 4 || bytes > 256 || bytes % 2 != 0) return {};
    std::string utf16(bytes, '\0');
    pdfium_.page_label(handle_, page, utf16.data(), bytes);
    std::string label;
    for (std::size_t i = 0; i + 3 < utf16.size(); i += 2) {
      const auto unit = static_cast<char32_t>(static_cast<unsigned char>(utf16[i]) |
                                              static_cast<unsigned char>(utf16[i + 1]) << 8);
      if (unit >= 0x20) text::append(label, unit);
    }
    return label;
  }

  PdfiumLibrary::Page load(int page) const { return pdfium_.load_page(handle_, page); }

 private:
  const PdfiumLibrary& pdfium_;
  PdfiumLibrary::Document handle_;
};

struct PagesRead {
  std::vector<LaidOutPage> pages;
  std::vector<int> unreadable;
  std::vector<int> pictures_only;
};

PagesRead read_pages(const PdfFile& file, const PdfiumLibrary& pdfium, const ReadLimits& limits,
                     const ReaderProgress& progress, Document& document) {
  PagesRead read;
  const int count = file.pages();
  std::int64_t characters = 0;
  for (int i = 0; i < count; ++i) {
    LaidOutPage page;
    page.label = file.label(i);
    if (PdfiumLibrary::Page handle = file.load(i)) {
      const PdfPageContent content = read_pdf_page(pdfium, handle);
      pdfium.close_page(handle);
      page.width = content.width;
      page.height = content.height;
      document.report.hidden_characters += content.hidden_characters;
      characters += static_cast<std::int64_t>(content.glyphs.size());
      if (characters > limits.characters) {
        throw Error(ErrorKind::bad_document,
                    document.name + ": more than " + std::to_string(limits.characters) +
                        " characters of text by page " + std::to_string(i + 1));
      }
      page.lines = lay_out(content);
      for (LayoutLine& line : page.lines) line.page = i;
      if (content.glyphs.empty() && content.has_image) read.pictures_only.push_back(i);
    } else {
      read.unreadable.push_back(i);
    }
    read.pages.push_back(std::move(page));
    if (progress) progress(i + 1, count);
  }
  return read;
}

// "2, 5-9, 12"; pages counted from 1.
std::string page_list(const std::vector<int>& pages) {
  std::string list;
  for (std::size_t i = 0; i < pages.size();) {
    std::size_t j = i;
    while (j + 1 < pages.size() && pages[j + 1] == pages[j] + 1) ++j;
    if (!list.empty()) list += ", ";
    list += std::to_string(pages[i] + 1);
    if (j > i) list += "-" + std::to_string(pages[j] + 1);
    i = j + 1;
  }
  return list;
}

std::string counted(std::int64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

[[noreturn]] void refuse_textless(const PagesRead& read, const Document& document) {
  const auto pages = static_cast<std::int64_t>(read.pages.size());
  std::string message = document.name + ": 0 characters of text on " + counted(pages, "page");
  if (!read.pictures_only.empty()) {
    message += "; " + counted(static_cast<std::int64_t>(read.pictures_only.size()), "page") +
               " with pictures only: a scan, which needs text recognition (OCR) first";
  }
  if (document.report.hidden_characters > 0) {
    message += "; " + counted(document.report.hidden_characters, "hidden character") + " left out";
  }
  if (!read.unreadable.empty()) {
    message += "; unreadable: " + page_list(read.unreadable);
  }
  throw Error(ErrorKind::bad_document, message);
}

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
      builder.end_line(line);
      wide_gap.push_back(laid_out.widest_gap > kWideGap);
    }
    builder.end_page({{}, labels[i], page.width, page.height});
  }
  builder.finish();
  mark_contents(document, wide_gap);
}

void report_pages(const PagesRead& read, Document& document) {
  ReadingReport& report = document.report;
  report.pages = static_cast<std::int64_t>(read.pages.size());
  for (const LaidOutPage& page : read.pages) report.pages_without_text += page.lines.empty();
  std::vector<int> empty;
  for (std::size_t i = 0; i < read.pages.size(); ++i) {
    const auto page = static_cast<int>(i);
    if (!read.pages[i].lines.empty()) continue;
    if (std::find(read.pictures_only.begin(), read.pictures_only.end(), page) !=
        read.pictures_only.end()) {
      continue;
    }
    if (std::find(read.unreadable.begin(), read.unreadable.end(), page) != read.unreadable.end()) {
      continue;
    }
    empty.push_back(page);
  }
  const std::string of_all = " of " + std::to_string(report.pages);
  if (!read.pictures_only.empty()) {
    report.warnings.push_back("page " + page_list(read.pictures_only) + of_all +
                              ": pictures without text, not read");
  }
  if (!read.unreadable.empty()) {
    report.warnings.push_back("page " + page_list(read.unreadable) + of_all + ": broken, not read");
  }
  if (!empty.empty()) {
    report.warnings.push_back("page " + page_list(empty) + of_all + ": empty");
  }
  if (report.hidden_characters > 0) {
    report.warnings.push_back(counted(report.hidden_characters, "hidden character") +
                              " kept out of the text");
  }
}

}  // namespace

void read_pdf(std::string_view bytes, const ReadLimits& limits, const PdfiumLibrary& pdfium,
              const ReaderProgress& progress, Document& document) {
  const PdfFile file(pdfium, bytes, document.name);
  if (file.pages() <= 0) {
    throw Error(ErrorKind::bad_document, document.name + ": a PDF without pages");
  }
  if (file.pages() > limits.pages) {
    throw Error(ErrorKind::bad_document, document.name + ": " + std::to_string(file.pages()) +
                                             " pages; the limit is " +
                                             std::to_string(limits.pages));
  }
  PagesRead read = read_pages(file, pdfium, limits, progress, document);
  const bool has_text = std::any_of(read.pages.begin(), read.pages.end(),
                                    [](const LaidOutPage& page) { return !page.lines.empty(); });
  if (!has_text) refuse_textless(read, document);
  mark_furniture(read.pages);
  undo_hyphenation(read.pages);
  mark_paragraphs(read.pages);
  write_text(read, limits, document);
  if (document.lines.empty()) refuse_textless(read, document);
  report_pages(read, document);
}

}  // namespace whereof::document
