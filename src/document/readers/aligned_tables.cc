#include "document/readers/aligned_tables.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "document/clause_numbers.h"
#include "document/readers/table_rows.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

// In units of the character size.
constexpr float kCellGap = 1.5f;   // white between two cells
constexpr float kGutter = 0.8f;    // what all rows have of it in common
constexpr float kRowPitch = 3.0f;  // from one row to the next, at most

constexpr std::size_t kLeastRows = 3;
constexpr std::size_t kMostCells = 24;   // of a line; more is no table
constexpr int kMostBetween = 4;          // lines between two rows
constexpr std::size_t kLongCell = 60;    // characters; so long cells are text
constexpr std::size_t kFilledCell = 20;  // characters, on average, of a column of text
constexpr float kFilledShare = 0.8f;     // of the column's width

struct Strip {
  float begin = 0, end = 0;
};

struct Cell {
  Strip place;
  std::size_t first = 0, end = 0;  // of the line's characters
};

std::vector<Cell> cells_of(const LayoutLine& line) {
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < line.glyphs.size(); ++i) {
    const Glyph& glyph = line.glyphs[i];
    const bool is_apart =
        cells.empty() || glyph.along_begin - cells.back().place.end > kCellGap * line.size;
    const bool goes_on = cells.empty() || glyph.along_begin >= cells.back().place.begin;
    if (glyph.direction != 0 || !goes_on || cells.size() > kMostCells) return {};
    if (is_apart) cells.push_back({{glyph.along_begin, glyph.along_end}, i, i});
    cells.back().place.end = std::max(cells.back().place.end, glyph.along_end);
    cells.back().end = i + 1;
  }
  return cells;
}

std::vector<Strip> gaps_of(const std::vector<Cell>& cells) {
  std::vector<Strip> gaps;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    gaps.push_back({cells[i - 1].place.end, cells[i].place.begin});
  }
  return gaps;
}

// What both have in common, where it is wide enough.
std::vector<Strip> common(const std::vector<Strip>& one, const std::vector<Strip>& other,
                          float least) {
  std::vector<Strip> both;
  for (std::size_t i = 0, j = 0; i < one.size() && j < other.size();) {
    const Strip strip{std::max(one[i].begin, other[j].begin), std::min(one[i].end, other[j].end)};
    if (strip.end - strip.begin >= least) both.push_back(strip);
    one[i].end < other[j].end ? ++i : ++j;
  }
  return both;
}

// The column of a cell that lies between gutters; -1 where it reaches over one.
int column_of(const Strip& cell, const std::vector<Strip>& gutters) {
  int column = 0;
  for (const Strip& gutter : gutters) {
    if (cell.end <= gutter.begin) break;
    if (cell.begin < gutter.end) return -1;
    ++column;
  }
  return column;
}

struct Row {
  std::size_t line = 0;
  std::vector<std::vector<LayoutLine>> columns;  // [gutters + 1], the lines of each cell
};

LayoutLine part_of(const LayoutLine& line, const Cell& cell) {
  LayoutLine part = line;
  part.glyphs.assign(line.glyphs.begin() + static_cast<std::ptrdiff_t>(cell.first),
                     line.glyphs.begin() + static_cast<std::ptrdiff_t>(cell.end));
  part.glyphs.front().space_before = false;
  part.begin = cell.place.begin;
  part.end = cell.place.end;
  return part;
}

std::string text_of_cell(const std::vector<LayoutLine>& cell) {
  std::string text;
  for (const LayoutLine& line : cell) {
    for (const char32_t c : text_of(line)) text::append(text, c);
  }
  return text;
}

// Lines that follow each other and share gutters.
struct Run {
  std::size_t first = 0, end = 0;
  std::size_t wide = 0;  // lines of several cells
  std::vector<Strip> gutters;
};

class TableSearch {
 public:
  explicit TableSearch(std::vector<LayoutLine>& lines) : lines_(lines) {
    for (const LayoutLine& line : lines) {
      cells_.push_back(line.kind == LineKind::body ? cells_of(line) : std::vector<Cell>());
    }
  }

  void run() {
    std::vector<LayoutLine> kept;
    for (std::size_t i = 0; i < lines_.size();) {
      const Run found = run_from(i);
      if (found.wide < kLeastRows) {
        kept.push_back(std::move(lines_[i++]));
        continue;
      }
      add(found, kept);
      i = found.end;
    }
    lines_ = std::move(kept);
  }

 private:
  Run run_from(std::size_t first) const {
    Run run{first, first, 0, {}};
    if (cells_[first].size() < 2) return run;
    run.gutters = gaps_of(cells_[first]);
    run.end = first + 1;
    run.wide = 1;
    int between = 0;
    for (std::size_t i = first + 1; i < lines_.size() && follows(i); ++i) {
      if (cells_[i].size() < 2) {
        const int column = cells_[i].empty() ? -1 : column_of(cells_[i][0].place, run.gutters);
        if (column < 0 || ++between > kMostBetween) break;
        if (column > 0) run.end = i + 1;
        continue;
      }
      auto gutters = common(run.gutters, gaps_of(cells_[i]), kGutter * lines_[i].size);
      if (gutters.empty()) break;
      run.gutters = std::move(gutters);
      run.end = i + 1;
      ++run.wide;
      between = 0;
    }
    return run;
  }

  bool follows(std::size_t i) const {
    const float pitch = lines_[i].baseline - lines_[i - 1].baseline;
    return lines_[i].column == lines_[i - 1].column && pitch > 0 &&
           pitch < kRowPitch * lines_[i].size;
  }

  void add(const Run& run, std::vector<LayoutLine>& kept) {
    std::vector<Row> rows = rows_of(run);
    if (holds_numbered_line(run) || !is_table(rows)) {
      std::move(lines_.begin() + static_cast<std::ptrdiff_t>(run.first),
                lines_.begin() + static_cast<std::ptrdiff_t>(run.end), std::back_inserter(kept));
      return;
    }
    std::size_t next = 0;  // of rows
    for (std::size_t i = run.first; i < run.end; ++i) {
      if (next < rows.size() && rows[next].line == i) {
        std::erase_if(rows[next].columns, [](const auto& cell) { return cell.empty(); });
        kept.push_back(row_of_cells(rows[next++].columns));
      } else if (!continues_cell(i, run)) {
        kept.push_back(std::move(lines_[i]));
      }
    }
  }

  // A numbered item among the rows: what looks like a table belongs to it.
  bool holds_numbered_line(const Run& run) const {
    for (std::size_t i = run.first; i < run.end; ++i) {
      const bool is_alone = cells_[i].size() == 1 && !continues_cell(i, run);
      if (is_alone && is_numbered(text_of_cell({lines_[i]}))) return true;
    }
    return false;
  }

  bool continues_cell(std::size_t i, const Run& run) const {
    return cells_[i].size() == 1 && column_of(cells_[i][0].place, run.gutters) > 0;
  }

  std::vector<Row> rows_of(const Run& run) const {
    std::vector<Row> rows;
    for (std::size_t i = run.first; i < run.end; ++i) {
      const bool is_row = cells_[i].size() >= 2;
      if (!is_row && !continues_cell(i, run)) continue;
      if (is_row) rows.push_back({i, std::vector<std::vector<LayoutLine>>(run.gutters.size() + 1)});
      for (const Cell& cell : cells_[i]) {
        // Two cells of a line may lie in one column of all.
        const int column = std::max(0, column_of(cell.place, run.gutters));
        rows.back().columns[static_cast<std::size_t>(column)].push_back(part_of(lines_[i], cell));
      }
    }
    return rows;
  }

  static bool is_table(const std::vector<Row>& rows) {
    std::size_t numbered = 0, is_long = 0, form = 0, leaders = 0;
    std::vector<std::string> first, last;
    for (const Row& row : rows) {
      bool has_long = false, has_form = false, has_leader = false;
      for (const auto& cell : row.columns) {
        const std::string text = text_of_cell(cell);
        has_long |= text::count_code_points(text) > static_cast<std::int64_t>(kLongCell);
        has_form |= begins_form_field(text);
        has_leader |= text.find("....") != std::string::npos;
      }
      is_long += has_long ? 1 : 0;
      form += has_form ? 1 : 0;
      leaders += has_leader ? 1 : 0;
      numbered += is_numbered(text_of_cell(row.columns.front())) ? 1 : 0;
      first.push_back(text_of_cell(row.columns.front()));
      last.push_back(text_of_cell(row.columns.back()));
    }
    if (is_long * 3 > rows.size() || form * 3 > rows.size() || leaders > 0) return false;
    if (numbered * 2 >= rows.size()) return false;
    return !counts_up(first) && !counts_up(last) && !is_filled(rows);
  }

  static bool begins_form_field(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::size_t blank = text.find(' ');
    const bool is_field = colon != std::string_view::npos &&
                          (colon + 1 == text.size() || (colon < blank && blank == colon + 1));
    return is_field || text.find("__") != std::string_view::npos || text.starts_with("/s/");
  }

  // A bullet, or a number that a clause may carry, whatever follows it: what it numbers are items
  // or entries of contents. "12" alone is an amount.
  static bool is_numbered(std::string_view text) {
    const auto number = scan_number(text);
    const bool is_bullet = text::count_code_points(text) == 1;
    return is_bullet || (number && (number->form != NumberForm::decimal || number->has_dot ||
                                    number->components > 1));
  }

  // Line numbers or page numbers, that is.
  static bool counts_up(const std::vector<std::string>& column) {
    long before = 0;
    std::size_t up = 0;
    for (const std::string& text : column) {
      const bool is_number = !text.empty() && text.size() <= 4 &&
                             text.find_first_not_of("0123456789") == std::string::npos;
      if (!is_number || std::stol(text) < before) continue;
      before = std::stol(text);
      ++up;
    }
    return up * 5 >= column.size() * 4;
  }

  // Whether every column is text that runs from edge to edge.
  static bool is_filled(const std::vector<Row>& rows) {
    for (std::size_t c = 0; c < rows.front().columns.size(); ++c) {
      float widest = 0, widths = 0;
      std::size_t count = 0, characters = 0;
      for (const Row& row : rows) {
        for (const LayoutLine& part : row.columns[c]) {
          widest = std::max(widest, part.end - part.begin);
          widths += part.end - part.begin;
          characters += part.glyphs.size();
          ++count;
        }
      }
      const bool is_full = count > 0 && characters >= kFilledCell * count &&
                           widths >= kFilledShare * widest * static_cast<float>(count);
      if (!is_full) return false;
    }
    return true;
  }

  std::vector<LayoutLine>& lines_;
  std::vector<std::vector<Cell>> cells_;  // [lines]
};

}  // namespace

void join_aligned_rows(std::vector<LayoutLine>& lines) { TableSearch(lines).run(); }

}  // namespace whereof::document
