// The numbers that references name: "3.2(a)(i)", "III", "409A", "A-1", "(b)".
#ifndef WHEREOF_DOCUMENT_REFERENCE_NUMBERS_H_
#define WHEREOF_DOCUMENT_REFERENCE_NUMBERS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace whereof::document {

struct NamedNumber {
  std::string main;                   // "3.2", "III", "A"; empty where only brackets are there
  std::vector<std::string> brackets;  // "a", "i"
  std::size_t bytes = 0;

  bool is_digits() const { return !main.empty() && main[0] >= '0' && main[0] <= '9'; }
  bool is_decimal() const { return is_digits() && main.find('.') != std::string::npos; }
};

// What letters may stand for a number: none ("3.2" and "(a)" only), one capital or a roman number
// in capitals, or also spelled ones ("Article One").
enum class NumberLetters : unsigned char { none, capitals, spelled };

// The number that begins exactly at text[at]; false when none does.
bool scan_named_number(std::string_view text, std::size_t at, NumberLetters letters,
                       NamedNumber& number);

// "003" is "3".
std::string without_leading_zeros(std::string_view digits);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_REFERENCE_NUMBERS_H_
