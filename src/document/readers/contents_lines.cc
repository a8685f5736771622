#include "document/readers/contents_lines.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace whereof::document {
namespace {

constexpr std::size_t kLeastEntries = 3;
constexpr std::size_t kMostBetween = 2;
constexpr std::size_t kHeadingReach = 8;  // lines from the heading to the first entry

enum class Entry { none, with_leaders, with_gap };

bool is_page_number_byte(char c) {
  return (c >= '0' && c <= '9') || c == 'i' || c == 'v' || c == 'x' || c == '-' || c == 'A' ||
         c == 'B' || c == 'C' || c == 'F' || c == 'S';
}

void trim_end(std::string_view& line, std::string_view what) {
  while (!line.empty()) {
    bool found = false;
    if (what.find(line.back()) != std::string_view::npos) {
      line.remove_suffix(1);
      found = true;
    }
    for (const std::string_view wide : {"\xE3\x80\x80", "\xC2\xA0"}) {
      if (line.ends_with(wide)) {
        line.remove_suffix(wide.size());
        found = true;
      }
    }
    if (!found) return;
  }
}

// How many dots of a leader the line ends in; "…" counts for three, and dots may be spaced.
std::size_t trailing_leaders(std::string_view line) {
  std::size_t dots = 0;
  while (true) {
    if (line.ends_with(' ')) {
      line.remove_suffix(1);
    } else if (line.ends_with('.') || line.ends_with('_')) {
      line.remove_suffix(1);
      dots += 1;
    } else if (line.ends_with("…")) {
      line.remove_suffix(std::string_view("…").size());
      dots += 3;
    } else if (line.ends_with("·")) {
      line.remove_suffix(std::string_view("·").size());
      dots += 1;
    } else {
      return dots;
    }
  }
}

Entry entry_of(std::string_view line, bool wide_gap) {
  trim_end(line, " \t");
  std::size_t number = 0;
  while (number < line.size() && number < 6 &&
         is_page_number_byte(line[line.size() - 1 - number])) {
    ++number;
  }
  if (number == 0 || number == line.size()) return Entry::none;
  line.remove_suffix(number);
  if (trailing_leaders(line) >= 4) return Entry::with_leaders;
  if (wide_gap || line.ends_with('\t') || line.ends_with("    ")) return Entry::with_gap;
  return Entry::none;
}

std::string compact_lower(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (line.substr(i).starts_with("\xE3\x80\x80")) {
      i += 2;
    } else if (c >= 'A' && c <= 'Z') {
      out.push_back(static_cast<char>(c - 'A' + 'a'));
    } else if (c != ' ' && c != '\t' && c != ':' && c != '#' && c != '*') {
      out.push_back(c);
    }
  }
  return out;
}

// What a contents list may end with, without page numbers.
bool names_an_attachment(std::string_view line) {
  const std::string text = compact_lower(line);
  constexpr std::array<std::string_view, 14> kWords = {
      "exhibit", "schedule", "annex", "appendi", "attachment", "附件",      "附录",
      "附表",    "附注",     "index", "list",    "page",       "signature", "addend"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return text.starts_with(word); });
}

class ContentsMarker {
 public:
  ContentsMarker(Document& document, const std::vector<bool>& wide_gap) : document_(document) {
    for (std::size_t i = 0; i < document.lines.size(); ++i) {
      const LineKind kind = document.lines[i].kind;
      if (kind != LineKind::body && kind != LineKind::contents) continue;
      body_.push_back(i);
      entries_.push_back(entry_of(line(i), i < wide_gap.size() && wide_gap[i]));
    }
  }

  void mark() {
    for (std::size_t i = 0; i < body_.size();) {
      i = entries_[i] == Entry::none ? i + 1 : mark_list(i);
    }
  }

 private:
  std::string_view line(std::size_t index) const {
    return document_.slice(document_.lines[index].text);
  }

  std::int32_t page(std::size_t n) const {
    return document_.page_of(document_.lines[body_[n]].text.begin);
  }

  // The list that begins with entry `first`; returns where to go on.
  std::size_t mark_list(std::size_t first) {
    std::size_t last = first;
    std::size_t count = 1;
    std::size_t with_leaders = entries_[first] == Entry::with_leaders ? 1 : 0;
    for (std::size_t i = first + 1; i < body_.size() && i - last <= kMostBetween + 1; ++i) {
      if (entries_[i] == Entry::none) continue;
      last = i;
      ++count;
      with_leaders += entries_[i] == Entry::with_leaders ? 1 : 0;
    }
    std::size_t heading = first;
    const std::size_t reach = std::min(first, kHeadingReach);
    for (std::size_t back = 1; back <= reach; ++back) {
      if (!is_contents_heading(line(body_[first - back]))) continue;
      heading = first - back;
      break;
    }
    const bool is_list = count >= kLeastEntries &&
                         (2 * with_leaders >= count || heading != first || continues_list(first));
    if (!is_list) return first + 1;
    for (std::size_t i = heading; i <= last; ++i) set(i);
    std::size_t after = last + 1;
    while (after < body_.size() && page(after) == page(last) &&
           names_an_attachment(line(body_[after])) && line(body_[after]).size() < 120) {
      set(after++);
    }
    return after;
  }

  // A contents list of several pages goes on where the page before ended with it.
  bool continues_list(std::size_t first) const {
    return first > 0 && document_.lines[body_[first - 1]].kind == LineKind::contents;
  }

  void set(std::size_t n) { document_.lines[body_[n]].kind = LineKind::contents; }

  Document& document_;
  std::vector<std::size_t> body_;
  std::vector<Entry> entries_;
};

}  // namespace

bool is_contents_heading(std::string_view line) {
  if (line.size() > 60) return false;
  const std::string text = compact_lower(line);
  for (const std::string_view heading : {"tableofcontents", "tableofcontent", "contents", "index",
                                         "tableofcontentspage", "目录", "目次", "目錄"}) {
    if (text == heading) return true;
  }
  return text.starts_with("tableofcontents(");
}

void mark_contents(Document& document, const std::vector<bool>& wide_gap) {
  ContentsMarker(document, wide_gap).mark();
}

}  // namespace whereof::document
