#include "document/readers/html_references.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "document/readers/html_reference_names.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

char32_t of_number(char32_t number) {
  constexpr std::array<char32_t, 32> kWindows1252 = {
      0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6,  0x2030, 0x160,
      0x2039, 0x152,  0x8D,   0x17D,  0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
      0x2013, 0x2014, 0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178};
  if (number >= 0x80 && number < 0xA0) return kWindows1252[number - 0x80];
  const bool is_scalar = number != 0 && number < 0x110000 && (number < 0xD800 || number > 0xDFFF);
  return is_scalar ? number : text::kReplacement;
}

HtmlReference numeric(std::string_view text) {
  std::size_t at = 2;
  const bool is_hexadecimal = at < text.size() && (text[at] == 'x' || text[at] == 'X');
  if (is_hexadecimal) ++at;
  const int base = is_hexadecimal ? 16 : 10;
  const std::size_t first = at;
  char32_t number = 0;
  for (; at < text.size() && hexadecimal(text[at]) < base; ++at) {
    number = number * static_cast<char32_t>(base) + static_cast<char32_t>(hexadecimal(text[at]));
    number = std::min<char32_t>(number, 0x110000);  // any longer number is no character either
  }
  if (at == first) return {};
  if (at < text.size() && text[at] == ';') ++at;
  return {of_number(number), at};
}

const NamedReference* named(std::string_view name) {
  const auto* const found = std::lower_bound(
      std::begin(kNamedReferences), std::end(kNamedReferences), name,
      [](const NamedReference& one, std::string_view other) { return one.name < other; });
  return found != std::end(kNamedReferences) && found->name == name ? found : nullptr;
}

}  // namespace

HtmlReference html_reference(std::string_view text, bool in_attribute) {
  if (text.size() > 1 && text[1] == '#') return numeric(text);
  std::size_t end = 1;
  while (end < text.size() && end <= kLongestReferenceName && is_alphanumeric(text[end])) ++end;
  if (end < text.size() && text[end] == ';') {
    if (const auto* found = named(text.substr(1, end - 1))) return {found->value, end + 1};
  }
  // Without a semicolon the longest name of Latin-1 counts: "&copy2026", "&notit".
  for (std::size_t length = std::min(end - 1, kLongestLatin1Name); length >= 2; --length) {
    const auto* found = named(text.substr(1, length));
    if (found == nullptr || !found->needs_no_semicolon) continue;
    const char next = length + 1 < text.size() ? text[length + 1] : '\0';
    if (in_attribute && (next == '=' || is_alphanumeric(next))) return {};
    return {found->value, length + 1};
  }
  return {};
}

std::string html_attribute_value(std::string_view raw) {
  std::string value;
  for (std::size_t at = 0; at < raw.size();) {
    const HtmlReference reference =
        raw[at] == '&' ? html_reference(raw.substr(at), true) : HtmlReference();
    if (reference.bytes == 0) {
      value.push_back(raw[at++]);
    } else {
      text::append(value, reference.value);
      at += reference.bytes;
    }
  }
  return value;
}

}  // namespace whereof::document
