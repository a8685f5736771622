// Places where a document gives a term its meaning.
#ifndef WHEREOF_DOCUMENT_DEFINITION_PLACES_H_
#define WHEREOF_DOCUMENT_DEFINITION_PLACES_H_

#include <string_view>
#include <vector>

#include "document/reference_expression.h"

namespace whereof::document {

struct DefiningPlace {
  PlaceInText term;         // bytes of the text scanned, without quotation marks
  bool is_pointer = false;  // "has the meaning given in Section 3"
};

// All of them, in order of their terms. Linear.
std::vector<DefiningPlace> scan_defining_places(std::string_view text);

// Entries of a list or table of definitions without quotation marks, in the text of a clause headed
// so: "Affiliate: any company", "Affiliate<tab>any company". Two at least make a list.
std::vector<DefiningPlace> scan_definition_list(std::string_view text, PlaceInText clause);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_DEFINITION_PLACES_H_
