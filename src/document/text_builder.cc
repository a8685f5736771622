#include "document/text_builder.h"

#include <utility>

#include "document/normalize.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof::document {

TextBuilder::TextBuilder(Document& document, std::int64_t max_characters)
    : document_(document), max_characters_(max_characters) {}

void TextBuilder::append(char32_t c) {
  if (characters_ >= max_characters_) {
    throw Error(
        ErrorKind::bad_document,
        document_.name + ": more than " + std::to_string(max_characters_) + " characters of text");
  }
  if (characters_ % 64 == 0) {
    document_.code_point_index.push_back(static_cast<std::int64_t>(document_.text.size()));
  }
  text::append(document_.text, c);
  ++characters_;
}

void TextBuilder::add(char32_t c) {
  if (is_stripped(c)) {
    ++document_.report.stripped_characters;
    return;
  }
  normalize(c, scratch_);
  for (const char32_t part : scratch_) append(part);
}

void TextBuilder::add(char32_t c, const Box& box) {
  add(c);
  document_.boxes.resize(static_cast<std::size_t>(characters_), box);
}

void TextBuilder::add(char32_t c, std::int64_t source_code_point) {
  const auto begin = static_cast<std::int64_t>(document_.text.size());
  const std::int64_t before = characters_;
  add(c);
  if (characters_ == before) return;
  if (source_code_point != next_source_) {
    document_.source_runs.push_back({begin, source_code_point});
  }
  next_source_ = source_code_point + 1;
  if (characters_ - before == 1) return;
  // A ligature: each of its letters points at the one character in the source.
  auto at = static_cast<std::size_t>(begin);
  for (std::int64_t i = before + 1; i < characters_; ++i) {
    at += static_cast<std::size_t>(text::decode_at(document_.text, at).bytes);
    document_.source_runs.push_back({static_cast<std::int64_t>(at), source_code_point});
  }
}

void TextBuilder::add(std::string_view utf8) {
  for (std::size_t at = 0; at < utf8.size();) {
    const text::CodePoint point = text::decode_at(utf8, at);
    add(point.value);
    at += static_cast<std::size_t>(point.bytes);
  }
}

bool TextBuilder::is_line_empty() const { return line_bytes() == 0; }

std::int64_t TextBuilder::line_bytes() const {
  return static_cast<std::int64_t>(document_.text.size()) - line_begin_;
}

void TextBuilder::drop_trailing_spaces() {
  std::string& text = document_.text;
  while (line_bytes() > 0 && (text.back() == ' ' || text.back() == '\t')) {
    text.pop_back();
    --characters_;
    if (characters_ % 64 == 0) document_.code_point_index.pop_back();
    if (!document_.boxes.empty()) document_.boxes.pop_back();
    next_source_ = -1;
  }
  auto& runs = document_.source_runs;
  while (!runs.empty() && runs.back().text_begin >= static_cast<std::int64_t>(text.size())) {
    runs.pop_back();
  }
}

void TextBuilder::end_line(Line line, std::int64_t source_code_point) {
  drop_trailing_spaces();
  line.text = {line_begin_, static_cast<std::int64_t>(document_.text.size())};
  document_.lines.push_back(line);
  if (source_code_point >= 0 && source_code_point != next_source_) {
    document_.source_runs.push_back({line.text.end, source_code_point});
  }
  next_source_ = source_code_point >= 0 ? source_code_point + 1 : -1;
  append('\n');
  if (!document_.boxes.empty()) document_.boxes.resize(static_cast<std::size_t>(characters_));
  line_begin_ = static_cast<std::int64_t>(document_.text.size());
}

void TextBuilder::end_page(Page page) {
  page.text = {page_begin_, static_cast<std::int64_t>(document_.text.size())};
  document_.pages.push_back(std::move(page));
  page_begin_ = static_cast<std::int64_t>(document_.text.size());
}

void TextBuilder::finish() {
  document_.report.characters = characters_;
  // A document that begins with lines of stripped characters only has boxes for the rest.
  if (!document_.boxes.empty()) document_.boxes.resize(static_cast<std::size_t>(characters_));
  document_.code_point_index.shrink_to_fit();
}

}  // namespace whereof::document
