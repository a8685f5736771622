#include "chat_template/text_operations.h"

#include <algorithm>

#include "chat_template/white_space.h"
#include "text/utf8.h"

namespace whereof::chat_template {
namespace {

std::size_t bytes_of(const text::CodePoint& point) { return static_cast<std::size_t>(point.bytes); }

// Whether the character at text[at] is one of the characters.
bool has_character(std::string_view characters, std::string_view text, std::size_t at) {
  const std::string_view character = text.substr(at, bytes_of(text::decode_at(text, at)));
  for (std::size_t i = 0; i < characters.size();) {
    const std::size_t bytes = bytes_of(text::decode_at(characters, i));
    if (characters.substr(i, bytes) == character) return true;
    i += bytes;
  }
  return false;
}

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Range white_space_stripped(std::string_view text, Side side) {
  Range range{0, text.size()};
  if (side != Side::right) range.begin = skip_white_space(text, 0);
  if (side != Side::left) range.end = std::max(range.begin, end_without_white_space(text));
  return range;
}

Range characters_stripped(Memory& memory, std::string_view text, Side side,
                          std::string_view characters) {
  Range range{0, text.size()};
  while (side != Side::right && range.begin < text.size()) {
    memory.charge(characters.size());
    if (!has_character(characters, text, range.begin)) break;
    range.begin += bytes_of(text::decode_at(text, range.begin));
  }
  while (side != Side::left && range.end > range.begin) {
    memory.charge(characters.size());
    const std::size_t at = range.end - bytes_of(text::decode_before(text, range.end));
    if (!has_character(characters, text, at)) break;
    range.end = at;
  }
  return range;
}

void add_part(Memory& memory, std::vector<Value>& parts, const MarkedText& text, std::size_t begin,
              std::size_t end) {
  parts.push_back(memory.text(text.slice(begin, end)));
}

std::vector<Value> split_at(Memory& memory, const MarkedText& text, std::string_view separator,
                            std::int64_t max_splits) {
  std::vector<Value> parts;
  std::size_t begin = 0;
  for (; max_splits != 0; --max_splits) {
    const std::size_t at = text.bytes().find(separator, begin);
    if (at == std::string_view::npos) break;
    add_part(memory, parts, text, begin, at);
    begin = at + separator.size();
  }
  add_part(memory, parts, text, begin, text.size());
  return parts;
}

std::vector<Value> split_at_from_right(Memory& memory, const MarkedText& text,
                                       std::string_view separator, std::int64_t max_splits) {
  std::vector<Value> parts;
  std::size_t end = text.size();
  for (; max_splits != 0; --max_splits) {
    const std::size_t at = text.bytes().substr(0, end).rfind(separator);
    if (at == std::string_view::npos) break;
    add_part(memory, parts, text, at + separator.size(), end);
    end = at;
  }
  add_part(memory, parts, text, 0, end);
  std::reverse(parts.begin(), parts.end());
  return parts;
}

std::size_t end_of_word(std::string_view text, std::size_t at) {
  while (at < text.size() && !is_white_space(text::decode_at(text, at).value)) {
    at += bytes_of(text::decode_at(text, at));
  }
  return at;
}

std::vector<Value> split_at_blanks(Memory& memory, const MarkedText& text,
                                   std::int64_t max_splits) {
  std::vector<Value> parts;
  const std::string_view bytes = text.bytes();
  for (std::size_t at = skip_white_space(bytes, 0); at < bytes.size();) {
    if (max_splits-- == 0) {
      add_part(memory, parts, text, at, bytes.size());
      break;
    }
    const std::size_t end = end_of_word(bytes, at);
    add_part(memory, parts, text, at, end);
    at = skip_white_space(bytes, end);
  }
  return parts;
}

std::vector<Value> split_at_blanks_from_right(Memory& memory, const MarkedText& text,
                                              std::int64_t max_splits) {
  std::vector<Value> parts;
  const std::string_view bytes = text.bytes();
  for (std::size_t end = end_without_white_space(bytes); end > 0;) {
    if (max_splits-- == 0) {
      add_part(memory, parts, text, 0, end);
      break;
    }
    std::size_t begin = end;
    while (begin > 0) {
      const text::CodePoint point = text::decode_before(bytes, begin);
      if (is_white_space(point.value)) break;
      begin -= bytes_of(point);
    }
    add_part(memory, parts, text, begin, end);
    end = end_without_white_space(bytes.substr(0, begin));
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

bool ends_line(char32_t value) {
  return (value >= 10 && value <= 13) || (value >= 28 && value <= 30) || value == 0x85 ||
         value == 0x2028 || value == 0x2029;
}

}  // namespace

Value stripped(Memory& memory, const MarkedText& text, Side side,
               const std::optional<MarkedText>& characters) {
  memory.charge(text.size());
  const Range range = characters
                          ? characters_stripped(memory, text.bytes(), side, characters->bytes())
                          : white_space_stripped(text.bytes(), side);
  return memory.text(text.slice(range.begin, range.end));
}

std::vector<Value> split(Memory& memory, const MarkedText& text,
                         const std::optional<MarkedText>& separator, std::int64_t max_splits,
                         bool is_from_right) {
  memory.charge(text.size());
  if (!separator) {
    return is_from_right ? split_at_blanks_from_right(memory, text, max_splits)
                         : split_at_blanks(memory, text, max_splits);
  }
  if (separator->size() == 0) fail("it splits at an empty string");
  return is_from_right ? split_at_from_right(memory, text, separator->bytes(), max_splits)
                       : split_at(memory, text, separator->bytes(), max_splits);
}

std::vector<Value> split_lines(Memory& memory, const MarkedText& text, bool keeps_ends) {
  memory.charge(text.size());
  std::vector<Value> lines;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const text::CodePoint point = text::decode_at(text.bytes(), at);
    const bool is_pair = text.bytes().substr(at, 2) == "\r\n";
    const std::size_t end = at + (is_pair ? 2 : bytes_of(point));
    if (ends_line(point.value)) {
      add_part(memory, lines, text, begin, keeps_ends ? end : at);
      begin = end;
    }
    at = end;
  }
  if (begin < text.size()) add_part(memory, lines, text, begin, text.size());
  return lines;
}

Value replaced(Memory& memory, const MarkedText& text, const MarkedText& from, const MarkedText& to,
               std::int64_t max_count) {
  memory.charge(text.size());
  TextBuilder builder(memory);
  std::size_t begin = 0;
  if (from.size() == 0) {  // before each character and at the end
    for (; max_count != 0 && begin < text.size(); --max_count) {
      const std::size_t end = begin + bytes_of(text::decode_at(text.bytes(), begin));
      builder.append(to);
      builder.append(text, begin, end);
      begin = end;
    }
    builder.append(text, begin, text.size());
    if (max_count != 0) builder.append(to);
    return builder.finish();
  }
  for (; max_count != 0; --max_count) {
    const std::size_t at = text.bytes().find(from.bytes(), begin);
    if (at == std::string_view::npos) break;
    builder.append(text, begin, at);
    builder.append(to);
    begin = at + from.size();
  }
  builder.append(text, begin, text.size());
  return builder.finish();
}

}  // namespace whereof::chat_template
