// Elements, attributes, items and slices.
#include <algorithm>
#include <array>
#include <string>

#include "chat_template/methods.h"
#include "chat_template/operators.h"
#include "text/in_quotes.h"
#include "text/utf8.h"

namespace whereof::chat_template {
namespace {

std::vector<std::size_t> character_ends(Memory& memory, const MarkedText& text) {
  memory.charge(text.size() * (1 + sizeof(std::size_t)));
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; at < text.size();) {
    at += static_cast<std::size_t>(text::decode_at(text.bytes(), at).bytes);
    ends.push_back(at);
  }
  return ends;
}

std::optional<Value> loop_attribute(Memory& memory, const Loop& loop, std::string_view name) {
  const auto length = static_cast<std::int64_t>(loop.elements.size());
  const auto element = [&](std::int64_t index) -> Value {
    if (index < 0 || index >= length) return Undefined{name};
    return loop.elements[static_cast<std::size_t>(index)];
  };
  if (name == "index") return loop.index + 1;
  if (name == "index0") return loop.index;
  if (name == "revindex") return length - loop.index;
  if (name == "revindex0") return length - loop.index - 1;
  if (name == "first") return loop.index == 0;
  if (name == "last") return loop.index + 1 == length;
  if (name == "length") return length;
  if (name == "depth") return std::int64_t{1};  // only recursive loops count deeper
  if (name == "depth0") return std::int64_t{0};
  if (name == "previtem") return element(loop.index - 1);
  if (name == "nextitem") return element(loop.index + 1);
  if (name == "cycle" || name == "changed") {
    Callable method;
    method.kind = CallableKind::method;
    method.name = name;
    method.receiver = &loop;
    return memory.callable(method);
  }
  return std::nullopt;
}

// What Python's getattr gives: methods, and the attributes of loops and namespaces.
std::optional<Value> own_attribute(Memory& memory, const Value& value, std::string_view name) {
  if (const auto* loop = get<const Loop*>(value)) return loop_attribute(memory, **loop, name);
  if (const auto* space = get<Namespace*>(value)) {
    memory.charge((*space)->names.size());
    for (const auto& [own_name, own_value] : (*space)->names) {
      if (own_name == name) return own_value;
    }
    return std::nullopt;
  }
  if (!has_method(value, name)) return std::nullopt;
  Callable method;
  method.kind = CallableKind::method;
  method.name = memory.name(name);
  method.receiver = value;
  return memory.callable(method);
}

// What value[key] gives; nothing where Python raises.
std::optional<Value> own_item(Memory& memory, const Value& value, const Value& key) {
  if (const Map* map = map_of(value)) {
    const bool is_hashable = map_of(key) == nullptr &&
                             (list_of(key) == nullptr || list_of(key)->kind == ListKind::tuple);
    if (!is_hashable) return std::nullopt;
    const auto at = find_key(memory, *map, key);
    if (!at) return std::nullopt;
    return map->entries[*at].second;
  }
  const auto index = integer_of(key);
  if (!index) return std::nullopt;
  if (const List* list = list_of(value)) {
    if (list->kind == ListKind::view || list->kind == ListKind::generator) return std::nullopt;
    const auto length = static_cast<std::int64_t>(list->elements.size());
    const std::int64_t place = *index < 0 ? *index + length : *index;
    if (place < 0 || place >= length) return std::nullopt;
    return list->elements[static_cast<std::size_t>(place)];
  }
  if (const MarkedText* text = text_of(value)) {
    const std::vector<std::size_t> ends = character_ends(memory, *text);
    const auto length = static_cast<std::int64_t>(ends.size());
    const std::int64_t place = *index < 0 ? *index + length : *index;
    if (place < 0 || place >= length) return std::nullopt;
    const auto at = static_cast<std::size_t>(place);
    return memory.text(text->slice(at == 0 ? 0 : ends[at - 1], ends[at]));
  }
  return std::nullopt;
}

void fail_if_undefined(const Value& value) {
  if (const auto* undefined = get<Undefined>(value)) {
    fail(text::in_quotes(undefined->name) + " is undefined");
  }
}

// The places that begin:end:step visits in a sequence of that length, as Python counts.
std::vector<std::size_t> slice_places(Memory& memory, std::int64_t length, const Value& begin,
                                      const Value& end, const Value& step) {
  const auto part = [](const Value& value) -> std::optional<std::int64_t> {
    if (is<Undefined>(value) || is<None>(value)) return std::nullopt;
    const auto integer = integer_of(value);
    if (!integer) fail("a slice has " + std::string(kind_name(value)) + " in it");
    return integer;
  };
  const std::int64_t by = part(step).value_or(1);
  if (by == 0) fail("a slice has the step 0");
  const std::int64_t least = by > 0 ? 0 : -1;
  const std::int64_t most = by > 0 ? length : length - 1;
  const auto place = [&](const Value& value, std::int64_t otherwise) {
    const auto given = part(value);
    if (!given) return otherwise;
    return std::clamp(*given < 0 ? *given + length : *given, least, most);
  };
  std::int64_t at = place(begin, by > 0 ? 0 : length - 1);
  const std::int64_t last = place(end, by > 0 ? length : -1);
  std::vector<std::size_t> places;
  while (by > 0 ? at < last : at > last) {
    memory.charge(sizeof(std::size_t));
    places.push_back(static_cast<std::size_t>(at));
    if (__builtin_add_overflow(at, by, &at)) break;
  }
  return places;
}

}  // namespace

std::int64_t length_of(const Value& value) {
  if (const MarkedText* text = text_of(value)) return text::count_code_points(text->bytes());
  if (const Map* map = map_of(value)) return static_cast<std::int64_t>(map->entries.size());
  if (const List* list = list_of(value); list != nullptr && list->kind != ListKind::generator) {
    return static_cast<std::int64_t>(list->elements.size());
  }
  if (const auto* loop = get<const Loop*>(value)) {
    return static_cast<std::int64_t>((*loop)->elements.size());
  }
  if (is<Undefined>(value)) return 0;
  fail(std::string(list_of(value) != nullptr ? "a generator" : kind_name(value)) +
       " has no length");
}

bool is_iterable(const Value& value) noexcept {
  return is<Undefined>(value) || text_of(value) != nullptr || list_of(value) != nullptr ||
         map_of(value) != nullptr || is<const Loop*>(value);
}

std::vector<Value> elements_of(Memory& memory, const Value& value) {
  std::vector<Value> elements;
  if (const List* list = list_of(value)) {
    memory.charge(list->elements.size() * sizeof(Value));
    elements = list->elements;
  } else if (const Map* map = map_of(value)) {
    memory.charge(map->entries.size() * sizeof(Value));
    for (const auto& [key, unused] : map->entries) elements.push_back(key);
  } else if (const MarkedText* text = text_of(value)) {
    std::size_t begin = 0;
    for (const std::size_t end : character_ends(memory, *text)) {
      elements.push_back(memory.text(text->slice(begin, end)));
      begin = end;
    }
  } else if (!is<Undefined>(value)) {
    fail("it goes through " + std::string(kind_name(value)));
  }
  return elements;
}

Value attribute_of(Memory& memory, const Value& value, std::string_view name) {
  fail_if_undefined(value);
  if (auto own = own_attribute(memory, value, name)) return *own;
  if (const Map* map = map_of(value)) {
    if (const Value* found = find_name(memory, *map, name)) return *found;
  }
  return Undefined{name};
}

Value item_of(Memory& memory, const Value& value, const Value& key) {
  fail_if_undefined(value);
  if (auto own = own_item(memory, value, key)) return *own;
  const MarkedText* name = text_of(key);
  if (name == nullptr) return Undefined{"an item"};
  if (auto own = own_attribute(memory, value, name->bytes())) return *own;
  return Undefined{name->bytes()};
}

Value slice_of(Memory& memory, const Value& value, const Value& begin, const Value& end,
               const Value& step) {
  fail_if_undefined(value);
  if (const MarkedText* text = text_of(value)) {
    const std::vector<std::size_t> ends = character_ends(memory, *text);
    TextBuilder builder(memory);
    const auto length = static_cast<std::int64_t>(ends.size());
    for (const std::size_t at : slice_places(memory, length, begin, end, step)) {
      builder.append(*text, at == 0 ? 0 : ends[at - 1], ends[at]);
    }
    return builder.finish();
  }
  const List* list = list_of(value);
  if (list == nullptr || list->kind == ListKind::view || list->kind == ListKind::generator) {
    fail("it takes a slice of " +
         std::string(list != nullptr ? "a view or a generator" : kind_name(value)));
  }
  std::vector<Value> elements;
  const auto length = static_cast<std::int64_t>(list->elements.size());
  for (const std::size_t at : slice_places(memory, length, begin, end, step)) {
    memory.charge(sizeof(Value));
    elements.push_back(list->elements[at]);
  }
  return memory.list(std::move(elements), list->kind);
}

}  // namespace whereof::chat_template
