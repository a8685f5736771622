#include "document/clause_keys.h"

#include <string_view>

#include "document/clause_numerals.h"
#include "text/ascii_case.h"

namespace whereof::document {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

std::string joined(const NumberToken& token, std::int32_t value) {
  std::string key;
  for (int i = 0; i + 1 < token.components; ++i) key += std::to_string(token.prefix[i]) + ".";
  key += std::to_string(value);
  if (token.suffix > 0) {
    if (token.reading[0].alphabet == Alphabet::han) {
      key += "-" + std::to_string(token.suffix);
    } else {
      key += static_cast<char>('A' + token.suffix - 1);
    }
  }
  return key;
}

bool is_letters(Alphabet alphabet) {
  return alphabet != Alphabet::digit && alphabet != Alphabet::han;
}

}  // namespace

std::optional<NumberToken> token_of(const std::string& number) {
  if (std::optional<NumberToken> token = scan_number(number)) return token;
  if (std::optional<NumberToken> token = scan_number(number + ".")) return token;
  return scan_number(number + "、");
}

std::vector<std::string> keys_of(const std::string& number, const NumberToken& token) {
  std::vector<std::string> keys;
  for (int r = 0; r < token.readings; ++r) {
    const NumberReading reading = token.reading[r];
    if (!is_letters(reading.alphabet)) {
      if (reading.value > 0) keys.push_back(joined(token, reading.value));
      continue;
    }
    if (keys.empty()) keys.push_back(letters_of(number));
    const bool is_roman =
        reading.alphabet == Alphabet::upper_roman || reading.alphabet == Alphabet::lower_roman;
    if (is_roman && !is_list_form(token.form) && token.suffix == 0) {
      keys.push_back(std::to_string(reading.value));
    }
  }
  return keys;
}

std::string letters_of(const std::string& number) {
  std::string_view text = number;
  if (const std::size_t space = text.rfind(' '); space != std::string_view::npos) {
    text = text.substr(space + 1);
  }
  std::string letters;
  for (const char c : text) {
    if (is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-') letters += c;
  }
  return letters;
}

std::string schedule_word(const std::string& number) {
  for (const std::string_view word : {"附件", "附录", "附表"}) {
    if (number.starts_with(word)) return std::string(word);
  }
  std::string word;
  for (const char c : number) {
    if (!is_upper(c) && !(c >= 'a' && c <= 'z')) break;
    word += text::ascii_lower(c);
  }
  return word;
}

std::string with_other_case(const std::string& key) {
  std::string other = key;
  for (char& c : other) {
    if (is_upper(c) || (c >= 'a' && c <= 'z')) c = static_cast<char>(c ^ 0x20);
  }
  return other;
}

std::optional<std::string> roman_as_digits(const std::string& key) {
  if (key.empty() || !is_upper(key[0])) return std::nullopt;
  const std::optional<std::int32_t> value = roman_value(key);
  return value ? std::optional(std::to_string(*value)) : std::nullopt;
}

}  // namespace whereof::document
