// What holds for every document that a reader makes, whatever bytes it was given.
#ifndef WHEREOF_TESTS_FUZZ_DOCUMENT_CHECKS_H_
#define WHEREOF_TESTS_FUZZ_DOCUMENT_CHECKS_H_

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof::tests {

inline void require(bool holds) {
  if (!holds) std::abort();
}

// Limits small enough for many runs a second.
inline ReadLimits fuzz_limits() {
  ReadLimits limits;
  limits.characters = 100'000;
  limits.inflated_bytes = 4 << 20;
  return limits;
}

inline void check_lines(const Document& document) {
  require(!document.lines.empty() && document.text.ends_with('\n'));
  std::int64_t end = 0;
  for (const Line& line : document.lines) {
    require(line.text.begin >= end && line.text.begin < line.text.end);
    require(line.number_bytes >= 0 && line.number_bytes <= line.text.length());
    require(document.text[static_cast<std::size_t>(line.text.end)] == '\n');
    require(document.slice(line.text).find('\n') == std::string_view::npos);
    end = line.text.end + 1;
  }
  require(end == std::ssize(document.text));
}

inline void check_pages(const Document& document) {
  std::int64_t end = 0;
  for (const Page& page : document.pages) {
    require(page.text.begin == end && page.text.end >= end);
    end = page.text.end;
  }
  require(end == std::ssize(document.text));
}

inline void check_clauses(const Document& document) {
  std::int32_t number = 0;
  for (const Clause& clause : document.clauses) {
    require(clause.parent < number++ && clause.parent >= -1);
    require(clause.text.begin <= clause.own_text.begin && clause.own_text.end <= clause.text.end);
    require(clause.text.begin >= 0 && clause.text.end <= std::ssize(document.text));
  }
}

// Reads, finds clauses, sends the document through the worker's pipe format. Places lie inside a
// source of so many bytes.
template <typename Read>
void check_reader(DocumentType type, std::size_t source_bytes, const Read& read) {
  Document document;
  document.name = "fuzz";
  document.type = type;
  try {
    read(document);
  } catch (const Error&) {
    return;
  }
  check_lines(document);
  check_pages(document);
  for (const Line& line : document.lines) {
    const auto place = document.source_code_point(line.text.begin);
    require(!place || (*place >= 0 && *place <= static_cast<std::int64_t>(source_bytes)));
  }
  find_clauses(document);
  check_clauses(document);
  require(parse_document(serialize_document(document)).text == document.text);
}

}  // namespace whereof::tests

#endif  // WHEREOF_TESTS_FUZZ_DOCUMENT_CHECKS_H_
