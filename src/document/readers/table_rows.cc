#include "document/readers/table_rows.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "document/normalize.h"

namespace whereof::document {
namespace {

constexpr std::size_t kProse = 200;     // characters of a row's longest cell, on average
constexpr std::size_t kShortCell = 12;  // characters of a cell that holds but a number

using Lines = std::vector<LayoutLine>;

bool holds_prose(const RuledTable& table) {
  std::size_t sum = 0;
  for (const auto& row : table.rows) {
    std::size_t longest = 0;
    for (const RuledTable::Cell& cell : row) longest = std::max(longest, cell.size());
    sum += longest;
  }
  return sum >= kProse * table.rows.size();
}

void append(LayoutLine& line, const LayoutLine& more) {
  const std::size_t first = line.glyphs.size();
  line.glyphs.insert(line.glyphs.end(), more.glyphs.begin(), more.glyphs.end());
  if (first > 0 && first < line.glyphs.size()) {
    Glyph& glyph = line.glyphs[first];
    glyph.space_before =
        !(is_ideographic(glyph.value) && is_ideographic(line.glyphs[first - 1].value));
  }
  line.begin = std::min(line.begin, more.begin);
  line.end = std::max(line.end, more.end);
  line.is_bold = line.is_bold && more.is_bold;
}

void append_separator(LayoutLine& line) {
  Glyph bar;  // it has no place on the page
  bar.value = U'|';
  bar.size = line.size;
  bar.space_before = true;
  line.glyphs.push_back(bar);
}

void add_prose(std::vector<Lines> cells, int& column, Lines& lines) {
  const bool is_numbered =
      cells.size() > 1 && cells[0].size() == 1 && cells[0].front().glyphs.size() <= kShortCell;
  if (is_numbered) {
    LayoutLine first = std::move(cells[0].front());
    append(first, cells[1].front());
    cells[1].front() = std::move(first);
    cells.erase(cells.begin());
  }
  for (Lines& cell : cells) {
    ++column;
    cell.front().begins_cell = true;
    for (LayoutLine& line : cell) {
      line.column = column;
      lines.push_back(std::move(line));
    }
  }
}

Lines lines_of(const RuledTable& table, int& column) {
  Lines lines;
  const bool is_prose = holds_prose(table);
  ++column;
  for (const auto& row : table.rows) {
    std::vector<Lines> cells;
    for (const RuledTable::Cell& cell : row) {
      Lines of_cell = lay_out_block(cell);
      if (!of_cell.empty()) cells.push_back(std::move(of_cell));
    }
    if (cells.empty()) continue;
    if (is_prose) {
      add_prose(std::move(cells), column, lines);
    } else {
      lines.push_back(row_of_cells(cells));
      lines.back().column = column;
    }
  }
  return lines;
}

}  // namespace

LayoutLine row_of_cells(const std::vector<Lines>& cells) {
  LayoutLine line = cells.front().front();
  bool is_first = true;
  for (const Lines& cell : cells) {
    if (!is_first) append_separator(line);
    for (std::size_t i = is_first ? 1 : 0; i < cell.size(); ++i) append(line, cell[i]);
    is_first = false;
  }
  line.kind = LineKind::table;
  line.widest_gap = 0;
  return line;
}

void insert_tables(const std::vector<RuledTable>& tables, std::vector<LayoutLine>& lines) {
  int column = 0;
  for (const LayoutLine& line : lines) column = std::max(column, line.column);
  for (const RuledTable& table : tables) {
    const auto place = std::find_if(lines.begin(), lines.end(), [&](const LayoutLine& line) {
      return line.kind == LineKind::body && line.baseline > table.box.top &&
             line.end > table.box.left && line.begin < table.box.right;
    });
    Lines rows = lines_of(table, column);
    lines.insert(place, std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
  }
}

}  // namespace whereof::document
