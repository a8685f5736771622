#include "document/readers/plain_furniture.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "document/clause_numbers.h"
#include "document/readers/page_number.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr std::size_t kLongestTitle = 120;  // bytes
constexpr std::size_t kLeastPages = 3;
constexpr std::int64_t kLeastPageBytes = 300;  // between two page numbers

std::u32string decoded(std::string_view utf8) {
  std::u32string text;
  for (std::size_t at = 0; at < utf8.size();) {
    const text::CodePoint point = text::decode_at(utf8, at);
    text.push_back(point.value);
    at += static_cast<std::size_t>(point.bytes);
  }
  return text;
}

class PlainFurniture {
 public:
  PlainFurniture(Document& document, const std::vector<bool>& after_blank)
      : document_(document), after_blank_(after_blank) {}

  void mark() {
    for (std::size_t i = 0; i < document_.lines.size(); ++i) {
      if (!stands_alone(i) || document_.lines[i].text.length() > 60) continue;
      auto number = parse_page_number(decoded(document_.slice(document_.lines[i].text)));
      if (number) numbers_.emplace_back(i, std::move(*number));
    }
    mark_numbers();
    mark_titles();
  }

 private:
  bool stands_alone(std::size_t i) const {
    const bool at_end = i + 1 == document_.lines.size();
    return after_blank_[i] && (at_end || after_blank_[i + 1]);
  }

  void mark_numbers() {
    for (std::size_t first = 0; first < numbers_.size();) {
      std::size_t end = first + 1;
      while (end < numbers_.size() && follows(numbers_[end - 1], numbers_[end])) ++end;
      for (std::size_t i = first; i < end; ++i) {
        if (numbers_[i].second.is_explicit || end - first >= kLeastPages) {
          document_.lines[numbers_[i].first].kind = LineKind::page_number;
        }
      }
      first = end;
    }
  }

  bool follows(const std::pair<std::size_t, PageNumber>& a,
               const std::pair<std::size_t, PageNumber>& b) const {
    return a.second.is_roman == b.second.is_roman && a.second.prefix == b.second.prefix &&
           b.second.value == a.second.value + 1 &&
           document_.lines[b.first].text.begin - document_.lines[a.first].text.end >=
               kLeastPageBytes;
  }

  void mark_titles() {
    std::map<std::u32string, std::vector<std::size_t>> same;
    for (std::size_t i = 0; i < document_.lines.size(); ++i) {
      const Line& line = document_.lines[i];
      if (line.kind != LineKind::body || !stands_alone(i)) continue;
      if (static_cast<std::size_t>(line.text.length()) > kLongestTitle) continue;
      const std::string_view text = document_.slice(line.text);
      if (text.starts_with("Source:") || ends_or_begins_page(i)) {
        same[running_title_key(decoded(text))].push_back(i);
      }
    }
    for (const auto& [key, lines] : same) {
      if (lines.size() < kLeastPages || key.size() < 2) continue;
      std::map<std::string_view, int> times;
      for (const std::size_t i : lines) ++times[document_.slice(document_.lines[i].text)];
      for (const std::size_t i : lines) {
        const std::string_view text = document_.slice(document_.lines[i].text);
        if (times[text] > 1 || !is_clause_number(text)) {
          document_.lines[i].kind = LineKind::footer;
        }
      }
    }
  }

  // "ARTICLE 16." at the head of a page, and elsewhere another article; where it is the same on
  // several pages, it is their title.
  static bool is_clause_number(std::string_view text) {
    const auto number = scan_number(text);
    return number && number->form > NumberForm::schedule && number->form <= NumberForm::section &&
           static_cast<std::size_t>(number->bytes) == text.size();
  }

  bool ends_or_begins_page(std::size_t i) const {
    const auto is_number = [&](std::size_t n) {
      return document_.lines[n].kind == LineKind::page_number;
    };
    if ((i > 0 && is_number(i - 1)) || (i + 1 < document_.lines.size() && is_number(i + 1))) {
      return true;
    }
    if (document_.pages.size() < 2) return false;
    const Line& line = document_.lines[i];
    const Page& page =
        document_.pages[static_cast<std::size_t>(document_.page_of(line.text.begin))];
    return page.text.begin == line.text.begin || page.text.end == line.text.end + 1;
  }

  Document& document_;
  const std::vector<bool>& after_blank_;
  std::vector<std::pair<std::size_t, PageNumber>> numbers_;
};

}  // namespace

void mark_plain_furniture(Document& document, const std::vector<bool>& after_blank) {
  PlainFurniture(document, after_blank).mark();
}

}  // namespace whereof::document
