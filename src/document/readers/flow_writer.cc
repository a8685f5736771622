#include "document/readers/flow_writer.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "document/clause_numbers.h"
#include "document/normalize.h"
#include "document/readers/contents_lines.h"
#include "document/readers/page_number.h"
#include "document/readers/plain_furniture.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof::document {
namespace {

constexpr std::size_t kLongestLabel = 24;          // characters of a cell that is only a number
constexpr std::size_t kShortestLabelledText = 40;  // behind a number that is just digits
constexpr std::size_t kLongestRowCell = 1500;      // of several paragraphs
constexpr char32_t kIdeographicSpace = 0x3000;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

// A dash is a bullet before a sentence, and nothing at all before a figure.
bool is_bullet(std::string_view text, std::size_t characters_behind) {
  return is_one_of(text, {"•", "·", "▪", "■", "●", "○", "◦"}) ||
         (characters_behind >= kShortestLabelledText && is_one_of(text, {"–", "—", "-", "*"}));
}

}  // namespace

FlowWriter::FlowWriter(Document& document, const ReadLimits& limits, bool has_places)
    : document_(document),
      builder_(document, limits.characters),
      most_characters_(limits.characters),
      has_places_(has_places) {}

void FlowWriter::count_character() {
  if (++characters_ <= most_characters_) return;
  throw Error(
      ErrorKind::bad_document,
      document_.name + ": more than " + std::to_string(most_characters_) + " characters of text");
}

void FlowWriter::add(char32_t c, std::int64_t place, const Look& look) {
  if (is_stripped(c)) {
    ++document_.report.stripped_characters;
    return;
  }
  if (look.keeps_spaces && (c == U'\n' || c == U'\f')) {
    break_line();
    if (c == U'\f') end_page();
    return;
  }
  const bool is_empty = line_.characters.empty();
  if (is_space(c) && (c != kIdeographicSpace || is_empty)) {
    if (is_empty && look.keeps_spaces) line_.line.left += c == kIdeographicSpace ? 2 : 1;
    if (is_empty || c == U'\r') return;
    if (!look.keeps_spaces) {
      if (space_place_ < 0) space_place_ = place;
      return;
    }
  }
  if (is_empty) begin_line(look);
  if (space_place_ >= 0) {
    count_character();
    line_.characters.push_back({U' ', space_place_});
    space_place_ = -1;
  }
  count_character();
  line_.characters.push_back({c, place});
  is_line_bold_ = is_line_bold_ && (look.is_bold || is_space(c));
}

void FlowWriter::begin_line(const Look& look) {
  line_.line.kind = look.kind;
  line_.line.level = look.level;
  is_line_bold_ = true;
  if (!number_.empty()) place_number();
}

void FlowWriter::place_number() {
  for (std::size_t at = 0; at < number_.size();) {
    const text::CodePoint point = text::decode_at(number_, at);
    count_character();
    line_.characters.push_back({point.value, number_place_});
    at += static_cast<std::size_t>(point.bytes);
  }
  line_.number_characters = line_.characters.size();
  line_.line.level = number_level_;
  space_place_ = number_place_;
  number_.clear();
}

void FlowWriter::add_number(std::string number, std::int32_t level, std::int64_t place) {
  flush_number();
  end_paragraph();
  number_ = std::move(number);
  number_level_ = level;
  number_place_ = place;
}

void FlowWriter::flush_number() {
  if (number_.empty()) return;
  end_paragraph();
  begin_line({});
  is_line_bold_ = false;
  end_paragraph();
}

void FlowWriter::break_line() {
  if (line_.characters.empty()) {
    starts_paragraph_ = true;
    line_ = {};
  } else {
    end_line();
    starts_paragraph_ = false;
  }
}

void FlowWriter::end_paragraph() {
  if (!line_.characters.empty()) end_line();
  line_ = {};
  starts_paragraph_ = true;
}

void FlowWriter::end_line() {
  space_place_ = -1;
  line_.line.is_bold = is_line_bold_;
  line_.line.starts_paragraph = starts_paragraph_;
  FlowLine line = std::move(line_);
  line_ = {};
  put(std::move(line));
}

void FlowWriter::end_page() {
  end_paragraph();
  FlowLine line;
  line.ends_page = true;
  put(std::move(line));
}

void FlowWriter::add_lines(const Document& other) {
  end_paragraph();
  for (const Line& line : other.lines) {
    builder_.add(other.slice(line.text));
    Line written = line;
    written.number_bytes =
        std::min(line.number_bytes, static_cast<std::int32_t>(builder_.line_bytes()));
    if (!builder_.is_line_empty()) builder_.end_line(written);
  }
}

void FlowWriter::put(FlowLine&& line) {
  const auto holds_cells = [](const Table& table) { return !table.row.empty(); };
  const auto table = std::find_if(tables_.rbegin(), tables_.rend(), holds_cells);
  if (table == tables_.rend()) return write(line);
  Cell& cell = table->row.back();
  cell.characters += line.characters.size();
  cell.lines.push_back(std::move(line));
}

void FlowWriter::write(const FlowLine& line) {
  if (line.ends_page) return write_page_end();
  Line written = line.line;
  for (std::size_t i = 0; i < line.characters.size(); ++i) {
    if (i > 0 && i == line.number_characters) {
      written.number_bytes = static_cast<std::int32_t>(builder_.line_bytes());
    }
    if (has_places_) {
      builder_.add(line.characters[i].value, line.characters[i].place);
    } else {
      builder_.add(line.characters[i].value);
    }
  }
  if (line.number_characters == line.characters.size()) {
    written.number_bytes = static_cast<std::int32_t>(builder_.line_bytes());
  }
  if (builder_.is_line_empty()) return;
  if (line.is_row) rows_.push_back(document_.lines.size());
  if (line.ends_in_page) page_rows_.push_back(document_.lines.size());
  builder_.end_line(written, has_places_ ? line.characters.back().place + 1 : -1);
}

void FlowWriter::write_page_end() {
  const std::int64_t begin = document_.pages.empty() ? 0 : document_.pages.back().text.end;
  if (begin == static_cast<std::int64_t>(document_.text.size())) return;
  builder_.end_page({{}, std::to_string(document_.pages.size() + 1), 0, 0});
}

void FlowWriter::begin_table() {
  flush_number();
  end_paragraph();
  note_structure();
  tables_.emplace_back();
}

void FlowWriter::note_structure() {
  for (Table& table : tables_) {
    if (!table.row.empty()) table.row.back().has_structure = true;
  }
}

void FlowWriter::begin_row() {
  if (tables_.empty()) return;
  end_row();
  tables_.back().is_in_row = true;
}

void FlowWriter::begin_cell() {
  if (tables_.empty()) return end_paragraph();
  flush_number();
  end_paragraph();
  tables_.back().is_in_row = true;
  tables_.back().row.emplace_back();
}

void FlowWriter::end_row() {
  if (tables_.empty() || !tables_.back().is_in_row) return;
  flush_number();
  end_paragraph();
  std::vector<Cell> row = std::move(tables_.back().row);
  tables_.back() = {};
  put_row(std::move(row));
}

void FlowWriter::end_table() {
  if (tables_.empty()) return;
  end_row();
  end_paragraph();
  tables_.pop_back();
}

void FlowWriter::put_row(std::vector<Cell>&& row) {
  std::vector<Cell*> filled;
  bool sets_page = false;
  for (Cell& cell : row) {
    if (cell.characters > 0) filled.push_back(&cell);
    sets_page = sets_page || cell.has_structure ||
                (cell.lines.size() > 1 && cell.characters > kLongestRowCell);
  }
  const std::size_t labels = filled.empty() ? 0 : labels_of(filled);
  if (labels > 0) {
    put_labelled(filled, labels);
  } else if (filled.size() > 1 && !sets_page) {
    put_joined(filled);
  } else {
    for (Cell& cell : row) {
      for (FlowLine& line : cell.lines) put(std::move(line));
    }
    return;
  }
  // Page marks in cells that were joined come after them.
  for (Cell& cell : row) {
    for (FlowLine& line : cell.lines) {
      if (line.ends_page) put(std::move(line));
    }
  }
}

// How many cells before the last are numbers of it; 0 when not all are.
std::size_t FlowWriter::labels_of(const std::vector<Cell*>& filled) const {
  const std::size_t labels = filled.size() - 1;
  for (std::size_t i = 0; i < labels; ++i) {
    const Cell& cell = *filled[i];
    if (cell.characters > kLongestLabel || cell.lines.size() != 1) return 0;
    std::string label;
    for (const Character& c : cell.lines[0].characters) text::append(label, c.value);
    if (is_bullet(label, filled.back()->characters)) continue;
    const std::optional<NumberToken> number = scan_number(label);
    if (!number || static_cast<std::size_t>(number->bytes) != label.size()) return 0;
    const bool is_bare =
        number->form == NumberForm::decimal && number->components == 1 && !number->has_dot;
    if (is_bare && filled.back()->characters < kShortestLabelledText) return 0;
  }
  return labels;
}

void FlowWriter::put_labelled(const std::vector<Cell*>& filled, std::size_t labels) {
  FlowLine joined;
  for (std::size_t i = 0; i < labels; ++i) {
    FlowLine& label = filled[i]->lines[0];
    const std::int64_t end = label.characters.back().place + 1;
    if (i == 0) {
      joined = std::move(label);
    } else {
      std::move(label.characters.begin(), label.characters.end(),
                std::back_inserter(joined.characters));
    }
    label = {};
    count_character();
    joined.characters.push_back({U' ', end});
  }
  std::vector<FlowLine>& lines = filled.back()->lines;
  for (FlowLine& line : lines) {
    if (line.characters.empty() || joined.characters.empty()) continue;
    joined.line.is_bold = joined.line.is_bold && line.line.is_bold;
    std::move(line.characters.begin(), line.characters.end(),
              std::back_inserter(joined.characters));
    put(std::move(joined));
    joined = {};
    line = {};
  }
  for (FlowLine& line : lines) {
    if (!line.characters.empty()) put(std::move(line));
  }
}

// A row of a contents list: words, perhaps a number before them, then a page number.
bool FlowWriter::names_page(const std::vector<Cell*>& filled) {
  if (filled.size() > 3 || filled.back()->lines.size() != 1) return false;
  std::u32string last;
  for (const Character& c : filled.back()->lines[0].characters) last.push_back(c.value);
  const bool has_words = std::any_of(filled.begin(), filled.end() - 1, [](const Cell* cell) {
    return std::any_of(cell->lines.begin(), cell->lines.end(), [](const FlowLine& line) {
      return std::any_of(line.characters.begin(), line.characters.end(),
                         [](const Character& c) { return is_letter(c.value); });
    });
  });
  return has_words && last.size() <= 6 && parse_page_number(last).has_value();
}

void FlowWriter::put_joined(const std::vector<Cell*>& filled) {
  FlowLine joined;
  joined.is_row = true;
  joined.ends_in_page = names_page(filled);
  for (Cell* cell : filled) {
    const bool is_first_cell = cell == filled.front();
    bool is_first_line = true;
    for (FlowLine& line : cell->lines) {
      if (line.characters.empty()) continue;
      const std::int64_t place = line.characters.front().place;
      if (is_first_cell && is_first_line) {
        joined.line = line.line;
        joined.number_characters = line.number_characters;
      } else {
        for (const char32_t c : std::u32string_view(is_first_line ? U" | " : U" ")) {
          count_character();
          joined.characters.push_back({c, place});
        }
        joined.line.is_bold = joined.line.is_bold && line.line.is_bold;
      }
      std::move(line.characters.begin(), line.characters.end(),
                std::back_inserter(joined.characters));
      is_first_line = false;
    }
  }
  joined.line.starts_paragraph = true;
  put(std::move(joined));
}

void FlowWriter::finish() {
  flush_number();
  end_paragraph();
  while (!tables_.empty()) end_table();
  write_page_end();
  if (document_.pages.empty()) builder_.end_page({{}, "1", 0, 0});
  builder_.finish();
  if (document_.pages.size() > 1) {
    document_.report.pages = static_cast<std::int64_t>(document_.pages.size());
  }
  std::vector<Line>& lines = document_.lines;
  std::vector<bool> ends_in_page(lines.size(), false), after_blank;
  for (const std::size_t row : page_rows_) ends_in_page[row] = true;
  for (const Line& line : lines) after_blank.push_back(line.starts_paragraph);
  // Running titles first: filings have "Table of Contents" as a link on every page.
  mark_plain_furniture(document_, after_blank);
  mark_contents(document_, ends_in_page);
  for (const std::size_t row : rows_) {
    const bool is_clause = lines[row].kind != LineKind::body || lines[row].number_bytes > 0;
    if (!is_clause) lines[row].kind = LineKind::table;
  }
}

}  // namespace whereof::document
