#include <algorithm>
#include <array>
#include <string>

#include "chat_template/filter_tables.h"
#include "chat_template/operators.h"
#include "chat_template/printing.h"
#include "chat_template/selection.h"
#include "chat_template/sorting.h"
#include "chat_template/text_operations.h"
#include "text/in_quotes.h"

namespace whereof::chat_template {
namespace {

// The attribute of each element that a filter looks at, or the element itself.
Value key_of(Memory& memory, const Value& element, const std::optional<Value>& path) {
  return path && !is<None>(*path) ? at_path(memory, element, *path) : element;
}

Value without_case(Memory& memory, const Value& value, bool is_case_sensitive) {
  const MarkedText* text = text_of(value);
  return text == nullptr || is_case_sensitive ? value : in_case(memory, *text, LetterCase::lower);
}

Value length(Memory& memory, const Value& value, ArgumentReader&) {
  if (const MarkedText* text = text_of(value)) memory.charge(text->size());
  return length_of(value);
}

Value join(Memory& memory, const Value& value, ArgumentReader& reader) {
  const Value separator = as_text(memory, reader.take("d", memory.text("")));
  const auto path = reader.take("attribute");
  TextBuilder builder(memory);
  bool is_first = true;
  for (const Value& element : elements_of(memory, value)) {
    if (!is_first) builder.append(*text_of(separator));
    is_first = false;
    append_text(builder, key_of(memory, element, path));
  }
  return builder.finish();
}

Value first(Memory& memory, const Value& value, ArgumentReader&) {
  const std::vector<Value> elements = elements_of(memory, value);
  return elements.empty() ? Value(Undefined{"the first of nothing"}) : elements.front();
}

Value last(Memory& memory, const Value& value, ArgumentReader&) {
  if (const List* list = list_of(value); list != nullptr && list->kind == ListKind::generator) {
    fail("'last' of a generator");
  }
  const std::vector<Value> elements = elements_of(memory, value);
  return elements.empty() ? Value(Undefined{"the last of nothing"}) : elements.back();
}

Value list(Memory& memory, const Value& value, ArgumentReader&) {
  return memory.list(elements_of(memory, value));
}

Value otherwise(Memory& memory, const Value& value, ArgumentReader& reader) {
  const Value given = reader.take("default_value", memory.text(""));
  const bool replaces_false = reader.take_flag("boolean", false);
  return is<Undefined>(value) || (replaces_false && !is_true(value)) ? given : value;
}

Value items(Memory& memory, const Value& value, ArgumentReader&) {
  if (is<Undefined>(value)) return memory.list({}, ListKind::generator);
  const Map* map = map_of(value);
  if (map == nullptr) fail("'items' of " + std::string(kind_name(value)));
  std::vector<Value> pairs;
  for (const auto& [key, item] : map->entries) {
    pairs.push_back(memory.list({key, item}, ListKind::tuple));
  }
  return memory.list(std::move(pairs), ListKind::generator);
}

Value dictsort(Memory& memory, const Value& value, ArgumentReader& reader) {
  const bool is_case_sensitive = reader.take_flag("case_sensitive", false);
  const auto by = reader.take("by");
  const bool reverses = reader.take_flag("reverse", false);
  const MarkedText* by_text = by ? text_of(*by) : nullptr;
  const bool is_by_value = by_text != nullptr && by_text->bytes() == "value";
  if (by && !is_by_value && (by_text == nullptr || by_text->bytes() != "key")) {
    fail("'dictsort' sorts by 'key' or 'value'");
  }
  const Map* map = map_of(value);
  if (map == nullptr) fail("'dictsort' of " + std::string(kind_name(value)));
  std::vector<std::pair<Value, Value>> sorted;  // what is compared, the pair
  for (const auto& [key, item] : map->entries) {
    sorted.emplace_back(without_case(memory, is_by_value ? item : key, is_case_sensitive),
                        memory.list({key, item}, ListKind::tuple));
  }
  if (reverses) std::reverse(sorted.begin(), sorted.end());
  sort_values(memory, sorted, [](const auto& pair) -> const Value& { return pair.first; });
  if (reverses) std::reverse(sorted.begin(), sorted.end());
  std::vector<Value> pairs;
  for (auto& [unused, pair] : sorted) pairs.push_back(pair);
  return memory.list(std::move(pairs));
}

Value sort(Memory& memory, const Value& value, ArgumentReader& reader) {
  const bool reverses = reader.take_flag("reverse", false);
  const bool is_case_sensitive = reader.take_flag("case_sensitive", false);
  const auto path = reader.take("attribute");
  if (path && text_of(*path) != nullptr &&
      text_of(*path)->bytes().find(',') != std::string_view::npos) {
    refuse("'sort' by several attributes");
  }
  std::vector<std::pair<Value, Value>> sorted;
  for (const Value& element : elements_of(memory, value)) {
    sorted.emplace_back(without_case(memory, key_of(memory, element, path), is_case_sensitive),
                        element);
  }
  if (reverses) std::reverse(sorted.begin(), sorted.end());  // equal ones keep their order
  sort_values(memory, sorted, [](const auto& pair) -> const Value& { return pair.first; });
  if (reverses) std::reverse(sorted.begin(), sorted.end());
  std::vector<Value> elements;
  for (auto& [unused, element] : sorted) elements.push_back(element);
  return memory.list(std::move(elements));
}

Value unique(Memory& memory, const Value& value, ArgumentReader& reader) {
  const bool is_case_sensitive = reader.take_flag("case_sensitive", false);
  const auto path = reader.take("attribute");
  std::vector<std::pair<Value, Value>> seen;
  std::vector<Value> kept;
  for (const Value& element : elements_of(memory, value)) {
    const Value key = without_case(memory, key_of(memory, element, path), is_case_sensitive);
    const std::size_t before = seen.size();
    put(memory, seen, key, None{});
    if (seen.size() > before) kept.push_back(element);
  }
  return memory.list(std::move(kept), ListKind::generator);
}

Value reverse(Memory& memory, const Value& value, ArgumentReader&) {
  std::vector<Value> elements = elements_of(memory, value);
  std::reverse(elements.begin(), elements.end());
  if (text_of(value) == nullptr) return memory.list(std::move(elements), ListKind::generator);
  TextBuilder builder(memory);
  for (const Value& element : elements) builder.append(*text_of(element));
  return builder.finish();
}

template <bool kIsMax>
Value extreme(Memory& memory, const Value& value, ArgumentReader& reader) {
  const bool is_case_sensitive = reader.take_flag("case_sensitive", false);
  const auto path = reader.take("attribute");
  Value best = Undefined{"an extreme of nothing"};
  std::optional<Value> best_key;
  for (const Value& element : elements_of(memory, value)) {
    const Value key = without_case(memory, key_of(memory, element, path), is_case_sensitive);
    const bool is_better =
        !best_key || (kIsMax ? is_less(memory, *best_key, key) : is_less(memory, key, *best_key));
    if (!is_better) continue;
    best_key = key;
    best = element;
  }
  return best;
}

Value sum(Memory& memory, const Value& value, ArgumentReader& reader) {
  const auto path = reader.take("attribute");
  Value total = reader.take("start", std::int64_t{0});
  for (const Value& element : elements_of(memory, value)) {
    total = arithmetic(memory, Operator::add, total, key_of(memory, element, path));
  }
  return total;
}

Value batch(Memory& memory, const Value& value, ArgumentReader& reader) {
  const auto size = reader.take_integer("linecount");
  const auto filling = reader.take("fill_with");
  if (!size || *size < 1) fail("'batch' wants a positive size");
  std::vector<Value> batches;
  std::vector<Value> now;
  const auto end_batch = [&] { batches.push_back(memory.list(std::exchange(now, {}))); };
  for (const Value& element : elements_of(memory, value)) {
    if (static_cast<std::int64_t>(now.size()) == *size) end_batch();
    now.push_back(element);
  }
  if (!now.empty()) {
    while (filling && !is<None>(*filling) && static_cast<std::int64_t>(now.size()) < *size) {
      memory.charge(sizeof(Value));
      now.push_back(*filling);
    }
    end_batch();
  }
  return memory.list(std::move(batches), ListKind::generator);
}

Value attribute(Memory& memory, const Value& value, ArgumentReader& reader) {
  const MarkedText& name = reader.need_text("name");
  if (map_of(value) == nullptr) return attribute_of(memory, value, name.bytes());
  refuse("'attr' of a map");
}

constexpr std::array<NamedFilter, 18> kFilters = {{{"length", length},
                                                   {"count", length},
                                                   {"join", join},
                                                   {"first", first},
                                                   {"last", last},
                                                   {"list", list},
                                                   {"default", otherwise},
                                                   {"d", otherwise},
                                                   {"items", items},
                                                   {"dictsort", dictsort},
                                                   {"sort", sort},
                                                   {"unique", unique},
                                                   {"reverse", reverse},
                                                   {"min", extreme<false>},
                                                   {"max", extreme<true>},
                                                   {"sum", sum},
                                                   {"batch", batch},
                                                   {"attr", attribute}}};

}  // namespace

std::span<const NamedFilter> list_filters() noexcept { return kFilters; }

}  // namespace whereof::chat_template
