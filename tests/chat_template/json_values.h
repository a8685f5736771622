// JSON as a template's variables.
#ifndef WHEREOF_TESTS_CHAT_TEMPLATE_JSON_VALUES_H_
#define WHEREOF_TESTS_CHAT_TEMPLATE_JSON_VALUES_H_

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "chat_template/rendering.h"
#include "chat_template/value.h"

namespace whereof::tests {

using Json = nlohmann::ordered_json;

// Strings are marked as the template's if is_template, keys always are.
inline chat_template::Value value_of(chat_template::Memory& memory, const Json& json,
                                     bool is_template) {
  using chat_template::Value;
  if (json.is_null()) return chat_template::None{};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return memory.text(json.get_ref<const std::string&>(), is_template);
  if (json.is_array()) {
    std::vector<Value> elements;
    for (const Json& element : json) elements.push_back(value_of(memory, element, is_template));
    return memory.list(std::move(elements));
  }
  std::vector<std::pair<Value, Value>> entries;
  for (const auto& [key, value] : json.items()) {
    const bool is_role = key == "role";
    entries.emplace_back(memory.text(key), value_of(memory, value, is_template || is_role));
  }
  return memory.map(std::move(entries));
}

// 26 July 2024, 09:05:03, a Friday.
inline std::tm fixed_time() {
  std::tm now = {};
  now.tm_year = 124, now.tm_mon = 6, now.tm_mday = 26;
  now.tm_hour = 9, now.tm_min = 5, now.tm_sec = 3;
  now.tm_wday = 5, now.tm_yday = 207;
  return now;
}

// "messages" and "tools" are marked as text, all other variables as the template's.
inline chat_template::MarkedText render(const std::string& source, const Json& variables,
                                        const chat_template::Limits& limits = {}) {
  chat_template::Memory memory(limits);
  chat_template::Scope scope;
  for (const auto& [name, value] : variables.items()) {
    const bool is_text = name == "messages" || name == "tools";
    scope.names.emplace_back(memory.name(name), value_of(memory, value, !is_text));
  }
  return chat_template::render(source, scope, memory, limits, fixed_time());
}

}  // namespace whereof::tests

#endif  // WHEREOF_TESTS_CHAT_TEMPLATE_JSON_VALUES_H_
