#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "chat_template/filter_tables.h"
#include "chat_template/operators.h"
#include "chat_template/text_operations.h"
#include "text/in_quotes.h"

namespace whereof::chat_template {
namespace {

// The text without white space around it, "_" and a "+", for from_chars.
std::string number_text(Memory& memory, const MarkedText& text) {
  std::string digits(text_of(stripped(memory, text, Side::both, std::nullopt))->bytes());
  for (std::size_t at = digits.find('_'); at != std::string::npos; at = digits.find('_', at)) {
    const auto is_digit = [&](std::size_t i) {
      return i < digits.size() && digits[i] >= '0' && digits[i] <= '9';
    };
    if (at == 0 || !is_digit(at - 1) || !is_digit(at + 1)) break;
    digits.erase(at, 1);
  }
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.erase(0, 1);
  return digits;
}

std::optional<double> real_in(Memory& memory, const MarkedText& text) {
  const std::string digits = number_text(memory, text);
  double real = 0;
  const char* last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, real);
  if (digits.empty() || end != last) return std::nullopt;
  if (error == std::errc::result_out_of_range) refuse("a float is too large or too small");
  if (error != std::errc()) return std::nullopt;
  return real;
}

std::optional<std::int64_t> truncated(double real) {
  if (!std::isfinite(real)) return std::nullopt;
  if (std::fabs(real) >= 9.2e18) refuse("a number goes over 64 bits");
  return static_cast<std::int64_t>(real);
}

void fail_if_undefined(const Value& value) {
  if (const auto* undefined = get<Undefined>(value)) {
    fail(text::in_quotes(undefined->name) + " is undefined");
  }
}

Value to_integer(Memory& memory, const Value& value, ArgumentReader& reader) {
  const Value otherwise = reader.take("default", std::int64_t{0});
  if (reader.take_integer("base").value_or(10) != 10) refuse("'int' with another base than 10");
  fail_if_undefined(value);
  if (const auto integer = integer_of(value)) return *integer;
  std::optional<double> real;
  if (const MarkedText* text = text_of(value)) {
    const std::string digits = number_text(memory, *text);
    std::int64_t integer = 0;
    const char* last = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), last, integer);
    if (!digits.empty() && end == last && error == std::errc()) return integer;
    if (!digits.empty() && end == last) refuse("a number goes over 64 bits");
    real = real_in(memory, *text);
  } else if (is<double>(value)) {
    real = std::get<double>(value);
  }
  if (!real) return otherwise;
  const auto integer = truncated(*real);
  return integer ? Value(*integer) : otherwise;
}

Value to_real(Memory& memory, const Value& value, ArgumentReader& reader) {
  const Value otherwise = reader.take("default", 0.0);
  fail_if_undefined(value);
  if (is_number(value)) return real_of(value);
  if (const MarkedText* text = text_of(value)) {
    if (const auto real = real_in(memory, *text)) return *real;
  }
  return otherwise;
}

Value absolute(Memory&, const Value& value, ArgumentReader&) {
  if (!is_number(value)) fail("'abs' of " + std::string(kind_name(value)));
  if (const auto* real = get<double>(value)) return std::fabs(*real);
  return *integer_of(value) < 0 ? negative(value) : Value(*integer_of(value));
}

// The double next to number at that many digits after the point, halves to the even digit.
double rounded(double number, std::int64_t digits) {
  std::array<char, 512> buffer;
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                    std::chars_format::fixed, static_cast<int>(digits));
  double value = 0;
  std::from_chars(buffer.data(), result.ptr, value);
  return value;
}

Value round(Memory&, const Value& value, ArgumentReader& reader) {
  const std::int64_t digits = reader.take_integer("precision").value_or(0);
  const auto method_value = reader.take("method");
  const MarkedText* method_text = method_value ? text_of(*method_value) : nullptr;
  const std::string_view method = method_text == nullptr ? "common" : method_text->bytes();
  if (!is_number(value)) fail("'round' of " + std::string(kind_name(value)));
  if (digits < 0 || digits > 15) refuse("'round' wants 0 to 15 digits");
  const double number = real_of(value);
  if (!std::isfinite(number)) return number;
  if (method == "common") {
    if (!is<double>(value)) return *integer_of(value);
    return rounded(number, digits);
  }
  if (method != "ceil" && method != "floor") fail("'round' wants common, ceil or floor");
  const double scale = std::pow(10.0, static_cast<double>(digits));
  return (method == "ceil" ? std::ceil(number * scale) : std::floor(number * scale)) / scale;
}

constexpr std::array<NamedFilter, 4> kFilters = {
    {{"int", to_integer}, {"float", to_real}, {"abs", absolute}, {"round", round}}};

}  // namespace

std::span<const NamedFilter> number_filters() noexcept { return kFilters; }

}  // namespace whereof::chat_template
