// Which passages are read, and why, for people: a line for each reason.
#ifndef WHEREOF_CLI_CHOSEN_PASSAGES_H_
#define WHEREOF_CLI_CHOSEN_PASSAGES_H_

#include <span>
#include <string>

#include "whereof/answer.h"

namespace whereof::cli {

// "  defines “Losses”: 1.1, page 3\n" and so on; empty for none.
std::string chosen_passages(std::span<const ChosenPassage> chosen, const Document& document);
// The same for each document, under its name.
std::string chosen_passages(const LibraryAnswer& result);

// Where a passage lies: "3.2, page 4"; "in no clause" where none holds it.
std::string place_of(const Passage& passage, const Document& document);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_CHOSEN_PASSAGES_H_
