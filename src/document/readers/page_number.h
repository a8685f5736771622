// Page numbers as printed: "12", "- 3 -", "iv", "Page 3 of 52", "3/52", "A-4", "第3页", "第 3 页 共
// 9 页".
#ifndef WHEREOF_DOCUMENT_READERS_PAGE_NUMBER_H_
#define WHEREOF_DOCUMENT_READERS_PAGE_NUMBER_H_

#include <optional>
#include <string>
#include <string_view>

namespace whereof::document {

struct PageNumber {
  int value = 0;  // 4 for "iv"
  bool is_roman = false;
  bool is_explicit = false;  // says that it is one ("Page 3", "3 of 52", 第3页): needs no company
  std::u32string prefix;     // "A-" of "A-4"
  std::u32string printed;    // the number alone: "iv", "A-4"
};

// The whole line is a page number, or nothing.
std::optional<PageNumber> parse_page_number(std::u32string_view line);

// Decimal digits replaced by '#', spaces dropped, letters in lower case: equal for the running
// titles of two pages.
std::u32string running_title_key(std::u32string_view line);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_PAGE_NUMBER_H_
