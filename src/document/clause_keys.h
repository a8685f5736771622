// What references call a number: "3.2", "III" and "3" of "ARTICLE III", "a" of "(a)".
#ifndef WHEREOF_DOCUMENT_CLAUSE_KEYS_H_
#define WHEREOF_DOCUMENT_CLAUSE_KEYS_H_

#include <optional>
#include <string>
#include <vector>

#include "document/clause_numbers.h"

namespace whereof::document {

// Clause::number, read again; std::nullopt where it is of a kind that is not known.
std::optional<NumberToken> token_of(const std::string& number);

// The keys that references may use, likeliest first.
std::vector<std::string> keys_of(const std::string& number, const NumberToken& token);

// "a" of "(a)", "III" of "ARTICLE III".
std::string letters_of(const std::string& number);

// "exhibit" of "EXHIBIT A-1", 附件 of 附件一.
std::string schedule_word(const std::string& number);

// "A" for "a", and the other way round: "2.03(a)" may be printed (A).
std::string with_other_case(const std::string& key);

// "3" for "III".
std::optional<std::string> roman_as_digits(const std::string& key);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_CLAUSE_KEYS_H_
