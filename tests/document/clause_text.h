// A document from plain text, for tests of clauses: a line for each line, all of kind body.
#ifndef WHEREOF_TESTS_DOCUMENT_CLAUSE_TEXT_H_
#define WHEREOF_TESTS_DOCUMENT_CLAUSE_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/document.h"

namespace whereof::document {

// Blank lines become no Line; a line starts a paragraph when it follows one, or is indented.
inline Document document_of(std::string text) {
  Document document;
  document.text = std::move(text);
  const std::string_view all = document.text;
  bool after_blank = true;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t newline = all.find('\n', begin);
    const std::size_t end = newline == std::string_view::npos ? all.size() : newline;
    const std::string_view content = all.substr(begin, end - begin);
    const bool is_blank = content.find_first_not_of(" \t\r\f") == std::string_view::npos;
    if (!is_blank) {
      Line line;
      line.text = {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)};
      line.starts_paragraph = after_blank || content[0] == ' ' || content[0] == '\t';
      document.lines.push_back(line);
    }
    after_blank = is_blank;
    begin = end + 1;
  }
  return document;
}

inline const char* kind_name(ClauseKind kind) {
  switch (kind) {
    case ClauseKind::preamble:
      return "preamble";
    case ClauseKind::part:
      return "part";
    case ClauseKind::clause:
      return "clause";
    case ClauseKind::schedule:
      return "schedule";
    case ClauseKind::closing:
      return "closing";
  }
  return "?";
}

// One line a clause: two spaces for each depth, "part " and the like but for clauses, the label,
// and " | heading" where there is one.
inline std::vector<std::string> outline(const Document& document) {
  std::vector<std::string> lines;
  for (const Clause& clause : document.clauses) {
    std::string line(static_cast<std::size_t>(clause.depth) * 2, ' ');
    if (clause.kind != ClauseKind::clause) line += kind_name(clause.kind);
    if (clause.kind == ClauseKind::part || clause.kind == ClauseKind::schedule) line += ' ';
    line += clause.label;
    if (!clause.heading.empty()) line += " | " + clause.heading;
    lines.push_back(line);
  }
  return lines;
}

inline std::vector<std::string> outline_of(std::string text) {
  Document document = document_of(std::move(text));
  find_clauses(document);
  return outline(document);
}

}  // namespace whereof::document

#endif  // WHEREOF_TESTS_DOCUMENT_CLAUSE_TEXT_H_
