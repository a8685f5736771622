// Text that flows, without places on a page: paragraphs, and tables by their rows.
//
// White space is one blank; a paragraph is a line, or several where it is broken by hand. A row of
// a table is a line, "cell | cell", but
//  - a row with text in one cell only is read as if the table were not there;
//  - where all cells but the last hold numbers ("(a)", "1.1", a bullet), tables set the text of
//    clauses: the numbers stand before it as in a paragraph;
//  - where a cell holds a list, a heading, a table or long paragraphs, tables set the page: its
//    cells are read one after another.
#ifndef WHEREOF_DOCUMENT_READERS_FLOW_WRITER_H_
#define WHEREOF_DOCUMENT_READERS_FLOW_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "document/text_builder.h"
#include "whereof/document.h"

namespace whereof::document {

class FlowWriter {
 public:
  // How a character looks, and what its line is.
  struct Look {
    LineKind kind = LineKind::body;
    std::int32_t level = -1;  // of a heading
    bool is_bold = false;
    bool keeps_spaces = false;  // preformatted: line ends and inner blanks count
  };

  // has_places: every character is added with its place in the source, in code points.
  // Any call throws Error(bad_document) where the text passes limits.characters.
  FlowWriter(Document& document, const ReadLimits& limits, bool has_places);

  void add(char32_t c, std::int64_t place, const Look& look);
  // An automatic number: stands before what is added next, with a blank behind it.
  void add_number(std::string number, std::int32_t level, std::int64_t place);
  // What stands in no paragraph yet gets a line of its own.
  void flush_number();
  void break_line();
  void end_paragraph();
  void end_page();
  // The lines of another document, as they are.
  void add_lines(const Document& other);

  void begin_table();
  void begin_row();
  void begin_cell();
  void end_row();
  void end_table();
  // The open cells hold more than paragraphs.
  void note_structure();
  std::size_t open_tables() const { return tables_.size(); }

  // Ends everything that is open, then marks contents lists, page numbers and running titles, and
  // fills report.pages where there are page marks. Call once, at the end.
  void finish();

 private:
  struct Character {
    char32_t value;
    std::int64_t place;
  };
  struct FlowLine {
    std::vector<Character> characters;
    Line line;
    std::size_t number_characters = 0;
    bool is_row = false;
    bool ends_in_page = false;  // a row whose last cell is a page number
    bool ends_page = false;     // no text, but the end of a page
  };
  struct Cell {
    std::vector<FlowLine> lines;
    std::size_t characters = 0;
    bool has_structure = false;
  };
  struct Table {
    std::vector<Cell> row;
    bool is_in_row = false;
  };

  void count_character();
  void begin_line(const Look& look);
  void place_number();
  void end_line();
  void put(FlowLine&& line);
  void write(const FlowLine& line);
  void write_page_end();
  void put_row(std::vector<Cell>&& row);
  std::size_t labels_of(const std::vector<Cell*>& filled) const;
  void put_labelled(const std::vector<Cell*>& filled, std::size_t labels);
  static bool names_page(const std::vector<Cell*>& filled);
  void put_joined(const std::vector<Cell*>& filled);

  Document& document_;
  TextBuilder builder_;
  std::int64_t most_characters_;
  std::int64_t characters_ = 0;
  bool has_places_;
  FlowLine line_;
  bool is_line_bold_ = true;
  bool starts_paragraph_ = true;
  std::int64_t space_place_ = -1;  // of a blank that waits for what follows it
  std::string number_;
  std::int32_t number_level_ = -1;
  std::int64_t number_place_ = 0;
  std::vector<Table> tables_;
  std::vector<std::size_t> rows_;       // lines that are rows of tables
  std::vector<std::size_t> page_rows_;  // those that end in a page number
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_FLOW_WRITER_H_
