#include "text/number_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "text/ascii_case.h"
#include "text/utf8.h"

namespace whereof::text {
namespace {

constexpr std::size_t kMostDigits = 15;     // that a double tells apart
constexpr std::size_t kLongestNumber = 64;  // bytes; longer runs of digits are cut there
constexpr std::size_t kLongestWord = 16;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }

using WordValue = std::pair<std::string_view, int>;
constexpr auto kSmall = std::to_array<WordValue>(
    {{"one", 1},      {"two", 2},        {"three", 3},     {"four", 4},      {"five", 5},
     {"six", 6},      {"seven", 7},      {"eight", 8},     {"nine", 9},      {"ten", 10},
     {"eleven", 11},  {"twelve", 12},    {"thirteen", 13}, {"fourteen", 14}, {"fifteen", 15},
     {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19}, {"twenty", 20},
     {"thirty", 30},  {"forty", 40},     {"fifty", 50},    {"sixty", 60},    {"seventy", 70},
     {"eighty", 80},  {"ninety", 90},    {"zero", 0}});

int small_value(std::string_view word) {
  const auto found = std::find_if(kSmall.begin(), kSmall.end(),
                                  [&](const WordValue& entry) { return entry.first == word; });
  return found == kSmall.end() ? -1 : found->second;
}

double scale_value(std::string_view word) {
  if (word == "thousand") return 1e3;
  if (word == "million" || word == "millions" || word == "mn") return 1e6;
  if (word == "billion" || word == "bn") return 1e9;
  if (word == "trillion") return 1e12;
  return 0;
}

// Blanks or one hyphen between the words of a number.
std::size_t joint_at(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == '-') return 1;
  return blanks_at(text, at);
}

// Digits with commas before groups of three and a point before more: "5,000,000.50", "1.000.000".
WrittenNumber digits_at(std::string_view text, std::size_t at) {
  WrittenNumber number;
  std::string plain;
  std::size_t points = 0;
  bool has_comma = false;
  std::size_t end = at;
  const auto group_of_three = [&](std::size_t begin) {
    std::size_t digits = 0;
    while (begin + digits < text.size() && digits < 4 && is_digit(text[begin + digits])) ++digits;
    return digits == 3;
  };
  while (end < text.size() && end - at < kLongestNumber) {
    const char c = text[end];
    const bool goes_on = end + 1 < text.size() && is_digit(text[end + 1]);
    if (is_digit(c)) {
      plain.push_back(c);
    } else if (c == ',' && goes_on && group_of_three(end + 1)) {
      has_comma = true;
    } else if (c == '.' && goes_on) {
      ++points;
      plain.push_back(c);
    } else {
      break;
    }
    ++end;
  }
  number.bytes = end - at;
  number.is_plain = points == 0 && !has_comma;
  number.is_label = points > 1;
  if (number.is_label) return number;
  number.value = std::strtod(plain.c_str(), nullptr);
  if (plain.size() - points > kMostDigits) number.digits = plain;
  return number;
}

// Chinese: the digit that a character is, also as a full-width or a formal one; -1.
int han_digit(char32_t c) {
  constexpr std::u32string_view kDigits = U"〇一二三四五六七八九";
  constexpr std::u32string_view kFormal = U"零壹贰叁肆伍陆柒捌玖";
  if (const std::size_t i = kDigits.find(c); i != std::u32string_view::npos) {
    return static_cast<int>(i);
  }
  if (const std::size_t i = kFormal.find(c); i != std::u32string_view::npos) {
    return static_cast<int>(i);
  }
  if (c == U'两' || c == U'兩') return 2;
  if (c >= U'0' && c <= U'9') return static_cast<int>(c - U'0');
  if (c >= 0xFF10 && c <= 0xFF19) return static_cast<int>(c - 0xFF10);
  return -1;
}

double han_unit(char32_t c) {
  switch (c) {
    case U'十':
    case U'拾':
      return 10;
    case U'百':
    case U'佰':
      return 100;
    case U'千':
    case U'仟':
      return 1000;
    case U'万':
    case U'萬':
      return 1e4;
    case U'亿':
    case U'億':
      return 1e8;
    default:
      return 0;
  }
}

// Digits and units of a Chinese number, one after the other.
class HanNumber {
 public:
  // False where it cannot go on with this character.
  bool take(char32_t c) {
    const int digit = han_digit(c);
    if (digit >= 0) {
      current_ = has_current_ ? current_ * 10 + digit : digit;
      has_current_ = true;
      return ++digits_ <= 15;
    }
    const double unit = han_unit(c);
    if (unit == 0) return false;
    if (unit >= 1e4) {
      if (!has_current_ && section_ == 0) return false;
      section_ += current_;
      whole_ = unit == 1e8 ? (whole_ + section_) * unit : whole_ + section_ * unit;
      section_ = 0;
    } else {
      if (!has_current_ && (unit > 10 || section_ > 0)) return false;  // 千万, but 十二
      section_ += (has_current_ ? current_ : 1) * unit;
    }
    current_ = 0;
    has_current_ = false;
    digits_ = 0;
    return true;
  }
  // A number in digits, of which units may follow: 500万.
  void start(double value) {
    current_ = value;
    has_current_ = true;
  }
  double value() const { return whole_ + section_ + current_; }

 private:
  double whole_ = 0, section_ = 0, current_ = 0;
  bool has_current_ = false;
  int digits_ = 0;
};

std::size_t han_run(std::string_view text, std::size_t at, HanNumber& han, WrittenNumber& number) {
  std::size_t end = at;
  while (end < text.size() && end - at < kLongestNumber) {
    const CodePoint point = decode_at(text, end);
    if (!han.take(point.value)) break;
    end += static_cast<std::size_t>(point.bytes);
    ++number.characters;
  }
  return end - at;
}

// 二点五: the decimals behind 点; bytes taken.
std::size_t han_decimals(std::string_view text, std::size_t at, double& value) {
  constexpr std::string_view kPoint = "点";
  if (!text.substr(at).starts_with(kPoint)) return 0;
  double place = 0.1;
  std::size_t end = at + kPoint.size();
  const std::size_t begin = end;
  while (end < text.size() && end - at < kLongestNumber) {
    const CodePoint point = decode_at(text, end);
    const int digit = han_digit(point.value);
    if (digit < 0) break;
    value += place * digit;
    place /= 10;
    end += static_cast<std::size_t>(point.bytes);
  }
  return end == begin ? 0 : end - at;
}

WrittenNumber han_at(std::string_view text, std::size_t at) {
  WrittenNumber number;
  HanNumber han;
  number.bytes = han_run(text, at, han, number);
  number.value = han.value();
  if (number.bytes > 0) number.bytes += han_decimals(text, at + number.bytes, number.value);
  return number;
}

// English words: "one hundred and twenty-five thousand".
WrittenNumber words_at(std::string_view text, std::size_t at) {
  WrittenNumber number;
  double total = 0;
  double current = 0;
  double last = 1e18;  // the size of what stands before: what follows must be smaller
  for (std::size_t next = at; next - at < 2 * kLongestNumber;) {
    std::string word = lower_word_at(text, next);
    if (word == "and" && number.bytes > 0 && last >= 100) {
      next += word.size() + blanks_at(text, next + word.size());
      word = lower_word_at(text, next);
      if (small_value(word) <= 0) break;
    }
    const int small = small_value(word);
    const double scale = scale_value(word);
    if (small >= 0) {
      const bool fits = number.bytes == 0 || last >= 100 || (last >= 20 && small < 10);
      if (!fits) break;
      current += small;
      last = small >= 20 ? 20 : 1;
    } else if (word == "hundred" && number.bytes > 0 && last < 100 && current > 0) {
      current *= 100;
      last = 100;
    } else if (scale > 0 && number.bytes > 0 && current > 0) {
      total += current * scale;
      current = 0;
      last = scale;
    } else {
      break;
    }
    next += word.size();
    number.bytes = next - at;
    next += joint_at(text, next);
  }
  number.value = total + current;
  return number;
}

}  // namespace

std::string lower_word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && end - at <= kLongestWord && is_letter(text[end])) ++end;
  if (end - at > kLongestWord) return {};
  return ascii_lower(text.substr(at, end - at));
}

std::size_t blanks_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kMost = 8;
  std::size_t end = at;
  bool has_line_end = false;
  while (end < text.size() && end - at < kMost) {
    if (text[end] == '\n') {
      if (has_line_end) break;
      has_line_end = true;
    } else if (text[end] != ' ' && text[end] != '\t') {
      break;
    }
    ++end;
  }
  return end - at;
}

WrittenNumber number_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  if (is_letter(text[at])) return words_at(text, at);
  if (!is_digit(text[at])) return han_at(text, at);
  WrittenNumber number = digits_at(text, at);
  if (number.is_label) return number;
  HanNumber han;  // 500万, 1.5亿
  han.start(number.value);
  const CodePoint next = decode_at(text, std::min(at + number.bytes, text.size() - 1));
  if (at + number.bytes < text.size() && han_unit(next.value) > 0) {
    number.bytes += han_run(text, at + number.bytes, han, number);
    number.value = han.value();
    number.is_plain = false;
    return number;
  }
  const std::size_t gap = joint_at(text, at + number.bytes);
  const std::string word = lower_word_at(text, at + number.bytes + gap);
  if (const double scale = scale_value(word); scale > 0) {
    number.bytes += gap + word.size();
    number.value *= scale;
    number.is_plain = false;
  }
  return number;
}

}  // namespace whereof::text
