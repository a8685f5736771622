// Which of some other documents a reference means, and its clauses there: an amendment's "Section 3
// of the Agreement", "Section 7.09 of the Separation Agreement".
#ifndef WHEREOF_DOCUMENT_REFERENCE_OTHERS_H_
#define WHEREOF_DOCUMENT_REFERENCE_OTHERS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "document/clause_index.h"
#include "whereof/references.h"

namespace whereof::document {

// "section 3" for "  **Section\n3**:", to compare names and titles.
std::string folded_name(std::string_view name);

class OtherDocuments {
 public:
  // speaker: the document whose references are looked up. All must outlive this.
  OtherDocuments(const Document& speaker, const std::vector<const Document*>& others);

  // The document called so; -1 for none. It is meant when its title is or ends with the name, or
  // when the speaker defines the name in a sentence that holds the title.
  std::int32_t called(std::string_view name) const;
  // The one that the speaker amends: its title stands near the speaker's beginning, or it is the
  // only one.
  std::int32_t amended() const { return amended_; }

  const ClauseIndex& index(std::int32_t document) const {
    return *indexes_[static_cast<std::size_t>(document)];
  }

 private:
  std::vector<std::string> titles_;
  std::vector<std::unique_ptr<ClauseIndex>> indexes_;
  std::unordered_map<std::string, std::int32_t> defined_;  // names that the speaker defines
  std::int32_t amended_ = -1;
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_REFERENCE_OTHERS_H_
