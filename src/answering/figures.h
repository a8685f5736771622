// Numbers in an answer, held against the text it was read from.
#ifndef WHEREOF_ANSWERING_FIGURES_H_
#define WHEREOF_ANSWERING_FIGURES_H_

#include <string>
#include <string_view>
#include <vector>

namespace whereof::answering {

// The figures of an answer (runs of digits with their inner commas and points, such as "5,000.00"
// or "3.2") that stand nowhere in the text, neither so written nor without separators. Figures of
// one digit are left out: they count things more often than they quote. Each once, in order.
std::vector<std::string> figures_not_in(std::string_view answer, std::string_view text);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_FIGURES_H_
