#include "document/readers/column_search.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace whereof::document {
namespace {

constexpr int kLeastRows = 8;         // fewer rows side by side are no columns
constexpr float kStep = 2;            // points between the gutters that are tried
constexpr float kHalfGutter = 4;      // points on each side that must be free
constexpr float kFullLine = 0.6f;     // a row that covers this much of its column is a full line
constexpr float kFullShare = 0.55f;   // and this share of rows must be full on both sides
constexpr float kLeastWidth = 0.25f;  // of the region, for each side
constexpr int kMostSplits = 2;        // halves of halves: up to four columns

using Region = std::vector<const Piece*>;

struct Extent {
  float begin, end;
};

Extent extent_of(const Region& region) {
  Extent extent{region.front()->begin, region.front()->end};
  for (const Piece* piece : region) {
    extent.begin = std::min(extent.begin, piece->begin);
    extent.end = std::max(extent.end, piece->end);
  }
  return extent;
}

// One row of one side of a gutter.
struct Row {
  float baseline, begin, end;
};

std::vector<Row> rows_of(Region side) {
  std::sort(side.begin(), side.end(),
            [](const Piece* a, const Piece* b) { return a->baseline < b->baseline; });
  std::vector<Row> rows;
  for (const Piece* piece : side) {
    if (rows.empty() || piece->baseline - rows.back().baseline > 0.5f * piece->size) {
      rows.push_back({piece->baseline, piece->begin, piece->end});
    } else {
      rows.back().begin = std::min(rows.back().begin, piece->begin);
      rows.back().end = std::max(rows.back().end, piece->end);
    }
  }
  return rows;
}

bool is_prose(const std::vector<Row>& rows, float region_width) {
  if (static_cast<int>(rows.size()) < kLeastRows) return false;
  float begin = rows.front().begin, end = rows.front().end;
  for (const Row& row : rows) {
    begin = std::min(begin, row.begin);
    end = std::max(end, row.end);
  }
  if (end - begin < kLeastWidth * region_width) return false;
  const auto full = std::count_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.end - row.begin > kFullLine * (end - begin);
  });
  return static_cast<float>(full) > kFullShare * static_cast<float>(rows.size());
}

struct Sides {
  Region left, right, crossing;
};

Sides part(const Region& region, float gutter) {
  Sides sides;
  for (const Piece* piece : region) {
    if (piece->end <= gutter - kHalfGutter / 2) {
      sides.left.push_back(piece);
    } else if (piece->begin >= gutter + kHalfGutter / 2) {
      sides.right.push_back(piece);
    } else {
      sides.crossing.push_back(piece);
    }
  }
  return sides;
}

// The gutter with the most prose beside it, if there is one.
std::optional<float> find_gutter(const Region& region) {
  if (static_cast<int>(region.size()) < 2 * kLeastRows) return std::nullopt;
  const Extent extent = extent_of(region);
  const float width = extent.end - extent.begin;
  if (!(width > 100) || width > 10000) return std::nullopt;
  // How many pieces cover each place between the margins.
  const auto places = static_cast<std::size_t>(width / kStep) + 1;
  std::vector<int> covering(places + 1, 0);
  for (const Piece* piece : region) {
    const auto from = static_cast<std::size_t>((piece->begin - extent.begin) / kStep);
    const auto to = static_cast<std::size_t>((piece->end - extent.begin) / kStep);
    ++covering[std::min(from, places)];
    --covering[std::min(to + 1, places)];
  }
  int count = 0;
  int fewest = static_cast<int>(region.size());
  std::vector<int> at(places, 0);
  for (std::size_t i = 0; i < places; ++i) at[i] = count += covering[i];
  const std::size_t first = places / 5, last = places - places / 5;
  for (std::size_t i = first; i < last; ++i) fewest = std::min(fewest, at[i]);
  if (fewest * 3 > static_cast<int>(region.size())) return std::nullopt;
  // The middle of the widest free run.
  std::size_t best_begin = first, best_length = 0;
  for (std::size_t i = first; i < last;) {
    std::size_t j = i;
    while (j < last && at[j] == fewest) ++j;
    if (j - i > best_length) {
      best_begin = i;
      best_length = j - i;
    }
    i = std::max(j, i + 1);
  }
  if (static_cast<float>(best_length) * kStep < 2 * kHalfGutter) return std::nullopt;
  const float gutter =
      extent.begin + (static_cast<float>(best_begin) + static_cast<float>(best_length) / 2) * kStep;
  const Sides sides = part(region, gutter);
  if (sides.left.empty() || sides.right.empty()) return std::nullopt;
  if (!is_prose(rows_of(sides.left), width) || !is_prose(rows_of(sides.right), width))
    return std::nullopt;
  return gutter;
}

void read_region(const Region& region, int splits, std::vector<Region>& regions);

// Crossing pieces part the region into bands; a band is read left column first.
void read_columns(const Sides& sides, int splits, std::vector<Region>& regions) {
  std::vector<const Piece*> bars = sides.crossing;
  std::sort(bars.begin(), bars.end(),
            [](const Piece* a, const Piece* b) { return a->baseline < b->baseline; });
  std::size_t bar = 0;
  float from = -INFINITY;
  while (true) {
    const float to = bar < bars.size() ? bars[bar]->baseline : INFINITY;
    for (const Region* side : {&sides.left, &sides.right}) {
      Region column;
      for (const Piece* piece : *side) {
        if (piece->baseline >= from && piece->baseline < to) column.push_back(piece);
      }
      if (!column.empty()) read_region(column, splits + 1, regions);
    }
    if (bar == bars.size()) return;
    // Bars with nothing beside or between them are one region.
    Region full;
    float last = to;
    while (bar < bars.size() && bars[bar]->baseline - last < 2.5f * bars[bar]->size) {
      last = bars[bar]->baseline;
      full.push_back(bars[bar++]);
    }
    for (const Region* side : {&sides.left, &sides.right}) {
      for (const Piece* piece : *side) {
        if (piece->baseline >= to && piece->baseline <= last) full.push_back(piece);
      }
    }
    regions.push_back(std::move(full));
    from = std::nextafter(last, INFINITY);
  }
}

void read_region(const Region& region, int splits, std::vector<Region>& regions) {
  const std::optional<float> gutter = splits < kMostSplits ? find_gutter(region) : std::nullopt;
  if (!gutter) {
    regions.push_back(region);
    return;
  }
  read_columns(part(region, *gutter), splits, regions);
}

}  // namespace

std::vector<std::vector<const Piece*>> reading_regions(const std::vector<Piece>& pieces) {
  Region all;
  all.reserve(pieces.size());
  for (const Piece& piece : pieces) all.push_back(&piece);
  std::vector<Region> regions;
  if (!all.empty()) read_region(all, 0, regions);
  return regions;
}

}  // namespace whereof::document
