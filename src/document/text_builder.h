// Builds Document::text line by line, with the places of every character.
#ifndef WHEREOF_DOCUMENT_TEXT_BUILDER_H_
#define WHEREOF_DOCUMENT_TEXT_BUILDER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "whereof/document.h"

namespace whereof::document {

class TextBuilder {
 public:
  // Throws Error(bad_document) from any call that would pass max_characters.
  TextBuilder(Document& document, std::int64_t max_characters);

  // Appends what stands for c to the open line; a stripped character is counted only.
  void add(char32_t c);
  // The same with its place on the page; for a document, all characters have one or none has.
  void add(char32_t c, const Box& box);
  // The same with its place in the decoded source, in code points; likewise.
  void add(char32_t c, std::int64_t source_code_point);
  void add(std::string_view utf8);

  // Closes the open line: its span is filled in, a newline appended. Trailing spaces are dropped.
  // source_code_point: where the newline stands in the source, where the document has such places.
  void end_line(Line line, std::int64_t source_code_point = -1);
  bool is_line_empty() const;
  std::int64_t line_bytes() const;

  // The page that began where the last one ended (or at the start) ends here.
  void end_page(Page page);

  // Computes the index and the counts. Call once, at the end.
  void finish();

 private:
  void append(char32_t c);
  void drop_trailing_spaces();

  Document& document_;
  std::int64_t max_characters_;
  std::int64_t characters_ = 0;
  std::int64_t line_begin_ = 0;
  std::int64_t page_begin_ = 0;
  std::int64_t next_source_ = -1;  // the source position that needs no new run
  std::u32string scratch_;
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_TEXT_BUILDER_H_
