#include "document/readers/xml_nodes.h"

#include <charconv>

namespace whereof::document {

std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

std::string_view attribute(const pugi::xml_node& node, std::string_view name) {
  for (const pugi::xml_attribute& each : node.attributes()) {
    std::string_view found = each.name();
    const std::size_t colon = found.find(':');
    if (colon != std::string_view::npos) found.remove_prefix(colon + 1);
    if (found == name) return each.value();
  }
  return {};
}

pugi::xml_node child(const pugi::xml_node& node, std::string_view name) {
  for (const pugi::xml_node& each : node.children()) {
    if (each.type() == pugi::node_element && local_name(each) == name) return each;
  }
  return {};
}

std::string_view child_value(const pugi::xml_node& node, std::string_view name) {
  const pugi::xml_node found = child(node, name);
  return found ? attribute(found, "val") : std::string_view();
}

std::optional<int> to_int(std::string_view text) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || at != end) return std::nullopt;
  return value;
}

}  // namespace whereof::document
