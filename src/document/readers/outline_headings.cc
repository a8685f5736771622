#include "document/readers/outline_headings.h"

#include <unicode/uchar.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace whereof::document {
namespace {

constexpr std::size_t kLeastShared = 6;  // characters, where line and title are not the same
constexpr std::size_t kMostCompared = 4'000'000;  // lines, for all entries: hostile outlines
constexpr std::size_t kLongestNumber = 12;  // characters that a line may have before the title

std::u32string key_of(std::u32string_view text) {
  std::u32string key;
  for (const char32_t c : text) {
    const auto point = static_cast<UChar32>(c);
    if (u_isalnum(point) != 0) key.push_back(static_cast<char32_t>(u_tolower(point)));
  }
  return key;
}

bool says(std::u32string_view line, std::u32string_view title) {
  if (line == title) return true;
  if (line.size() < kLeastShared || title.size() < kLeastShared) return false;
  if (title.starts_with(line)) return true;
  return line.size() <= title.size() + kLongestNumber && line.ends_with(title);
}

}  // namespace

void mark_outline(const std::vector<OutlineEntry>& outline, std::vector<LaidOutPage>& pages) {
  std::vector<std::vector<std::u32string>> keys(pages.size());  // of the lines, as far as needed
  std::size_t compared = 0;
  for (const OutlineEntry& entry : outline) {
    const auto index = static_cast<std::size_t>(entry.page);
    const std::u32string title = key_of(entry.title);
    if (index >= pages.size() || title.empty()) continue;
    std::vector<LayoutLine>& lines = pages[index].lines;
    if (keys[index].empty()) {
      for (const LayoutLine& line : lines) keys[index].push_back(key_of(text_of(line)));
    }
    compared += lines.size();
    if (compared > kMostCompared) return;
    LayoutLine* heading = nullptr;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].kind != LineKind::body || lines[i].level >= 0) continue;
      if (!says(keys[index][i], title)) continue;
      if (heading == nullptr || lines[i].size > heading->size + 0.5f) heading = &lines[i];
    }
    if (heading != nullptr) heading->level = entry.level;
  }
}

}  // namespace whereof::document
