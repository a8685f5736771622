#include "document/readers/html_elements.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>

#include "text/ascii_case.h"

namespace whereof::document {
namespace {

constexpr unsigned kParagraph = kBlock | kSpecial | kClosesP;
constexpr unsigned kCell = kBlock | kSpecial | kScope;

struct Element {
  std::string_view name;
  unsigned traits;
};

// Sorted by name.
constexpr Element kElements[] = {
    {"a", kFormatting},
    {"address", kParagraph},
    {"applet", kSpecial | kScope},
    {"area", kVoid | kSpecial},
    {"article", kParagraph},
    {"aside", kParagraph},
    {"audio", kNoText},
    {"b", kFormatting | kBold},
    {"base", kVoid | kSpecial | kHead},
    {"basefont", kVoid | kSpecial | kHead},
    {"bgsound", kVoid | kSpecial | kHead},
    {"big", kFormatting},
    {"blockquote", kParagraph},
    {"body", kBlock | kSpecial},
    {"br", kVoid | kSpecial},
    {"button", kSpecial | kScope},
    {"canvas", kNoText},
    {"caption", kCell},
    {"center", kParagraph},
    {"code", kFormatting},
    {"col", kVoid | kSpecial},
    {"colgroup", kSpecial},
    {"datalist", kNoText},
    {"dd", kParagraph},
    {"del", kNoText},
    {"details", kParagraph},
    {"dialog", kParagraph},
    {"dir", kParagraph},
    {"div", kParagraph},
    {"dl", kParagraph},
    {"dt", kParagraph},
    {"em", kFormatting},
    {"embed", kVoid | kSpecial},
    {"fieldset", kParagraph},
    {"figcaption", kParagraph},
    {"figure", kParagraph},
    {"font", kFormatting},
    {"footer", kParagraph},
    {"form", kParagraph},
    {"frame", kVoid | kSpecial},
    {"frameset", kSpecial},
    {"h1", kParagraph | kBold | kHeading},
    {"h2", kParagraph | kBold | kHeading},
    {"h3", kParagraph | kBold | kHeading},
    {"h4", kParagraph | kBold | kHeading},
    {"h5", kParagraph | kBold | kHeading},
    {"h6", kParagraph | kBold | kHeading},
    {"head", kSpecial | kHead},
    {"header", kParagraph},
    {"hgroup", kParagraph},
    {"hr", kVoid | kParagraph},
    {"html", kBlock | kSpecial | kScope},
    {"i", kFormatting},
    {"iframe", kSpecial | kNoText},
    {"img", kVoid | kSpecial},
    {"input", kVoid | kSpecial},
    {"legend", kParagraph},
    {"li", kBlock | kSpecial | kClosesP},
    {"link", kVoid | kSpecial | kHead},
    {"listing", kParagraph | kPreformatted},
    {"main", kParagraph},
    {"marquee", kSpecial | kScope},
    {"menu", kParagraph},
    {"meta", kVoid | kSpecial | kHead},
    {"nav", kParagraph},
    {"nobr", kFormatting},
    {"noembed", kSpecial | kNoText},
    {"noframes", kSpecial | kNoText | kHead},
    {"noscript", kSpecial | kNoText | kHead},
    {"object", kSpecial | kScope | kNoText},
    {"ol", kParagraph},
    {"optgroup", kNoText},
    {"option", kNoText},
    {"p", kParagraph},
    {"page", kVoid | kBlock},
    {"param", kVoid | kSpecial},
    {"plaintext", kParagraph | kPreformatted},
    {"pre", kParagraph | kPreformatted},
    {"rp", kNoText},
    {"rt", kNoText},
    {"s", kFormatting},
    {"script", kSpecial | kNoText | kHead},
    {"search", kParagraph},
    {"section", kParagraph},
    {"select", kSpecial | kNoText},
    {"small", kFormatting},
    {"source", kVoid | kSpecial},
    {"strike", kFormatting},
    {"strong", kFormatting | kBold},
    {"style", kSpecial | kNoText | kHead},
    {"summary", kParagraph},
    {"svg", kNoText | kScope},
    {"table", kBlock | kSpecial | kScope | kClosesP},
    {"tbody", kBlock | kSpecial},
    {"td", kCell},
    {"template", kSpecial | kScope | kNoText | kHead},
    {"textarea", kSpecial | kNoText},
    {"tfoot", kBlock | kSpecial},
    {"th", kCell | kBold},
    {"thead", kBlock | kSpecial},
    {"title", kSpecial | kNoText | kHead},
    {"tr", kBlock | kSpecial},
    {"track", kVoid | kSpecial},
    {"tt", kFormatting},
    {"u", kFormatting},
    {"ul", kParagraph},
    {"video", kNoText},
    {"wbr", kVoid | kSpecial},
    {"xmp", kParagraph | kPreformatted},
};

std::string lower_trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n\f";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text::ascii_lower(text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1));
}

// "0", "0.0px": nothing is seen; -1 where it begins with no number.
double leading_number(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  return end == value.c_str() ? -1 : number;
}

bool is_white(const std::string& value) {
  return value == "white" || value == "#fff" || value == "#ffffff" || value == "transparent" ||
         value == "rgb(255,255,255)" || value == "rgb(255, 255, 255)";
}

bool ends_page(const std::string& value) {
  return value == "always" || value == "page" || value == "left" || value == "right" ||
         value == "recto" || value == "verso";
}

// A font of at most a point cannot be read; sizes by name or share are left alone.
bool is_unreadable_size(const std::string& value) {
  const double size = leading_number(value);
  if (size == 0) return true;
  return size > 0 && size <= 1 && (value.ends_with("pt") || value.ends_with("px"));
}

void apply(const std::string& property, const std::string& value, HtmlStyle& style) {
  if (property == "display") {
    style.is_displayed = value != "none";
  } else if (property == "opacity") {
    style.is_transparent = leading_number(value) == 0;
  } else if (property == "visibility") {
    style.is_invisible = value == "hidden" || value == "collapse";
  } else if (property == "font-size") {
    style.is_tiny = is_unreadable_size(value);
  } else if (property == "color") {
    style.is_white = is_white(value);
  } else if (property.starts_with("background")) {
    style.has_background = !is_white(value) && value != "none";
  } else if (property == "font-weight") {
    style.is_bold = value.starts_with("bold") || leading_number(value) >= 600;
  } else if (property == "white-space") {
    style.is_preformatted = value == "pre" || value == "pre-wrap" || value == "pre-line";
  } else if (property == "page-break-before" || property == "break-before") {
    style.breaks_before = ends_page(value);
  } else if (property == "page-break-after" || property == "break-after") {
    style.breaks_after = ends_page(value);
  } else if (property == "list-style" || property == "list-style-type") {
    style.list_style = value.substr(0, value.find(' '));
  }
}

}  // namespace

unsigned html_traits(std::string_view name) {
  const auto* const found =
      std::lower_bound(std::begin(kElements), std::end(kElements), name,
                       [](const Element& one, std::string_view other) { return one.name < other; });
  return found != std::end(kElements) && found->name == name ? found->traits : 0;
}

HtmlDeclarations html_declarations(std::string_view css) {
  HtmlDeclarations declarations;
  for (std::size_t begin = 0; begin < css.size();) {
    const std::size_t end = std::min(css.find(';', begin), css.size());
    const std::string_view declaration = css.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t colon = declaration.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string value = lower_trimmed(declaration.substr(colon + 1));
    const std::size_t important = value.find("!important");
    declarations.push_back({lower_trimmed(declaration.substr(0, colon)),
                            lower_trimmed(std::string_view(value).substr(0, important)),
                            important != std::string::npos});
  }
  return declarations;
}

HtmlStyle html_style(const HtmlToken& start_tag, const HtmlDeclarations& sheet) {
  HtmlStyle style;
  for (const HtmlDeclaration& one : sheet) apply(one.property, one.value, style);
  for (const HtmlDeclaration& one : html_declarations(start_tag.attribute("style").value_or(""))) {
    apply(one.property, one.value, style);
  }
  const std::optional<std::string> hidden = start_tag.attribute("hidden");
  if (hidden && lower_trimmed(*hidden) != "until-found") style.is_hidden = true;
  if (start_tag.attribute("bgcolor")) style.has_background = true;
  if (start_tag.name == "font") {
    const std::optional<std::string> color = start_tag.attribute("color");
    if (color) style.is_white = is_white(lower_trimmed(*color));
  }
  style.is_hidden = style.is_hidden || !style.is_displayed || style.is_transparent;
  return style;
}

std::optional<std::string_view> html_list_format(std::string_view type) {
  struct Format {
    std::string_view type;
    std::string_view format;
  };
  constexpr std::array<Format, 24> kFormats = {{
      {"1", "decimal"},
      {"a", "lowerLetter"},
      {"A", "upperLetter"},
      {"i", "lowerRoman"},
      {"I", "upperRoman"},
      {"decimal", "decimal"},
      {"decimal-leading-zero", "decimalZero"},
      {"lower-alpha", "lowerLetter"},
      {"lower-latin", "lowerLetter"},
      {"upper-alpha", "upperLetter"},
      {"upper-latin", "upperLetter"},
      {"lower-roman", "lowerRoman"},
      {"upper-roman", "upperRoman"},
      {"cjk-ideographic", "chineseCountingThousand"},
      {"simp-chinese-informal", "chineseCountingThousand"},
      {"trad-chinese-informal", "chineseCountingThousand"},
      {"cjk-decimal", "ideographDigital"},
      {"simp-chinese-formal", "chineseLegalSimplified"},
      {"cjk-heavenly-stem", "ideographTraditional"},
      {"cjk-earthly-branch", "ideographZodiac"},
      {"none", "none"},
      {"disc", "none"},
      {"circle", "none"},
      {"square", "none"},
  }};
  const auto* const found =
      std::find_if(kFormats.begin(), kFormats.end(),
                   [type](const Format& format) { return format.type == type; });
  if (found == kFormats.end()) return std::nullopt;
  return found->format;
}

}  // namespace whereof::document
