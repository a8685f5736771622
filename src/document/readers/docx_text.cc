#include "document/readers/docx_text.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "document/normalize.h"
#include "document/readers/docx_package.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr std::size_t kDeepestFields = 64;
constexpr std::size_t kLongestInstruction = 4096;

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Elements whose children are read in their place.
constexpr std::array<std::string_view, 24> kTransparent = {
    "hyperlink", "smartTag", "sdt",   "sdtContent", "ins",  "moveTo",   "customXml", "fldSimple",
    "dir",       "bdo",      "oMath", "oMathPara",  "ruby", "rubyBase", "num",       "den",
    "f",         "e",        "sup",   "sub",        "sSup", "sSub",     "rad",       "d"};

bool has_shade(const pugi::xml_node& properties) {
  const pugi::xml_node shade = child(properties, "shd");
  if (!shade) return false;
  const std::string_view fill = attribute(shade, "fill");
  const std::string_view pattern = attribute(shade, "val");
  const bool has_pattern = !pattern.empty() && pattern != "clear" && pattern != "nil";
  return has_pattern || (!fill.empty() && fill != "auto" && fill != "FFFFFF" && fill != "ffffff");
}

// w:sym: a character of a symbol font, mostly in the private use area.
std::string symbol(const pugi::xml_node& node) {
  const std::string_view digits = attribute(node, "char");
  std::uint32_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data(), end, value, 16);
  if (error != std::errc() || at != end) return {};
  std::string out;
  text::append(out, value);
  return out;
}

}  // namespace

pugi::xml_node chosen_alternative(const pugi::xml_node& alternate_content) {
  const pugi::xml_node choice = child(alternate_content, "Choice");
  return choice ? choice : child(alternate_content, "Fallback");
}

void DocxTextReader::read(const pugi::xml_node& paragraph, const DocxStyle& style, bool is_shaded,
                          DocxParagraphText& text) {
  paragraph_style_ = style;
  is_shaded_ = is_shaded || has_shade(child(paragraph, "pPr"));
  read_children(paragraph, text);
}

bool DocxTextReader::is_in_contents() const {
  return std::any_of(fields_.begin(), fields_.end(),
                     [](const Field& field) { return field.in_result && field.is_contents; });
}

bool DocxTextReader::is_in_instruction() const {
  return std::any_of(fields_.begin(), fields_.end(),
                     [](const Field& field) { return !field.in_result; });
}

void DocxTextReader::read_children(const pugi::xml_node& node, DocxParagraphText& text) {
  for (const pugi::xml_node& each : node.children()) {
    if (each.type() == pugi::node_element) read_node(each, text);
  }
}

void DocxTextReader::read_node(const pugi::xml_node& node, DocxParagraphText& text) {
  const std::string_view name = local_name(node);
  if (name == "r") {
    read_run(node, text);
  } else if (name == "AlternateContent") {
    read_children(chosen_alternative(node), text);
  } else if (name == "drawing" || name == "pict" || name == "object") {
    find_text_boxes(node, text);
  } else if (is_one_of(name, kTransparent)) {
    read_children(node, text);
  }
}

bool DocxTextReader::is_hidden(const pugi::xml_node& properties) const {
  const DocxStyle style = styles_.character(child_value(properties, "rStyle"));
  if (toggle(properties, "vanish")
          .value_or(style.is_hidden.value_or(paragraph_style_.is_hidden.value_or(false)))) {
    return true;
  }
  if (run_half_points_ > 0 && run_half_points_ <= 2) return true;
  const std::string_view color = child_value(properties, "color");
  const bool is_white = color == "FFFFFF" || color == "ffffff";
  const std::string_view highlight = child_value(properties, "highlight");
  const bool is_highlighted = !highlight.empty() && highlight != "none" && highlight != "white";
  return is_white && !is_shaded_ && !is_highlighted && !has_shade(properties);
}

void DocxTextReader::read_run(const pugi::xml_node& run, DocxParagraphText& text) {
  const pugi::xml_node properties = child(run, "rPr");
  if (child(properties, "del") || child(properties, "moveFrom")) return;
  const DocxStyle style = styles_.character(child_value(properties, "rStyle"));
  run_half_points_ =
      to_int(child_value(properties, "sz"))
          .value_or(style.half_points.value_or(paragraph_style_.half_points.value_or(0)));
  run_is_bold_ = toggle(properties, "b")
                     .value_or(style.is_bold.value_or(paragraph_style_.is_bold.value_or(false)));
  run_is_hidden_ = is_hidden(properties);
  for (const pugi::xml_node& each : run.children()) {
    if (each.type() == pugi::node_element) read_run_child(each, text);
  }
}

void DocxTextReader::read_run_child(const pugi::xml_node& node, DocxParagraphText& text) {
  const std::string_view name = local_name(node);
  if (name == "t") {
    add(node.text().get(), text);
  } else if (name == "tab" || name == "ptab") {
    add("\t", text);
  } else if (name == "br" || name == "cr") {
    const std::string_view type = attribute(node, "type");
    if (!is_in_instruction() && (type.empty() || type == "textWrapping")) {
      text.lines.emplace_back();
    }
  } else if (name == "noBreakHyphen") {
    add("-", text);
  } else if (name == "sym") {
    add(symbol(node), text);
  } else if (name == "fldChar") {
    read_field_mark(node);
  } else if (name == "instrText") {
    if (!fields_.empty() && fields_.back().instruction.size() < kLongestInstruction) {
      fields_.back().instruction += node.text().get();
    }
  } else if (name == "footnoteReference") {
    text.footnotes.emplace_back(attribute(node, "id"));
  } else if (name == "endnoteReference") {
    text.endnotes.emplace_back(attribute(node, "id"));
  } else if (name == "ruby" || name == "AlternateContent" || name == "drawing" || name == "pict" ||
             name == "object") {
    read_node(node, text);
  }
}

void DocxTextReader::read_field_mark(const pugi::xml_node& node) {
  const std::string_view type = attribute(node, "fldCharType");
  if (type == "begin") {
    if (fields_.size() < kDeepestFields) fields_.emplace_back();
  } else if (type == "separate" && !fields_.empty()) {
    Field& field = fields_.back();
    field.in_result = true;
    const std::size_t word = field.instruction.find_first_not_of(" \t\r\n");
    field.is_contents =
        word != std::string::npos && std::string_view(field.instruction).substr(word, 3) == "TOC";
  } else if (type == "end" && !fields_.empty()) {
    fields_.pop_back();
  }
}

// Text boxes lie deep inside drawings; those of an unused alternative are not searched.
void DocxTextReader::find_text_boxes(const pugi::xml_node& node, DocxParagraphText& text) {
  for (const pugi::xml_node& each : node.children()) {
    if (each.type() != pugi::node_element) continue;
    const std::string_view name = local_name(each);
    if (name == "txbxContent") {
      text.text_boxes.push_back(each);
    } else if (name == "AlternateContent") {
      find_text_boxes(chosen_alternative(each), text);
    } else {
      find_text_boxes(each, text);
    }
  }
}

void DocxTextReader::add(std::string_view utf8, DocxParagraphText& text) {
  if (is_in_instruction()) return;
  const bool is_blank = std::all_of(utf8.begin(), utf8.end(), [](char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  });
  if (run_is_hidden_) {
    if (!is_blank) hidden_characters_ += text::count_code_points(utf8);
    return;
  }
  if (!is_blank) {
    if (!text.has_text) text.half_points = run_half_points_;
    text.has_text = true;
    text.is_bold = text.is_bold && run_is_bold_;
    text.has_contents_field = text.has_contents_field || is_in_contents();
  }
  for (const char c : utf8) text.lines.back() += c == '\n' || c == '\r' ? ' ' : c;
}

}  // namespace whereof::document
