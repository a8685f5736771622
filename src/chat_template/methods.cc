#include "chat_template/methods.h"

#include <algorithm>
#include <array>
#include <string>

#include "chat_template/operators.h"
#include "chat_template/text_operations.h"
#include "text/in_quotes.h"
#include "text/utf8.h"

namespace whereof::chat_template {
namespace {

std::optional<MarkedText> take_characters(ArgumentReader& reader, std::string_view name) {
  const auto value = reader.take(name);
  if (!value || is<None>(*value)) return std::nullopt;
  const MarkedText* text = text_of(*value);
  if (text == nullptr) fail("the argument " + text::in_quotes(name) + " is no string");
  return *text;
}

template <Side kSide>
Value strip(Memory& memory, const MarkedText& text, ArgumentReader& reader) {
  return stripped(memory, text, kSide, take_characters(reader, "chars"));
}

template <bool kIsFromRight>
Value split_method(Memory& memory, const MarkedText& text, ArgumentReader& reader) {
  const auto separator = take_characters(reader, "sep");
  const std::int64_t most = reader.take_integer("maxsplit").value_or(-1);
  return memory.list(split(memory, text, separator, most, kIsFromRight));
}

Value splitlines(Memory& memory, const MarkedText& text, ArgumentReader& reader) {
  return memory.list(split_lines(memory, text, reader.take_flag("keepends", false)));
}

Value replace(Memory& memory, const MarkedText& text, ArgumentReader& reader) {
  const MarkedText& from = reader.need_text("old");
  const MarkedText& to = reader.need_text("new");
  return replaced(memory, text, from, to, reader.take_integer("count").value_or(-1));
}

// Whether `matches` holds of the argument or of one in a tuple of them.
template <typename Matches>
bool matches_any(ArgumentReader& reader, const Matches& matches) {
  const Value wanted = reader.need("prefix");
  if (const MarkedText* text = text_of(wanted)) return matches(text->bytes());
  const List* list = list_of(wanted);
  if (list == nullptr || list->kind != ListKind::tuple) fail("a prefix or suffix is no string");
  bool is_found = false;
  for (const Value& element : list->elements) {
    const MarkedText* text = text_of(element);
    if (text == nullptr) fail("a prefix or suffix is no string");
    is_found = is_found || matches(text->bytes());
  }
  return is_found;
}

Value startswith(Memory&, const MarkedText& text, ArgumentReader& reader) {
  return matches_any(reader, [&](std::string_view p) { return text.bytes().starts_with(p); });
}

Value endswith(Memory&, const MarkedText& text, ArgumentReader& reader) {
  return matches_any(reader, [&](std::string_view p) { return text.bytes().ends_with(p); });
}

Value removeprefix(Memory& memory, const MarkedText& text, ArgumentReader& reader) {
  const std::string_view prefix = reader.need_text("prefix").bytes();
  const bool has = text.bytes().starts_with(prefix);
  return memory.text(text.slice(has ? prefix.size() : 0, text.size()));
}

Value removesuffix(Memory& memory, const MarkedText& text, ArgumentReader& reader) {
  const std::string_view suffix = reader.need_text("suffix").bytes();
  const bool has = text.bytes().ends_with(suffix);
  return memory.text(text.slice(0, text.size() - (has ? suffix.size() : 0)));
}

template <bool kIsFromRight>
Value find(Memory& memory, const MarkedText& text, ArgumentReader& reader) {
  const std::string_view part = reader.need_text("sub").bytes();
  memory.charge(text.size());
  const std::size_t at = kIsFromRight ? text.bytes().rfind(part) : text.bytes().find(part);
  if (at == std::string_view::npos) return std::int64_t{-1};
  return text::count_code_points(text.bytes().substr(0, at));
}

Value count(Memory& memory, const MarkedText& text, ArgumentReader& reader) {
  const std::string_view part = reader.need_text("sub").bytes();
  memory.charge(text.size());
  if (part.empty()) return text::count_code_points(text.bytes()) + 1;
  std::int64_t found = 0;
  for (std::size_t at = text.bytes().find(part); at != std::string_view::npos;
       at = text.bytes().find(part, at + part.size())) {
    ++found;
  }
  return found;
}

Value join(Memory& memory, const MarkedText& text, ArgumentReader& reader) {
  TextBuilder builder(memory);
  bool is_first = true;
  for (const Value& element : elements_of(memory, reader.need("iterable"))) {
    const MarkedText* part = text_of(element);
    if (part == nullptr) fail("it joins " + std::string(kind_name(element)) + ", wanted a string");
    if (!is_first) builder.append(text);
    is_first = false;
    builder.append(*part);
  }
  return builder.finish();
}

Value upper(Memory& memory, const MarkedText& text, ArgumentReader&) {
  return in_case(memory, text, LetterCase::upper);
}
Value lower(Memory& memory, const MarkedText& text, ArgumentReader&) {
  return in_case(memory, text, LetterCase::lower);
}
Value capitalize(Memory& memory, const MarkedText& text, ArgumentReader&) {
  return capitalised(memory, text);
}
Value title(Memory& memory, const MarkedText& text, ArgumentReader&) {
  return titled(memory, text);
}
Value isupper(Memory&, const MarkedText& text, ArgumentReader&) { return is_upper(text); }
Value islower(Memory&, const MarkedText& text, ArgumentReader&) { return is_lower(text); }

Value isdigit(Memory&, const MarkedText& text, ArgumentReader&) {
  const std::string_view bytes = text.bytes();
  if (std::any_of(bytes.begin(), bytes.end(), [](char c) { return (c & 0x80) != 0; })) {
    refuse("it asks whether characters outside of ASCII are digits");
  }
  return !bytes.empty() &&
         std::all_of(bytes.begin(), bytes.end(), [](char c) { return c >= '0' && c <= '9'; });
}

using TextMethod = Value (*)(Memory&, const MarkedText&, ArgumentReader&);
struct NamedTextMethod {
  std::string_view name;
  TextMethod call;
};
constexpr std::array<NamedTextMethod, 22> kTextMethods = {{{"strip", strip<Side::both>},
                                                           {"lstrip", strip<Side::left>},
                                                           {"rstrip", strip<Side::right>},
                                                           {"split", split_method<false>},
                                                           {"rsplit", split_method<true>},
                                                           {"splitlines", splitlines},
                                                           {"replace", replace},
                                                           {"startswith", startswith},
                                                           {"endswith", endswith},
                                                           {"removeprefix", removeprefix},
                                                           {"removesuffix", removesuffix},
                                                           {"find", find<false>},
                                                           {"rfind", find<true>},
                                                           {"count", count},
                                                           {"join", join},
                                                           {"upper", upper},
                                                           {"lower", lower},
                                                           {"capitalize", capitalize},
                                                           {"title", title},
                                                           {"isupper", isupper},
                                                           {"islower", islower},
                                                           {"isdigit", isdigit}}};

const NamedTextMethod* find_text_method(std::string_view name) noexcept {
  const auto found = std::find_if(kTextMethods.begin(), kTextMethods.end(),
                                  [name](const NamedTextMethod& m) { return m.name == name; });
  return found == kTextMethods.end() ? nullptr : &*found;
}

constexpr std::array<std::string_view, 5> kMapMethods = {"get", "items", "keys", "values", "copy"};
constexpr std::array<std::string_view, 6> kMapChanges = {"clear",      "pop",    "popitem",
                                                         "setdefault", "update", "fromkeys"};
constexpr std::array<std::string_view, 3> kListMethods = {"index", "count", "copy"};
constexpr std::array<std::string_view, 7> kListChanges = {"append", "clear",  "extend", "insert",
                                                          "pop",    "remove", "reverse"};

template <std::size_t kCount>
bool has(const std::array<std::string_view, kCount>& names, std::string_view name) noexcept {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Value call_on_map(Memory& memory, const Map& map, std::string_view name, ArgumentReader& reader) {
  if (name == "get") {
    const Value key = reader.need("key");
    const Value otherwise = reader.take("default", None{});
    const auto at = find_key(memory, map, key);
    return at ? map.entries[*at].second : otherwise;
  }
  if (name == "copy") return &map;
  std::vector<Value> elements;
  memory.charge(map.entries.size() * sizeof(Value));
  for (const auto& [key, value] : map.entries) {
    if (name == "items") {
      elements.push_back(memory.list({key, value}, ListKind::tuple));
    } else {
      elements.push_back(name == "keys" ? key : value);
    }
  }
  return memory.list(std::move(elements), ListKind::view);
}

Value call_on_list(Memory& memory, const List& list, std::string_view name,
                   ArgumentReader& reader) {
  if (name == "copy") return &list;
  const Value wanted = reader.need("value");
  std::int64_t found = 0;
  for (std::size_t i = 0; i < list.elements.size(); ++i) {
    if (!are_equal(memory, list.elements[i], wanted)) continue;
    if (name == "index") return static_cast<std::int64_t>(i);
    ++found;
  }
  if (name == "index") fail("it asks for the index of what is not in the list");
  return found;
}

Value call_on_loop(Memory& memory, const Loop& loop, std::string_view name,
                   const Arguments& arguments) {
  const std::vector<Value>& values = arguments.positional;
  if (name == "cycle") {
    if (values.empty()) fail("loop.cycle without values");
    return values[static_cast<std::size_t>(loop.index) % values.size()];
  }
  const Value now = memory.list(values, ListKind::tuple);
  const bool is_changed = !loop.last_changed || !are_equal(memory, *loop.last_changed, now);
  loop.last_changed = now;
  return is_changed;
}

bool is_plain_list(const List* list) noexcept {
  return list != nullptr && (list->kind == ListKind::list || list->kind == ListKind::tuple);
}

}  // namespace

bool has_method(const Value& value, std::string_view name) noexcept {
  if (text_of(value) != nullptr) return find_text_method(name) != nullptr;
  if (map_of(value) != nullptr) return has(kMapMethods, name) || has(kMapChanges, name);
  if (is_plain_list(list_of(value))) return has(kListMethods, name) || has(kListChanges, name);
  return false;
}

Value call_method(Memory& memory, const Value& receiver, std::string_view name,
                  const Arguments& arguments) {
  if (const auto* loop = get<const Loop*>(receiver)) {
    return call_on_loop(memory, **loop, name, arguments);
  }
  ArgumentReader reader(arguments, name);
  if (const MarkedText* text = text_of(receiver)) {
    Value result = find_text_method(name)->call(memory, *text, reader);
    reader.finish();
    return result;
  }
  const Map* map = map_of(receiver);
  if (map != nullptr ? has(kMapChanges, name) : has(kListChanges, name)) {
    refuse("it changes a list or a map with " + text::in_quotes(name));
  }
  Value result = map != nullptr ? call_on_map(memory, *map, name, reader)
                                : call_on_list(memory, *list_of(receiver), name, reader);
  reader.finish();
  return result;
}

}  // namespace whereof::chat_template
