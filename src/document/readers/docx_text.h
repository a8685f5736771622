// The text of one DOCX paragraph: runs, fields, revisions, line breaks.
#ifndef WHEREOF_DOCUMENT_READERS_DOCX_TEXT_H_
#define WHEREOF_DOCUMENT_READERS_DOCX_TEXT_H_

#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "document/readers/docx_styles.h"

namespace whereof::document {

struct DocxParagraphText {
  std::vector<std::string> lines{1};  // parted at line breaks; never empty
  bool is_bold = true;                // all characters that are seen
  bool has_text = false;
  bool has_contents_field = false;         // some of it is the result of a TOC field
  int half_points = 0;                     // of the first characters; 0 unknown
  std::vector<pugi::xml_node> text_boxes;  // w:txbxContent, in order
  std::vector<std::string> footnotes;      // ids, in order
  std::vector<std::string> endnotes;
};

// Reads paragraphs in document order: fields may begin in one and end in another.
//
// Revisions are read as accepted (w:ins and w:moveTo are text, w:del and w:moveFrom are not). Of a
// field its result is read, not its instruction. Of mc:AlternateContent the first choice is read,
// or the fallback when there is none. Hidden text (w:vanish, white without a shade behind it, at
// most one point high) is counted in hidden_characters and left out.
class DocxTextReader {
 public:
  DocxTextReader(const DocxStyles& styles, std::int64_t& hidden_characters)
      : styles_(styles), hidden_characters_(hidden_characters) {}

  // is_shaded: something behind the paragraph (a table cell's shade) may carry white text.
  void read(const pugi::xml_node& paragraph, const DocxStyle& style, bool is_shaded,
            DocxParagraphText& text);

  bool is_in_contents() const;

 private:
  struct Field {
    std::string instruction;
    bool in_result = false;
    bool is_contents = false;
  };

  void read_children(const pugi::xml_node& node, DocxParagraphText& text);
  void read_node(const pugi::xml_node& node, DocxParagraphText& text);
  void read_run(const pugi::xml_node& run, DocxParagraphText& text);
  void read_run_child(const pugi::xml_node& node, DocxParagraphText& text);
  void read_field_mark(const pugi::xml_node& node);
  void find_text_boxes(const pugi::xml_node& node, DocxParagraphText& text);
  void add(std::string_view utf8, DocxParagraphText& text);
  bool is_in_instruction() const;
  bool is_hidden(const pugi::xml_node& properties) const;

  const DocxStyles& styles_;
  std::int64_t& hidden_characters_;
  std::vector<Field> fields_;
  DocxStyle paragraph_style_;
  bool is_shaded_ = false;
  bool run_is_hidden_ = false;
  bool run_is_bold_ = false;
  int run_half_points_ = 0;
};

// The node to read of an mc:AlternateContent.
pugi::xml_node chosen_alternative(const pugi::xml_node& alternate_content);

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_DOCX_TEXT_H_
