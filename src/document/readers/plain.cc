// TXT and Markdown: lines with their place in the decoded file, in code points of the file as it is
// on disk (a byte order mark counts, CR LF counts as two).
//
// Blank lines are kept out of the text but part paragraphs. A form feed ends a page, and so does
// the <PAGE> of old filings of the SEC, whose table marks are left out as well. Leading spaces
// become Line::left, in columns. In Markdown the marks of headings and of strong emphasis, the
// backslashes of escapes and the tags of HTML are left out of the text.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "document/normalize.h"
#include "document/readers/contents_lines.h"
#include "document/readers/encoding.h"
#include "document/readers/plain_furniture.h"
#include "document/readers/reader.h"
#include "document/readers/sec_filing.h"
#include "document/text_builder.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof::document {
namespace {

constexpr std::int64_t kTabColumns = 8;
constexpr char32_t kDropped = 0x110000;  // no character of Unicode

struct SourceCharacter {
  char32_t value;
  std::int64_t at;  // code points from the file's start
};

// Whether a Markdown line that begins so is a list item, a table row or a quotation.
bool begins_item(char first) {
  return std::string_view("-*+0123456789|>").find(first) != std::string_view::npos;
}

class PlainReader {
 public:
  PlainReader(const ReadLimits& limits, Document& document)
      : document_(document),
        builder_(document, limits.characters),
        is_markdown_(document.type == DocumentType::markdown) {}

  void read(std::string_view utf8) {
    std::int64_t number = 0;
    for (std::size_t at = 0; at < utf8.size(); ++number) {
      const text::CodePoint point = text::decode_at(utf8, at);
      const std::size_t next = at + static_cast<std::size_t>(point.bytes);
      take(point.value, number, next < utf8.size() ? utf8[next] : '\0');
      invalid_ += point.is_valid ? 0 : 1;
      at = next;
    }
    end_line(number);
    end_page();
    builder_.finish();
  }

  std::int64_t invalid() const { return invalid_; }
  const std::vector<bool>& after_blank() const { return after_blank_; }

 private:
  void take(char32_t c, std::int64_t number, char next_byte) {
    if (number == 0 && c == 0xFEFF) return;
    if (c == U'\r' && next_byte == '\n') return;
    if (c == U'\n' && is_torn_heading(next_byte)) {
      line_.push_back({U' ', number});
    } else if (c == U'\n' || c == U'\r') {
      end_line(number);
    } else if (c == U'\f') {
      end_line(number);
      end_page();
    } else {
      line_.push_back({c, number});
    }
  }

  // Filings tear "§ 6.1" and "ARTICLE 5" over two lines.
  bool is_torn_heading(char next_byte) const {
    constexpr std::size_t kLongest = 16;
    if (is_markdown_ || next_byte < '0' || next_byte > '9' || line_.size() > kLongest) return false;
    std::string line;
    for (const SourceCharacter& c : line_) {
      if (!is_space(c.value)) text::append(line, c.value);
    }
    return line == "§" || line == "ARTICLE" || line == "Article";
  }

  void end_line(std::int64_t number) {
    if (is_markdown_) drop_tags();
    Line line;
    std::size_t begin = skip_indentation(line);
    if (!is_markdown_ && begin < line_.size() && line_[begin].value == U'<' && take_mark()) return;
    if (begin == line_.size()) {
      after_blank_line_ = true;
      line_.clear();
      return;
    }
    if (is_markdown_) begin = read_heading(begin, line);
    const std::size_t end = end_of_ink(begin);
    for (std::size_t i = begin; i < line_.size(); ++i) {
      if (is_markdown_ && is_mark(i)) continue;
      if (i >= end && !is_stripped(line_[i].value)) continue;  // the others are counted
      builder_.add(line_[i].value, line_[i].at);
    }
    line_.clear();
    if (builder_.is_line_empty()) return;  // all its characters were stripped
    const auto line_bytes = static_cast<std::size_t>(builder_.line_bytes());
    const bool is_item =
        is_markdown_ && begins_item(document_.text[document_.text.size() - line_bytes]);
    line.starts_paragraph = after_blank_line_ || is_item || document_.lines.empty();
    builder_.end_line(line, number);
    after_blank_.push_back(after_blank_line_);
    after_blank_line_ = line.level >= 0;  // what follows a heading is another paragraph
  }

  // Behind the last character that is seen; `begin` when none is.
  std::size_t end_of_ink(std::size_t begin) const {
    std::size_t end = line_.size();
    while (end > begin) {
      const char32_t last = line_[end - 1].value;
      const bool is_ink = !is_space(last) && !is_stripped(last);
      if (is_ink && !(is_markdown_ && is_mark(end - 1))) break;
      --end;
    }
    return end;
  }

  // Whether the line is markup of a filing; then it is done with.
  bool take_mark() {
    std::string line;
    for (const SourceCharacter& c : line_) text::append(line, c.value);
    const SecMark mark = sec_mark(line);
    if (mark == SecMark::none) return false;
    line_.clear();
    after_blank_line_ = true;
    if (mark == SecMark::page && !document_.text.empty()) end_page();
    return true;
  }

  std::size_t skip_indentation(Line& line) const {
    std::size_t begin = 0;
    std::int64_t column = 0;
    while (begin < line_.size() && (is_space(line_[begin].value) || line_[begin].value == 0xFEFF)) {
      const char32_t c = line_[begin].value;
      column += c == U'\t' ? kTabColumns - column % kTabColumns : c == 0x3000 ? 2 : 1;
      ++begin;
    }
    line.left = static_cast<float>(column);
    return begin;
  }

  // "## Title ##": the marks go, the level stays.
  std::size_t read_heading(std::size_t begin, Line& line) {
    std::size_t at = begin;
    while (at < line_.size() && line_[at].value == U'#') ++at;
    const std::size_t marks = at - begin;
    if (marks == 0 || marks > 6 || at == line_.size() || !is_space(line_[at].value)) return begin;
    line.level = static_cast<std::int32_t>(marks) - 1;
    line.is_bold = true;
    after_blank_line_ = true;
    while (at < line_.size() && is_space(line_[at].value)) ++at;
    while (line_.size() > at && (line_.back().value == U'#' || is_space(line_.back().value))) {
      line_.pop_back();
    }
    return at;
  }

  bool is_mark(std::size_t i) const {
    const char32_t c = line_[i].value;
    const char32_t next = i + 1 < line_.size() ? line_[i + 1].value : 0;
    const char32_t last = i > 0 ? line_[i - 1].value : 0;
    if (c == U'\\') return next != 0 && next < 0x80 && !is_letter(next) && next != U' ';
    if (c == U'*') return last != U'\\' && (next == U'*' || last == U'*');
    return false;
  }

  // The tags of HTML that Markdown may hold: "<span id=...>". A tag ends on its line and holds no
  // other, so that the search is linear.
  void drop_tags() {
    for (std::size_t i = 0; i < line_.size(); ++i) {
      if (line_[i].value != U'<') continue;
      std::size_t end = i + 1;
      while (end < line_.size() && line_[end].value != U'>' && line_[end].value != U'<') ++end;
      if (end == line_.size() || line_[end].value == U'<' || !is_tag(i + 1, end)) continue;
      const bool breaks = line_[i + 1].value == U'b' && line_[i + 2].value == U'r';
      for (; i < end; ++i) line_[i].value = kDropped;
      line_[end].value = breaks ? U' ' : kDropped;
    }
    std::erase_if(line_, [](const SourceCharacter& c) { return c.value == kDropped; });
  }

  // Whether these characters, behind "<", name an element that may stand inside a paragraph.
  // "<Company Name>" is a blank to be filled in.
  bool is_tag(std::size_t begin, std::size_t end) const {
    constexpr std::string_view kNames[] = {"a",     "abbr", "b",      "br",  "code", "del", "div",
                                           "em",    "font", "i",      "ins", "mark", "p",   "s",
                                           "small", "span", "strong", "sub", "sup",  "u"};
    if (line_[begin].value == U'/') ++begin;
    std::string name;
    for (; begin < end && is_letter(line_[begin].value) && name.size() < 8; ++begin) {
      text::append(name, line_[begin].value);
    }
    const bool ends = begin == end || is_space(line_[begin].value) || line_[begin].value == U'/';
    return ends && std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
  }

  void end_page() {
    const std::int64_t begin = document_.pages.empty() ? 0 : document_.pages.back().text.end;
    const bool is_blank = begin == static_cast<std::int64_t>(document_.text.size());
    if (is_blank && !document_.pages.empty()) return;
    builder_.end_page({{}, std::to_string(document_.pages.size() + 1), 0, 0});
    after_blank_line_ = true;
  }

  Document& document_;
  TextBuilder builder_;
  bool is_markdown_;
  std::vector<SourceCharacter> line_;
  bool after_blank_line_ = true;
  std::vector<bool> after_blank_;
  std::int64_t invalid_ = 0;
};

// In a file whose lines are broken at a width, a line that goes on from the one above starts no
// paragraph. Files with one paragraph a line (no usual width) keep each line as one.
void mark_wrapped_paragraphs(Document& document) {
  std::vector<std::int64_t> lengths;
  for (const Line& line : document.lines) {
    lengths.push_back(text::count_code_points(document.slice(line.text)) +
                      static_cast<std::int64_t>(line.left));
  }
  if (lengths.empty()) return;
  std::vector<std::int64_t> sorted = lengths;
  std::sort(sorted.begin(), sorted.end());
  const std::int64_t width = sorted[sorted.size() * 9 / 10];
  const bool is_wrapped = sorted.back() <= 160 || width <= 100;
  for (std::size_t i = 0; i < document.lines.size(); ++i) {
    Line& line = document.lines[i];
    if (line.starts_paragraph) continue;
    const Line& above = document.lines[i - 1];
    const bool ends_early = lengths[i - 1] * 10 < width * 7;
    const bool is_indented = line.left > above.left + 1;
    line.starts_paragraph = !is_wrapped || ends_early || is_indented;
  }
}

}  // namespace

void read_plain(std::string_view bytes, const ReadLimits& limits, Document& document) {
  const DecodedText decoded = decode_text(bytes, document.name);
  PlainReader reader(limits, document);
  reader.read(decoded.utf8);
  if (document.lines.empty()) {
    throw Error(ErrorKind::bad_document, document.name + ": 0 characters of text in its " +
                                             std::to_string(bytes.size()) + " bytes");
  }
  if (document.type == DocumentType::text) {
    mark_plain_furniture(document, reader.after_blank());
    mark_wrapped_paragraphs(document);
  }
  mark_contents(document, {});
  if (document.pages.size() > 1) {
    document.report.pages = static_cast<std::int64_t>(document.pages.size());
  }
  if (decoded.is_guess) {
    document.report.warnings.push_back("encoding guessed: " + decoded.encoding);
  }
  if (reader.invalid() > 0) {
    document.report.warnings.push_back(std::to_string(reader.invalid()) + " bytes are no " +
                                       decoded.encoding + " and stand as U+FFFD");
  }
}

}  // namespace whereof::document
