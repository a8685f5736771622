#include "chat_template/selection.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "chat_template/filters.h"
#include "chat_template/operators.h"
#include "chat_template/tests.h"
#include "text/in_quotes.h"

namespace whereof::chat_template {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"map", "select", "reject", "selectattr",
                                                    "rejectattr"};

// The rest of the arguments after the first `count`.
Arguments without_first(const Arguments& arguments, std::size_t count) {
  Arguments rest;
  rest.positional.assign(arguments.positional.begin() + static_cast<std::ptrdiff_t>(count),
                         arguments.positional.end());
  rest.named = arguments.named;
  return rest;
}

std::string_view name_argument(const Arguments& arguments, std::size_t at, std::string_view owner) {
  const MarkedText* text =
      at < arguments.positional.size() ? text_of(arguments.positional[at]) : nullptr;
  if (text == nullptr) fail(text::in_quotes(owner) + " wants the name of a filter or a test");
  return text->bytes();
}

Value map_elements(Memory& memory, const std::vector<Value>& elements, const Arguments& arguments) {
  std::vector<Value> mapped;
  if (arguments.positional.empty()) {
    ArgumentReader reader(arguments, "map");
    const Value path = reader.need("attribute");
    const auto otherwise = reader.take("default");
    reader.finish();
    for (const Value& element : elements) {
      const Value found = at_path(memory, element, path);
      mapped.push_back(is<Undefined>(found) && otherwise ? *otherwise : found);
    }
    return memory.list(std::move(mapped), ListKind::generator);
  }
  const std::string_view filter = name_argument(arguments, 0, "map");
  if (!is_filter(filter)) refuse("the filter " + text::in_quotes(filter) + " is not known");
  const Arguments rest = without_first(arguments, 1);
  for (const Value& element : elements) {
    mapped.push_back(apply_filter(memory, filter, element, rest));
  }
  return memory.list(std::move(mapped), ListKind::generator);
}

}  // namespace

bool is_selection(std::string_view name) noexcept {
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

Value at_path(Memory& memory, const Value& value, const Value& path) {
  const MarkedText* text = text_of(path);
  if (text == nullptr) return item_of(memory, value, path);
  Value found = value;
  const std::string_view names = text->bytes();
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find('.', begin), names.size());
    const std::string_view part = names.substr(begin, end - begin);
    std::int64_t index = 0;
    const auto [last, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    const bool is_index = !part.empty() && error == std::errc() &&
                          last == part.data() + part.size() && part.front() != '-';
    found = item_of(memory, found, is_index ? Value(index) : memory.text(part));
    begin = end + 1;
  }
  return found;
}

Value select(Memory& memory, std::string_view name, const Value& value,
             const Arguments& arguments) {
  // Like Jinja's, they take nothing, zero and the like for an empty list.
  const std::vector<Value> elements =
      is_true(value) ? elements_of(memory, value) : std::vector<Value>();
  memory.charge(8 * elements.size());
  if (name == "map") return map_elements(memory, elements, arguments);
  const bool takes_attribute = name.ends_with("attr");
  const bool keeps_true = name.starts_with("select");
  const std::size_t test_at = takes_attribute ? 1 : 0;
  if (takes_attribute && arguments.positional.empty()) {
    fail(text::in_quotes(name) + " lacks the name of an attribute");
  }
  const bool has_test = arguments.positional.size() > test_at;
  const std::string_view test = has_test ? name_argument(arguments, test_at, name) : "";
  if (has_test && !is_test(test)) refuse("the test " + text::in_quotes(test) + " is not known");
  const Arguments rest = has_test ? without_first(arguments, test_at + 1) : Arguments();
  std::vector<Value> kept;
  for (const Value& element : elements) {
    const Value looked_at =
        takes_attribute ? at_path(memory, element, arguments.positional[0]) : element;
    const bool holds = has_test ? apply_test(memory, test, looked_at, rest) : is_true(looked_at);
    if (holds == keeps_true) kept.push_back(element);
  }
  return memory.list(std::move(kept), ListKind::generator);
}

}  // namespace whereof::chat_template
