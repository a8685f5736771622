#include "document/clause_numbers.h"

#include <cstddef>

#include "document/clause_numerals.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr std::int32_t kLargestComponent = 299;  // "1.500" and "3.2.2026" are no clause numbers
constexpr std::int32_t kLargestArticle = 9999;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_lower(c) || is_upper(c); }

char at(std::string_view text, std::size_t index) {
  return index < text.size() ? text[index] : '\0';
}

// Bytes of spaces (also no-break and ideographic) at the start.
std::size_t spaces(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size()) {
    if (text[n] == ' ' || text[n] == '\t') {
      ++n;
    } else if (text.substr(n, 2) == "\u00A0") {
      n += 2;
    } else if (text.substr(n, 3) == "\u3000") {
      n += 3;
    } else {
      break;
    }
  }
  return n;
}

struct Word {
  std::string_view text;
  NumberForm form;
  std::uint8_t word;
};

// Written with a capital or in capitals only: "section 3.2" in a sentence is never a heading.
constexpr Word kWords[] = {
    {"article", NumberForm::article, 0},     {"section", NumberForm::section, 0},
    {"sec.", NumberForm::section, 0},        {"clause", NumberForm::section, 2},
    {"schedule", NumberForm::schedule, 0},   {"exhibit", NumberForm::schedule, 1},
    {"annex", NumberForm::schedule, 2},      {"appendix", NumberForm::schedule, 3},
    {"attachment", NumberForm::schedule, 4}, {"addendum", NumberForm::schedule, 5},
    {"annexure", NumberForm::schedule, 6},   {"part", NumberForm::part, 0},
    {"chapter", NumberForm::chapter, 0},     {"title", NumberForm::title, 0},
    {"book", NumberForm::book, 0},
};

constexpr std::string_view kSpelled[] = {"one",     "two",       "three",    "four",     "five",
                                         "six",     "seven",     "eight",    "nine",     "ten",
                                         "eleven",  "twelve",    "thirteen", "fourteen", "fifteen",
                                         "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};

// Does text begin with this word, capitalised or in capitals?
bool begins_with_word(std::string_view text, std::string_view word) {
  if (text.size() < word.size() || !is_upper(text[0]) || (text[0] | 0x20) != word[0]) {
    return false;
  }
  bool all_upper = true, all_lower = true;
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (!is_letter(word[i])) {
      if (text[i] != word[i]) return false;
      continue;
    }
    if ((text[i] | 0x20) != word[i] || !is_letter(text[i])) return false;
    (is_upper(text[i]) ? all_lower : all_upper) = false;
  }
  return all_upper || all_lower;
}

void set_reading(NumberToken& token, Alphabet alphabet, std::int32_t value) {
  token.reading[0] = {alphabet, value};
  token.readings = 1;
}

// Letters as a list number: one letter, a roman number, a doubled letter (aa). False for others.
// Of the letters that are roman digits only i, v and x are taken for numbers on their own: a list
// that reaches (c) as a hundred does not exist.
bool read_letters(std::string_view letters, bool prefers_roman, NumberToken& token) {
  if (letters.empty()) return false;
  const bool lower = is_lower(letters[0]);
  const Alphabet letter = lower ? Alphabet::lower : Alphabet::upper;
  const Alphabet roman = lower ? Alphabet::lower_roman : Alphabet::upper_roman;
  const std::optional<std::int32_t> number = roman_value(letters);
  if (letters.size() == 1) {
    const char folded = static_cast<char>(letters[0] | 0x20);
    set_reading(token, letter, folded - 'a' + 1);
    if (folded == 'i' || folded == 'v' || folded == 'x') {
      token.reading[1] = {roman, *number};
      token.readings = 2;
      if (prefers_roman) std::swap(token.reading[0], token.reading[1]);
    }
    return true;
  }
  if (number && *number < 100) {
    set_reading(token, roman, *number);
    if (letters.size() == 2 && letters[0] == letters[1]) {
      token.reading[1] = {Alphabet::doubled, (letters[0] | 0x20) - 'a' + 1};
      token.readings = 2;
    }
    return true;
  }
  if (letters.size() == 2 && letters[0] == letters[1]) {
    set_reading(token, Alphabet::doubled, (letters[0] | 0x20) - 'a' + 1);
    return true;
  }
  return false;
}

// Digits "3", "3.2", "3.02", at most eight of them, into prefix and reading. Bytes read, or 0.
std::size_t read_components(std::string_view text, NumberToken& token) {
  std::array<std::int32_t, kMaxNumberComponents> values{};
  std::size_t count = 0, n = 0;
  while (true) {
    std::int32_t value = 0;
    std::size_t digits = 0;
    while (is_digit(at(text, n + digits)) && digits < 4) {
      value = value * 10 + (text[n + digits] - '0');
      ++digits;
    }
    if (digits == 0 || digits > 3 || value > kLargestComponent) return 0;
    if (count == values.size()) return 0;
    values[count++] = value;
    n += digits;
    if (at(text, n) != '.' || !is_digit(at(text, n + 1))) break;
    ++n;
  }
  token.components = static_cast<std::uint8_t>(count);
  for (std::size_t i = 0; i + 1 < count; ++i) token.prefix[i] = values[i];
  set_reading(token, Alphabet::digit, values[count - 1]);
  return n;
}

// What may follow a number that stands before its heading or text.
bool ends_number(std::string_view rest) {
  if (rest.empty()) return true;
  const auto c = static_cast<unsigned char>(rest[0]);
  return c >= 0x80 || c == ' ' || c == '\t' || c == '"' || c == '\'' || c == '*' || c == '_' ||
         c == '[' || c == '(';
}

// A dot behind a number, plain, escaped as Markdown has it, or full-width.
std::size_t dot_bytes(std::string_view rest) {
  if (at(rest, 0) == '.' && at(rest, 1) != '.') return 1;
  if (rest.substr(0, 2) == "\\.") return 2;
  if (rest.substr(0, 3) == "．") return 3;
  return 0;
}

std::optional<NumberToken> finish(NumberToken token, std::size_t number_bytes, std::size_t bytes) {
  token.number_bytes = static_cast<std::int32_t>(number_bytes);
  token.bytes = static_cast<std::int32_t>(bytes);
  return token;
}

// 3. 3 3.2 3A 3) 3、
std::optional<NumberToken> scan_digits(std::string_view text) {
  NumberToken token;
  token.form = NumberForm::decimal;
  std::size_t n = read_components(text, token);
  if (n == 0) return std::nullopt;
  if (is_upper(at(text, n)) && !is_letter(at(text, n + 1)) && !is_digit(at(text, n + 1))) {
    token.suffix = text[n] - 'A' + 1;
    ++n;
  }
  const std::string_view rest = text.substr(n);
  if (token.components == 1 && at(rest, 0) == ')') {
    token.form = NumberForm::half_paren;
    if (!ends_number(rest.substr(1))) return std::nullopt;
    return finish(token, n + 1, n + 1);
  }
  if (rest.substr(0, 3) == "、") {
    token.form = token.components == 1 ? NumberForm::comma : NumberForm::decimal;
    token.has_dot = true;
    return finish(token, n, n + 3);
  }
  const std::size_t dot = dot_bytes(rest);
  token.has_dot = dot > 0;
  const std::string_view behind = rest.substr(dot);
  const bool glued_heading = (dot > 0 || token.components > 1) && is_upper(at(behind, 0));
  if (!ends_number(behind) && !glued_heading) return std::nullopt;
  return finish(token, n, n + dot);
}

// a. iv) A. — a dot or a bracket behind letters.
std::optional<NumberToken> scan_letters(std::string_view text) {
  std::size_t n = 0;
  while (n < 6 && is_letter(at(text, n)) && is_lower(text[n]) == is_lower(text[0])) ++n;
  if (n == 0 || n > 5) return std::nullopt;
  NumberToken token;
  if (!read_letters(text.substr(0, n), false, token)) return std::nullopt;
  const char closing = at(text, n);
  if (closing != '.' && closing != ')') return std::nullopt;
  token.form = closing == '.' ? NumberForm::dot : NumberForm::half_paren;
  token.has_dot = closing == '.';
  const std::string_view behind = text.substr(n + 1);
  if (!behind.empty() && spaces(behind) == 0 && static_cast<unsigned char>(behind[0]) < 0x80) {
    return std::nullopt;  // "e.g.", "U.S."
  }
  return finish(token, closing == '.' ? n : n + 1, n + 1);
}

// (a) (iv) (12) （一）
std::optional<NumberToken> scan_paren(std::string_view text) {
  std::size_t n = text[0] == '(' ? 1 : 3;
  n += spaces(text.substr(n));
  NumberToken token;
  token.form = NumberForm::paren;
  const std::string_view inside = text.substr(n);
  std::size_t length = 0;
  if (is_digit(at(inside, 0))) {
    length = read_components(inside, token);
    if (length == 0 || token.components > 1) return std::nullopt;
  } else if (is_letter(at(inside, 0))) {
    while (length < 6 && is_letter(at(inside, length)) &&
           is_lower(inside[length]) == is_lower(inside[0])) {
      ++length;
    }
    if (length > 5 || !read_letters(inside.substr(0, length), false, token)) return std::nullopt;
    if (is_digit(at(inside, length))) return std::nullopt;
  } else {
    const std::int32_t value = han_value(inside, length);
    if (length == 0 || value < 1 || value > kLargestComponent) return std::nullopt;
    set_reading(token, Alphabet::han, value);
  }
  n += length;
  n += spaces(text.substr(n));
  const std::size_t closing = at(text, n) == ')' ? 1 : (text.substr(n, 3) == "）" ? 3 : 0);
  if (closing == 0) return std::nullopt;
  return finish(token, n + closing, n + closing);
}

// The number behind Article, Section, Schedule and the like.
std::size_t read_word_number(std::string_view text, NumberToken& token) {
  std::size_t n = read_components(text, token);
  if (n > 0) {
    const bool is_form_name = at(text, n) == '-' &&  // "Exhibit 10-K"
                              (is_digit(at(text, n + 1)) || is_upper(at(text, n + 1)));
    if (is_form_name && !is_letter(at(text, n + 2))) return 0;
    if (is_upper(at(text, n)) && !is_letter(at(text, n + 1))) {
      token.suffix = text[n] - 'A' + 1;
      ++n;
    }
    return is_letter(at(text, n)) || is_digit(at(text, n)) ? 0 : n;
  }
  for (std::size_t i = 0; i < std::size(kSpelled); ++i) {
    if (begins_with_word(text, kSpelled[i]) && !is_letter(at(text, kSpelled[i].size()))) {
      set_reading(token, Alphabet::digit, static_cast<std::int32_t>(i) + 1);
      n = kSpelled[i].size();
    }
  }
  if (n > 0) return n;
  while (n < 8 && is_upper(at(text, n))) ++n;
  if (n == 0 || is_letter(at(text, n))) return 0;
  const bool prefers_roman = token.form != NumberForm::schedule;
  if (!read_letters(text.substr(0, n), prefers_roman, token)) return 0;
  if (at(text, n) == '-' && is_digit(at(text, n + 1))) {  // Exhibit A-1
    std::int32_t value = 0;
    std::size_t digits = 0;
    while (is_digit(at(text, n + 1 + digits)) && digits < 3) {
      value = value * 10 + (text[n + 1 + digits] - '0');
      ++digits;
    }
    token.suffix = value;
    n += 1 + digits;
    return is_digit(at(text, n)) ? 0 : n;
  }
  return n;
}

std::optional<NumberToken> scan_word(std::string_view text) {
  for (const Word& word : kWords) {
    if (!begins_with_word(text, word.text)) continue;
    const std::size_t gap = spaces(text.substr(word.text.size()));
    if (gap == 0) continue;
    NumberToken token;
    token.form = word.form;
    token.word = word.word;
    const std::size_t begin = word.text.size() + gap;
    const std::size_t length = read_word_number(text.substr(begin), token);
    if (length == 0) return std::nullopt;
    const std::size_t dot = dot_bytes(text.substr(begin + length));
    token.has_dot = dot > 0;
    return finish(token, begin + length, begin + length + dot);
  }
  return std::nullopt;
}

// § 3, §3.1
std::optional<NumberToken> scan_paragraph_sign(std::string_view text) {
  std::size_t n = 2;
  n += spaces(text.substr(n));
  NumberToken token;
  token.form = NumberForm::section;
  token.word = 1;
  const std::size_t length = read_components(text.substr(n), token);
  if (length == 0) return std::nullopt;
  n += length;
  const std::size_t dot = dot_bytes(text.substr(n));
  token.has_dot = dot > 0;
  if (!ends_number(text.substr(n + dot)) && !is_upper(at(text, n + dot))) return std::nullopt;
  return finish(token, n, n + dot);
}

struct HanUnit {
  std::string_view text;
  NumberForm form;
};
constexpr HanUnit kHanUnits[] = {
    {"条", NumberForm::section}, {"款", NumberForm::subsection}, {"分编", NumberForm::title},
    {"编", NumberForm::book},    {"章", NumberForm::chapter},    {"节", NumberForm::subchapter},
    {"部分", NumberForm::part},
};

// 第三条, 第 3 条, 第二章, 第一百二十条之一
std::optional<NumberToken> scan_ordinal(std::string_view text) {
  std::size_t n = std::string_view("第").size();
  n += spaces(text.substr(n));
  std::size_t length = 0;
  const std::int32_t value = han_value(text.substr(n), length);
  if (length == 0 || value < 1 || value > kLargestArticle) return std::nullopt;
  n += length;
  n += spaces(text.substr(n));
  for (const HanUnit& unit : kHanUnits) {
    if (text.substr(n, unit.text.size()) != unit.text) continue;
    n += unit.text.size();
    NumberToken token;
    token.form = unit.form;
    token.word = 7;
    set_reading(token, Alphabet::han, value);
    if (text.substr(n, 3) == "之") {
      std::size_t digits = 0;
      const std::int32_t suffix = han_value(text.substr(n + 3), digits);
      if (digits > 0) {
        token.suffix = suffix;
        n += 3 + digits;
      }
    }
    return finish(token, n, n);
  }
  return std::nullopt;
}

// 附件一, 附件 1, 附录A, 附表二, and 附件 alone
std::optional<NumberToken> scan_attachment(std::string_view text) {
  constexpr std::string_view kNames[] = {"附件", "附录", "附表"};
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (!text.starts_with(kNames[i])) continue;
    NumberToken token;
    token.form = NumberForm::schedule;
    token.word = static_cast<std::uint8_t>(10 + i);
    const std::size_t n = kNames[i].size();
    const std::size_t gap = spaces(text.substr(n));
    std::size_t length = 0;
    const std::int32_t value = han_value(text.substr(n + gap), length);
    if (length > 0 && value >= 1 && value <= kLargestComponent) {
      set_reading(token, Alphabet::han, value);
      return finish(token, n + gap + length, n + gap + length);
    }
    if (is_upper(at(text, n + gap)) && !is_letter(at(text, n + gap + 1))) {
      read_letters(text.substr(n + gap, 1), false, token);
      return finish(token, n + gap + 1, n + gap + 1);
    }
    set_reading(token, Alphabet::han, 0);
    return finish(token, n, n);
  }
  return std::nullopt;
}

// 三、 and 三.
std::optional<NumberToken> scan_han_list(std::string_view text) {
  std::size_t n = 0;
  const std::int32_t value = han_value(text, n);
  if (n == 0 || value < 1 || value > kLargestComponent) return std::nullopt;
  const std::string_view rest = text.substr(n);
  std::size_t closing = 0;
  if (rest.starts_with("、") || rest.starts_with("．")) closing = 3;
  if (at(rest, 0) == '.') closing = 1;
  if (closing == 0) return std::nullopt;
  NumberToken token;
  token.form = NumberForm::comma;
  token.has_dot = true;
  set_reading(token, Alphabet::han, value);
  return finish(token, n, n + closing);
}

// ① (U+2460), ⑴ (U+2474), ⒈ (U+2488): twenty of each.
std::optional<NumberToken> scan_circled(char32_t value, std::int32_t bytes) {
  constexpr char32_t kFirst[] = {0x2460, 0x2474, 0x2488};
  for (std::size_t i = 0; i < std::size(kFirst); ++i) {
    if (value < kFirst[i] || value >= kFirst[i] + 20) continue;
    NumberToken token;
    token.form = NumberForm::circled;
    token.word = static_cast<std::uint8_t>(i);
    set_reading(token, Alphabet::digit, static_cast<std::int32_t>(value - kFirst[i]) + 1);
    const auto length = static_cast<std::size_t>(bytes);
    return finish(token, length, length);
  }
  return std::nullopt;
}

// 物权编, 总则: a book of a statute that has a name for a number, alone on its line.
std::optional<NumberToken> scan_named_book(std::string_view text) {
  if (text.size() > 24) return std::nullopt;
  const bool is_book = text.size() >= 9 && text.ends_with("编") && !text.ends_with("分编");
  if (!is_book && text != "总则" && text != "分则" && text != "附则") return std::nullopt;
  for (std::size_t n = 0; n < text.size();) {
    const text::CodePoint c = text::decode_at(text, n);
    if (c.value < 0x4E00 || c.value > 0x9FFF) return std::nullopt;
    n += static_cast<std::size_t>(c.bytes);
  }
  NumberToken token;
  token.form = NumberForm::book;
  token.word = 8;
  set_reading(token, Alphabet::han, 0);
  return finish(token, text.size(), text.size());
}

// One step of FNV-1a over 64 bits.
std::uint64_t mix(std::uint64_t hash, std::int64_t value) {
  return (hash ^ static_cast<std::uint64_t>(value)) * 0x100000001B3ULL;
}

}  // namespace

std::uint64_t style_key(const NumberToken& token, NumberReading reading) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  hash = mix(hash, static_cast<int>(token.form));
  hash = mix(hash, token.word);
  hash = mix(hash, token.components);
  hash = mix(hash, static_cast<int>(reading.alphabet));
  for (int i = 0; i + 1 < token.components; ++i) hash = mix(hash, token.prefix[i]);
  return hash;
}

std::uint64_t number_key(const NumberToken& token, NumberReading reading, std::int32_t delta) {
  return mix(mix(style_key(token, reading), 1), reading.value + delta);
}

std::optional<NumberToken> scan_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const char first = text[0];
  if (first == '(') return scan_paren(text);
  if (is_digit(first)) return scan_digits(text);
  if (is_letter(first)) {
    if (std::optional<NumberToken> token = scan_letters(text)) return token;
    return is_upper(first) ? scan_word(text) : std::nullopt;
  }
  if (static_cast<unsigned char>(first) < 0x80) return std::nullopt;
  if (text.starts_with("（")) return scan_paren(text);
  if (text.starts_with("§")) return scan_paragraph_sign(text);
  if (text.starts_with("第")) return scan_ordinal(text);
  if (text.starts_with("附")) return scan_attachment(text);
  const text::CodePoint point = text::decode_at(text, 0);
  if (std::optional<NumberToken> token = scan_circled(point.value, point.bytes)) return token;
  if (std::optional<NumberToken> token = scan_han_list(text)) return token;
  return scan_named_book(text);
}

}  // namespace whereof::document
