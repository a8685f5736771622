#include "document/readers/html_flow.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "document/normalize.h"
#include "document/readers/html_references.h"
#include "document/readers/number_format.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof::document {
namespace {

constexpr std::int64_t kLargestNumber = 1'000'000'000;

bool is_list(std::string_view name) {
  return name == "ol" || name == "ul" || name == "menu" || name == "dir";
}

// As HTML reads integers: leading blanks, a sign, digits, and whatever follows.
std::optional<std::int64_t> html_integer(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const std::size_t begin = text->find_first_not_of(" \t\r\n\f");
  if (begin == std::string::npos) return std::nullopt;
  const char* first = text->data() + begin;
  const char* const last = text->data() + text->size();
  if (*first == '+') ++first;
  std::int64_t value = 0;
  if (std::from_chars(first, last, value).ec != std::errc()) return std::nullopt;
  return std::clamp(value, -kLargestNumber, kLargestNumber);
}

bool is_cell(std::string_view name) { return name == "td" || name == "th"; }

}  // namespace

HtmlFlow::HtmlFlow(Document& document, FlowWriter& writer)
    : document_(document),
      writer_(writer),
      open_([this](const HtmlElement& element) { end(element); }) {}

void HtmlFlow::read(std::string_view utf8, HtmlSyntax syntax, std::int64_t first_place) {
  source_ = utf8;
  place_byte_ = 0;
  place_ = first_place;
  count_reversed_items(utf8, syntax);
  sheet_ = style_sheet_of(utf8, syntax);
  HtmlTokenizer tokenizer(utf8, syntax);
  HtmlToken token;
  while (tokenizer.next(token)) {
    if (token.kind == HtmlToken::Kind::text) {
      take_text(token);
    } else if (token.kind == HtmlToken::Kind::start_tag) {
      start(token, syntax);
    } else if (syntax == HtmlSyntax::html && (token.name == "p" || token.name == "br")) {
      // Browsers take "</br>" and a lone "</p>" for breaks.
      open_.close(token.name);
      if (open_.innermost().has_no_text) continue;
      token.name == "br" ? writer_.break_line() : writer_.end_paragraph();
    } else {
      open_.close(token.name);
    }
  }
  open_.close_all();
  writer_.end_paragraph();
  lists_.clear();
  if (deleted_characters_ > 0) {
    document_.report.warnings.push_back(std::to_string(deleted_characters_) +
                                        " characters of deleted text (<del>) left out");
    deleted_characters_ = 0;
  }
  if (tokenizer.unclosed_at()) {
    document_.report.warnings.push_back(
        "what begins at character " + std::to_string(place(*tokenizer.unclosed_at())) +
        " of the source is never closed; nothing behind it was read");
  }
}

std::int64_t HtmlFlow::place(std::size_t at) {
  if (at > place_byte_) {
    place_ += text::count_code_points(source_.substr(place_byte_, at - place_byte_));
    place_byte_ = at;
  }
  return place_;
}

void HtmlFlow::take_text(const HtmlToken& token) {
  if (open_.innermost().has_no_text) {
    if (open_.innermost().is_deleted) deleted_characters_ += text::count_code_points(token.text);
    return;
  }
  if (open_.innermost().name == "head") {
    if (token.text.find_first_not_of(" \t\r\n\f") == std::string_view::npos) return;
    open_.leave_head();
  }
  const auto begin = static_cast<std::size_t>(token.text.data() - source_.data());
  for (std::size_t i = 0; i < token.text.size();) {
    const HtmlReference reference = token.has_references && token.text[i] == '&'
                                        ? html_reference(token.text.substr(i), false)
                                        : HtmlReference();
    if (reference.bytes > 0) {
      take_character(reference.value, begin + i);
      i += reference.bytes;
    } else {
      const text::CodePoint point = text::decode_at(token.text, i);
      take_character(point.value, begin + i);
      i += static_cast<std::size_t>(point.bytes);
    }
  }
}

void HtmlFlow::take_character(char32_t c, std::size_t at) {
  const HtmlElement& element = open_.innermost();
  if (!element.is_seen()) {
    if (!is_space(c) && !is_stripped(c)) ++document_.report.hidden_characters;
    return;
  }
  FlowWriter::Look look;
  look.kind = element.is_navigation ? LineKind::contents : LineKind::body;
  look.level = element.heading;
  look.is_bold = element.is_bold;
  look.keeps_spaces = element.is_preformatted;
  writer_.add(c, place(at), look);
}

void HtmlFlow::start(const HtmlToken& token, HtmlSyntax syntax) {
  if (++elements_ > kHtmlElements) {
    throw Error(ErrorKind::bad_document,
                document_.name + ": more than " + std::to_string(kHtmlElements) + " HTML elements");
  }
  if (token.name == "ol") ++ordered_lists_;
  HtmlElement element;
  element.name = token.name;
  element.traits = html_traits(token.name);
  if (!open_.prepare(token.name, element.traits)) return;
  if (open_.innermost().has_no_text && (element.traits & kVoid) != 0) return;
  element.style = html_style(token, sheet_.declarations_for(token));
  const bool is_read = !open_.innermost().has_no_text;
  if (is_read && element.style.breaks_before) writer_.end_page();
  if (is_read) start_block(token, element);
  // "<o:p/>" and "<path/>" are whole in HTML too; of its own elements HTML does not mind the slash.
  const bool is_whole =
      (element.traits & kVoid) != 0 ||
      (token.is_self_closing && (syntax == HtmlSyntax::xhtml || element.traits == 0));
  if (is_whole) {
    if (is_read) end(element);
  } else if (!open_.open(std::move(element))) {
    throw Error(ErrorKind::bad_document, document_.name + ": <" + token.name +
                                             "> is nested deeper than " +
                                             std::to_string(kHtmlDepth) + " levels");
  }
}

void HtmlFlow::start_block(const HtmlToken& token, const HtmlElement& element) {
  const std::string_view name = element.name;
  if (name == "br") {
    writer_.break_line();
  } else if (name == "page") {
    writer_.end_page();
  } else if (name == "table") {
    writer_.begin_table();
  } else if (name == "tr") {
    writer_.begin_row();
  } else if (is_cell(name)) {
    writer_.begin_cell();
  } else if (is_list(name)) {
    start_list(token, element);
  } else if (name == "li") {
    start_item(token, element);
  } else if ((element.traits & kBlock) != 0) {
    if ((element.traits & kHeading) != 0) writer_.note_structure();
    writer_.end_paragraph();
  }
}

void HtmlFlow::start_list(const HtmlToken& token, const HtmlElement& element) {
  writer_.note_structure();
  writer_.end_paragraph();
  List list;
  list.is_ordered = element.name == "ol";
  list.format = list.is_ordered ? "decimal" : "none";
  const auto format =
      html_list_format(element.style.list_style.value_or(token.attribute("type").value_or("")));
  if (format) list.format = *format;
  const bool is_reversed = list.is_ordered && token.attribute("reversed").has_value();
  if (is_reversed) list.step = -1;
  if (is_reversed && ordered_lists_ <= item_counts_.size()) {
    list.next = item_counts_[ordered_lists_ - 1];
  }
  if (list.is_ordered) list.next = html_integer(token.attribute("start")).value_or(list.next);
  lists_.push_back(std::move(list));
}

void HtmlFlow::start_item(const HtmlToken& token, const HtmlElement& element) {
  writer_.flush_number();
  writer_.end_paragraph();
  if (lists_.empty()) return;
  List& list = lists_.back();
  const std::int64_t number = html_integer(token.attribute("value")).value_or(list.next);
  list.next = number + list.step;
  std::string format = list.format;
  const auto own =
      html_list_format(element.style.list_style.value_or(token.attribute("type").value_or("")));
  if (own) format = *own;
  if (format == "none" || element.style.is_hidden || !open_.innermost().is_seen()) return;
  std::string printed = format_number(static_cast<int>(number), format);
  if (printed.empty()) return;
  const bool is_chinese = format.starts_with("chinese") || format.starts_with("ideograph");
  printed += is_chinese ? "、" : ".";
  writer_.add_number(std::move(printed), static_cast<std::int32_t>(lists_.size()) - 1,
                     place(token.begin));
}

void HtmlFlow::end(const HtmlElement& element) {
  if (element.has_no_text) return;
  if (element.name == "table") {
    writer_.end_table();
  } else if (element.name == "tr") {
    writer_.end_row();
  } else if (is_list(element.name)) {
    writer_.flush_number();
    writer_.end_paragraph();
    if (!lists_.empty()) lists_.pop_back();
  } else if (element.name == "li") {
    writer_.flush_number();
    writer_.end_paragraph();
  } else if ((element.traits & kBlock) != 0) {
    writer_.end_paragraph();
  }
  if (element.style.breaks_after) writer_.end_page();
}

// A reversed list begins with the count of its items, which is known only at its end.
void HtmlFlow::count_reversed_items(std::string_view utf8, HtmlSyntax syntax) {
  item_counts_.clear();
  ordered_lists_ = 0;
  if (utf8.find("reversed") == std::string_view::npos) return;
  std::vector<std::size_t> open;  // indices into item_counts_, npos for other lists
  constexpr auto kOther = static_cast<std::size_t>(-1);
  HtmlTokenizer tokenizer(utf8, syntax);
  HtmlToken token;
  while (tokenizer.next(token)) {
    const bool is_start = token.kind == HtmlToken::Kind::start_tag;
    if (token.kind == HtmlToken::Kind::text) continue;
    if (is_list(token.name) && is_start) {
      open.push_back(token.name == "ol" ? item_counts_.size() : kOther);
      if (token.name == "ol") item_counts_.push_back(0);
    } else if (is_list(token.name) && !open.empty()) {
      open.pop_back();
    } else if (token.name == "li" && is_start && !open.empty() && open.back() != kOther) {
      ++item_counts_[open.back()];
    }
  }
}

}  // namespace whereof::document
