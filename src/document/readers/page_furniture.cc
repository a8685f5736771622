#include "document/readers/page_furniture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "document/readers/page_number.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr std::size_t kOutermost = 3;
constexpr float kSameHeight = 4;       // points
constexpr float kEdge = 0.25f;         // of the page's height: where headers and footers stand
constexpr float kLoneEdge = 0.12f;

struct Candidate {
  std::size_t page = 0;
  std::size_t line = 0;
  bool at_top = false;
  bool is_outermost = false;
  float from_edge = 0;  // points from the page's upper or lower edge
  std::u32string text;
};

// The outermost body lines at both ends of a page, by height, whatever column they are in.
void collect(const LaidOutPage& page, std::size_t page_index, std::vector<Candidate>& candidates) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    if (page.lines[i].kind == LineKind::body) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return page.lines[a].baseline < page.lines[b].baseline;
  });
  for (const bool at_top : {true, false}) {
    std::size_t rows = 0;
    float last = -1e9f;
    for (std::size_t n = 0; n < order.size(); ++n) {
      const std::size_t i = at_top ? order[n] : order[order.size() - 1 - n];
      const LayoutLine& line = page.lines[i];
      if (std::abs(line.baseline - last) > 2) ++rows;
      last = line.baseline;
      if (rows > kOutermost) break;
      const float from_edge = at_top ? line.baseline : page.height - line.baseline;
      if (from_edge > kEdge * page.height) break;
      candidates.push_back({page_index, i, at_top, rows == 1, from_edge, text_of(line)});
    }
  }
}

// Candidates with one key at one height of the page, on how many pages.
using PlaceKey = std::pair<bool, std::u32string>;
using Places = std::map<PlaceKey, std::vector<const Candidate*>>;

std::size_t pages_at_height(const std::vector<const Candidate*>& same, float from_edge) {
  std::set<std::size_t> pages;
  for (const Candidate* candidate : same) {
    if (std::abs(candidate->from_edge - from_edge) <= kSameHeight) pages.insert(candidate->page);
  }
  return pages.size();
}

void mark_repeated(std::vector<LaidOutPage>& pages, const std::vector<Candidate>& candidates) {
  Places places;
  for (const Candidate& candidate : candidates) {
    places[{candidate.at_top, running_title_key(candidate.text)}].push_back(&candidate);
  }
  const std::size_t wanted =
      pages.size() <= 2 ? 2 : std::max<std::size_t>(3, (pages.size() + 9) / 10);
  for (const auto& [key, same] : places) {
    if (same.size() < wanted || key.second.empty()) continue;
    for (const Candidate* candidate : same) {
      if (pages_at_height(same, candidate->from_edge) < wanted) continue;
      LayoutLine& line = pages[candidate->page].lines[candidate->line];
      line.kind = candidate->at_top ? LineKind::header : LineKind::footer;
    }
  }
}

struct NumberedCandidate {
  const Candidate* candidate;
  PageNumber number;
};

// A lone number is a page number if others with the same distance to their page's index follow.
void mark_numbers(std::vector<LaidOutPage>& pages, const std::vector<Candidate>& candidates) {
  using Series = std::tuple<bool, bool, std::u32string, std::int64_t>;
  std::map<Series, std::set<std::size_t>> series;
  std::vector<NumberedCandidate> numbered;
  const auto series_of = [](const NumberedCandidate& n) {
    return Series{n.candidate->at_top, n.number.is_roman, n.number.prefix,
                  static_cast<std::int64_t>(n.number.value) -
                      static_cast<std::int64_t>(n.candidate->page)};
  };
  for (const Candidate& candidate : candidates) {
    if (auto number = parse_page_number(candidate.text)) {
      numbered.push_back({&candidate, std::move(*number)});
      series[series_of(numbered.back())].insert(candidate.page);
    }
  }
  for (const NumberedCandidate& entry : numbered) {
    LaidOutPage& page = pages[entry.candidate->page];
    const bool counts_up = series[series_of(entry)].size() >= 3;
    const bool is_lone = entry.candidate->is_outermost &&
                         entry.candidate->from_edge < kLoneEdge * page.height;
    const bool pairs_up = series[series_of(entry)].size() >= 2 && is_lone;
    if (!counts_up && !pairs_up && !(entry.number.is_explicit && is_lone)) continue;
    page.lines[entry.candidate->line].kind = LineKind::page_number;
    page.printed_number.clear();
    for (const char32_t c : entry.number.printed) text::append(page.printed_number, c);
  }
}

// The number at the end or the beginning of a running title ("Share Purchase Agreement  12"), if
// it counts up with the pages, is the page's printed number.
void read_numbers_in_titles(std::vector<LaidOutPage>& pages) {
  std::map<std::int64_t, std::vector<std::pair<std::size_t, std::string>>> by_distance;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    for (const LayoutLine& line : pages[i].lines) {
      if (line.kind != LineKind::header && line.kind != LineKind::footer) continue;
      const std::u32string title = text_of(line);
      for (const std::size_t space : {title.rfind(U' '), title.find(U' ')}) {
        if (space == std::u32string::npos) continue;
        const bool at_end = space == title.rfind(U' ');
        const std::u32string_view word = at_end ? std::u32string_view(title).substr(space + 1)
                                                : std::u32string_view(title).substr(0, space);
        const auto number = parse_page_number(word);
        if (!number || number->is_roman) continue;
        std::string printed;
        for (const char32_t c : number->printed) text::append(printed, c);
        by_distance[number->value - static_cast<std::int64_t>(i)].emplace_back(i, printed);
      }
    }
  }
  for (const auto& [distance, found] : by_distance) {
    if (found.size() < 3) continue;
    for (const auto& [page, printed] : found) {
      if (pages[page].printed_number.empty()) pages[page].printed_number = printed;
    }
  }
}

}  // namespace

void mark_furniture(std::vector<LaidOutPage>& pages) {
  // Marking a line brings the next one to the edge, so a second round looks again.
  for (int round = 0; round < 2; ++round) {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < pages.size(); ++i) collect(pages[i], i, candidates);
    mark_numbers(pages, candidates);
    std::erase_if(candidates, [&](const Candidate& candidate) {
      return pages[candidate.page].lines[candidate.line].kind != LineKind::body;
    });
    if (pages.size() > 1) mark_repeated(pages, candidates);
  }
  read_numbers_in_titles(pages);
}

}  // namespace whereof::document
