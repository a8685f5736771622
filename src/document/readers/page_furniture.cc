#include "document/readers/page_furniture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "document/readers/page_number.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr std::size_t kOutermost = 3;
constexpr float kSameHeight = 4;  // points
constexpr float kEdge = 0.25f;    // of the page's height: where headers and footers stand
constexpr float kLoneEdge = 0.12f;
constexpr std::size_t kLeastTitle = 4;  // characters of a title that is known by its place alone
constexpr std::size_t kLongestTitle = 200;
constexpr std::size_t kPagesBetween = 3;  // two numbers of a chain are at most this far apart
constexpr float kTouching = 4;            // in units of the character size
constexpr int kMostRounds = 3;

struct Candidate {
  std::size_t page = 0;
  std::size_t line = 0;
  bool at_top = false;
  bool is_outermost = false;
  bool touches_furniture = false;  // the next line outwards is marked
  float from_edge = 0;             // points from the page's upper or lower edge
  std::u32string text;
};

// The outermost body lines at both ends of a page, by height, whatever column they are in.
void collect(const LaidOutPage& page, std::size_t page_index, std::vector<Candidate>& candidates) {
  std::vector<std::size_t> order(page.lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return page.lines[a].baseline < page.lines[b].baseline;
  });
  for (const bool at_top : {true, false}) {
    std::size_t rows = 0;
    float last = -1e9f;
    float furniture = -1e9f;  // the baseline of the last marked line
    for (std::size_t n = 0; n < order.size(); ++n) {
      const std::size_t i = at_top ? order[n] : order[order.size() - 1 - n];
      const LayoutLine& line = page.lines[i];
      if (line.kind != LineKind::body) {
        furniture = line.baseline;
        continue;
      }
      if (line.level >= 0) break;  // a heading, by the outline
      if (std::abs(line.baseline - last) > 2) ++rows;
      last = line.baseline;
      if (rows > kOutermost) break;
      const float from_edge = at_top ? line.baseline : page.height - line.baseline;
      const bool touches =
          rows == 1 && std::abs(line.baseline - furniture) < kTouching * std::max(line.size, 6.0f);
      candidates.push_back({page_index, i, at_top, rows == 1, touches, from_edge, text_of(line)});
    }
  }
}

// "Schedule 3", "Article IV", 附件一: at the top of three pages they are three headings.
bool may_be_heading(std::u32string_view text) {
  const std::u32string key = running_title_key(text);
  constexpr std::array<std::u32string_view, 13> kWords = {
      U"schedule", U"exhibit", U"annex",  U"appendix", U"attachment", U"article", U"section",
      U"chapter",  U"part",    U"clause", U"附",       U"第",         U"#"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::u32string_view word) { return key.starts_with(word); });
}

// One thing that a running title has in common on all its pages.
struct Trait {
  bool at_top = false;
  std::int64_t counter = 0;  // its counting number less its page; 0 without one
  std::size_t which = 0;     // which of its numbers counts, from 1; 0: none does
  bool ignores_digits = false;
  std::u32string text;
  auto operator<=>(const Trait&) const = default;
};

// The whole text; and where it has numbers, the text but for digits with one number that counts up
// with the pages. The last trait, the text but for digits alone, is for titles known by their
// place.
std::vector<Trait> traits_of(const Candidate& candidate) {
  std::vector<Trait> traits;
  traits.push_back({candidate.at_top, 0, 0, false, candidate.text});
  if (may_be_heading(candidate.text)) return traits;
  const std::u32string key = running_title_key(candidate.text);
  std::size_t which = 0;
  for (std::size_t i = 0; i < candidate.text.size();) {
    std::int64_t value = 0;
    const std::size_t begin = i;
    while (i < candidate.text.size() && candidate.text[i] >= U'0' && candidate.text[i] <= U'9') {
      value = std::min<std::int64_t>(value * 10 + (candidate.text[i] - U'0'), 1'000'000);
      ++i;
    }
    if (i == begin) {
      ++i;
      continue;
    }
    traits.push_back(
        {candidate.at_top, value - static_cast<std::int64_t>(candidate.page), ++which, true, key});
  }
  traits.push_back({candidate.at_top, 0, 0, true, key});
  return traits;
}

using Places = std::map<Trait, std::vector<const Candidate*>>;

std::size_t pages_of(const std::vector<const Candidate*>& same, float from_edge, float tolerance) {
  std::set<std::size_t> pages;
  for (const Candidate* candidate : same) {
    if (std::abs(candidate->from_edge - from_edge) <= tolerance) pages.insert(candidate->page);
  }
  return pages.size();
}

bool repeats(const Candidate& candidate, const Places& places, float page_height, std::size_t pages,
             std::size_t wanted) {
  for (const Trait& trait : traits_of(candidate)) {
    const auto& same = places.at(trait);
    // Under other text at the edge only what stands on most of the pages is a running title.
    const bool counts_or_equals =
        (!trait.ignores_digits || trait.which > 0) &&
        (candidate.is_outermost || pages_of(same, candidate.from_edge, kSameHeight) * 2 > pages);
    if (counts_or_equals && candidate.from_edge < kEdge * page_height &&
        pages_of(same, candidate.from_edge, kSameHeight) >= wanted) {
      return true;
    }
    if (trait.text.size() < kLeastTitle) continue;
    const std::size_t anywhere = pages_of(same, candidate.from_edge, page_height);
    if (candidate.touches_furniture && anywhere >= wanted) return true;
    if (trait.which > 0 && anywhere * 2 >= pages && anywhere >= wanted) return true;
  }
  return false;
}

// Returns whether any line was marked.
bool mark_repeated(std::vector<LaidOutPage>& pages, const std::vector<Candidate>& candidates) {
  Places places;
  std::vector<const Candidate*> open;
  for (const Candidate& candidate : candidates) {
    if (pages[candidate.page].lines[candidate.line].kind != LineKind::body) continue;
    if (candidate.text.empty() || candidate.text.size() > kLongestTitle) continue;
    open.push_back(&candidate);
    for (Trait& trait : traits_of(candidate)) places[std::move(trait)].push_back(&candidate);
  }
  const std::size_t wanted =
      pages.size() <= 2 ? 2 : std::max<std::size_t>(3, (pages.size() + 9) / 10);
  bool any = false;
  for (const Candidate* candidate : open) {
    const LaidOutPage& page = pages[candidate->page];
    if (!repeats(*candidate, places, page.height, pages.size(), wanted)) continue;
    pages[candidate->page].lines[candidate->line].kind =
        candidate->at_top ? LineKind::header : LineKind::footer;
    any = true;
  }
  return any;
}

struct NumberedCandidate {
  const Candidate* candidate = nullptr;
  PageNumber number;
  std::size_t chain = 0;  // how many pages before this one count up to it, and itself
  std::size_t whole_chain = 0;
  std::ptrdiff_t previous = -1;
};

bool follows(const NumberedCandidate& before, const NumberedCandidate& after) {
  return before.candidate->page < after.candidate->page &&
         after.candidate->page - before.candidate->page <= kPagesBetween &&
         after.number.value == before.number.value + 1 &&
         after.number.is_roman == before.number.is_roman &&
         after.number.prefix == before.number.prefix &&
         after.candidate->at_top == before.candidate->at_top;
}

// Chains of numbers that count up with the pages.
std::vector<NumberedCandidate> numbered(const std::vector<Candidate>& candidates) {
  std::vector<NumberedCandidate> found;
  for (const Candidate& candidate : candidates) {
    auto number = parse_page_number(candidate.text);
    if (!number) continue;
    NumberedCandidate entry{&candidate, std::move(*number), 1, 1, -1};
    for (std::size_t i = found.size(); i-- > 0;) {
      if (candidate.page - found[i].candidate->page > kPagesBetween) break;
      if (!follows(found[i], entry) || found[i].chain + 1 <= entry.chain) continue;
      entry.chain = found[i].chain + 1;
      entry.previous = static_cast<std::ptrdiff_t>(i);
    }
    found.push_back(std::move(entry));
  }
  for (std::size_t i = found.size(); i-- > 0;) {
    NumberedCandidate& entry = found[i];
    entry.whole_chain = std::max(entry.whole_chain, entry.chain);
    if (entry.previous < 0) continue;
    NumberedCandidate& before = found[static_cast<std::size_t>(entry.previous)];
    before.whole_chain = std::max(before.whole_chain, entry.whole_chain);
  }
  return found;
}

bool mark_numbers(std::vector<LaidOutPage>& pages, const std::vector<Candidate>& candidates) {
  bool any = false;
  for (const NumberedCandidate& entry : numbered(candidates)) {
    LaidOutPage& page = pages[entry.candidate->page];
    const bool is_at_edge =
        entry.candidate->is_outermost && entry.candidate->from_edge < kLoneEdge * page.height;
    // Two Roman numerals alone in their lines are the pages of a contents list.
    const bool is_pair = entry.whole_chain == 2 && (is_at_edge || entry.number.is_roman);
    const bool is_number = entry.whole_chain >= 3 || is_pair ||
                           (entry.number.is_explicit && is_at_edge) ||
                           (entry.candidate->touches_furniture && !entry.candidate->at_top);
    if (!is_number) continue;
    page.lines[entry.candidate->line].kind = LineKind::page_number;
    page.printed_number.clear();
    for (const char32_t c : entry.number.printed) text::append(page.printed_number, c);
    any = true;
  }
  return any;
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
  // Marking a line brings the next one to the edge.
  for (int round = 0; round < kMostRounds; ++round) {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < pages.size(); ++i) collect(pages[i], i, candidates);
    const bool has_numbers = mark_numbers(pages, candidates);
    const bool has_titles = pages.size() > 1 && mark_repeated(pages, candidates);
    if (!has_numbers && !has_titles) break;
  }
  read_numbers_in_titles(pages);
}

}  // namespace whereof::document
