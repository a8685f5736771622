// What the elements of HTML and their inline styles mean for the text.
#ifndef WHEREOF_DOCUMENT_READERS_HTML_ELEMENTS_H_
#define WHEREOF_DOCUMENT_READERS_HTML_ELEMENTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/readers/html_tokenizer.h"

namespace whereof::document {

// Properties of an element, a set of bits.
enum HtmlTrait : unsigned {
  kVoid = 1U << 0,        // has no content and no end tag
  kBlock = 1U << 1,       // stands on lines of its own
  kSpecial = 1U << 2,     // an end tag of another element does not reach past it
  kScope = 1U << 3,       // nor does any start or end tag's implied end: table cells and the like
  kFormatting = 1U << 4,  // may overlap with others: <b><i></b></i>
  kClosesP = 1U << 5,     // its start tag ends an open paragraph
  kNoText = 1U << 6,      // what it holds is not seen, or is no text: <script>, <select>
  kHead = 1U << 7,        // may stand in <head>
  kBold = 1U << 8,
  kHeading = 1U << 9,
  kPreformatted = 1U << 10,
};

// The traits of an element; of an unknown one, none.
unsigned html_traits(std::string_view name);

// What an element's attributes say of it; what is left open is as in the element around it.
struct HtmlStyle {
  bool is_hidden = false;       // by its attribute, or not displayed, or transparent
  bool is_displayed = true;     // display: none
  bool is_transparent = false;  // opacity: 0
  bool has_background = false;  // white text may stand on it
  bool breaks_before = false;   // a page ends before it
  bool breaks_after = false;
  std::optional<bool> is_invisible;  // visibility: hidden
  std::optional<bool> is_tiny;       // a font of at most a point
  std::optional<bool> is_white;
  std::optional<bool> is_bold;
  std::optional<bool> is_preformatted;
  std::optional<std::string> list_style;  // "lower-alpha", "none"
};

struct HtmlDeclaration {  // "display: none"; property and value in lower case
  std::string property;
  std::string value;
  bool is_important = false;
};
using HtmlDeclarations = std::vector<HtmlDeclaration>;

// "display: none; color: red" as declarations.
HtmlDeclarations html_declarations(std::string_view css);

// sheet: what style sheets say of the element, the weightier later; the style attribute weighs
// most.
HtmlStyle html_style(const HtmlToken& start_tag, const HtmlDeclarations& sheet);

// How <ol type="..."> or list-style-type counts, as a format of format_number; nothing for what is
// not known.
std::optional<std::string_view> html_list_format(std::string_view type);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_HTML_ELEMENTS_H_
