#include "chat_template/value.h"

#include <algorithm>
#include <array>

namespace whereof::chat_template {
namespace {

// What a value costs beside its bytes: roughly the size of its object and of its allocation.
constexpr std::uint64_t kObjectUnits = 64;

std::int64_t depth_of(const Value& value) noexcept {
  if (const List* list = list_of(value)) return list->depth;
  if (const Map* map = map_of(value)) return map->depth;
  return 0;
}

}  // namespace

void Memory::check(std::uint64_t count, std::uint64_t units) const {
  const auto left = static_cast<std::uint64_t>(std::max<std::int64_t>(units_left_, 0));
  if (units > 0 && count > left / units) refuse("it makes more work than a template may");
}

void Memory::charge(std::uint64_t units) {
  check(1, units);
  units_left_ -= static_cast<std::int64_t>(units);
}

std::int64_t Memory::checked_depth(std::int64_t depth) const {
  if (depth > depth_) {
    refuse("values lie " + std::to_string(depth) + " deep in each other, wanted at most " +
           std::to_string(depth_));
  }
  return depth;
}

Value Memory::text(MarkedText text) {
  charge(kObjectUnits + text.size() + text.runs().size() * sizeof(Run));
  return &texts_.emplace_back(std::move(text));
}

Value Memory::list(std::vector<Value> elements, ListKind kind) {
  charge(kObjectUnits + elements.size() * sizeof(Value));
  std::int64_t depth = 1;
  for (const Value& element : elements) depth = std::max(depth, 1 + depth_of(element));
  return &lists_.emplace_back(List{kind, std::move(elements), checked_depth(depth)});
}

Value Memory::map(std::vector<std::pair<Value, Value>> entries) {
  charge(kObjectUnits + entries.size() * 2 * sizeof(Value));
  std::int64_t depth = 1;
  for (const auto& [key, value] : entries) {
    depth = std::max({depth, 1 + depth_of(key), 1 + depth_of(value)});
  }
  return &maps_.emplace_back(Map{std::move(entries), checked_depth(depth)});
}

Value Memory::callable(Callable callable) {
  charge(kObjectUnits);
  return &callables_.emplace_back(std::move(callable));
}

Namespace* Memory::make_namespace() {
  charge(kObjectUnits);
  return &namespaces_.emplace_back();
}

Loop* Memory::make_loop(std::vector<Value> elements) {
  charge(kObjectUnits + elements.size() * sizeof(Value));
  return &loops_.emplace_back(Loop{std::move(elements), 0, std::nullopt});
}

Scope* Memory::make_scope(Scope* outer) {
  charge(kObjectUnits);
  return &scopes_.emplace_back(Scope{outer, {}, false});
}

std::string_view Memory::name(std::string_view name) {
  charge(kObjectUnits + name.size());
  return names_.emplace_back(name);
}

void TextBuilder::append(std::string_view bytes, bool is_template) {
  memory_.charge(bytes.size());
  text_.append(bytes, is_template);
}

void TextBuilder::append(const MarkedText& text, std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  memory_.charge(end - begin);
  const std::size_t runs_before = text_.runs().size();
  text_.append(text, begin, end);
  memory_.charge((text_.runs().size() - runs_before) * sizeof(Run));
}

const MarkedText* text_of(const Value& value) noexcept {
  const auto* text = get<const MarkedText*>(value);
  return text == nullptr ? nullptr : *text;
}

const List* list_of(const Value& value) noexcept {
  const auto* list = get<const List*>(value);
  return list == nullptr ? nullptr : *list;
}

const Map* map_of(const Value& value) noexcept {
  const auto* map = get<const Map*>(value);
  return map == nullptr ? nullptr : *map;
}

std::optional<std::int64_t> integer_of(const Value& value) noexcept {
  if (const auto* integer = get<std::int64_t>(value)) return *integer;
  if (const auto* boolean = get<bool>(value)) return *boolean ? 1 : 0;
  return std::nullopt;
}

bool is_number(const Value& value) noexcept {
  return is<bool>(value) || is<std::int64_t>(value) || is<double>(value);
}

double real_of(const Value& number) noexcept {
  if (const auto* real = get<double>(number)) return *real;
  return static_cast<double>(integer_of(number).value_or(0));
}

std::string_view kind_name(const Value& value) noexcept {
  constexpr std::array<std::string_view, std::variant_size_v<Value>> kNames = {
      "undefined", "none",  "a boolean",   "an integer", "a float",   "a string",
      "a list",    "a map", "a namespace", "a loop",     "a function"};
  return kNames[value.index()];
}

}  // namespace whereof::chat_template
