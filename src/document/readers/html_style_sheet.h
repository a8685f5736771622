// The rules of <style> elements, as far as they decide what a reader of the page sees.
#ifndef WHEREOF_DOCUMENT_READERS_HTML_STYLE_SHEET_H_
#define WHEREOF_DOCUMENT_READERS_HTML_STYLE_SHEET_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "document/readers/html_elements.h"
#include "document/readers/html_tokenizer.h"

namespace whereof::document {

// Selectors of one element: p, .note, #end, p.note, p#end. Those with combinators, states or
// attributes are passed over, and so are media other than the screen, sizes of screens, imported
// sheets and colours of text, whose ground such a selector may well set.
class HtmlStyleSheet {
 public:
  // Adds the content of a <style> element. Any bytes are some sheet. Linear in them.
  void add(std::string_view css);

  // What the rules say of an element, the weightier later. Linear in its classes.
  HtmlDeclarations declarations_for(const HtmlToken& start_tag) const;

 private:
  struct Value {
    std::string value;
    std::int64_t weight = 0;  // of the selector, then of the place
  };
  using Declarations = std::map<std::string, Value>;  // by property

  void add_rule(std::string_view selectors, std::string_view declarations);

  std::unordered_map<std::string, Declarations> rules_;  // by selector
  std::int64_t order_ = 0;
};

// The sheet of all <style> elements of a page.
HtmlStyleSheet style_sheet_of(std::string_view utf8, HtmlSyntax syntax);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_HTML_STYLE_SHEET_H_
