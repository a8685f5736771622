// Upper and lower case, by ICU.
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <string>

#include "chat_template/text_operations.h"
#include "chat_template/white_space.h"
#include "text/utf8.h"

namespace whereof::chat_template {
namespace {

std::string in_case(std::string_view bytes, LetterCase letter_case) {
  auto text = icu::UnicodeString::fromUTF8(
      icu::StringPiece(bytes.data(), static_cast<std::int32_t>(bytes.size())));
  if (letter_case == LetterCase::upper) {
    text.toUpper(icu::Locale::getRoot());
  } else {
    text.toLower(icu::Locale::getRoot());
  }
  std::string result;
  text.toUTF8String(result);
  return result;
}

// Appends bytes begin .. end - 1 in that case, run by run.
void append_in_case(Memory& memory, TextBuilder& builder, const MarkedText& text, std::size_t begin,
                    std::size_t end, LetterCase letter_case) {
  memory.charge(4 * (end - begin));
  const MarkedText part = text.slice(begin, end);
  std::size_t at = 0;
  for (const Run& run : part.runs()) {
    builder.append(in_case(part.bytes().substr(at, run.end - at), letter_case), run.is_template);
    at = run.end;
  }
}

std::size_t end_of_character(const MarkedText& text, std::size_t at) {
  return at + static_cast<std::size_t>(text::decode_at(text.bytes(), at).bytes);
}

bool is_cased(char32_t value) {
  return u_hasBinaryProperty(static_cast<UChar32>(value), UCHAR_CASED);
}

// Words begin where `begins_word` says so of a character and the one before it.
template <typename BeginsWord>
Value with_capitals(Memory& memory, const MarkedText& text, const BeginsWord& begins_word) {
  TextBuilder builder(memory);
  std::size_t rest = 0;  // not yet written, to be in lower case
  char32_t before = U' ';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_character(text, at);
    const char32_t value = text::decode_at(text.bytes(), at).value;
    if (begins_word(before, value)) {
      append_in_case(memory, builder, text, rest, at, LetterCase::lower);
      append_in_case(memory, builder, text, at, end, LetterCase::upper);
      rest = end;
    }
    before = value;
    at = end;
  }
  append_in_case(memory, builder, text, rest, text.size(), LetterCase::lower);
  return builder.finish();
}

bool has_only(const MarkedText& text, UProperty wanted, UProperty other) noexcept {
  bool has_letter = false;
  for (std::size_t at = 0; at < text.size(); at = end_of_character(text, at)) {
    const auto value = static_cast<UChar32>(text::decode_at(text.bytes(), at).value);
    if (u_hasBinaryProperty(value, other)) return false;
    has_letter = has_letter || u_hasBinaryProperty(value, wanted);
  }
  return has_letter;
}

}  // namespace

Value in_case(Memory& memory, const MarkedText& text, LetterCase letter_case) {
  TextBuilder builder(memory);
  append_in_case(memory, builder, text, 0, text.size(), letter_case);
  return builder.finish();
}

Value capitalised(Memory& memory, const MarkedText& text) {
  bool is_first = true;
  return with_capitals(memory, text,
                       [&](char32_t, char32_t) { return std::exchange(is_first, false); });
}

Value titled(Memory& memory, const MarkedText& text) {
  return with_capitals(memory, text, [](char32_t before, char32_t value) {
    return is_cased(value) && !is_cased(before);
  });
}

Value titled_by_blanks(Memory& memory, const MarkedText& text) {
  const auto separates = [](char32_t value) {
    return is_white_space(value) || value == '-' || value == '(' || value == '{' || value == '[' ||
           value == '<';
  };
  return with_capitals(memory, text, [&](char32_t before, char32_t value) {
    return separates(before) && !separates(value);
  });
}

bool is_upper(const MarkedText& text) noexcept {
  return has_only(text, UCHAR_UPPERCASE, UCHAR_LOWERCASE);
}

bool is_lower(const MarkedText& text) noexcept {
  return has_only(text, UCHAR_LOWERCASE, UCHAR_UPPERCASE);
}

}  // namespace whereof::chat_template
