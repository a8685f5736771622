// Scanners for the numbers that clauses carry, in English and Chinese: "3.2", "(iv)", "Article
// III", "Schedule 2", 第三条, （一）, 附件一. A scanner says what a number could be; whether it
// heads a clause is decided from where it stands (clause_candidates.h) and from the numbers around
// it (clause_sequence.h).
#ifndef WHEREOF_DOCUMENT_CLAUSE_NUMBERS_H_
#define WHEREOF_DOCUMENT_CLAUSE_NUMBERS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace whereof::document {

// The shape of a number, outer shapes first.
enum class NumberForm : std::uint8_t {
  schedule,    // Schedule 2, Exhibit A, 附件一
  book,        // Book One, 第二编, 物权编
  title,       // Title II, 第一分编
  part,        // Part 2, 第一部分
  chapter,     // Chapter 3, 第二章
  subchapter,  // 第一节
  article,     // Article III
  section,     // Section 3.02, § 3, 第三条
  subsection,  // 第一款, where it is printed
  decimal,     // 3. 3 3.2 3.2.1
  comma,       // 三、 3、
  dot,         // a. A. iv. IV.
  half_paren,  // a) 1)
  paren,       // (a) (iv) (A) (1) （一）
  circled,     // ① ⒈ ⑴
};

enum class Alphabet : std::uint8_t { digit, han, lower, upper, lower_roman, upper_roman, doubled };

// The alphabet and value that a number may be read with: "(i)" is the letter 9 or the roman 1.
struct NumberReading {
  Alphabet alphabet = Alphabet::digit;
  std::int32_t value = 0;
};

constexpr int kMaxNumberComponents = 8;

struct NumberToken {
  NumberForm form = NumberForm::decimal;
  std::uint8_t word = 0;  // tells Schedule from Exhibit, and 第三条 from Section 3
  std::uint8_t components = 1;
  std::uint8_t readings = 1;
  bool has_dot = false;
  std::int32_t suffix = 0;                                      // 3A: 1; 第三条之二: 2
  std::array<std::int32_t, kMaxNumberComponents - 1> prefix{};  // components - 1 of them
  std::array<NumberReading, 2> reading{};                       // of the last component
  std::int32_t number_bytes = 0;  // of the number as printed, without a dot or comma behind it
  std::int32_t bytes = 0;         // with them
};

// The number that begins exactly at text[0]; std::nullopt when none does. Looks at no more than
// some sixty bytes and never past the end of text.
std::optional<NumberToken> scan_number(std::string_view text);

// Equal for two numbers exactly when they are written in one style and have one value; with a
// delta, the key of a later sibling. Suffixes are left out.
std::uint64_t number_key(const NumberToken& token, NumberReading reading, std::int32_t delta = 0);
// The same without the value: the style, and for decimals the prefix.
std::uint64_t style_key(const NumberToken& token, NumberReading reading);

// Lists live inside clauses: (a), a., 1), 一、 and the like. The others make up the skeleton.
constexpr bool is_list_form(NumberForm form) noexcept { return form >= NumberForm::comma; }
constexpr bool is_part_form(NumberForm form) noexcept {
  return form >= NumberForm::book && form <= NumberForm::article;
}

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_CLAUSE_NUMBERS_H_
