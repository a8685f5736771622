#include "document/readers/html_tokenizer.h"

#include <algorithm>
#include <array>

#include "document/readers/html_references.h"
#include "text/ascii_case.h"

namespace whereof::document {
namespace {

bool is_html_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Elements whose content is text up to their end tag, whatever stands in it.
constexpr std::array<std::string_view, 7> kRawText = {"script",  "style",    "xmp",      "iframe",
                                                      "noembed", "noframes", "plaintext"};
constexpr std::array<std::string_view, 2> kRawTextWithReferences = {"title", "textarea"};

}  // namespace

std::optional<std::string> HtmlToken::attribute(std::string_view wanted) const {
  for (const auto& [attribute_name, value] : attributes) {
    if (attribute_name == wanted) return html_attribute_value(value);
  }
  return std::nullopt;
}

bool HtmlTokenizer::next(HtmlToken& token) {
  while (at_ < source_.size()) {
    token = HtmlToken();
    token.begin = at_;
    if (!raw_name_.empty()) {
      if (read_raw_text(token)) return true;
    } else if (!begins_markup(at_)) {
      read_text(token);
      return true;
    } else if (read_markup(token)) {
      note_raw_text(token);
      return true;
    }
  }
  return false;
}

bool HtmlTokenizer::begins_markup(std::size_t at) const {
  if (source_[at] != '<' || at + 1 == source_.size()) return false;
  const char next = source_[at + 1];
  if (next == '/') return at + 2 < source_.size();
  return next == '!' || next == '?' || is_ascii_letter(next);
}

void HtmlTokenizer::read_text(HtmlToken& token) {
  std::size_t end = at_ + 1;
  while (end < source_.size() && !begins_markup(end))
    end = std::min(source_.find('<', end + 1), source_.size());
  token.text = source_.substr(at_, end - at_);
  at_ = end;
}

// Up to "</name", but not further; false when nothing stands before it.
bool HtmlTokenizer::read_raw_text(HtmlToken& token) {
  const auto ends_here = [this](std::size_t at) {
    const std::size_t after = at + 2 + raw_name_.size();
    if (after > source_.size()) return false;
    for (std::size_t i = 0; i < raw_name_.size(); ++i) {
      if (text::ascii_lower(source_[at + 2 + i]) != raw_name_[i]) return false;
    }
    return after == source_.size() || is_html_space(source_[after]) || source_[after] == '/' ||
           source_[after] == '>';
  };
  std::size_t end = source_.find("</", at_);
  while (end != std::string_view::npos && !ends_here(end)) end = source_.find("</", end + 2);
  if (end == std::string_view::npos) {
    if (raw_name_ != "plaintext") unclosed_at_ = at_;
    end = source_.size();
  }
  token.text = source_.substr(at_, end - at_);
  token.has_references = raw_has_references_;
  at_ = end;
  raw_name_.clear();
  return !token.text.empty();
}

void HtmlTokenizer::note_raw_text(const HtmlToken& token) {
  if (token.kind != HtmlToken::Kind::start_tag) return;
  if (syntax_ == HtmlSyntax::xhtml && token.is_self_closing) return;
  raw_has_references_ = is_one_of(token.name, kRawTextWithReferences);
  if (raw_has_references_ || is_one_of(token.name, kRawText)) raw_name_ = token.name;
}

// False when it was no tag.
bool HtmlTokenizer::read_markup(HtmlToken& token) {
  const char next = source_[at_ + 1];
  if (next == '!') return read_declaration(token);
  if (next == '?') {
    skip_past(">", at_ + 2);
    return false;
  }
  if (next != '/') {
    token.kind = HtmlToken::Kind::start_tag;
    return read_tag(token, at_ + 1);
  }
  if (is_ascii_letter(source_[at_ + 2])) {
    token.kind = HtmlToken::Kind::end_tag;
    return read_tag(token, at_ + 2);
  }
  skip_past(">", at_ + 2);
  return false;
}

bool HtmlTokenizer::read_declaration(HtmlToken& token) {
  const std::string_view rest = source_.substr(at_);
  if (rest.starts_with("<!-->")) {
    at_ += 5;
  } else if (rest.starts_with("<!--->")) {
    at_ += 6;
  } else if (rest.starts_with("<!--")) {
    skip_past("-->", at_ + 4);
  } else if (syntax_ == HtmlSyntax::xhtml && rest.starts_with("<![CDATA[")) {
    const std::size_t begin = at_ + 9;
    skip_past("]]>", begin);
    const std::size_t end = unclosed_at_ ? source_.size() : at_ - 3;
    token.text = source_.substr(begin, end - begin);
    token.has_references = false;
    token.begin = begin;
    return !token.text.empty();
  } else {
    skip_past(">", at_ + 2);
  }
  return false;
}

bool HtmlTokenizer::read_tag(HtmlToken& token, std::size_t name_at) {
  const std::size_t begin = at_;
  at_ = name_at;
  while (at_ < source_.size() && !is_html_space(source_[at_]) && source_[at_] != '/' &&
         source_[at_] != '>') {
    token.name.push_back(text::ascii_lower(source_[at_++]));
  }
  if (syntax_ == HtmlSyntax::xhtml) {
    const std::size_t colon = token.name.rfind(':');
    if (colon != std::string::npos) token.name.erase(0, colon + 1);
  }
  while (at_ < source_.size()) {
    if (source_[at_] == '>') {
      ++at_;
      return true;
    }
    if (source_[at_] == '/') {
      token.is_self_closing = at_ + 1 < source_.size() && source_[at_ + 1] == '>';
      ++at_;
    } else if (is_html_space(source_[at_])) {
      skip_spaces();
    } else if (!read_attribute(token)) {
      break;
    }
  }
  at_ = source_.size();
  unclosed_at_ = begin;
  return false;
}

// False when the source ends in its value.
bool HtmlTokenizer::read_attribute(HtmlToken& token) {
  std::string name(1, text::ascii_lower(source_[at_++]));  // a "=" in front belongs to the name
  while (at_ < source_.size() && !is_html_space(source_[at_]) && source_[at_] != '/' &&
         source_[at_] != '>' && source_[at_] != '=') {
    name.push_back(text::ascii_lower(source_[at_++]));
  }
  skip_spaces();
  std::string_view value;
  if (at_ < source_.size() && source_[at_] == '=') {
    ++at_;
    skip_spaces();
    value = read_value();
  }
  if (at_ >= source_.size()) return false;
  token.attributes.emplace_back(std::move(name), value);
  return true;
}

std::string_view HtmlTokenizer::read_value() {
  if (at_ >= source_.size() || source_[at_] == '>') return {};
  const char quote = source_[at_];
  std::size_t begin = at_;
  std::size_t end;
  if (quote == '"' || quote == '\'') {
    end = source_.find(quote, ++begin);
    at_ = end == std::string_view::npos ? source_.size() : end + 1;
  } else {
    end = begin;
    while (end < source_.size() && !is_html_space(source_[end]) && source_[end] != '>') ++end;
    at_ = end;
  }
  return source_.substr(begin, end - begin);
}

void HtmlTokenizer::skip_spaces() {
  while (at_ < source_.size() && is_html_space(source_[at_])) ++at_;
}

void HtmlTokenizer::skip_past(std::string_view mark, std::size_t from) {
  const std::size_t found = source_.find(mark, from);
  if (found == std::string_view::npos) unclosed_at_ = at_;
  at_ = found == std::string_view::npos ? source_.size() : found + mark.size();
}

}  // namespace whereof::document
