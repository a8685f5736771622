// The heading of a clause: what stands behind its number, up to where the text proper begins.
#ifndef WHEREOF_DOCUMENT_CLAUSE_HEADINGS_H_
#define WHEREOF_DOCUMENT_CLAUSE_HEADINGS_H_

#include <string>
#include <string_view>

namespace whereof::document {

struct HeadingSource {
  std::string_view paragraph;  // behind the number, in its own paragraph, up to the next number
  std::string_view following;  // the paragraph after it, empty where that has its own number
  bool is_part = false;        // a part or schedule: its whole paragraph is its heading
  bool goes_on = false;        // the clause has more text or children after this paragraph
};

// Four kinds are known: a title alone in its paragraph (or, under a bare number, in the next one),
// a run-in heading ("Cap. The liability ..."), words in capitals before the text, and 【标题】.
// Empty where there is none.
std::string find_heading(const HeadingSource& source);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_CLAUSE_HEADINGS_H_
