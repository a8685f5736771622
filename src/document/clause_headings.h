// The heading of a clause: what stands behind its number, up to where the text proper begins.
#ifndef WHEREOF_DOCUMENT_CLAUSE_HEADINGS_H_
#define WHEREOF_DOCUMENT_CLAUSE_HEADINGS_H_

#include <string>
#include <string_view>
#include <vector>

namespace whereof::document {

// paragraph: the text behind the number in its own paragraph, up to the next number at most;
// following: the paragraph after it, empty where that has a number of its own. is_whole: the
// paragraph ends there, and nothing of the clause follows it in the same paragraph.
// Four kinds are known: a title alone on its line (or, under a bare number, on the next line), a
// run-in heading ("Cap. The liability ..."), words in capitals before the text, and 【标题】.
std::string find_heading(std::string_view paragraph, std::string_view following, bool is_part);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_CLAUSE_HEADINGS_H_
