// DOCX: the paragraphs of the body in order with their automatic numbers typed in front
// (docx_numbering.h), tables by rows, text boxes after the paragraph that holds them, footnotes,
// endnotes and comments at the end. Headers and footers are left out; the format has no pages.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "document/readers/contents_lines.h"
#include "document/readers/docx_numbering.h"
#include "document/readers/docx_package.h"
#include "document/readers/docx_styles.h"
#include "document/readers/docx_text.h"
#include "document/readers/reader.h"
#include "document/text_builder.h"
#include "whereof/error.h"

namespace whereof::document {
namespace {

constexpr float kTwipsAPoint = 20;
constexpr int kDeepestTables = 16;
constexpr std::string_view kCellSeparator = " | ";

struct Cell {
  std::string text;
  std::size_t number_bytes = 0;  // of an automatic number in front
  int level = -1;
};

bool is_contents_style(const DocxStyle& style) {
  return style.name.starts_with("toc ") || style.name == "contents heading";
}

// w:sdt that Word made for a table of contents.
bool is_contents_control(const pugi::xml_node& control) {
  const pugi::xml_node gallery =
      child(child(child(control, "sdtPr"), "docPartObj"), "docPartGallery");
  return attribute(gallery, "val") == "Table of Contents";
}

class DocxReader {
 public:
  DocxReader(DocxPackage& package, const ReadLimits& limits, const ReaderProgress& progress,
             Document& document)
      : package_(package),
        progress_(progress),
        document_(document),
        builder_(document, limits.characters) {}

  void read() {
    const std::string main = main_part();
    if (!package_.parse(main, body_xml_)) {
      throw Error(ErrorKind::bad_document, document_.name + ": a DOCX without a document part");
    }
    load_parts(main);
    DocxTextReader text(styles_, document_.report.hidden_characters);
    text_ = &text;
    const pugi::xml_node body = child(body_xml_.document_element(), "body");
    total_ = std::max<std::int64_t>(std::distance(body.begin(), body.end()), 1);
    read_blocks(body, {});
    flush_deleted_mark();
    read_notes(footnotes_xml_, footnote_ids_);
    read_notes(endnotes_xml_, endnote_ids_);
    read_comments();
    if (progress_) progress_(total_, total_);
    builder_.end_page({{}, "1", 0, 0});
    builder_.finish();
    if (document_.lines.empty()) {
      throw Error(ErrorKind::bad_document, document_.name + ": a DOCX with 0 characters of text");
    }
    mark_contents_headings();
    mark_contents(document_, {});
  }

 private:
  // What stands around the blocks that are read.
  struct Context {
    bool is_contents = false;
    bool is_shaded = false;
    LineKind kind = LineKind::body;
    int tables = 0;
    std::vector<Cell>* cells = nullptr;  // inside a table row: text goes to its last cell
  };

  std::string main_part() {
    const std::string named = package_.target("", "officeDocument");
    return named.empty() ? "word/document.xml" : named;
  }

  void load_parts(const std::string& main) {
    pugi::xml_document xml;
    if (load(main, "styles", xml)) styles_ = DocxStyles(xml.document_element());
    if (load(main, "numbering", xml)) numbering_ = DocxNumbering(xml.document_element(), styles_);
    load(main, "footnotes", footnotes_xml_);
    load(main, "endnotes", endnotes_xml_);
    load(main, "comments", comments_xml_);
  }

  bool load(const std::string& main, std::string_view type, pugi::xml_document& xml) {
    const std::string part = package_.target(main, type);
    return !part.empty() && package_.parse(part, xml);
  }

  void read_blocks(const pugi::xml_node& parent, const Context& context) {
    for (const pugi::xml_node& node : parent.children()) {
      if (node.type() != pugi::node_element) continue;
      read_block(node, context);
      if (local_name(parent) == "body" && progress_) progress_(done_++, total_);
    }
  }

  void read_block(const pugi::xml_node& node, const Context& context) {
    const std::string_view name = local_name(node);
    if (name == "p") {
      read_paragraph(node, context);
    } else if (name == "tbl") {
      read_table(node, context);
    } else if (name == "sdt") {
      Context inner = context;
      inner.is_contents = context.is_contents || is_contents_control(node);
      read_blocks(child(node, "sdtContent"), inner);
    } else if (name == "customXml" || name == "ins" || name == "moveTo" || name == "smartTag") {
      read_blocks(node, context);
    } else if (name == "AlternateContent") {
      read_blocks(chosen_alternative(node), context);
    }
  }

  void read_paragraph(const pugi::xml_node& node, const Context& context) {
    const pugi::xml_node properties = child(node, "pPr");
    const DocxStyle style = styles_.paragraph(child_value(properties, "pStyle"));
    DocxParagraphText text = std::move(pending_);
    pending_ = {};
    const bool starts_in_contents = text_->is_in_contents();
    text_->read(node, style, context.is_shaded, text);
    const pugi::xml_node mark = child(properties, "rPr");
    if (child(mark, "del") || child(mark, "moveFrom")) {
      // A deleted paragraph mark joins this paragraph to the next.
      pending_ = std::move(text);
      return;
    }
    // A paragraph that is hidden with its mark is not laid out, so it is not counted either.
    const bool is_hidden = !text.has_text && toggle(mark, "vanish").value_or(false);
    const auto number = is_hidden ? std::nullopt : numbering_.next(properties, style);
    const bool is_contents = context.is_contents || is_contents_style(style) ||
                             text.has_contents_field ||
                             (starts_in_contents && text_->is_in_contents());
    Line line;
    line.kind = is_contents ? LineKind::contents : context.kind;
    line.is_bold = text.has_text && text.is_bold;
    line.font_size = static_cast<float>(text.half_points) / 2;
    line.left = left_of(properties, style, number);
    line.level = level_of(properties, style, number);
    if (context.cells != nullptr) {
      add_to_cell(text, number, *context.cells);
    } else {
      write(text, number, line);
    }
    footnote_ids_.insert(footnote_ids_.end(), text.footnotes.begin(), text.footnotes.end());
    endnote_ids_.insert(endnote_ids_.end(), text.endnotes.begin(), text.endnotes.end());
    Context inner = context;
    inner.cells = nullptr;
    for (const pugi::xml_node& box : text.text_boxes) read_blocks(box, inner);
  }

  static float left_of(const pugi::xml_node& properties, const DocxStyle& style,
                       const std::optional<DocxNumber>& number) {
    const pugi::xml_node indentation = child(properties, "ind");
    auto twips = to_int(attribute(indentation, "left"));
    if (!twips) twips = to_int(attribute(indentation, "start"));
    if (!twips && number) twips = number->left_twips;
    if (!twips) twips = style.left_twips;
    return static_cast<float>(twips.value_or(0)) / kTwipsAPoint;
  }

  static int level_of(const pugi::xml_node& properties, const DocxStyle& style,
                      const std::optional<DocxNumber>& number) {
    if (number && !number->is_bullet) return number->level;
    const auto outline = to_int(child_value(properties, "outlineLvl"));
    const int level = outline.value_or(style.outline_level.value_or(-1));
    return level >= 0 && level < kNumberLevels ? level : -1;
  }

  void write(const DocxParagraphText& text, const std::optional<DocxNumber>& number, Line line) {
    bool is_first = true;
    for (const std::string& part : text.lines) {
      if (is_first && number && !number->text.empty()) {
        builder_.add(number->text);
        if (!number->is_bullet)
          line.number_bytes = static_cast<std::int32_t>(builder_.line_bytes());
        if (number->ends_in_space) builder_.add(" ");
      }
      const std::size_t begin = part.find_first_not_of(" \t");
      if (begin != std::string::npos) builder_.add(std::string_view(part).substr(begin));
      if (!builder_.is_line_empty()) {
        line.starts_paragraph = is_first;
        builder_.end_line(line);
      }
      line.number_bytes = 0;
      is_first = false;
    }
  }

  // The text of a deleted paragraph mark at the very end.
  void flush_deleted_mark() {
    if (pending_.has_text) write(pending_, std::nullopt, Line());
    pending_ = {};
  }

  static void add_to_cell(const DocxParagraphText& text, const std::optional<DocxNumber>& number,
                          std::vector<Cell>& cells) {
    Cell& cell = cells.back();
    if (number && !number->text.empty()) {
      if (cell.text.empty() && !number->is_bullet) {
        cell.number_bytes = number->text.size();
        cell.level = number->level;
      }
      if (!cell.text.empty()) cell.text += ' ';
      cell.text += number->text;
    }
    for (const std::string& part : text.lines) {
      const std::size_t begin = part.find_first_not_of(" \t");
      if (begin == std::string::npos) continue;
      if (!cell.text.empty()) cell.text += ' ';
      cell.text += part.substr(begin);
    }
  }

  // A table whose rows have one cell each only frames its text: read as if it were not there.
  static bool is_frame(const pugi::xml_node& table) {
    for (const pugi::xml_node& row : table.children()) {
      if (local_name(row) != "tr") continue;
      std::size_t cells = 0;
      for (const pugi::xml_node& cell : row.children()) cells += local_name(cell) == "tc" ? 1 : 0;
      if (cells > 1) return false;
    }
    return true;
  }

  void read_table(const pugi::xml_node& table, const Context& context) {
    if (context.tables >= kDeepestTables) {
      throw Error(ErrorKind::bad_document, document_.name + ": tables nested deeper than " +
                                               std::to_string(kDeepestTables) + " levels");
    }
    Context inner = context;
    ++inner.tables;
    read_rows(table, is_frame(table), inner);
  }

  void read_rows(const pugi::xml_node& parent, bool is_frame, const Context& context) {
    for (const pugi::xml_node& row : parent.children()) {
      const std::string_view name = local_name(row);
      if (name == "sdt") {
        read_rows(child(row, "sdtContent"), is_frame, context);
      } else if (name == "customXml" || name == "ins" || name == "moveTo") {
        read_rows(row, is_frame, context);
      } else if (name == "tr" && !child(child(row, "trPr"), "del")) {
        read_row(row, is_frame, context);
      }
    }
  }

  void read_row(const pugi::xml_node& row, bool is_frame, const Context& context) {
    std::vector<Cell> cells;
    Context inner = context;
    // Rows of a nested table go on in the cell around them.
    const bool opens_cells = !is_frame && context.cells == nullptr;
    if (opens_cells) inner.cells = &cells;
    read_cells(row, inner, opens_cells ? &cells : nullptr);
    if (opens_cells) write_row(cells, context);
  }

  void read_cells(const pugi::xml_node& parent, const Context& context, std::vector<Cell>* cells) {
    for (const pugi::xml_node& cell : parent.children()) {
      const std::string_view name = local_name(cell);
      if (name == "sdt") {
        read_cells(child(cell, "sdtContent"), context, cells);
      } else if (name == "customXml") {
        read_cells(cell, context, cells);
      } else if (name == "tc") {
        if (cells != nullptr) cells->emplace_back();
        Context inner = context;
        inner.is_shaded = context.is_shaded || child(child(cell, "tcPr"), "shd");
        read_blocks(cell, inner);
      }
    }
  }

  void write_row(const std::vector<Cell>& cells, const Context& context) {
    Line line;
    line.kind = context.is_contents ? LineKind::contents : LineKind::table;
    bool is_first = true;
    std::size_t skipped = 0;  // empty cells between two others keep their column
    for (const Cell& cell : cells) {
      if (cell.text.empty()) {
        if (!is_first) ++skipped;
        continue;
      }
      for (; skipped > 0; --skipped) builder_.add(" |");
      if (is_first && cell.number_bytes > 0) {
        // Clauses that are set in a table keep their numbers.
        line.kind = context.is_contents ? LineKind::contents : context.kind;
        line.number_bytes = static_cast<std::int32_t>(cell.number_bytes);
        line.level = cell.level;
      }
      if (!is_first) builder_.add(kCellSeparator);
      builder_.add(cell.text);
      is_first = false;
    }
    line.number_bytes =
        std::min(line.number_bytes, static_cast<std::int32_t>(builder_.line_bytes()));
    if (!builder_.is_line_empty()) builder_.end_line(line);
  }

  void read_notes(const pugi::xml_document& xml, const std::vector<std::string>& ids) {
    std::map<std::string, pugi::xml_node, std::less<>> notes;
    for (const pugi::xml_node& note : xml.document_element().children()) {
      const std::string_view type = attribute(note, "type");
      if (!type.empty() && type != "normal") continue;
      notes.emplace(attribute(note, "id"), note);
    }
    Context context;
    context.kind = LineKind::footnote;
    const std::vector<std::string> referred = ids;  // notes cannot refer to notes
    for (const std::string& id : referred) {
      const auto note = notes.find(id);
      if (note == notes.end()) continue;
      read_blocks(note->second, context);
      notes.erase(note);
    }
  }

  // What readers of the document wrote beside it, one line a paragraph.
  void read_comments() {
    std::vector<Cell> cells(1);
    Context context;
    context.cells = &cells;
    for (const pugi::xml_node& comment : comments_xml_.document_element().children()) {
      if (local_name(comment) != "comment") continue;
      cells.back() = Cell();
      read_blocks(comment, context);
      if (cells.back().text.empty()) continue;
      const std::string_view author = attribute(comment, "author");
      builder_.add("Annotation");
      if (!author.empty()) builder_.add(" (" + std::string(author) + ")");
      builder_.add(": " + cells.back().text);
      Line line;
      line.kind = LineKind::annotation;
      builder_.end_line(line);
    }
  }

  // "Contents" above a list that is known to be one by its field or its styles.
  void mark_contents_headings() {
    std::vector<Line>& lines = document_.lines;
    for (std::size_t i = 1; i < lines.size(); ++i) {
      if (lines[i].kind == LineKind::contents && lines[i - 1].kind == LineKind::body &&
          is_contents_heading(document_.slice(lines[i - 1].text))) {
        lines[i - 1].kind = LineKind::contents;
      }
    }
  }

  DocxPackage& package_;
  const ReaderProgress& progress_;
  Document& document_;
  TextBuilder builder_;
  pugi::xml_document body_xml_, footnotes_xml_, endnotes_xml_, comments_xml_;
  DocxStyles styles_;
  DocxNumbering numbering_;
  DocxTextReader* text_ = nullptr;
  DocxParagraphText pending_;
  std::vector<std::string> footnote_ids_, endnote_ids_;
  std::int64_t done_ = 0;
  std::int64_t total_ = 1;
};

}  // namespace

void read_docx(std::string_view bytes, const ReadLimits& limits, const ReaderProgress& progress,
               Document& document) {
  DocxPackage package(bytes, limits, document.name);
  DocxReader(package, limits, progress, document).read();
  if (document.report.hidden_characters > 0) {
    document.report.warnings.push_back(std::to_string(document.report.hidden_characters) +
                                       " hidden characters kept out of the text");
  }
}

}  // namespace whereof::document
