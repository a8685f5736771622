#include "text/dates.h"

#include <array>
#include <string>

#include "text/number_words.h"

namespace whereof::text {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

int month_named(std::string_view word) {
  constexpr std::array<std::string_view, 12> kMonths = {
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    const bool is_short = word.size() == 3 && kMonths[i].starts_with(word);
    if (word == kMonths[i] || is_short || (i == 8 && word == "sept"))
      return static_cast<int>(i) + 1;
  }
  return 0;
}

// A number of one to four digits; not the beginning of a longer one.
struct Digits {
  int value = 0;
  std::size_t bytes = 0;
};
Digits digits_at(std::string_view text, std::size_t at) {
  Digits digits;
  while (at + digits.bytes < text.size() && is_digit(text[at + digits.bytes])) {
    if (digits.bytes == 4) return {};
    digits.value = digits.value * 10 + (text[at + digits.bytes] - '0');
    ++digits.bytes;
  }
  return digits;
}

bool is_day(int value) { return value >= 1 && value <= 31; }
bool is_month(int value) { return value >= 1 && value <= 12; }
bool is_year(const Digits& digits) {
  return digits.bytes == 4 && digits.value >= 1000 && digits.value <= 2999;
}

// Steps through a text.
struct Cursor {
  std::string_view text;
  std::size_t at = 0;

  void blanks() { at += blanks_at(text, at); }
  bool take(std::string_view word) {
    if (!text.substr(at).starts_with(word)) return false;
    at += word.size();
    return true;
  }
  bool take_word(std::string_view word) {
    if (lower_word_at(text, at) != word) return false;
    at += word.size();
    return true;
  }
  // "5", "5th"; 0 for none.
  int day() {
    const Digits digits = digits_at(text, at);
    if (digits.bytes == 0 || digits.bytes > 2 || !is_day(digits.value)) return 0;
    std::size_t end = at + digits.bytes;
    const std::string ending = lower_word_at(text, end);
    if (ending == "st" || ending == "nd" || ending == "rd" || ending == "th") {
      end += 2;
    } else if (!ending.empty()) {
      return 0;
    }
    at = end;
    return digits.value;
  }
  int year() {
    const Digits digits = digits_at(text, at);
    if (!is_year(digits)) return 0;
    at += digits.bytes;
    return digits.value;
  }
};

// ", 2020", " 2020", " of 2020" behind a day or a month.
int year_behind(Cursor& cursor) {
  Cursor look = cursor;
  look.take(",");
  look.blanks();
  if (look.take_word("of")) look.blanks();
  const int year = look.year();
  if (year > 0) cursor = look;
  return year;
}

WrittenDate month_first(std::string_view text, std::size_t at) {
  const std::string word = lower_word_at(text, at);
  WrittenDate date;
  date.month = month_named(word);
  const bool is_capital = text[at] >= 'A' && text[at] <= 'Z';
  if (date.month == 0 || !is_capital) return {};  // "may", "march"
  Cursor cursor{text, at + word.size()};
  cursor.take(".");
  const std::size_t behind_month = cursor.at;
  date.year = year_behind(cursor);
  if (date.year == 0) {
    cursor.blanks();
    date.day = cursor.day();
    if (date.day == 0) return {};
    date.year = year_behind(cursor);
  }
  date.bytes = cursor.at - at;
  return cursor.at == behind_month ? WrittenDate{} : date;
}

WrittenDate day_first(std::string_view text, std::size_t at) {
  Cursor cursor{text, at};
  WrittenDate date;
  date.day = cursor.day();
  if (date.day == 0) return {};
  cursor.blanks();
  if (cursor.take_word("day")) cursor.blanks();
  if (cursor.take_word("of")) cursor.blanks();
  const std::string word = lower_word_at(text, cursor.at);
  date.month = month_named(word);
  if (date.month == 0 || text[cursor.at] < 'A' || text[cursor.at] > 'Z') return {};
  cursor.at += word.size();
  cursor.take(".");
  date.year = year_behind(cursor);
  date.bytes = cursor.at - at;
  return date;
}

// 2020-01-05, 2020/1/5, 5/1/2020, 05.01.20
WrittenDate numeric(std::string_view text, std::size_t at) {
  std::array<Digits, 3> parts;
  std::size_t end = at;
  char separator = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) {
      if (end >= text.size()) return {};
      const char c = text[end];
      const bool fits = i == 1 ? c == '-' || c == '/' || c == '.' : c == separator;
      if (!fits) return {};
      separator = c;
      ++end;
    }
    parts[i] = digits_at(text, end);
    if (parts[i].bytes == 0) return {};
    end += parts[i].bytes;
  }
  const bool goes_on = end + 1 < text.size() && text[end] == separator && is_digit(text[end + 1]);
  if (goes_on) return {};
  WrittenDate date;
  if (is_year(parts[0]) && is_month(parts[1].value) && is_day(parts[2].value)) {
    return {end - at, parts[0].value, parts[1].value, parts[2].value, false};
  }
  if (parts[0].bytes > 2 || parts[1].bytes > 2) return {};
  if (parts[2].bytes == 2 && separator != '.') {
    date.year = parts[2].value + (parts[2].value < 50 ? 2000 : 1900);
  } else if (is_year(parts[2])) {
    date.year = parts[2].value;
  } else {
    return {};
  }
  const int first = parts[0].value;
  const int second = parts[1].value;
  if (!is_day(first) || !is_day(second) || (first > 12 && second > 12)) return {};
  date.month = second <= 12 ? second : first;
  date.day = second <= 12 ? first : second;
  date.may_swap = first <= 12 && second <= 12 && first != second;
  date.bytes = end - at;
  return date;
}

// A number in digits or Chinese numerals before a character such as 年.
int number_before(Cursor& cursor, std::string_view unit) {
  Cursor look = cursor;
  const WrittenNumber number = number_at(look.text, look.at);
  if (number.bytes == 0 || number.is_label || number.value > 2999) return 0;
  const auto value = static_cast<int>(number.value);
  if (static_cast<double>(value) != number.value) return 0;
  look.at += number.bytes;
  look.blanks();
  if (!look.take(unit)) return 0;
  look.blanks();
  cursor = look;
  return value;
}

WrittenDate chinese(std::string_view text, std::size_t at) {
  Cursor cursor{text, at};
  WrittenDate date;
  date.year = number_before(cursor, "年");
  if (date.year > 0 && date.year < 1000) return {};
  date.month = number_before(cursor, "月");
  if (!is_month(date.month)) return {};
  const std::size_t behind_month = cursor.at;
  date.day = number_before(cursor, "日");
  if (date.day == 0) date.day = number_before(cursor, "号");
  if (date.day == 0) cursor.at = behind_month;
  if (date.day != 0 && !is_day(date.day)) return {};
  if (date.year == 0 && date.day == 0) return {};  // 三月: a month's name, or three of them
  std::size_t end = cursor.at;
  while (end > at && (text[end - 1] == ' ' || text[end - 1] == '\n' || text[end - 1] == '\t'))
    --end;
  date.bytes = end - at;
  return date;
}

}  // namespace

WrittenDate date_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  if ((text[at] | 0x20) >= 'a' && (text[at] | 0x20) <= 'z') return month_first(text, at);
  if (is_digit(text[at])) {
    if (const WrittenDate date = numeric(text, at); date.bytes > 0) return date;
    if (const WrittenDate date = day_first(text, at); date.bytes > 0) return date;
  }
  return chinese(text, at);
}

}  // namespace whereof::text
