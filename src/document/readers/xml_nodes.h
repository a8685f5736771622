// Looking at XML that was parsed, by local names: which prefix a writer chose means nothing.
#ifndef WHEREOF_DOCUMENT_READERS_XML_NODES_H_
#define WHEREOF_DOCUMENT_READERS_XML_NODES_H_

#include <optional>
#include <pugixml.hpp>
#include <string_view>

namespace whereof::document {

// What an element is called without its namespace prefix: "p" for w:p.
std::string_view local_name(const pugi::xml_node& node);
// The attribute with this local name; empty when absent.
std::string_view attribute(const pugi::xml_node& node, std::string_view name);
// The first child element with this local name.
pugi::xml_node child(const pugi::xml_node& node, std::string_view name);
// attribute "val" of that child; empty when absent.
std::string_view child_value(const pugi::xml_node& node, std::string_view name);
// A decimal number, or nothing.
std::optional<int> to_int(std::string_view text);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_XML_NODES_H_
