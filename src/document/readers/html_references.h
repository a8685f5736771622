// Character references of HTML: "&amp;", "&#8217;", "&#x2019;".
#ifndef WHEREOF_DOCUMENT_READERS_HTML_REFERENCES_H_
#define WHEREOF_DOCUMENT_READERS_HTML_REFERENCES_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace whereof::document {

struct HtmlReference {
  char32_t value = 0;
  std::size_t bytes = 0;  // with its "&"; 0: what stands here is no reference but text
};

// The reference at the start of `text`, which begins with "&". As the HTML standard (13.2.5.72) has
// it: the names of Latin-1 need no semicolon, except before "=", a letter or a digit in an
// attribute; numbers from 128 to 159 are windows-1252, as filings write them; 0, surrogates and
// what is no scalar value are U+FFFD. Of the standard's 2,125 names those are known that stand for
// one character of HTML 4 or for punctuation; any other is text as it is written.
HtmlReference html_reference(std::string_view text, bool in_attribute);

// An attribute's value with its references replaced.
std::string html_attribute_value(std::string_view raw);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_HTML_REFERENCES_H_
