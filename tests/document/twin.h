// One text in two formats: how much of it two readings have in common.
#ifndef WHEREOF_TESTS_DOCUMENT_TWIN_H_
#define WHEREOF_TESTS_DOCUMENT_TWIN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "text/utf8.h"
#include "whereof/document.h"

namespace whereof::testing {

// Characters of the document's own lines but for what formats do differently: spaces, the marks of
// Markdown, the shape of quotation marks and dashes.
inline std::u32string compact_text(const Document& document) {
  std::u32string text;
  constexpr std::u32string_view kDropped = U" \t\u3000*#_\\|>`";
  for (const Line& line : document.lines) {
    const bool is_own = line.kind == LineKind::body || line.kind == LineKind::table ||
                        line.kind == LineKind::footnote;
    if (!is_own) continue;
    const std::string_view bytes = document.slice(line.text);
    for (std::size_t at = 0; at < bytes.size();) {
      const text::CodePoint point = text::decode_at(bytes, at);
      at += static_cast<std::size_t>(point.bytes);
      char32_t c = point.value;
      if (kDropped.find(c) != std::u32string_view::npos) continue;
      if (c == 0x2018 || c == 0x2019) c = U'\'';
      if (c == 0x201C || c == 0x201D) c = U'"';
      if (c >= 0x2010 && c <= 0x2014) c = U'-';
      text.push_back(c);
    }
  }
  return text;
}

inline std::vector<std::string> clause_labels(const Document& document) {
  std::vector<std::string> labels;
  for (const Clause& clause : document.clauses) {
    if (clause.kind != ClauseKind::preamble) labels.push_back(clause.label);
  }
  return labels;
}

// Length of the longest common subsequence (Myers 1986, O((N + M) D)); gives up, with 0, where the
// two differ in more than most_different elements.
template <typename Sequence>
std::size_t common_length(const Sequence& a, const Sequence& b, int most_different = 4000) {
  const auto n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  const int most = std::min(n + m, most_different);
  std::vector<int> furthest(2 * static_cast<std::size_t>(most) + 3, 0);
  const auto at = [&](int diagonal) -> int& {
    return furthest[static_cast<std::size_t>(diagonal + most + 1)];
  };
  for (int different = 0; different <= most; ++different) {
    for (int diagonal = -different; diagonal <= different; diagonal += 2) {
      const bool goes_down =
          diagonal == -different || (diagonal != different && at(diagonal - 1) < at(diagonal + 1));
      int x = goes_down ? at(diagonal + 1) : at(diagonal - 1) + 1;
      int y = x - diagonal;
      while (x < n && y < m && a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(y)]) {
        ++x;
        ++y;
      }
      at(diagonal) = x;
      if (x >= n && y >= m) return static_cast<std::size_t>((n + m - different) / 2);
    }
  }
  return 0;
}

struct TwinShare {
  double characters = 0;  // of the longer text
  double clauses = 0;     // labels of the twin that the reading has, in order
  std::size_t twin_clauses = 0;
};

inline TwinShare compare_twins(const Document& reading, const Document& twin) {
  TwinShare share;
  const std::u32string a = compact_text(reading), b = compact_text(twin);
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer > 0) {
    share.characters = static_cast<double>(common_length(a, b)) / static_cast<double>(longer);
  }
  const std::vector<std::string> labels = clause_labels(twin);
  share.twin_clauses = labels.size();
  if (!labels.empty()) {
    share.clauses = static_cast<double>(common_length(clause_labels(reading), labels)) /
                    static_cast<double>(labels.size());
  }
  return share;
}

}  // namespace whereof::testing

#endif  // WHEREOF_TESTS_DOCUMENT_TWIN_H_
