#include <array>
#include <string>

#include "chat_template/filter_tables.h"
#include "chat_template/operators.h"
#include "chat_template/printing.h"
#include "chat_template/text_operations.h"
#include "text/utf8.h"

namespace whereof::chat_template {
namespace {

// Filters of text take any value by its text.
const MarkedText& text_from(Memory& memory, const Value& value) {
  return *text_of(as_text(memory, value));
}

Value trim(Memory& memory, const Value& value, ArgumentReader& reader) {
  const auto characters = reader.take("chars");
  std::optional<MarkedText> set;
  if (characters && !is<None>(*characters)) {
    const MarkedText* text = text_of(*characters);
    if (text == nullptr) fail("'trim' wants a string");
    set = *text;
  }
  return stripped(memory, text_from(memory, value), Side::both, set);
}

Value upper(Memory& memory, const Value& value, ArgumentReader&) {
  return in_case(memory, text_from(memory, value), LetterCase::upper);
}
Value lower(Memory& memory, const Value& value, ArgumentReader&) {
  return in_case(memory, text_from(memory, value), LetterCase::lower);
}
Value capitalize(Memory& memory, const Value& value, ArgumentReader&) {
  return capitalised(memory, text_from(memory, value));
}
Value title(Memory& memory, const Value& value, ArgumentReader&) {
  return titled_by_blanks(memory, text_from(memory, value));
}
Value string(Memory& memory, const Value& value, ArgumentReader&) { return as_text(memory, value); }

Value replace(Memory& memory, const Value& value, ArgumentReader& reader) {
  const MarkedText& from = text_from(memory, reader.need("old"));
  const MarkedText& to = text_from(memory, reader.need("new"));
  const std::int64_t most = reader.take_integer("count").value_or(-1);
  return replaced(memory, text_from(memory, value), from, to, most);
}

Value indent(Memory& memory, const Value& value, ArgumentReader& reader) {
  const Value width = reader.take("width", std::int64_t{4});
  const bool takes_first = reader.take_flag("first", false);
  const bool takes_blank = reader.take_flag("blank", false);
  TextBuilder margin(memory);
  if (const MarkedText* text = text_of(width)) {
    margin.append(*text);
  } else {
    for (std::int64_t i = 0; i < integer_of(width).value_or(0); ++i) margin.append(" ");
  }
  const MarkedText* text = text_of(value);
  if (text == nullptr) fail("'indent' wants a string, found " + std::string(kind_name(value)));
  MarkedText padded = *text;
  padded.append("\n", true);  // Jinja's own: the last line's end is never lost
  TextBuilder builder(memory);
  bool is_first = true;
  for (const Value& line : split_lines(memory, padded, false)) {
    if (!is_first) builder.append("\n", true);
    const MarkedText& line_text = *text_of(line);
    if (is_first ? takes_first : takes_blank || line_text.size() > 0) builder.append(margin.text());
    builder.append(line_text);
    is_first = false;
  }
  return builder.finish();
}

Value tojson(Memory& memory, const Value& value, ArgumentReader& reader) {
  JsonStyle style;
  style.is_ascii = reader.take_flag("ensure_ascii", false);
  const Value indent = reader.take("indent", None{});
  if (const MarkedText* text = text_of(indent)) {
    style.indent = *text;
  } else if (const auto width = integer_of(indent)) {
    TextBuilder margin(memory);
    for (std::int64_t i = 0; i < *width; ++i) margin.append(" ");
    style.indent = margin.text();
  }
  const Value separators = reader.take("separators", None{});
  if (const List* list = list_of(separators)) {
    const bool are_two = list->elements.size() == 2 && text_of(list->elements[0]) != nullptr &&
                         text_of(list->elements[1]) != nullptr;
    if (!are_two) fail("'tojson' wants two separators");
    style.separator = *text_of(list->elements[0]);
    style.colon = *text_of(list->elements[1]);
  }
  style.sorts_keys = reader.take_flag("sort_keys", false);
  TextBuilder builder(memory);
  append_json(memory, builder, value, style);
  return builder.finish();
}

constexpr std::array<NamedFilter, 10> kFilters = {{{"trim", trim},
                                                   {"upper", upper},
                                                   {"lower", lower},
                                                   {"capitalize", capitalize},
                                                   {"title", title},
                                                   {"string", string},
                                                   {"safe", string},
                                                   {"replace", replace},
                                                   {"indent", indent},
                                                   {"tojson", tojson}}};

}  // namespace

std::span<const NamedFilter> text_filters() noexcept { return kFilters; }

}  // namespace whereof::chat_template
