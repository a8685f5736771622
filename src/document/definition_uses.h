// Where defined terms are used: longest match over the words of a text, at every word once.
#ifndef WHEREOF_DOCUMENT_DEFINITION_USES_H_
#define WHEREOF_DOCUMENT_DEFINITION_USES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "document/reference_expression.h"

namespace whereof::document {

// One spelling for the forms of a term: lower case, without plural and possessive endings.
std::string folded_word(std::string_view word);
std::string folded_term(std::string_view term);

class TermTree {
 public:
  // Terms of more than kMostWords words, and empty ones, are never found.
  void add(std::string_view term, std::int32_t index);

  struct Use {
    PlaceInText text;
    std::int32_t index = 0;
  };
  // Every use in order, disjoint, the longest at each place. A term that begins with a capital is
  // used with one. Linear in the text.
  std::vector<Use> uses_in(std::string_view text) const;

 private:
  static constexpr std::size_t kMostWords = 24;  // of Latin script; characters of Chinese

  struct Node {
    std::int32_t term = -1;  // index of the term that ends here
    bool begins_with_capital = false;
  };
  std::unordered_map<std::string, std::int32_t> edges_;  // node and word
  std::vector<Node> nodes_ = std::vector<Node>(1);
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_DEFINITION_USES_H_
