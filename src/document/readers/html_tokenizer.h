// HTML as a sequence of tags and texts, by the rules of the HTML standard (13.2.5), which never
// fail: any bytes are some HTML. Comments, declarations and processing instructions are passed
// over. Time and memory are linear in the source: each byte is looked at a fixed number of times.
#ifndef WHEREOF_DOCUMENT_READERS_HTML_TOKENIZER_H_
#define WHEREOF_DOCUMENT_READERS_HTML_TOKENIZER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace whereof::document {

struct HtmlToken {
  enum class Kind { text, start_tag, end_tag };

  // The value of the first attribute with this name, references replaced.
  std::optional<std::string> attribute(std::string_view name) const;

  Kind kind = Kind::text;
  std::size_t begin = 0;  // byte of the source
  // Tags: the name and those of the attributes in lower case, without a namespace prefix in XHTML.
  std::string name;
  std::vector<std::pair<std::string, std::string_view>> attributes;  // values as written
  bool is_self_closing = false;  // "<a/>"; means something in XHTML only
  // Text, which may hold references or, of <script> and the like and of CDATA, none.
  std::string_view text;
  bool has_references = true;
};

enum class HtmlSyntax {
  html,
  xhtml,  // "<script/>" is whole, CDATA is text
};

class HtmlTokenizer {
 public:
  // `source` is UTF-8 and outlives the tokenizer and its tokens.
  HtmlTokenizer(std::string_view source, HtmlSyntax syntax) : source_(source), syntax_(syntax) {}

  // False at the end.
  bool next(HtmlToken& token);

  // Where a comment, a tag or the like begins that the source's end cuts off: what stands behind it
  // is not read.
  std::optional<std::size_t> unclosed_at() const { return unclosed_at_; }

 private:
  bool begins_markup(std::size_t at) const;
  bool read_raw_text(HtmlToken& token);
  void read_text(HtmlToken& token);
  bool read_markup(HtmlToken& token);
  bool read_declaration(HtmlToken& token);
  bool read_tag(HtmlToken& token, std::size_t name_at);
  bool read_attribute(HtmlToken& token);
  std::string_view read_value();
  void skip_spaces();
  void skip_past(std::string_view mark, std::size_t from);
  void note_raw_text(const HtmlToken& token);

  std::string_view source_;
  HtmlSyntax syntax_;
  std::size_t at_ = 0;
  std::string raw_name_;  // inside <script> and the like: the name of its end tag
  bool raw_has_references_ = false;
  std::optional<std::size_t> unclosed_at_;
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_HTML_TOKENIZER_H_
