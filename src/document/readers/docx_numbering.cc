#include "document/readers/docx_numbering.h"

#include <algorithm>

#include "document/readers/docx_package.h"
#include "document/readers/number_format.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

bool is_level(int level) { return level >= 0 && level < kNumberLevels; }

// Bullets are characters of symbol fonts, often a letter there; a plain bullet stands for those.
std::string bullet_of(const std::string& text) {
  if (text.empty()) return "•";
  const text::CodePoint first = text::decode_at(text, 0);
  const bool is_letter =
      (first.value >= 'a' && first.value <= 'z') || (first.value >= 'A' && first.value <= 'Z');
  const bool is_private = first.value >= 0xE000 && first.value <= 0xF8FF;
  return is_letter || is_private ? "•" : text;
}

}  // namespace

DocxNumbering::Level DocxNumbering::read_level(const pugi::xml_node& node) {
  Level level;
  level.start = to_int(child_value(node, "start")).value_or(0);
  level.restart = to_int(child_value(node, "lvlRestart")).value_or(-1);
  const std::string_view format = child_value(node, "numFmt");
  if (!format.empty()) level.format = format;
  level.text = child_value(node, "lvlText");
  level.style = child_value(node, "pStyle");
  level.suffix = child_value(node, "suff");
  level.is_legal = toggle(node, "isLgl").value_or(false);
  const pugi::xml_node indentation = child(child(node, "pPr"), "ind");
  level.left_twips = to_int(attribute(indentation, "left"));
  if (!level.left_twips) level.left_twips = to_int(attribute(indentation, "start"));
  return level;
}

void DocxNumbering::read_abstract(const pugi::xml_node& node) {
  const auto id = to_int(attribute(node, "abstractNumId"));
  if (!id) return;
  Abstract abstract;
  abstract.style_link = child_value(node, "numStyleLink");
  for (const pugi::xml_node& each : node.children()) {
    if (local_name(each) != "lvl") continue;
    const int level = to_int(attribute(each, "ilvl")).value_or(-1);
    if (is_level(level)) abstract.levels[static_cast<std::size_t>(level)] = read_level(each);
  }
  abstracts_[*id] = std::move(abstract);
}

void DocxNumbering::read_list(const pugi::xml_node& node) {
  const auto id = to_int(attribute(node, "numId"));
  if (!id) return;
  List list;
  list.abstract = to_int(child_value(node, "abstractNumId")).value_or(-1);
  for (const pugi::xml_node& each : node.children()) {
    if (local_name(each) != "lvlOverride") continue;
    const int level = to_int(attribute(each, "ilvl")).value_or(-1);
    if (!is_level(level)) continue;
    if (const auto start = to_int(child_value(each, "startOverride"))) list.starts[level] = *start;
    if (const pugi::xml_node own = child(each, "lvl")) list.levels[level] = read_level(own);
  }
  lists_[*id] = std::move(list);
}

DocxNumbering::DocxNumbering(const pugi::xml_node& numbering, const DocxStyles& styles) {
  for (const pugi::xml_node& node : numbering.children()) {
    if (local_name(node) == "abstractNum") read_abstract(node);
    if (local_name(node) == "num") read_list(node);
  }
  for (auto& [id, list] : lists_) list.abstract = resolved_abstract(list.abstract, styles);
  std::erase_if(lists_,
                [&](const auto& entry) { return !abstracts_.contains(entry.second.abstract); });
}

// An abstract list may point to a numbering style, whose list has the levels.
int DocxNumbering::resolved_abstract(int abstract, const DocxStyles& styles) const {
  for (int step = 0; step < 8; ++step) {
    const auto found = abstracts_.find(abstract);
    if (found == abstracts_.end() || found->second.style_link.empty()) return abstract;
    const auto number_list = styles.character(found->second.style_link).number_list;
    const auto list = number_list ? lists_.find(*number_list) : lists_.end();
    if (list == lists_.end() || list->second.abstract == abstract) return abstract;
    abstract = list->second.abstract;
  }
  return abstract;
}

const DocxNumbering::Level& DocxNumbering::level_of(const List& list, int level) const {
  const auto own = list.levels.find(level);
  if (own != list.levels.end()) return own->second;
  return abstracts_.at(list.abstract).levels[static_cast<std::size_t>(level)];
}

int DocxNumbering::start_of(const List& list, int level) const {
  const auto override = list.starts.find(level);
  return override != list.starts.end() ? override->second : level_of(list, level).start;
}

// The level that names this style as its own, else -1.
int DocxNumbering::level_of_style(const List& list, const std::string& style) const {
  if (style.empty()) return -1;
  for (int level = 0; level < kNumberLevels; ++level) {
    if (level_of(list, level).style == style) return level;
  }
  return -1;
}

void DocxNumbering::count(const List& list, Counters& counters, int level) const {
  const auto at = static_cast<std::size_t>(level);
  counters.value[at] =
      counters.is_used[at] ? std::min(counters.value[at] + 1, 1 << 30) : start_of(list, level);
  counters.is_used[at] = true;
  for (int deeper = level + 1; deeper < kNumberLevels; ++deeper) {
    const int restart = level_of(list, deeper).restart;
    if (restart < 0 || level < restart) counters.is_used[static_cast<std::size_t>(deeper)] = false;
  }
}

std::string DocxNumbering::compose(const List& list, const Counters& counters, int level) const {
  const Level& own = level_of(list, level);
  std::string text;
  for (std::size_t i = 0; i < own.text.size(); ++i) {
    const bool is_place = own.text[i] == '%' && i + 1 < own.text.size() && own.text[i + 1] >= '1' &&
                          own.text[i + 1] <= '9';
    if (!is_place) {
      text += own.text[i];
      continue;
    }
    const int shown = own.text[++i] - '1';
    const auto at = static_cast<std::size_t>(shown);
    const int value = counters.is_used[at] ? counters.value[at] : start_of(list, shown);
    const std::string& format = level_of(list, shown).format;
    text += format_number(value, own.is_legal ? std::string_view("decimal") : format);
  }
  return text;
}

std::optional<DocxNumber> DocxNumbering::next(const pugi::xml_node& paragraph_properties,
                                              const DocxStyle& style) {
  const pugi::xml_node own = child(paragraph_properties, "numPr");
  const auto own_list = to_int(child_value(own, "numId"));
  const auto own_level = to_int(child_value(own, "ilvl"));
  const int id = own_list.value_or(style.number_list.value_or(0));
  const auto found = lists_.find(id);
  if (id == 0 || found == lists_.end()) return std::nullopt;
  const List& list = found->second;
  int level = own_level.value_or(style.number_level.value_or(0));
  if (!own_level && !own_list) {
    const int of_style = level_of_style(list, style.id);
    if (of_style >= 0) level = of_style;
  }
  if (!is_level(level)) return std::nullopt;
  Counters& counters = counters_[list.abstract];
  if (used_lists_.insert(id).second) {
    for (const auto& [each, start] : list.starts) {
      counters.is_used[static_cast<std::size_t>(each)] = false;
    }
  }
  count(list, counters, level);
  const Level& definition = level_of(list, level);
  DocxNumber number;
  number.level = level;
  number.is_bullet = definition.format == "bullet";
  number.text = number.is_bullet ? bullet_of(definition.text) : compose(list, counters, level);
  number.ends_in_space = definition.suffix != "nothing";
  number.left_twips = definition.left_twips;
  return number;
}

}  // namespace whereof::document
