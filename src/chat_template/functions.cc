#include "chat_template/functions.h"

#include <algorithm>
#include <array>
#include <string>

#include "chat_template/operators.h"
#include "chat_template/printing.h"
#include "text/in_quotes.h"

namespace whereof::chat_template {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"range", "dict", "namespace", "raise_exception",
                                                    "strftime_now"};
// As Jinja's sandbox has it.
constexpr std::int64_t kLongestRange = 100'000;

Value range(Memory& memory, const Arguments& arguments) {
  const std::vector<Value>& given = arguments.positional;
  if (given.empty() || given.size() > 3 || !arguments.named.empty()) {
    fail("'range' wants one to three integers");
  }
  std::array<std::int64_t, 3> parts = {0, 0, 1};  // begin, end, step
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto integer = integer_of(given[i]);
    if (!integer) fail("'range' of " + std::string(kind_name(given[i])));
    parts[given.size() == 1 ? 1 : i] = *integer;
  }
  const auto [begin, end, step] = parts;
  if (step == 0) fail("'range' with the step 0");
  std::vector<Value> elements;
  for (std::int64_t at = begin; step > 0 ? at < end : at > end;) {
    if (static_cast<std::int64_t>(elements.size()) == kLongestRange) {
      refuse("'range' of over " + std::to_string(kLongestRange) + " numbers");
    }
    elements.emplace_back(at);
    if (__builtin_add_overflow(at, step, &at)) break;
  }
  return memory.list(std::move(elements), ListKind::range);
}

// The entries of at most one map, then the named arguments.
std::vector<std::pair<Value, Value>> entries_of(Memory& memory, const Arguments& arguments,
                                                std::string_view owner) {
  std::vector<std::pair<Value, Value>> entries;
  if (arguments.positional.size() > 1) {
    fail(text::in_quotes(owner) + " wants at most one map");
  }
  if (!arguments.positional.empty()) {
    const Map* map = map_of(arguments.positional.front());
    if (map == nullptr) refuse(text::in_quotes(owner) + " of what is no map");
    memory.charge(map->entries.size() * 2 * sizeof(Value));
    entries = map->entries;
  }
  for (const auto& [name, value] : arguments.named) put(memory, entries, memory.text(name), value);
  return entries;
}

Value make_namespace(Memory& memory, const Arguments& arguments) {
  Namespace* space = memory.make_namespace();
  for (const auto& [key, value] : entries_of(memory, arguments, "namespace")) {
    const MarkedText* name = text_of(key);
    if (name == nullptr) refuse("'namespace' of a map with a key that is no string");
    space->names.emplace_back(name->bytes(), value);
  }
  return space;
}

[[noreturn]] void raise(Memory& memory, const Arguments& arguments) {
  ArgumentReader reader(arguments, "raise_exception");
  const Value message = as_text(memory, reader.need("message"));
  throw Failure{ErrorKind::unsupported,
                "it does not take these messages: " + text::in_quotes(text_of(message)->bytes())};
}

// Only conversions that every C library knows.
void check_time_format(std::string_view format) {
  constexpr std::string_view kKnown = "aAbBcdDeFHIjmMnpRStTuUwWxXyYZz%";
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] == '\0') fail("'strftime_now' with a zero byte");
    if (format[at] != '%') continue;
    ++at;
    if (at < format.size() && format[at] == '-') ++at;
    if (at >= format.size() || kKnown.find(format[at]) == std::string_view::npos) {
      refuse("'strftime_now' with the format " + text::in_quotes(format));
    }
  }
}

Value strftime_now(Memory& memory, const Arguments& arguments, const std::tm& now) {
  constexpr std::size_t kLongestFormat = 128;
  ArgumentReader reader(arguments, "strftime_now");
  const std::string format(reader.need_text("format").bytes());
  reader.finish();
  if (format.size() > kLongestFormat) refuse("'strftime_now' with a long format");
  check_time_format(format);
  std::array<char, 64 * kLongestFormat> buffer;
  const std::size_t bytes = std::strftime(buffer.data(), buffer.size(), format.c_str(), &now);
  return memory.text(std::string_view(buffer.data(), bytes));
}

}  // namespace

bool is_function(std::string_view name) noexcept {
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

Value call_function(Memory& memory, std::string_view name, const Arguments& arguments,
                    const std::tm& now) {
  if (name == "range") return range(memory, arguments);
  if (name == "dict") return memory.map(entries_of(memory, arguments, name));
  if (name == "namespace") return make_namespace(memory, arguments);
  if (name == "strftime_now") return strftime_now(memory, arguments, now);
  raise(memory, arguments);
}

}  // namespace whereof::chat_template
