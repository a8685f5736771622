#include "document/reference_numbers.h"

#include "document/clause_wording.h"

namespace whereof::document {
namespace {

constexpr std::size_t kMostBrackets = 8;
constexpr std::size_t kMostComponents = 8;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_alphanumeric(char c) { return is_digit(c) || is_lower(c) || is_upper(c); }

char at(std::string_view text, std::size_t index) {
  return index < text.size() ? text[index] : '\0';
}

std::size_t digits_at(std::string_view text, std::size_t n) {
  std::size_t count = 0;
  while (count < 5 && is_digit(at(text, n + count))) ++count;
  return count;
}

std::size_t capitals_at(std::string_view text, std::size_t n) {
  std::size_t count = 0;
  while (count < 8 && is_upper(at(text, n + count))) ++count;
  return count;
}

bool is_roman(std::string_view capitals) {
  return capitals.find_first_not_of("IVXLC") == std::string_view::npos;
}

// "(a)", "(iv)", "(12)", also with a blank before it; the bytes, 0 where there is none.
std::size_t scan_bracket(std::string_view text, std::size_t n, std::string& inner) {
  const std::size_t begin = n;
  if (at(text, n) == ' ') ++n;
  if (at(text, n) != '(') return 0;
  ++n;
  const std::size_t first = n;
  while (n - first < 6 && is_alphanumeric(at(text, n))) ++n;
  if (n == first || at(text, n) != ')') return 0;
  const std::string_view letters = text.substr(first, n - first);
  const bool is_number = is_digit(letters[0]);
  if (is_number && letters.find_first_not_of("0123456789") != std::string_view::npos) return 0;
  if (is_number && letters.size() > 3) return 0;
  if (!is_number && letters.size() > 2 &&
      letters.find_first_not_of("ivxlcIVXLC") != std::string_view::npos) {
    return 0;
  }
  if (letters.size() == 2 && !is_number && letters[0] != letters[1] &&
      letters.find_first_not_of("ivxlcIVXLC") != std::string_view::npos) {
    return 0;
  }
  inner = is_number ? without_leading_zeros(letters) : std::string(letters);
  return n + 1 - begin;
}

constexpr std::string_view kSpelled[] = {"One",   "Two",   "Three", "Four", "Five",   "Six",
                                         "Seven", "Eight", "Nine",  "Ten",  "Eleven", "Twelve"};

// Digits or capitals before any brackets: "3", "3.2.1", "3A", "1.a", "II.B.3", "A-1".
std::size_t scan_main(std::string_view text, std::size_t begin, NumberLetters letters,
                      std::string& main) {
  std::size_t n = begin;
  std::size_t count = digits_at(text, n);
  if (count > 0) {
    if (count > 4) return 0;
    main = without_leading_zeros(text.substr(n, count));
    n += count;
  } else if (letters != NumberLetters::none) {
    for (std::size_t i = 0; letters == NumberLetters::spelled && i < std::size(kSpelled); ++i) {
      const std::size_t end = n + kSpelled[i].size();
      if (text.substr(n, kSpelled[i].size()) != kSpelled[i] || is_alphanumeric(at(text, end))) {
        continue;
      }
      main = std::to_string(i + 1);
      return end - begin;
    }
    count = capitals_at(text, n);
    const std::string_view capitals = text.substr(n, count);
    if (count == 0 || (count > 1 && !is_roman(capitals))) return 0;
    main = std::string(capitals);
    n += count;
    if (at(text, n) == '-' && digits_at(text, n + 1) > 0) {
      const std::size_t more = digits_at(text, n + 1);
      main += '-';
      main += text.substr(n + 1, more);
      n += 1 + more;
    }
  } else {
    return 0;
  }
  for (std::size_t parts = 1; parts < kMostComponents && at(text, n) == '.'; ++parts) {
    const std::size_t digits = digits_at(text, n + 1);
    if (digits > 0 && digits < 4) {
      main += '.';
      main += without_leading_zeros(text.substr(n + 1, digits));
      n += 1 + digits;
      continue;
    }
    const bool is_letter = is_lower(at(text, n + 1)) || is_upper(at(text, n + 1));
    if (!is_letter || is_alphanumeric(at(text, n + 2))) break;
    main += '.';
    main += text[n + 1];
    n += 2;
  }
  if (is_upper(at(text, n)) && is_digit(text[n - 1]) && !is_alphanumeric(at(text, n + 1))) {
    main += text[n++];  // 3A
  }
  if (is_alphanumeric(at(text, n)) || at(text, n) == '%' || at(text, n) == '\'') return 0;
  if (at(text, n) == '-' && is_alphanumeric(at(text, n + 1)) && !is_digit(at(text, n + 1))) {
    return 0;  // "A-shares", "3-year"
  }
  return n - begin;
}

}  // namespace

std::string without_leading_zeros(std::string_view digits) {
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  return std::string(digits);
}

bool scan_named_number(std::string_view text, std::size_t begin, NumberLetters letters,
                       NamedNumber& number) {
  number = {};
  std::size_t n = begin + scan_main(text, begin, letters, number.main);
  const bool has_main = n > begin;
  if (!has_main) number.main.clear();
  while (number.brackets.size() < kMostBrackets) {
    std::string inner;
    const std::size_t bytes = scan_bracket(text, n, inner);
    if (bytes == 0 || (!has_main && number.brackets.empty() && text[n] == ' ')) break;
    // "within Section 3 (2) years"; but "Section 15(a) (4) of the Act".
    const bool goes_on = !number.brackets.empty() && text.substr(n + bytes, 4) == " of ";
    if (text[n] == ' ' && is_digit(inner[0]) && !goes_on) break;
    n += bytes;
    number.brackets.push_back(std::move(inner));
  }
  number.bytes = n - begin;
  return n > begin;
}

}  // namespace whereof::document
