#include "chat_template/tests.h"

#include <algorithm>
#include <array>

#include "chat_template/filters.h"
#include "chat_template/operators.h"
#include "chat_template/text_operations.h"

namespace whereof::chat_template {
namespace {

using Test = bool (*)(Memory&, const Value&, ArgumentReader&);
struct NamedTest {
  std::string_view name;
  Test holds;
};

template <Operator kOperator>
bool compares(Memory& memory, const Value& value, ArgumentReader& reader) {
  return compare(memory, kOperator, value, reader.need("b"));
}

template <typename Kind>
bool has_kind(Memory&, const Value& value, ArgumentReader&) {
  return is<Kind>(value);
}

bool is_defined(Memory&, const Value& value, ArgumentReader&) { return !is<Undefined>(value); }
bool is_exactly_true(Memory&, const Value& value, ArgumentReader&) {
  return is<bool>(value) && std::get<bool>(value);
}
bool is_exactly_false(Memory&, const Value& value, ArgumentReader&) {
  return is<bool>(value) && !std::get<bool>(value);
}
bool is_a_number(Memory&, const Value& value, ArgumentReader&) { return is_number(value); }
bool can_be_iterated(Memory&, const Value& value, ArgumentReader&) { return is_iterable(value); }
bool can_be_called(Memory&, const Value& value, ArgumentReader&) {
  return is<const Callable*>(value);
}

bool is_a_sequence(Memory&, const Value& value, ArgumentReader&) {
  const List* list = list_of(value);
  const bool has_items =
      list != nullptr && list->kind != ListKind::view && list->kind != ListKind::generator;
  return has_items || is<Undefined>(value) || text_of(value) != nullptr || map_of(value) != nullptr;
}

bool is_same(Memory&, const Value& value, ArgumentReader& reader) {
  const Value other = reader.need("other");
  if (value.index() != other.index()) return false;
  if (is<None>(value)) return true;
  if (is<bool>(value)) return std::get<bool>(value) == std::get<bool>(other);
  if (list_of(value) != nullptr) return list_of(value) == list_of(other);
  if (map_of(value) != nullptr) return map_of(value) == map_of(other);
  refuse("it asks whether two values are the same object");
}

std::int64_t remainder(Memory& memory, const Value& value, const Value& divisor) {
  const Value rest = arithmetic(memory, Operator::remainder, value, divisor);
  return is_true(rest) ? 1 : 0;
}

bool is_even(Memory& memory, const Value& value, ArgumentReader&) {
  return remainder(memory, value, std::int64_t{2}) == 0;
}
bool is_odd(Memory& memory, const Value& value, ArgumentReader&) {
  const Value rest = arithmetic(memory, Operator::remainder, value, std::int64_t{2});
  return are_equal(memory, rest, std::int64_t{1});
}
bool is_divisible(Memory& memory, const Value& value, ArgumentReader& reader) {
  return remainder(memory, value, reader.need("num")) == 0;
}

bool has_only_upper(Memory& memory, const Value& value, ArgumentReader&) {
  const Value text = apply_filter(memory, "string", value, {});
  return is_upper(*text_of(text));
}
bool has_only_lower(Memory& memory, const Value& value, ArgumentReader&) {
  const Value text = apply_filter(memory, "string", value, {});
  return is_lower(*text_of(text));
}

bool names_filter(Memory&, const Value& value, ArgumentReader&) {
  return text_of(value) != nullptr && is_filter(text_of(value)->bytes());
}
bool names_test(Memory&, const Value& value, ArgumentReader&) {
  return text_of(value) != nullptr && is_test(text_of(value)->bytes());
}

constexpr std::array<NamedTest, 38> kTests = {{{"defined", is_defined},
                                               {"undefined", has_kind<Undefined>},
                                               {"none", has_kind<None>},
                                               {"boolean", has_kind<bool>},
                                               {"true", is_exactly_true},
                                               {"false", is_exactly_false},
                                               {"integer", has_kind<std::int64_t>},
                                               {"float", has_kind<double>},
                                               {"number", is_a_number},
                                               {"string", has_kind<const MarkedText*>},
                                               {"mapping", has_kind<const Map*>},
                                               {"iterable", can_be_iterated},
                                               {"sequence", is_a_sequence},
                                               {"callable", can_be_called},
                                               {"sameas", is_same},
                                               {"even", is_even},
                                               {"odd", is_odd},
                                               {"divisibleby", is_divisible},
                                               {"upper", has_only_upper},
                                               {"lower", has_only_lower},
                                               {"filter", names_filter},
                                               {"test", names_test},
                                               {"in", compares<Operator::in>},
                                               {"==", compares<Operator::equal>},
                                               {"eq", compares<Operator::equal>},
                                               {"equalto", compares<Operator::equal>},
                                               {"!=", compares<Operator::not_equal>},
                                               {"ne", compares<Operator::not_equal>},
                                               {"<", compares<Operator::less>},
                                               {"lt", compares<Operator::less>},
                                               {"lessthan", compares<Operator::less>},
                                               {"<=", compares<Operator::less_equal>},
                                               {"le", compares<Operator::less_equal>},
                                               {">", compares<Operator::greater>},
                                               {"gt", compares<Operator::greater>},
                                               {"greaterthan", compares<Operator::greater>},
                                               {">=", compares<Operator::greater_equal>},
                                               {"ge", compares<Operator::greater_equal>}}};

const NamedTest* find_test(std::string_view name) noexcept {
  const auto found = std::find_if(kTests.begin(), kTests.end(),
                                  [name](const NamedTest& test) { return test.name == name; });
  return found == kTests.end() ? nullptr : &*found;
}

}  // namespace

bool is_test(std::string_view name) noexcept { return find_test(name) != nullptr; }

bool apply_test(Memory& memory, std::string_view name, const Value& value,
                const Arguments& arguments) {
  memory.charge(8);
  ArgumentReader reader(arguments, name);
  const bool holds = find_test(name)->holds(memory, value, reader);
  reader.finish();
  return holds;
}

}  // namespace whereof::chat_template
