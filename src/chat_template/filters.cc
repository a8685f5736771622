#include "chat_template/filters.h"

#include <algorithm>
#include <array>

#include "chat_template/filter_tables.h"
#include "chat_template/selection.h"

namespace whereof::chat_template {
namespace {

const NamedFilter* find_filter(std::string_view name) noexcept {
  for (const auto table : {text_filters(), number_filters(), list_filters()}) {
    const auto found = std::find_if(table.begin(), table.end(),
                                    [name](const NamedFilter& f) { return f.name == name; });
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

}  // namespace

bool is_filter(std::string_view name) noexcept {
  return find_filter(name) != nullptr || is_selection(name);
}

Value apply_filter(Memory& memory, std::string_view name, const Value& value,
                   const Arguments& arguments) {
  if (is_selection(name)) return select(memory, name, value, arguments);
  ArgumentReader reader(arguments, name);
  Value result = find_filter(name)->apply(memory, value, reader);
  reader.finish();
  return result;
}

}  // namespace whereof::chat_template
