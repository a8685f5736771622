#include "chat_template/printing.h"

#include <unicode/uchar.h>

#include <array>
#include <charconv>
#include <cmath>

#include "chat_template/sorting.h"
#include "text/utf8.h"

namespace whereof::chat_template {
namespace {

std::string hexadecimal(char32_t value, std::size_t digits) {
  std::string text(digits, '0');
  for (std::size_t i = digits; i > 0; --i, value >>= 4)
    text[i - 1] = "0123456789abcdef"[value & 15];
  return text;
}

// Python's str.isprintable of one character.
bool is_printable(char32_t value) {
  if (value < 0x7F) return value >= 0x20;
  switch (u_charType(static_cast<UChar32>(value))) {
    case U_CONTROL_CHAR:
    case U_FORMAT_CHAR:
    case U_SURROGATE:
    case U_PRIVATE_USE_CHAR:
    case U_UNASSIGNED:
    case U_LINE_SEPARATOR:
    case U_PARAGRAPH_SEPARATOR:
    case U_SPACE_SEPARATOR:
      return false;
    default:
      return true;
  }
}

std::string repr_escape(char32_t value) {
  if (value == '\n') return "\\n";
  if (value == '\r') return "\\r";
  if (value == '\t') return "\\t";
  if (value < 0x100) return "\\x" + hexadecimal(value, 2);
  if (value < 0x10000) return "\\u" + hexadecimal(value, 4);
  return "\\U" + hexadecimal(value, 8);
}

// Appends text character by character: as it is, or as what `escape` gives for it.
template <typename Escape>
void append_escaped(TextBuilder& builder, const MarkedText& text, const Escape& escape) {
  std::size_t unwritten = 0;
  for (std::size_t at = 0; at < text.size();) {
    const text::CodePoint point = text::decode_at(text.bytes(), at);
    const std::string escaped = escape(point.value);
    const std::size_t end = at + static_cast<std::size_t>(point.bytes);
    if (!escaped.empty()) {
      builder.append(text, unwritten, at);
      builder.append(escaped, text.is_template_at(at));
      unwritten = end;
    }
    at = end;
  }
  builder.append(text, unwritten, text.size());
}

void append_quoted(TextBuilder& builder, const MarkedText& text) {
  const bool has_single = text.bytes().find('\'') != std::string_view::npos;
  const bool has_double = text.bytes().find('"') != std::string_view::npos;
  const char32_t quote = has_single && !has_double ? U'"' : U'\'';
  const std::string mark(1, static_cast<char>(quote));
  builder.append(mark);
  append_escaped(builder, text, [quote](char32_t value) -> std::string {
    if (value == quote || value == '\\') return std::string("\\") + static_cast<char>(value);
    return is_printable(value) ? std::string() : repr_escape(value);
  });
  builder.append(mark);
}

void append_repr(TextBuilder& builder, const Value& value);

void append_elements(TextBuilder& builder, const List& list) {
  const bool is_tuple = list.kind == ListKind::tuple;
  if (!is_tuple && list.kind != ListKind::list) {
    refuse("it prints a range, a view or a generator");
  }
  builder.append(is_tuple ? "(" : "[");
  for (std::size_t i = 0; i < list.elements.size(); ++i) {
    if (i > 0) builder.append(", ");
    append_repr(builder, list.elements[i]);
  }
  if (is_tuple && list.elements.size() == 1) builder.append(",");
  builder.append(is_tuple ? ")" : "]");
}

void append_repr(TextBuilder& builder, const Value& value) {
  if (const MarkedText* text = text_of(value)) {
    append_quoted(builder, *text);
  } else if (is<Undefined>(value)) {
    builder.append("Undefined");
  } else {
    append_text(builder, value);
  }
}

std::string ascii_escape(char32_t value) {
  if (value < 0x10000) return "\\u" + hexadecimal(value, 4);
  const char32_t rest = value - 0x10000;
  return "\\u" + hexadecimal(0xD800 + (rest >> 10), 4) + "\\u" +
         hexadecimal(0xDC00 + (rest & 0x3FF), 4);
}

void append_json_string(TextBuilder& builder, const MarkedText& text, bool is_ascii) {
  constexpr std::string_view kControls = "\"\\\n\r\t\b\f";
  constexpr std::string_view kLetters = "\"\\nrtbf";
  builder.append("\"");
  append_escaped(builder, text, [&](char32_t value) -> std::string {
    if (value >= 0x80) return is_ascii ? ascii_escape(value) : std::string();
    const std::size_t known = kControls.find(static_cast<char>(value));
    if (known != std::string_view::npos) return std::string("\\") + kLetters[known];
    if (value < 0x20) return ascii_escape(value);
    return {};
  });
  builder.append("\"");
}

class JsonWriter {
 public:
  JsonWriter(Memory& memory, TextBuilder& builder, const JsonStyle& style)
      : memory_(memory), builder_(builder), style_(style) {}

  void write(const Value& value, int level) {
    memory_.charge(8);
    if (const MarkedText* text = text_of(value)) {
      append_json_string(builder_, *text, style_.is_ascii);
    } else if (const List* list = list_of(value)) {
      write_list(*list, level);
    } else if (const Map* map = map_of(value)) {
      write_map(*map, level);
    } else {
      write_scalar(value);
    }
  }

 private:
  void write_scalar(const Value& value) {
    if (is<None>(value)) {
      builder_.append("null");
    } else if (const auto* boolean = get<bool>(value)) {
      builder_.append(*boolean ? "true" : "false");
    } else if (const auto* real = get<double>(value); real != nullptr && !std::isfinite(*real)) {
      builder_.append(std::isnan(*real) ? "NaN" : *real < 0 ? "-Infinity" : "Infinity");
    } else if (is_number(value)) {
      append_text(builder_, value);
    } else {
      fail("it writes " + std::string(kind_name(value)) + " as JSON");
    }
  }

  void write_key(const Value& key) {
    if (const MarkedText* text = text_of(key)) {
      append_json_string(builder_, *text, style_.is_ascii);
      return;
    }
    if (list_of(key) != nullptr) fail("it writes a map with a tuple as key as JSON");
    builder_.append("\"");
    write_scalar(key);
    builder_.append("\"");
  }

  void begin_line(int level) {
    if (!style_.indent) return;
    builder_.append("\n");
    for (int i = 0; i < level; ++i) builder_.append(*style_.indent);
  }

  void separate() {
    if (style_.separator) {
      builder_.append(*style_.separator);
    } else {
      builder_.append(style_.indent ? "," : ", ");
    }
  }

  void write_list(const List& list, int level) {
    if (list.kind != ListKind::list && list.kind != ListKind::tuple) {
      fail("it writes a range, a view or a generator as JSON");
    }
    builder_.append("[");
    for (std::size_t i = 0; i < list.elements.size(); ++i) {
      if (i > 0) separate();
      begin_line(level + 1);
      write(list.elements[i], level + 1);
    }
    if (!list.elements.empty()) begin_line(level);
    builder_.append("]");
  }

  void write_map(const Map& map, int level) {
    builder_.append("{");
    bool is_first = true;
    for (const auto& [key, value] : ordered(map)) {
      if (!is_first) separate();
      is_first = false;
      begin_line(level + 1);
      write_key(key);
      if (style_.colon) {
        builder_.append(*style_.colon);
      } else {
        builder_.append(": ");
      }
      write(value, level + 1);
    }
    if (!map.entries.empty()) begin_line(level);
    builder_.append("}");
  }

  std::vector<std::pair<Value, Value>> ordered(const Map& map) {
    memory_.charge(map.entries.size() * 2 * sizeof(Value));
    auto entries = map.entries;
    if (style_.sorts_keys) {
      sort_values(memory_, entries, [](const auto& entry) -> const Value& { return entry.first; });
    }
    return entries;
  }

  Memory& memory_;
  TextBuilder& builder_;
  const JsonStyle& style_;
};

}  // namespace

std::string printed_real(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::array<char, 64> buffer;
  const double size = std::fabs(number);
  const bool is_plain = size == 0 || (size >= 1e-4 && size < 1e16);
  const auto format = is_plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format);
  std::string digits(buffer.data(), result.ptr);
  if (is_plain && digits.find('.') == std::string::npos) digits += ".0";
  return digits;
}

void append_text(TextBuilder& builder, const Value& value) {
  if (const MarkedText* text = text_of(value)) {
    builder.append(*text);
  } else if (const auto* boolean = get<bool>(value)) {
    builder.append(*boolean ? "True" : "False");
  } else if (is<None>(value)) {
    builder.append("None");
  } else if (const auto* integer = get<std::int64_t>(value)) {
    builder.append(std::to_string(*integer));
  } else if (const auto* real = get<double>(value)) {
    builder.append(printed_real(*real));
  } else if (const List* list = list_of(value)) {
    append_elements(builder, *list);
  } else if (const Map* map = map_of(value)) {
    builder.append("{");
    for (std::size_t i = 0; i < map->entries.size(); ++i) {
      if (i > 0) builder.append(", ");
      append_repr(builder, map->entries[i].first);
      builder.append(": ");
      append_repr(builder, map->entries[i].second);
    }
    builder.append("}");
  } else if (!is<Undefined>(value)) {
    refuse("it prints " + std::string(kind_name(value)));
  }
}

Value as_text(Memory& memory, const Value& value) {
  if (text_of(value) != nullptr) return value;
  TextBuilder builder(memory);
  append_text(builder, value);
  return builder.finish();
}

void append_json(Memory& memory, TextBuilder& builder, const Value& value, const JsonStyle& style) {
  JsonWriter(memory, builder, style).write(value, 0);
}

}  // namespace whereof::chat_template
