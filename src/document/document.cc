// Places in a document: pages, source positions, boxes, clauses.
//
// A byte of text is turned into its code point's number by the index of every 64th code point (a
// binary search and at most 64 steps); boxes and source runs are counted in code points.
#include "whereof/document.h"

#include <algorithm>
#include <iterator>

#include "text/utf8.h"

namespace whereof {
namespace {

// The number of the code point that holds this byte; the count of all of them at the end.
std::int64_t code_point_number(const Document& document, std::int64_t byte) {
  const auto& index = document.code_point_index;
  const auto after = std::upper_bound(index.begin(), index.end(), byte);
  if (after == index.begin()) return 0;
  std::int64_t number = (std::distance(index.begin(), after) - 1) * 64;
  std::int64_t at = *std::prev(after);
  while (at < byte && at < static_cast<std::int64_t>(document.text.size())) {
    at += text::decode_at(document.text, static_cast<std::size_t>(at)).bytes;
    if (at <= byte) ++number;
  }
  return number;
}

bool is_empty(const Box& box) { return box.right <= box.left || box.bottom <= box.top; }

Box united(const Box& a, const Box& b) {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

// Whether a character's box belongs to the line that a box already covers: a hyphenated word's
// second half was moved up in the text, but keeps its place on the page.
bool on_same_line(const Box& line, const Box& box) {
  const float middle = (box.top + box.bottom) / 2;
  return middle > line.top && middle < line.bottom;
}

}  // namespace

std::string_view name_of(DocumentType type) noexcept {
  switch (type) {
    case DocumentType::text:
      return "text";
    case DocumentType::markdown:
      return "Markdown";
    case DocumentType::pdf:
      return "PDF";
    case DocumentType::docx:
      return "DOCX";
    case DocumentType::html:
      return "HTML";
    case DocumentType::epub:
      return "EPUB";
    case DocumentType::email:
      return "e-mail";
  }
  return "unknown";
}

std::string_view name_of(LineKind kind) noexcept {
  switch (kind) {
    case LineKind::body:
      return "body";
    case LineKind::header:
      return "header";
    case LineKind::footer:
      return "footer";
    case LineKind::page_number:
      return "page_number";
    case LineKind::contents:
      return "contents";
    case LineKind::footnote:
      return "footnote";
    case LineKind::table:
      return "table";
    case LineKind::form_field:
      return "form_field";
    case LineKind::annotation:
      return "annotation";
  }
  return "unknown";
}

std::int32_t Document::page_of(std::int64_t text_byte) const {
  const auto after =
      std::upper_bound(pages.begin(), pages.end(), text_byte,
                       [](std::int64_t byte, const Page& page) { return byte < page.text.begin; });
  if (after == pages.begin()) return 0;
  // Pages without text share their beginning with the next page: upper_bound passed all of them.
  return static_cast<std::int32_t>(std::distance(pages.begin(), after) - 1);
}

std::optional<std::int64_t> Document::source_code_point(std::int64_t text_byte) const {
  if (source_runs.empty()) return std::nullopt;
  auto run = std::upper_bound(
      source_runs.begin(), source_runs.end(), text_byte,
      [](std::int64_t byte, const SourceRun& entry) { return byte < entry.text_begin; });
  if (run != source_runs.begin()) --run;
  return run->source_begin + code_point_number(*this, text_byte) -
         code_point_number(*this, run->text_begin);
}

std::vector<Document::PlacedBox> Document::boxes_of(Span span) const {
  std::vector<PlacedBox> placed;
  if (boxes.empty() || span.is_empty()) return placed;
  auto line = std::upper_bound(lines.begin(), lines.end(), span.begin,
                               [](std::int64_t byte, const Line& l) { return byte < l.text.end; });
  for (; line != lines.end() && line->text.begin < span.end; ++line) {
    const std::int64_t begin = std::max(span.begin, line->text.begin);
    const std::int64_t first = code_point_number(*this, begin);
    const std::int64_t last = code_point_number(*this, std::min(span.end, line->text.end));
    const std::int32_t page = page_of(begin);
    bool starts_line = true;
    for (std::int64_t i = first; i < last && i < static_cast<std::int64_t>(boxes.size()); ++i) {
      const Box& box = boxes[static_cast<std::size_t>(i)];
      if (is_empty(box)) continue;
      if (!starts_line && on_same_line(placed.back().box, box)) {
        placed.back().box = united(placed.back().box, box);
      } else {
        placed.push_back({page, box});
        starts_line = false;
      }
    }
  }
  return placed;
}

std::int32_t Document::clause_at(std::int64_t text_byte) const {
  // Parents stand before their children, so the last clause that holds the byte is the innermost.
  const auto after = std::upper_bound(
      clauses.begin(), clauses.end(), text_byte,
      [](std::int64_t byte, const Clause& clause) { return byte < clause.text.begin; });
  auto index = static_cast<std::int32_t>(std::distance(clauses.begin(), after)) - 1;
  while (index >= 0 && !clauses[static_cast<std::size_t>(index)].text.contains(text_byte)) {
    index = clauses[static_cast<std::size_t>(index)].parent;
  }
  return index;
}

}  // namespace whereof
