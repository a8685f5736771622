// The text of HTML as a reader of the page sees it, written to a FlowWriter.
//
// Left out: scripts, styles, templates, menus to choose from, deleted text (<del>), and what
// cannot be seen: hidden elements, fonts of no size, white on no ground of another colour; the
// latter is counted in report.hidden_characters. Styles in the tags and the simple rules of <style>
// elements are applied (html_style_sheet.h); sheets in other files are not. Items of <ol> get their
// computed numbers; lines inside <nav> are LineKind::contents. <page> of old filings and page
// breaks in styles end pages.
#ifndef WHEREOF_DOCUMENT_READERS_HTML_FLOW_H_
#define WHEREOF_DOCUMENT_READERS_HTML_FLOW_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/readers/flow_writer.h"
#include "document/readers/html_open_elements.h"
#include "document/readers/html_style_sheet.h"
#include "document/readers/html_tokenizer.h"
#include "whereof/document.h"

namespace whereof::document {

constexpr std::int64_t kHtmlElements = 2'000'000;

class HtmlFlow {
 public:
  HtmlFlow(Document& document, FlowWriter& writer);

  // Reads one page of HTML, UTF-8. May be called for several, one after another. Throws
  // Error(bad_document): deeper than kHtmlDepth, more than kHtmlElements elements in all, or more
  // text than the writer takes. What a cut comment or tag swallows becomes a warning.
  // first_place: the place of its first character, in code points of the source.
  void read(std::string_view utf8, HtmlSyntax syntax, std::int64_t first_place = 0);

 private:
  struct List {
    bool is_ordered = false;
    std::string format;
    std::int64_t next = 1;
    std::int64_t step = 1;
  };

  void take_text(const HtmlToken& token);
  void take_character(char32_t c, std::size_t at);
  void start(const HtmlToken& token, HtmlSyntax syntax);
  void start_block(const HtmlToken& token, const HtmlElement& element);
  void start_list(const HtmlToken& token, const HtmlElement& element);
  void start_item(const HtmlToken& token, const HtmlElement& element);
  void end(const HtmlElement& element);
  void count_reversed_items(std::string_view utf8, HtmlSyntax syntax);
  std::int64_t place(std::size_t at);

  Document& document_;
  FlowWriter& writer_;
  HtmlOpenElements open_;
  HtmlStyleSheet sheet_;  // of the page that is read
  std::vector<List> lists_;
  std::int64_t elements_ = 0;
  std::int64_t deleted_characters_ = 0;
  std::vector<std::int64_t> item_counts_;  // of each <ol> in order, where some are reversed
  std::size_t ordered_lists_ = 0;          // begun so far
  // The place of byte place_byte_ of the source; moves on only.
  std::string_view source_;
  std::size_t place_byte_ = 0;
  std::int64_t place_ = 0;
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_HTML_FLOW_H_
