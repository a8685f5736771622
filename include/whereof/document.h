// Documents: text with places, and the clauses in it.
#ifndef WHEREOF_DOCUMENT_H_
#define WHEREOF_DOCUMENT_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/progress.h"
#include "whereof/span.h"

namespace whereof {

enum class DocumentType { text, markdown, pdf, docx, html, epub, email };

std::string_view name_of(DocumentType type) noexcept;

struct Box {  // points (1/72 inch) from the page's upper left corner
  float left = 0, top = 0, right = 0, bottom = 0;
};

struct Page {
  Span text;          // bytes of Document::text
  std::string label;  // as printed ("iv", "12"), else the page's number counted from 1
  float width = 0;    // points; 0 where the format has no pages
  float height = 0;
};

// What a line is, as far as its reader can tell. Only body lines begin clauses.
enum class LineKind : std::uint8_t {
  body,
  header,
  footer,
  page_number,
  contents,
  footnote,
  table,
  form_field,  // a form's field as filled in, "Name: value", after the lines of its page
  annotation,  // what somebody wrote onto the page ("Note (author): text"): no text of the document
};

std::string_view name_of(LineKind kind) noexcept;  // "page_number"

// A line (PDF, TXT) or a paragraph (other formats) of the text, without its newline.
struct Line {
  Span text;  // bytes of Document::text
  LineKind kind = LineKind::body;
  bool starts_paragraph = true;
  bool is_bold = false;           // all of it
  float left = 0;                 // points from the page's left edge, or indentation; 0 unknown
  float font_size = 0;            // points; 0 unknown
  std::int32_t number_bytes = 0;  // the line begins with this many bytes of automatic
                                  // numbering (DOCX, HTML), computed by the reader
  std::int32_t level = -1;        // of that numbering, of a heading, or of the outline's entry for
                                  // this line (PDF); else -1
  std::int8_t confidence = -1;    // read from a picture by text recognition: 0 ... 100; else -1
};

enum class ClauseKind : std::uint8_t {
  preamble,  // what stands before the first numbered unit
  part,      // Article III, Part 2, 第二章: a heading over clauses
  clause,    // 3, 3.1, Section 3.02, (a), 第三条, 一、, （一）
  schedule,  // Schedule 2, Exhibit A, Annex 1, 附件一
  closing,  // from "IN WITNESS WHEREOF" or （以下无正文） to the next unit; without a number or
            // label
};

// A numbered unit. Clauses form a tree, stored in document order, parents before children.
struct Clause {
  ClauseKind kind = ClauseKind::clause;
  std::int32_t parent = -1;  // index into Document::clauses; -1 at the top
  std::int32_t depth = 0;
  std::string number;           // as printed, without trailing dot: "3.2", "(a)", "第三条"
  std::string label;            // names it in the document: "3.2(a)", "Schedule 2, 3.1",
                                // "第三条（一）"
  std::string heading;          // may be empty
  Span text;                    // with its number, heading and all that lies below it
  Span own_text;                // up to its first child
  std::int32_t first_page = 0;  // index into Document::pages
  std::int32_t last_page = 0;
};

// What was read and what was not.
struct ReadingReport {
  std::int64_t pages = 0;  // 0 where the format has no pages
  std::int64_t pages_without_text = 0;
  std::int64_t pages_recognized = 0;     // read from pictures, by text recognition (OCR)
  std::int32_t confidence = -1;          // mean of the words so read, 0 ... 100; -1: none were
  std::int64_t characters = 0;           // code points of Document::text
  std::int64_t stripped_characters = 0;  // zero-width, bidi controls, tags
  std::int64_t hidden_characters = 0;    // invisible text that was kept out
  std::vector<std::string> warnings;     // one line each
};

struct Document {
  std::string name;  // the file's name, for citations
  std::filesystem::path path;
  DocumentType type = DocumentType::text;
  std::string content_hash;  // SHA-256 of the file's bytes, 64 lower-case hex digits
  std::string text;          // UTF-8; lines end in "\n"; normalised, hyphenation undone
  std::vector<Line> lines;   // ascending
  std::vector<Page> pages;   // ascending; one for a format or file without page marks
  std::vector<Clause> clauses;
  ReadingReport report;

  // Places. source_offsets[i] is where text byte places start in the source, one entry for each run
  // whose offset difference changes (see source_offset); boxes one entry a code point (PDF only).
  struct SourceRun {
    std::int64_t text_begin = 0;    // byte of text
    std::int64_t source_begin = 0;  // code point of the decoded source (TXT, Markdown, HTML)
  };
  std::vector<SourceRun> source_runs;
  std::vector<Box> boxes;                      // [code points of text]; empty where there are none
  std::vector<std::int64_t> code_point_index;  // byte offset of every 64th code point of text

  std::string_view slice(Span span) const {
    return std::string_view(text).substr(static_cast<std::size_t>(span.begin),
                                         static_cast<std::size_t>(span.length()));
  }
  // Index into pages of the page that holds this byte of text; 0 where there are no pages.
  std::int32_t page_of(std::int64_t text_byte) const;
  // Position in the decoded source file, in code points, of this byte of text (TXT, Markdown,
  // HTML); std::nullopt for formats whose source is no text.
  std::optional<std::int64_t> source_code_point(std::int64_t text_byte) const;
  // One box a line that the span touches on each page; empty where there are no boxes.
  struct PlacedBox {
    std::int32_t page = 0;
    Box box;
  };
  std::vector<PlacedBox> boxes_of(Span span) const;
  // Index of the innermost clause that holds this byte; -1 when none does.
  std::int32_t clause_at(std::int64_t text_byte) const;
};

// Limits of robustness.md; all of them errors with the value found and the limit.
struct ReadLimits {
  std::int64_t file_bytes = 64LL << 20;
  std::int64_t pages = 5000;
  std::int64_t characters = 4'000'000;
  std::int64_t inflated_bytes = 256LL << 20;
  std::int64_t worker_memory_bytes = 1LL << 30;
  int worker_cpu_seconds = 20;
  int worker_wall_seconds = 60;
  // Text recognition: one process a page, and all pages together. Pages past it are named unread.
  int recognition_page_seconds = 30;
  int recognition_seconds = 600;
};

struct ReadDocumentOptions {
  ReadLimits limits;
  std::filesystem::path worker_program;  // empty: found beside the running program or as installed
  std::filesystem::path pdfium_library;  // empty: $WHEREOF_PDFIUM, else the cache folder's newest
  // Reads pages that have no text: tesseract, with its eng and chi_sim data where installed. Empty:
  // $WHEREOF_TESSERACT, else in $PATH; none there: such pages stay unread and are named.
  std::filesystem::path tesseract;
  bool recognizes_text = true;  // false: such pages are named without a try
  ProgressCallback progress;
  std::stop_token stop;
};

// Reads a file in a worker process of its own with these limits, then finds its clauses.
// Throws Error: not_found, input_output, bad_document (what is wrong, and how much text came from
// how many pages), unsupported (PDFium absent), cancelled.
Document read_document(const std::filesystem::path& path, const ReadDocumentOptions& options = {});

// What Document::content_hash is for this file, without reading the document. std::nullopt when it
// is no regular file that can be read within limits.file_bytes: read_document then says why.
std::optional<std::string> content_hash_of_file(const std::filesystem::path& path,
                                                const ReadLimits& limits = {});

// Text of a document on one line: a line break becomes a blank, or nothing where it stands between
// two Chinese characters. For showing; places count in the text as it was.
std::string joined_lines(std::string_view text);

// The type by name and first bytes. Throws Error(bad_document) when neither tells.
DocumentType document_type(const std::filesystem::path& path, std::string_view first_bytes);

// Fills document.clauses from document.text and document.lines; pure function of these.
void find_clauses(Document& document);

// One self-contained byte string with everything above, versioned and checksummed; used between
// worker and parent and by the library. parse_document throws Error(unsupported) for what another
// version of serialize_document wrote, and Error(bad_document) for anything else that this one did
// not write.
std::string serialize_document(const Document& document);
Document parse_document(std::string_view bytes);
// Whether bytes begin as serialize_document of this version does; kSerializedHead of them are
// enough.
constexpr std::int64_t kSerializedHead = 12;
bool is_serialized_document(std::string_view bytes);

}  // namespace whereof

#endif  // WHEREOF_DOCUMENT_H_
