#include "document/readers/docx_package.h"

namespace whereof::document {

std::string DocxPackage::target(const std::string& source, std::string_view type) {
  const std::size_t slash = source.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : source.substr(0, slash + 1);
  const std::string file = slash == std::string::npos ? source : source.substr(slash + 1);
  pugi::xml_document relationships;
  if (!parse(folder + "_rels/" + file + ".rels", relationships)) return {};
  const std::string suffix = "/" + std::string(type);
  for (const pugi::xml_node& each : relationships.document_element().children()) {
    if (!attribute(each, "Type").ends_with(suffix)) continue;
    if (attribute(each, "TargetMode") == "External") continue;
    const std::string path(attribute(each, "Target"));
    return normalized_path(path.starts_with("/") ? path : folder + path);
  }
  return {};
}

}  // namespace whereof::document
