// The elements of HTML that are open at one point of the source: what start tags imply the end of,
// and how far end tags reach (HTML standard 13.2.6, as far as it matters for the text).
#ifndef WHEREOF_DOCUMENT_READERS_HTML_OPEN_ELEMENTS_H_
#define WHEREOF_DOCUMENT_READERS_HTML_OPEN_ELEMENTS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "document/readers/html_elements.h"

namespace whereof::document {

constexpr std::size_t kHtmlDepth = 256;

struct HtmlElement {
  std::string name;
  unsigned traits = 0;
  HtmlStyle style;

  // What holds for the text in it, by it and the elements around it.
  bool has_no_text = false;
  bool is_deleted = false;  // <del>
  bool is_hidden = false;
  bool is_invisible = false;
  bool is_tiny = false;
  bool is_white = false;
  bool has_background = false;
  bool is_bold = false;
  bool is_preformatted = false;
  bool is_navigation = false;
  int heading = -1;  // level, counted from 0

  bool is_seen() const {
    return !is_hidden && !is_invisible && !is_tiny && !(is_white && !has_background);
  }
};

class HtmlOpenElements {
 public:
  // `on_end` is called for each element that ends, innermost first, while it is still open.
  using OnEnd = std::function<void(const HtmlElement&)>;
  explicit HtmlOpenElements(OnEnd on_end) : on_end_(std::move(on_end)) {}

  // Ends what this start tag implies the end of. False: the tag means nothing here.
  bool prepare(std::string_view name, unsigned traits);
  // Opens it. False when kHtmlDepth elements are open.
  bool open(HtmlElement element);
  void close(std::string_view name);
  void close_all() { close_from(0); }
  // Text of the page begins: a head that is open ends.
  void leave_head();

  // How the text is that stands here.
  const HtmlElement& innermost() const { return open_.empty() ? root_ : open_.back(); }

 private:
  void close_from(std::size_t index);
  void close_nearest(std::string_view name, unsigned barrier);
  void close_item(std::string_view name, std::string_view other);
  void close_to_table_part(bool keeps_row, bool keeps_section);
  void inherit_from(std::size_t index);
  static void inherit(const HtmlElement& outer, HtmlElement& element);

  OnEnd on_end_;
  HtmlElement root_;
  std::vector<HtmlElement> open_;
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_HTML_OPEN_ELEMENTS_H_
