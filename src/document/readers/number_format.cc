#include "document/readers/number_format.h"

#include <array>
#include <cstdint>
#include <utility>

#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr int kLargest = 1'000'000;  // larger values are shown in decimal

// a ... z, aa, bb ... zz, aaa: Word repeats the letter.
std::string letters(int value, char first) {
  if (value < 1 || value > 26 * 30) return std::to_string(value);
  const auto repeats = static_cast<std::size_t>((value - 1) / 26 + 1);
  return std::string(repeats, static_cast<char>(first + (value - 1) % 26));
}

std::string roman(int value, bool upper) {
  if (value < 1 || value > 32767) return std::to_string(value);
  constexpr std::array<std::pair<int, const char*>, 13> kParts = {{{1000, "m"},
                                                                   {900, "cm"},
                                                                   {500, "d"},
                                                                   {400, "cd"},
                                                                   {100, "c"},
                                                                   {90, "xc"},
                                                                   {50, "l"},
                                                                   {40, "xl"},
                                                                   {10, "x"},
                                                                   {9, "ix"},
                                                                   {5, "v"},
                                                                   {4, "iv"},
                                                                   {1, "i"}}};
  std::string out;
  for (const auto& [part, numeral] : kParts) {
    for (; value >= part; value -= part) out += numeral;
  }
  if (upper) {
    for (char& c : out) c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

struct ChineseDigits {
  std::array<std::string_view, 10> digits;
  std::array<std::string_view, 4> places;  // ones, tens, hundreds, thousands
  std::string_view ten_thousand;
};

constexpr ChineseDigits kPlain = {
    {"〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"}, {"", "十", "百", "千"}, "万"};
constexpr ChineseDigits kLegal = {
    {"零", "壹", "贰", "叁", "肆", "伍", "陆", "柒", "捌", "玖"}, {"", "拾", "佰", "仟"}, "万"};

// 1..9999. In Chinese a gap of zeros is one 零; in Japanese it is nothing, and a leading 一 before
// 百 and 千 is left out.
std::string below_ten_thousand(int value, const ChineseDigits& set, bool is_japanese) {
  std::string out;
  bool has_gap = false;
  for (int place = 3, divisor = 1000; place >= 0; --place, divisor /= 10) {
    const int digit = value / divisor % 10;
    if (digit == 0) {
      has_gap = has_gap || !out.empty();
      continue;
    }
    if (has_gap && !is_japanese) out += "零";
    has_gap = false;
    if (!(is_japanese && digit == 1 && place > 0))
      out += set.digits[static_cast<std::size_t>(digit)];
    out += set.places[static_cast<std::size_t>(place)];
  }
  return out;
}

std::string chinese(int value, const ChineseDigits& set, bool is_japanese, bool short_ten) {
  if (value <= 0) return value == 0 ? std::string(set.digits[0]) : std::to_string(value);
  std::string out;
  if (value >= 10000) {
    out = below_ten_thousand(value / 10000, set, is_japanese) + std::string(set.ten_thousand);
    if (value % 10000 != 0 && value % 10000 < 1000 && !is_japanese) out += "零";
  }
  if (value % 10000 != 0) out += below_ten_thousand(value % 10000, set, is_japanese);
  // 十一, not 一十一.
  if (short_ten && value >= 10 && value < 20) out.erase(0, set.digits[1].size());
  return out;
}

// Digit by digit: 一〇二.
std::string positional(int value, const std::array<std::string_view, 10>& digits) {
  if (value < 0) return std::to_string(value);
  std::string out;
  for (const char c : std::to_string(value)) out += digits[static_cast<std::size_t>(c - '0')];
  return out;
}

std::string of_cycle(int value, std::u32string_view cycle) {
  if (value < 1 || value > static_cast<int>(cycle.size())) return std::to_string(value);
  std::string out;
  text::append(out, cycle[static_cast<std::size_t>(value - 1)]);
  return out;
}

std::string shifted(int value, char32_t first, int count) {
  if (value < 1 || value > count) return std::to_string(value);
  std::string out;
  text::append(out, first + static_cast<char32_t>(value - 1));
  return out;
}

std::string ordinal(int value) {
  const int tens = value / 10 % 10;
  const int ones = value % 10;
  if (tens == 1 || ones == 0 || ones > 3) return std::to_string(value) + "th";
  constexpr std::array<const char*, 3> kEndings = {"st", "nd", "rd"};
  return std::to_string(value) + kEndings[static_cast<std::size_t>(ones - 1)];
}

// One ... Ninety-Nine; larger numbers in decimal.
std::string words(int value, bool is_ordinal) {
  constexpr std::array<std::string_view, 20> kCardinal = {
      "",         "One",     "Two",     "Three",     "Four",     "Five",    "Six",
      "Seven",    "Eight",   "Nine",    "Ten",       "Eleven",   "Twelve",  "Thirteen",
      "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen"};
  constexpr std::array<std::string_view, 20> kOrdinal = {
      "",          "First",     "Second",      "Third",      "Fourth",
      "Fifth",     "Sixth",     "Seventh",     "Eighth",     "Ninth",
      "Tenth",     "Eleventh",  "Twelfth",     "Thirteenth", "Fourteenth",
      "Fifteenth", "Sixteenth", "Seventeenth", "Eighteenth", "Nineteenth"};
  constexpr std::array<std::string_view, 10> kTens = {
      "", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"};
  if (value < 1 || value > 99) return is_ordinal ? ordinal(value) : std::to_string(value);
  const auto& ones = is_ordinal ? kOrdinal : kCardinal;
  if (value < 20) return std::string(ones[static_cast<std::size_t>(value)]);
  std::string out(kTens[static_cast<std::size_t>(value / 10)]);
  if (value % 10 != 0) return out + "-" + std::string(ones[static_cast<std::size_t>(value % 10)]);
  if (is_ordinal) out.replace(out.size() - 1, 1, "ieth");
  return out;
}

}  // namespace

std::string format_number(int value, std::string_view format) {
  if (format == "none" || format == "bullet") return {};
  if (value > kLargest) return std::to_string(value);
  if (format == "lowerLetter") return letters(value, 'a');
  if (format == "upperLetter") return letters(value, 'A');
  if (format == "lowerRoman") return roman(value, false);
  if (format == "upperRoman") return roman(value, true);
  if (format == "decimalZero") return (value >= 0 && value < 10 ? "0" : "") + std::to_string(value);
  if (format == "ordinal") return ordinal(value);
  if (format == "cardinalText") return words(value, false);
  if (format == "ordinalText") return words(value, true);
  if (format == "chineseCounting" && value >= 100) return positional(value, kPlain.digits);
  if (format == "chineseCounting" || format == "chineseCountingThousand" ||
      format == "taiwaneseCounting" || format == "taiwaneseCountingThousand") {
    return chinese(value, kPlain, false, true);
  }
  if (format == "japaneseCounting") return chinese(value, kPlain, true, false);
  if (format == "chineseLegalSimplified") return chinese(value, kLegal, false, false);
  if (format == "ideographDigital" || format == "japaneseDigitalTenThousand" ||
      format == "taiwaneseDigital") {
    return positional(value, kPlain.digits);
  }
  if (format == "ideographTraditional") return of_cycle(value, U"甲乙丙丁戊己庚辛壬癸");
  if (format == "ideographZodiac") return of_cycle(value, U"子丑寅卯辰巳午未申酉戌亥");
  if (format == "decimalEnclosedCircle" || format == "decimalEnclosedCircleChinese") {
    return shifted(value, 0x2460, 20);
  }
  if (format == "decimalEnclosedParen") return shifted(value, 0x2474, 20);
  if (format == "ideographEnclosedCircle") return shifted(value, 0x3220, 10);
  if (format == "decimalFullWidth" || format == "decimalFullWidth2") {
    constexpr std::array<std::string_view, 10> kWide = {"０", "１", "２", "３", "４",
                                                        "５", "６", "７", "８", "９"};
    return positional(value, kWide);
  }
  return std::to_string(value);
}

}  // namespace whereof::document
