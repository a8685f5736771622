#include "document/readers/html_open_elements.h"

#include <utility>

namespace whereof::document {
namespace {

bool is_table_part(std::string_view name) {
  return name == "tr" || name == "td" || name == "th" || name == "tbody" || name == "thead" ||
         name == "tfoot" || name == "caption" || name == "colgroup";
}

bool is_section(std::string_view name) {
  return name == "tbody" || name == "thead" || name == "tfoot";
}

}  // namespace

void HtmlOpenElements::inherit(const HtmlElement& outer, HtmlElement& element) {
  const unsigned traits = element.traits;
  const HtmlStyle& style = element.style;
  element.is_deleted = outer.is_deleted || element.name == "del";
  element.has_no_text = outer.has_no_text || (traits & kNoText) != 0;
  element.is_hidden = outer.is_hidden || style.is_hidden;
  element.is_invisible = style.is_invisible.value_or(outer.is_invisible);
  element.is_tiny = style.is_tiny.value_or(outer.is_tiny);
  element.is_white = style.is_white.value_or(outer.is_white);
  element.has_background = outer.has_background || style.has_background;
  element.is_bold = style.is_bold.value_or(outer.is_bold || (traits & kBold) != 0);
  element.is_preformatted =
      style.is_preformatted.value_or(outer.is_preformatted || (traits & kPreformatted) != 0);
  element.is_navigation = outer.is_navigation || element.name == "nav";
  element.heading = (traits & kHeading) != 0 ? element.name[1] - '1' : outer.heading;
}

void HtmlOpenElements::inherit_from(std::size_t index) {
  for (std::size_t i = index; i < open_.size(); ++i) {
    inherit(i == 0 ? root_ : open_[i - 1], open_[i]);
  }
}

bool HtmlOpenElements::open(HtmlElement element) {
  if (open_.size() == kHtmlDepth) return false;
  open_.push_back(std::move(element));
  inherit_from(open_.size() - 1);
  return true;
}

void HtmlOpenElements::close_from(std::size_t index) {
  while (open_.size() > index) {
    on_end_(open_.back());
    open_.pop_back();
  }
}

void HtmlOpenElements::close_nearest(std::string_view name, unsigned barrier) {
  for (std::size_t i = open_.size(); i-- > 0;) {
    if (open_[i].name == name) return close_from(i);
    if ((open_[i].traits & barrier) != 0) return;
  }
}

void HtmlOpenElements::leave_head() {
  if (!open_.empty() && open_.back().name == "head") close_from(open_.size() - 1);
}

// <li>, <dd> and <dt> end an item before them, unless a list or the like has begun in it.
void HtmlOpenElements::close_item(std::string_view name, std::string_view other) {
  for (std::size_t i = open_.size(); i-- > 0;) {
    const HtmlElement& element = open_[i];
    if (element.name == name || element.name == other) return close_from(i);
    const bool is_transparent =
        element.name == "address" || element.name == "div" || element.name == "p";
    if ((element.traits & kSpecial) != 0 && !is_transparent) return;
  }
}

void HtmlOpenElements::close_to_table_part(bool keeps_row, bool keeps_section) {
  std::size_t end = open_.size();
  while (end > 0 && open_[end - 1].name != "table" && open_[end - 1].name != "template") --end;
  if (end == 0) return;  // no table: its parts are read as blocks
  std::size_t first = end;
  while (first < open_.size()) {
    const std::string_view name = open_[first].name;
    const bool is_kept = (keeps_row && name == "tr") || (keeps_section && is_section(name));
    if (is_table_part(name) && !is_kept) break;
    ++first;
  }
  close_from(first);
}

bool HtmlOpenElements::prepare(std::string_view name, unsigned traits) {
  if (name == "html" || name == "body" || name == "head") {
    for (const HtmlElement& element : open_) {
      if (element.name == name) return false;
    }
  }
  if ((traits & kHead) == 0) leave_head();
  if (is_section(name) || name == "caption" || name == "colgroup") {
    close_to_table_part(false, false);
  } else if (name == "tr") {
    close_to_table_part(false, true);
  } else if (name == "td" || name == "th") {
    close_to_table_part(true, true);
  } else if (name == "li") {
    close_item("li", "li");
  } else if (name == "dd" || name == "dt") {
    close_item("dd", "dt");
  } else if (name == "a" || name == "nobr") {
    close(name);
  } else if (name == "option" || name == "optgroup" || name == "rt" || name == "rp") {
    const std::string& last = innermost().name;
    if (last == "option" || last == "rt" || last == "rp") close_from(open_.size() - 1);
  }
  if ((traits & kClosesP) != 0) close_nearest("p", kScope);
  if ((traits & kHeading) != 0 && (innermost().traits & kHeading) != 0) {
    close_from(open_.size() - 1);
  }
  return true;
}

void HtmlOpenElements::close(std::string_view name) {
  if (name == "html" || name == "body") return;  // what follows them still belongs to the page
  if (name == "table" || name == "tr" || is_section(name)) {
    for (std::size_t i = open_.size(); i-- > 0;) {
      if (open_[i].name == name) return close_from(i);
      if (open_[i].name == "table" || open_[i].name == "template") return;
    }
    return;
  }
  const unsigned traits = html_traits(name);
  const bool is_formatting = (traits & kFormatting) != 0;
  const bool is_heading = (traits & kHeading) != 0;
  const unsigned barrier = is_formatting || (traits & kSpecial) != 0 ? kScope : kSpecial;
  std::size_t outermost_special = open_.size();
  for (std::size_t i = open_.size(); i-- > 0;) {
    const HtmlElement& element = open_[i];
    // Any heading's end tag ends a heading.
    if (element.name == name || (is_heading && (element.traits & kHeading) != 0)) {
      if (!is_formatting || outermost_special == open_.size()) return close_from(i);
      // Blocks that began inside stay open and lose its look.
      on_end_(open_[i]);
      open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
      return inherit_from(i);
    }
    if ((element.traits & barrier) != 0) return;
    // An item's end tag does not reach out of a list that began in it.
    if (name == "li" && (element.name == "ol" || element.name == "ul")) return;
    if ((element.traits & kSpecial) != 0) outermost_special = i;
  }
}

}  // namespace whereof::document
