#include "document/readers/ruled_tables.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

namespace whereof::document {
namespace {

constexpr float kTouching = 3;  // points between rules that belong together
constexpr std::size_t kMostRules = 2000;
constexpr std::size_t kMostTables = 64;            // a page
constexpr std::size_t kMostCompared = 50'000'000;  // characters times rules
constexpr float kNone = -1e9f;

// Joins what touches: a forest of sets.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::size_t> parent_;
};

bool is_horizontal(const Box& rule) { return rule.right - rule.left >= rule.bottom - rule.top; }

bool touch(const Box& a, const Box& b) {
  return a.left - kTouching <= b.right && b.left - kTouching <= a.right &&
         a.top - kTouching <= b.bottom && b.top - kTouching <= a.bottom;
}

// The rules of one table.
struct Grid {
  std::vector<Box> horizontal, vertical;  // from top to bottom; from left to right
  Box box{1e9f, 1e9f, kNone, kNone};

  void add(const Box& rule) {
    (is_horizontal(rule) ? horizontal : vertical).push_back(rule);
    box = {std::min(box.left, rule.left), std::min(box.top, rule.top),
           std::max(box.right, rule.right), std::max(box.bottom, rule.bottom)};
  }
  void sort() {
    std::sort(horizontal.begin(), horizontal.end(),
              [](const Box& a, const Box& b) { return a.top < b.top; });
    std::sort(vertical.begin(), vertical.end(),
              [](const Box& a, const Box& b) { return a.left < b.left; });
  }
  // The nearest rule above that reaches over x, and the nearest to the left that reaches y.
  float above(float x, float y) const {
    float nearest = kNone;
    for (const Box& rule : horizontal) {
      if (rule.top > y) break;
      if (rule.left - kTouching <= x && x <= rule.right + kTouching) nearest = rule.top;
    }
    return nearest;
  }
  float left_of(float x, float y) const {
    float nearest = kNone;
    for (const Box& rule : vertical) {
      if (rule.left > x) break;
      if (rule.top - kTouching <= y && y <= rule.bottom + kTouching) nearest = rule.left;
    }
    return nearest;
  }
};

// Sweeps from top to bottom, so that only rules near in height are compared.
std::vector<Grid> grids_of(std::vector<Box> rules) {
  std::sort(rules.begin(), rules.end(), [](const Box& a, const Box& b) { return a.top < b.top; });
  if (rules.size() > kMostRules) return {};  // a drawing
  Sets sets(rules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    for (std::size_t j = i + 1; j < rules.size(); ++j) {
      if (rules[j].top - kTouching > rules[i].bottom) break;
      if (touch(rules[i], rules[j])) sets.join(i, j);
    }
  }
  std::map<std::size_t, Grid> by_set;
  for (std::size_t i = 0; i < rules.size(); ++i) by_set[sets.find(i)].add(rules[i]);
  std::vector<Grid> grids;
  for (auto& [set, grid] : by_set) {
    if (grid.horizontal.size() < 2 || grid.vertical.size() < 2) continue;
    grid.sort();
    grids.push_back(std::move(grid));
  }
  std::sort(grids.begin(), grids.end(),
            [](const Grid& a, const Grid& b) { return a.box.top < b.box.top; });
  grids.resize(std::min(grids.size(), kMostTables));
  return grids;
}

// Rules drawn twice, or as the two edges of a filled bar, lie a little apart.
using Key = std::pair<int, int>;
int coarse(float value) { return static_cast<int>(std::lround(value / kTouching)); }

bool is_within(const Box& box, float x, float y) {
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

RuledTable table_of(const Grid& grid, const std::vector<Glyph>& glyphs,
                    const std::vector<bool>& is_taken, std::vector<std::size_t>& members) {
  std::map<Key, RuledTable::Cell> cells;
  for (std::size_t i = 0; i < glyphs.size(); ++i) {
    const Glyph& glyph = glyphs[i];
    if (is_taken[i] || glyph.direction != 0) continue;
    const float x = (glyph.box.left + glyph.box.right) / 2;
    const float y = glyph.baseline - 0.3f * glyph.size;
    if (!is_within(grid.box, x, y)) continue;
    members.push_back(i);
    cells[{coarse(grid.above(x, y)), coarse(grid.left_of(x, y))}].push_back(glyph);
  }
  RuledTable table;
  table.box = grid.box;
  int row = 0;
  for (auto& [key, cell] : cells) {
    if (table.rows.empty() || key.first > row + 1) table.rows.emplace_back();
    row = key.first;
    table.rows.back().push_back(std::move(cell));
  }
  return table;
}

bool is_table(const RuledTable& table) {
  const auto wide = std::count_if(table.rows.begin(), table.rows.end(),
                                  [](const auto& row) { return row.size() >= 2; });
  return wide >= 2 && static_cast<std::size_t>(wide) * 2 >= table.rows.size();
}

}  // namespace

std::vector<RuledTable> take_tables(PdfPageContent& content) {
  std::vector<RuledTable> tables;
  const bool is_too_much = content.rules.size() * content.glyphs.size() > kMostCompared;
  if (content.rules.size() < 4 || is_too_much) return tables;
  std::vector<bool> is_taken(content.glyphs.size(), false);
  for (const Grid& grid : grids_of(std::move(content.rules))) {
    std::vector<std::size_t> members;
    RuledTable table = table_of(grid, content.glyphs, is_taken, members);
    if (!is_table(table)) continue;
    for (const std::size_t i : members) is_taken[i] = true;
    tables.push_back(std::move(table));
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < content.glyphs.size() && !tables.empty(); ++i) {
    if (!is_taken[i]) content.glyphs[kept++] = content.glyphs[i];
  }
  if (!tables.empty()) content.glyphs.resize(kept);
  return tables;
}

}  // namespace whereof::document
