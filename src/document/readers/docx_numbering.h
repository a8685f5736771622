// Automatic numbers of a DOCX file, counted as Word counts them (ECMA-376 part 1, 17.9).
//
// A paragraph names a list (w:num) and a level, itself or through its style. Lists over one
// w:abstractNum share their counters; a w:startOverride is where a level of its list starts, and
// sets that level back when the list is first used. A paragraph of a level counts it up and sets
// the deeper levels back, except those whose w:lvlRestart names another level or none. "%n" in
// w:lvlText stands for the counter of level n in that level's own format, or in decimal where
// w:isLgl asks for it; a level that no paragraph has used yet shows where it starts.
#ifndef WHEREOF_DOCUMENT_READERS_DOCX_NUMBERING_H_
#define WHEREOF_DOCUMENT_READERS_DOCX_NUMBERING_H_

#include <array>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string>

#include "document/readers/docx_styles.h"

namespace whereof::document {

constexpr int kNumberLevels = 9;

struct DocxNumber {
  std::string text;  // "3.2", "(a)", "第三条", or a bullet
  bool is_bullet = false;
  bool ends_in_space = true;  // a space or a tab parts it from the paragraph's text
  int level = 0;
  std::optional<int> left_twips;
};

class DocxNumbering {
 public:
  DocxNumbering() = default;
  DocxNumbering(const pugi::xml_node& numbering, const DocxStyles& styles);

  // The number of the next paragraph in the document, which has these properties and this style;
  // counts. Nothing when it has none.
  std::optional<DocxNumber> next(const pugi::xml_node& paragraph_properties,
                                 const DocxStyle& style);

 private:
  struct Level {
    int start = 1;
    int restart = -1;  // w:lvlRestart; -1: after any higher level
    std::string format = "decimal";
    std::string text;
    std::string style;
    std::string suffix;
    bool is_legal = false;
    std::optional<int> left_twips;
  };
  struct Abstract {
    std::array<Level, kNumberLevels> levels;
    std::string style_link;  // w:numStyleLink
  };
  struct List {
    int abstract = -1;
    std::map<int, int> starts;    // w:startOverride
    std::map<int, Level> levels;  // w:lvlOverride with a level of its own
  };
  struct Counters {
    std::array<int, kNumberLevels> value{};
    std::array<bool, kNumberLevels> is_used{};
  };

  static Level read_level(const pugi::xml_node& node);
  void read_abstract(const pugi::xml_node& node);
  void read_list(const pugi::xml_node& node);
  int resolved_abstract(int abstract, const DocxStyles& styles) const;
  const Level& level_of(const List& list, int level) const;
  int start_of(const List& list, int level) const;
  int level_of_style(const List& list, const std::string& style) const;
  void count(const List& list, Counters& counters, int level) const;
  std::string compose(const List& list, const Counters& counters, int level) const;

  std::map<int, Abstract> abstracts_;
  std::map<int, List> lists_;
  std::map<int, Counters> counters_;  // by abstract
  std::set<int> used_lists_;
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_DOCX_NUMBERING_H_
