#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "chat_template/operators.h"
#include "text/in_quotes.h"

namespace whereof::chat_template {
namespace {

[[noreturn]] void fail_on_kinds(std::string_view what, const Value& left, const Value& right) {
  for (const Value* operand : {&left, &right}) {
    if (const auto* undefined = get<Undefined>(*operand)) {
      fail(text::in_quotes(undefined->name) + " is undefined");
    }
  }
  fail("it " + std::string(what) + " " + std::string(kind_name(left)) + " and " +
       std::string(kind_name(right)));
}

std::int64_t checked(bool overflows, std::int64_t result) {
  if (overflows) refuse("a number goes over 64 bits");
  return result;
}

std::int64_t floor_quotient(std::int64_t left, std::int64_t right) {
  if (right == 0) fail("it divides by zero");
  if (left == std::numeric_limits<std::int64_t>::min() && right == -1) return checked(true, 0);
  const std::int64_t quotient = left / right;
  return left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient;
}

std::int64_t floor_remainder(std::int64_t left, std::int64_t right) {
  if (right == 0) fail("it divides by zero");
  if (right == -1) return 0;
  const std::int64_t remainder = left % right;
  return remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right : remainder;
}

double floor_remainder(double left, double right) {
  if (right == 0) fail("it divides by zero");
  const double remainder = std::fmod(left, right);
  if (remainder == 0) return std::copysign(0.0, right);
  return (remainder < 0) != (right < 0) ? remainder + right : remainder;
}

Value integer_power(std::int64_t number, std::int64_t exponent) {
  if (exponent < 0) {
    if (number == 0) fail("it divides by zero");
    return std::pow(static_cast<double>(number), static_cast<double>(exponent));
  }
  std::int64_t result = 1;
  if (number == 0 || number == 1) return exponent == 0 ? std::int64_t{1} : number;
  if (number == -1) return exponent % 2 == 0 ? std::int64_t{1} : std::int64_t{-1};
  for (; exponent > 0; --exponent) {
    const bool overflows = __builtin_mul_overflow(result, number, &result);
    result = checked(overflows, result);
  }
  return result;
}

Value on_integers(Operator op, std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  switch (op) {
    case Operator::add: {
      const bool overflows = __builtin_add_overflow(left, right, &result);
      return checked(overflows, result);
    }
    case Operator::subtract: {
      const bool overflows = __builtin_sub_overflow(left, right, &result);
      return checked(overflows, result);
    }
    case Operator::multiply: {
      const bool overflows = __builtin_mul_overflow(left, right, &result);
      return checked(overflows, result);
    }
    case Operator::divide:
      if (right == 0) fail("it divides by zero");
      return static_cast<double>(left) / static_cast<double>(right);
    case Operator::floor_divide:
      return floor_quotient(left, right);
    case Operator::remainder:
      return floor_remainder(left, right);
    default:
      return integer_power(left, right);
  }
}

Value on_reals(Operator op, double left, double right) {
  switch (op) {
    case Operator::add:
      return left + right;
    case Operator::subtract:
      return left - right;
    case Operator::multiply:
      return left * right;
    case Operator::divide:
      if (right == 0) fail("it divides by zero");
      return left / right;
    case Operator::floor_divide:
      return std::floor((left - floor_remainder(left, right)) / right + 0.5);
    case Operator::remainder:
      return floor_remainder(left, right);
    default: {
      const double power = std::pow(left, right);
      if (left == 0 && right < 0) fail("it divides by zero");
      if (std::isnan(power) || (std::isinf(power) && !std::isinf(left) && !std::isinf(right))) {
        refuse("a power is no float");
      }
      return power;
    }
  }
}

Value joined_lists(Memory& memory, const List& left, const List& right) {
  memory.charge((left.elements.size() + right.elements.size()) * sizeof(Value));
  std::vector<Value> elements = left.elements;
  elements.insert(elements.end(), right.elements.begin(), right.elements.end());
  return memory.list(std::move(elements), left.kind);
}

Value repeated(Memory& memory, const Value& value, std::int64_t times) {
  const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(times, 0));
  if (const MarkedText* text = text_of(value)) {
    memory.check(count, text->size());
    TextBuilder builder(memory);
    for (std::uint64_t i = 0; i < count && text->size() > 0; ++i) builder.append(*text);
    return builder.finish();
  }
  const List& list = *list_of(value);
  memory.check(count, list.elements.size() * sizeof(Value));
  std::vector<Value> elements;
  for (std::uint64_t i = 0; i < count && !list.elements.empty(); ++i) {
    elements.insert(elements.end(), list.elements.begin(), list.elements.end());
  }
  return memory.list(std::move(elements), list.kind);
}

bool can_be_joined(const List* list) {
  return list != nullptr && (list->kind == ListKind::list || list->kind == ListKind::tuple);
}

bool can_be_repeated(const Value& value) {
  return text_of(value) != nullptr || can_be_joined(list_of(value));
}

std::string_view verb(Operator op) {
  switch (op) {
    case Operator::add:
      return "adds";
    case Operator::subtract:
      return "subtracts";
    case Operator::multiply:
      return "multiplies";
    default:
      return "divides";
  }
}

}  // namespace

Value arithmetic(Memory& memory, Operator op, const Value& left, const Value& right) {
  if (is_number(left) && is_number(right)) {
    const auto one = integer_of(left);
    const auto other = integer_of(right);
    return one && other ? on_integers(op, *one, *other)
                        : on_reals(op, real_of(left), real_of(right));
  }
  if (op == Operator::add) {
    const MarkedText* text = text_of(left);
    const MarkedText* other_text = text_of(right);
    if (text != nullptr && other_text != nullptr) {
      TextBuilder builder(memory);
      builder.append(*text);
      builder.append(*other_text);
      return builder.finish();
    }
    const List* list = list_of(left);
    const List* other_list = list_of(right);
    if (can_be_joined(list) && can_be_joined(other_list) && list->kind == other_list->kind) {
      return joined_lists(memory, *list, *other_list);
    }
  }
  if (op == Operator::multiply) {
    const auto times = integer_of(right);
    if (times && can_be_repeated(left)) return repeated(memory, left, *times);
    const auto times_before = integer_of(left);
    if (times_before && can_be_repeated(right)) return repeated(memory, right, *times_before);
  }
  if (op == Operator::remainder && text_of(left) != nullptr) {
    refuse("it formats a string with %");
  }
  fail_on_kinds(verb(op), left, right);
}

Value negative(const Value& number) {
  if (const auto integer = integer_of(number)) {
    std::int64_t result = 0;
    const bool overflows = __builtin_sub_overflow(std::int64_t{0}, *integer, &result);
    return checked(overflows, result);
  }
  if (const auto* real = get<double>(number)) return -*real;
  if (const auto* undefined = get<Undefined>(number)) {
    fail(text::in_quotes(undefined->name) + " is undefined");
  }
  fail("it negates " + std::string(kind_name(number)));
}

}  // namespace whereof::chat_template
