// What a reference says, before anything is looked up: "Sections 3.1 to 3.4 of Schedule 2" is one
// range from (schedule 2, section 3.1) to (schedule 2, section 3.4).
#ifndef WHEREOF_DOCUMENT_REFERENCE_EXPRESSION_H_
#define WHEREOF_DOCUMENT_REFERENCE_EXPRESSION_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace whereof::document {

// The word for a unit, outer units first; item also stands for 项 and for anything in brackets.
enum class ReferenceUnit : std::uint8_t {
  schedule,  // the key begins with the folded word: "exhibit A", "附件 1"
  book,
  title,
  part,
  chapter,
  subchapter,
  article,
  section,
  clause,
  paragraph,
  han_paragraph,  // 款: an unnumbered paragraph of an article
  item,
};

enum class StepKind : std::uint8_t {
  numbered,
  this_one,  // "this Section", 本条
  previous,  // "the foregoing paragraph", 前款, 前两条 (count 2)
  next,
};

struct ReferenceStep {
  StepKind kind = StepKind::numbered;
  ReferenceUnit unit = ReferenceUnit::section;
  // kHanArticle for 本条 and 前条. Else components joined by dots, digits without leading zeros:
  // "3.2", "III", "3A", "a"; brackets and Chinese numerals are undone.
  std::string key;
  int count = 1;
};

// 本条 is a whole article, whatever its numbered parts.
constexpr std::string_view kHanArticle = "条";

using ReferencePath = std::vector<ReferenceStep>;  // outermost first

struct PlaceInText {
  std::size_t begin = 0, end = 0;  // bytes of RunningText::text()
};

struct ReferenceItem {
  PlaceInText text;
  ReferencePath first;
  ReferencePath last;  // of a range; else empty
  // The item carries on from the one before it by its brackets only, as "(b)" in "3.2(a) and (b)":
  // how many steps of the one before are its own beginning is for the tree to say.
  bool is_continued = false;
};

enum class ReferencePlace : std::uint8_t { unsaid, own, outside };

struct ReferenceExpression {
  PlaceInText text;
  std::vector<ReferenceItem> items;
  ReferencePlace place = ReferencePlace::unsaid;
  PlaceInText outside;  // the name of the other document or statute, where it has one
};

// All expressions of a text in its order, disjoint. Linear time.
std::vector<ReferenceExpression> scan_references(std::string_view text);

// The expression that begins exactly at text[at], in English or Chinese. Looks at a bounded number
// of bytes behind what it takes.
bool scan_english_reference(std::string_view text, std::size_t at, ReferenceExpression& found);
bool scan_han_reference(std::string_view text, std::size_t at, ReferenceExpression& found);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_REFERENCE_EXPRESSION_H_
