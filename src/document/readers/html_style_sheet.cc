#include "document/readers/html_style_sheet.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "text/ascii_case.h"

namespace whereof::document {
namespace {

constexpr std::string_view kSpaces = " \t\r\n\f";
constexpr std::int64_t kWeightOfType = 1LL << 32;  // more than any place in a sheet
constexpr std::int64_t kWeightOfClass = kWeightOfType << 4;
constexpr std::int64_t kWeightOfId = kWeightOfClass << 4;
constexpr std::int64_t kWeightOfImportance = kWeightOfId << 4;

constexpr std::array<std::string_view, 13> kProperties = {
    "background",       "background-color",  "break-after", "break-before",    "display",
    "font-size",        "font-weight",       "list-style",  "list-style-type", "opacity",
    "page-break-after", "page-break-before", "visibility"};

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

std::string without_comments(std::string_view css) {
  std::string out;
  for (std::size_t at = 0; at < css.size();) {
    const std::size_t comment = std::min(css.find("/*", at), css.size());
    out += css.substr(at, comment - at);
    const std::size_t end = css.find("*/", comment);
    at = end == std::string_view::npos ? css.size() : end + 2;
    if (comment < css.size()) out += ' ';
  }
  return out;
}

// "p.note" as its parts; nothing for a selector of another kind.
struct Selector {
  std::string key;
  std::int64_t weight = 0;
};

std::optional<Selector> selector_of(std::string_view text) {
  text = trimmed(text);
  std::size_t n = 0;
  while (n < text.size() && is_name_byte(text[n])) ++n;
  Selector selector{text::ascii_lower(text.substr(0, n)), n > 0 ? kWeightOfType : 0};
  if (n == text.size()) return n > 0 ? std::optional(selector) : std::nullopt;
  const char mark = text[n];
  if ((mark != '.' && mark != '#') || n + 1 == text.size()) return std::nullopt;
  const std::string_view name = text.substr(n + 1);
  if (!std::all_of(name.begin(), name.end(), is_name_byte)) return std::nullopt;
  selector.key += text.substr(n);
  selector.weight += mark == '.' ? kWeightOfClass : kWeightOfId;
  return selector;
}

// Whether the rules of "@media ..." hold for a screen of any size.
bool is_for_screens(std::string_view media) {
  return media.find('(') == std::string_view::npos &&
         (media.find("screen") != std::string_view::npos ||
          media.find("all") != std::string_view::npos);
}

// Behind the block, or the semicolon, that ends the rule at this place.
std::size_t end_of_rule(std::string_view css, std::size_t at) {
  int depth = 0;
  for (; at < css.size(); ++at) {
    if (css[at] == ';' && depth == 0) return at + 1;
    if (css[at] == '{') ++depth;
    if (css[at] == '}' && --depth <= 0) return at + 1;
  }
  return at;
}

}  // namespace

void HtmlStyleSheet::add(std::string_view sheet) {
  const std::string without = without_comments(sheet);
  const std::string_view css = without;
  constexpr std::size_t kLongestPrelude = 256;
  std::size_t open = css.find('{');
  for (std::size_t at = 0; at < css.size();) {
    if (kSpaces.find(css[at]) != std::string_view::npos || css[at] == '}') {
      ++at;
      continue;
    }
    if (open < at) open = css.find('{', at);
    if (css[at] == '@') {
      const std::string prelude =
          text::ascii_lower(css.substr(at, std::min(open - at, kLongestPrelude)));
      const bool enters = open != std::string_view::npos && prelude.starts_with("@media") &&
                          is_for_screens(prelude);
      at = enters ? open + 1 : end_of_rule(css, at);
      continue;
    }
    if (open == std::string_view::npos) return;
    const std::size_t close = std::min(css.find('}', open), css.size());
    add_rule(css.substr(at, open - at), css.substr(open + 1, close - open - 1));
    at = close;
  }
}

void HtmlStyleSheet::add_rule(std::string_view selectors, std::string_view declarations) {
  std::map<std::string, HtmlDeclaration> wanted;  // one a property
  for (HtmlDeclaration& one : html_declarations(declarations)) {
    const bool is_known =
        std::find(kProperties.begin(), kProperties.end(), one.property) != kProperties.end();
    if (!is_known) continue;
    HtmlDeclaration& last = wanted[one.property];
    if (one.is_important || !last.is_important) last = std::move(one);
  }
  if (wanted.empty()) return;
  for (std::size_t at = 0; at <= selectors.size();) {
    const std::size_t end = std::min(selectors.find(',', at), selectors.size());
    const std::optional<Selector> selector = selector_of(selectors.substr(at, end - at));
    at = end + 1;
    if (!selector) continue;
    for (const auto& [property, one] : wanted) {
      const std::int64_t weight =
          selector->weight + ++order_ + (one.is_important ? kWeightOfImportance : 0);
      Value& value = rules_[selector->key][property];
      if (weight > value.weight) value = {one.value, weight};
    }
  }
}

HtmlDeclarations HtmlStyleSheet::declarations_for(const HtmlToken& start_tag) const {
  HtmlDeclarations found;
  if (rules_.empty()) return found;
  std::vector<std::tuple<std::int64_t, const std::string*, const std::string*>> matching;
  const auto look_up = [&](const std::string& key) {
    const auto rule = rules_.find(key);
    if (rule == rules_.end()) return;
    for (const auto& [property, value] : rule->second) {
      matching.emplace_back(value.weight, &property, &value.value);
    }
  };
  look_up(start_tag.name);
  if (const auto id = start_tag.attribute("id")) {
    look_up("#" + *id);
    look_up(start_tag.name + "#" + *id);
  }
  const std::string classes = start_tag.attribute("class").value_or("");
  for (std::size_t at = 0; at < classes.size();) {
    const std::size_t begin = classes.find_first_not_of(kSpaces, at);
    if (begin == std::string::npos) break;
    at = std::min(classes.find_first_of(kSpaces, begin), classes.size());
    const std::string name = "." + classes.substr(begin, at - begin);
    look_up(name);
    look_up(start_tag.name + name);
  }
  std::sort(matching.begin(), matching.end());
  for (const auto& [weight, property, value] : matching) found.push_back({*property, *value});
  return found;
}

HtmlStyleSheet style_sheet_of(std::string_view utf8, HtmlSyntax syntax) {
  HtmlStyleSheet sheet;
  if (utf8.find("<style") == std::string_view::npos &&
      utf8.find("<STYLE") == std::string_view::npos) {
    return sheet;
  }
  HtmlTokenizer tokenizer(utf8, syntax);
  HtmlToken token;
  bool is_style = false;
  while (tokenizer.next(token)) {
    if (token.kind == HtmlToken::Kind::text) {
      if (is_style) sheet.add(token.text);
    } else {
      is_style = token.kind == HtmlToken::Kind::start_tag && token.name == "style" &&
                 is_for_screens(text::ascii_lower(token.attribute("media").value_or("all")));
    }
  }
  return sheet;
}

}  // namespace whereof::document
