#include "document/readers/docx_styles.h"

#include "document/readers/docx_package.h"
#include "text/ascii_case.h"

namespace whereof::document {
namespace {

constexpr int kMostSteps = 32;

DocxStyle read_style(const pugi::xml_node& node) {
  DocxStyle style;
  style.id = attribute(node, "styleId");
  style.name = text::ascii_lower(child_value(node, "name"));
  style.based_on = child_value(node, "basedOn");
  const pugi::xml_node paragraph = child(node, "pPr");
  const pugi::xml_node numbering = child(paragraph, "numPr");
  style.number_list = to_int(child_value(numbering, "numId"));
  style.number_level = to_int(child_value(numbering, "ilvl"));
  style.outline_level = to_int(child_value(paragraph, "outlineLvl"));
  const pugi::xml_node indentation = child(paragraph, "ind");
  style.left_twips = to_int(attribute(indentation, "left"));
  if (!style.left_twips) style.left_twips = to_int(attribute(indentation, "start"));
  const pugi::xml_node run = child(node, "rPr");
  style.half_points = to_int(child_value(run, "sz"));
  style.is_bold = toggle(run, "b");
  style.is_hidden = toggle(run, "vanish");
  return style;
}

template <typename T>
void inherit(std::optional<T>& own, const std::optional<T>& from) {
  if (!own) own = from;
}

}  // namespace

std::optional<bool> toggle(const pugi::xml_node& properties, std::string_view name) {
  const pugi::xml_node found = child(properties, name);
  if (!found) return std::nullopt;
  const std::string_view value = attribute(found, "val");
  return value.empty() || (value != "0" && value != "false" && value != "off");
}

DocxStyles::DocxStyles(const pugi::xml_node& styles) {
  const pugi::xml_node defaults = child(child(child(styles, "docDefaults"), "rPrDefault"), "rPr");
  default_half_points_ = to_int(child_value(defaults, "sz"));
  for (const pugi::xml_node& node : styles.children()) {
    if (local_name(node) != "style") continue;
    DocxStyle style = read_style(node);
    const std::string_view is_default = attribute(node, "default");
    if (attribute(node, "type") == "paragraph" && (is_default == "1" || is_default == "true")) {
      default_paragraph_ = style.id;
    }
    styles_.emplace(style.id, std::move(style));
  }
}

DocxStyle DocxStyles::resolved(std::string_view id) const {
  auto found = styles_.find(id);
  if (found == styles_.end()) return {};
  DocxStyle style = found->second;
  std::string_view base = found->second.based_on;
  for (int step = 0; step < kMostSteps && !base.empty(); ++step) {
    found = styles_.find(base);
    if (found == styles_.end()) break;
    const DocxStyle& below = found->second;
    inherit(style.number_list, below.number_list);
    inherit(style.number_level, below.number_level);
    inherit(style.outline_level, below.outline_level);
    inherit(style.left_twips, below.left_twips);
    inherit(style.half_points, below.half_points);
    inherit(style.is_bold, below.is_bold);
    inherit(style.is_hidden, below.is_hidden);
    base = below.based_on;
  }
  return style;
}

DocxStyle DocxStyles::paragraph(std::string_view id) const {
  DocxStyle style =
      resolved(id.empty() || !styles_.contains(id) ? std::string_view(default_paragraph_) : id);
  inherit(style.half_points, default_half_points_);
  return style;
}

DocxStyle DocxStyles::character(std::string_view id) const { return resolved(id); }

}  // namespace whereof::document
