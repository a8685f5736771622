#include <algorithm>
#include <cmath>
#include <string>

#include "chat_template/operators.h"

namespace whereof::chat_template {
namespace {

bool is_tuple(const List& list) { return list.kind == ListKind::tuple; }

bool can_be_equal(const List& one, const List& other) {
  if (&one == &other) return true;
  const bool are_compared_by_identity =
      one.kind == ListKind::generator || one.kind == ListKind::view;
  return one.kind == other.kind && !are_compared_by_identity;
}

bool are_equal_lists(Memory& memory, const List& one, const List& other) {
  if (!can_be_equal(one, other) || one.elements.size() != other.elements.size()) return false;
  for (std::size_t i = 0; i < one.elements.size(); ++i) {
    if (!are_equal(memory, one.elements[i], other.elements[i])) return false;
  }
  return true;
}

bool are_equal_maps(Memory& memory, const Map& one, const Map& other) {
  if (one.entries.size() != other.entries.size()) return false;
  for (const auto& [key, value] : one.entries) {
    const auto at = find_key(memory, other, key);
    if (!at || !are_equal(memory, value, other.entries[*at].second)) return false;
  }
  return true;
}

[[noreturn]] void fail_to_order(const Value& one, const Value& other) {
  fail("it orders " + std::string(kind_name(one)) + " and " + std::string(kind_name(other)));
}

bool is_less_list(Memory& memory, const List& one, const List& other) {
  const std::size_t shared = std::min(one.elements.size(), other.elements.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if (!are_equal(memory, one.elements[i], other.elements[i])) {
      return is_less(memory, one.elements[i], other.elements[i]);
    }
  }
  return one.elements.size() < other.elements.size();
}

void check_key(const Value& key) {
  const List* list = list_of(key);
  if (map_of(key) != nullptr || (list != nullptr && !is_tuple(*list))) {
    fail(std::string(kind_name(key)) + " is the key of a map");
  }
  if (list != nullptr) {
    for (const Value& element : list->elements) check_key(element);
  }
}

}  // namespace

bool is_true(const Value& value) {
  if (is<Undefined>(value) || is<None>(value)) return false;
  if (is_number(value)) return real_of(value) != 0;
  if (const MarkedText* text = text_of(value)) return text->size() > 0;
  if (const List* list = list_of(value)) {
    return list->kind == ListKind::generator || !list->elements.empty();
  }
  if (const Map* map = map_of(value)) return !map->entries.empty();
  return true;
}

bool are_equal(Memory& memory, const Value& one, const Value& other) {
  memory.charge(8);
  if (is_number(one) && is_number(other)) {
    const auto left = integer_of(one);
    const auto right = integer_of(other);
    return left && right ? *left == *right : real_of(one) == real_of(other);
  }
  if (one.index() != other.index()) return false;
  if (is<Undefined>(one) || is<None>(one)) return true;
  if (const MarkedText* text = text_of(one)) {
    const std::string_view right = text_of(other)->bytes();
    memory.charge(std::min(text->size(), right.size()));
    return text->bytes() == right;
  }
  if (const List* list = list_of(one)) return are_equal_lists(memory, *list, *list_of(other));
  if (const Map* map = map_of(one)) return are_equal_maps(memory, *map, *map_of(other));
  if (is<Namespace*>(one)) return std::get<Namespace*>(one) == std::get<Namespace*>(other);
  if (is<const Loop*>(one)) return std::get<const Loop*>(one) == std::get<const Loop*>(other);
  return std::get<const Callable*>(one) == std::get<const Callable*>(other);
}

bool is_less(Memory& memory, const Value& one, const Value& other) {
  memory.charge(8);
  if (is_number(one) && is_number(other)) {
    const auto left = integer_of(one);
    const auto right = integer_of(other);
    return left && right ? *left < *right : real_of(one) < real_of(other);
  }
  const MarkedText* text = text_of(one);
  const MarkedText* other_text = text_of(other);
  if (text != nullptr && other_text != nullptr) {
    memory.charge(std::min(text->size(), other_text->size()));
    return text->bytes() < other_text->bytes();
  }
  const List* list = list_of(one);
  const List* other_list = list_of(other);
  if (list == nullptr || other_list == nullptr || list->kind != other_list->kind ||
      (list->kind != ListKind::list && !is_tuple(*list))) {
    fail_to_order(one, other);
  }
  return is_less_list(memory, *list, *other_list);
}

bool compare(Memory& memory, Operator op, const Value& left, const Value& right) {
  switch (op) {
    case Operator::equal:
      return are_equal(memory, left, right);
    case Operator::not_equal:
      return !are_equal(memory, left, right);
    case Operator::in:
      return contains(memory, right, left);
    case Operator::not_in:
      return !contains(memory, right, left);
    default:
      break;
  }
  if (is<double>(left) || is<double>(right)) {
    if (is_number(left) && is_number(right) &&
        (std::isnan(real_of(left)) || std::isnan(real_of(right)))) {
      return false;
    }
  }
  switch (op) {
    case Operator::less:
      return is_less(memory, left, right);
    case Operator::less_equal:
      return !is_less(memory, right, left);
    case Operator::greater:
      return is_less(memory, right, left);
    default:
      return !is_less(memory, left, right);
  }
}

bool contains(Memory& memory, const Value& container, const Value& item) {
  if (const MarkedText* text = text_of(container)) {
    const MarkedText* part = text_of(item);
    if (part == nullptr) {
      fail("it looks for " + std::string(kind_name(item)) + " in a string");
    }
    memory.charge(text->size());
    return text->bytes().find(part->bytes()) != std::string_view::npos;
  }
  if (const Map* map = map_of(container)) return find_key(memory, *map, item).has_value();
  if (const List* list = list_of(container)) {
    return std::any_of(list->elements.begin(), list->elements.end(),
                       [&](const Value& element) { return are_equal(memory, element, item); });
  }
  if (is<Undefined>(container)) return false;
  fail("it looks for something in " + std::string(kind_name(container)));
}

std::optional<std::size_t> find_key(Memory& memory, const Map& map, const Value& key) {
  check_key(key);
  for (std::size_t i = 0; i < map.entries.size(); ++i) {
    if (are_equal(memory, map.entries[i].first, key)) return i;
  }
  return std::nullopt;
}

const Value* find_name(Memory& memory, const Map& map, std::string_view name) {
  memory.charge(map.entries.size());
  for (const auto& [key, value] : map.entries) {
    const MarkedText* text = text_of(key);
    if (text != nullptr && text->bytes() == name) return &value;
  }
  return nullptr;
}

void put(Memory& memory, std::vector<std::pair<Value, Value>>& entries, Value key, Value value) {
  check_key(key);
  memory.charge(2 * sizeof(Value));
  for (auto& entry : entries) {
    if (are_equal(memory, entry.first, key)) {
      entry.second = std::move(value);
      return;
    }
  }
  entries.emplace_back(std::move(key), std::move(value));
}

}  // namespace whereof::chat_template
