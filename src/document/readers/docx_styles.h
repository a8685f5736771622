// Paragraph and character styles of a DOCX file, as far as reading needs them.
#ifndef WHEREOF_DOCUMENT_READERS_DOCX_STYLES_H_
#define WHEREOF_DOCUMENT_READERS_DOCX_STYLES_H_

#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

namespace whereof::document {

// Properties that a style sets; what it leaves open comes from the style it is based on.
struct DocxStyle {
  std::string id;
  std::string name;  // lower case
  std::string based_on;
  std::optional<int> number_list;   // w:numId
  std::optional<int> number_level;  // w:ilvl
  std::optional<int> outline_level;
  std::optional<int> left_twips;
  std::optional<int> half_points;
  std::optional<bool> is_bold;
  std::optional<bool> is_hidden;
};

class DocxStyles {
 public:
  DocxStyles() = default;
  explicit DocxStyles(const pugi::xml_node& styles);

  // The style with all that it inherits filled in; the default paragraph style for an empty or
  // unknown id. A cycle of styles ends after 32 steps.
  DocxStyle paragraph(std::string_view id) const;
  DocxStyle character(std::string_view id) const;

 private:
  DocxStyle resolved(std::string_view id) const;

  std::map<std::string, DocxStyle, std::less<>> styles_;
  std::string default_paragraph_;
  std::optional<int> default_half_points_;
};

// w:b and the like: present without a value means on.
std::optional<bool> toggle(const pugi::xml_node& properties, std::string_view name);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_DOCX_STYLES_H_
