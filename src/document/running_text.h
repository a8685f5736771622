// The content of a document as one text to search, without page furniture: what is broken by the
// end of a line or a page stands together.
#ifndef WHEREOF_DOCUMENT_RUNNING_TEXT_H_
#define WHEREOF_DOCUMENT_RUNNING_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/document.h"

namespace whereof::document {

// Lines of kind body, table and footnote. "\n" stands where a paragraph starts, a blank for every
// other run of spaces and line ends, nothing for a line end between two Chinese characters; tabs
// stay, for they part the cells of a table.
class RunningText {
 public:
  explicit RunningText(const Document& document);

  std::string_view text() const { return text_; }
  // Bytes of Document::text; begin < end <= text().size().
  Span source(std::size_t begin, std::size_t end) const;
  std::int64_t source(std::size_t at) const;
  // The first byte of text() at or behind this byte of Document::text.
  std::size_t place_of(std::int64_t source_byte) const;

 private:
  struct Run {
    std::size_t begin = 0;
    std::int64_t source = 0;
  };
  void add(std::string_view bytes, std::int64_t source);
  void add_line(std::string_view line, std::int64_t source);

  std::string text_;
  std::vector<Run> runs_;  // one wherever text and source part company
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_RUNNING_TEXT_H_
