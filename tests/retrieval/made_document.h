// Documents made for tests, without a reader.
#ifndef WHEREOF_TESTS_RETRIEVAL_MADE_DOCUMENT_H_
#define WHEREOF_TESTS_RETRIEVAL_MADE_DOCUMENT_H_

#include <string>
#include <string_view>
#include <vector>

#include "text/utf8.h"
#include "whereof/document.h"

namespace whereof::retrieval {

// Builds text, lines and clauses together. open() begins a clause at the next line, close() ends
// it.
class DocumentMaker {
 public:
  DocumentMaker& line(std::string_view text, LineKind kind = LineKind::body,
                      bool starts_paragraph = true) {
    const auto begin = static_cast<std::int64_t>(document_.text.size());
    document_.text.append(text);
    Line line;
    line.text = {begin, static_cast<std::int64_t>(document_.text.size())};
    line.kind = kind;
    line.starts_paragraph = starts_paragraph;
    document_.lines.push_back(line);
    document_.text.push_back('\n');
    return *this;
  }

  DocumentMaker& open(std::string label, std::string heading = "",
                      ClauseKind kind = ClauseKind::clause) {
    Clause clause;
    clause.kind = kind;
    clause.parent = open_.empty() ? -1 : open_.back();
    clause.depth = static_cast<std::int32_t>(open_.size());
    clause.number = label;
    clause.label = std::move(label);
    clause.heading = std::move(heading);
    clause.text.begin = static_cast<std::int64_t>(document_.text.size());
    open_.push_back(static_cast<std::int32_t>(document_.clauses.size()));
    document_.clauses.push_back(std::move(clause));
    return *this;
  }

  DocumentMaker& close() {
    Clause& clause = document_.clauses[static_cast<std::size_t>(open_.back())];
    clause.text.end = static_cast<std::int64_t>(document_.text.size());
    clause.own_text = clause.text;
    open_.pop_back();
    return *this;
  }

  // A clause of one line.
  DocumentMaker& clause(std::string label, std::string_view text, std::string heading = "") {
    return open(std::move(label), std::move(heading)).line(text).close();
  }

  Document make(std::string content_hash = std::string(64, '0')) {
    while (!open_.empty()) close();
    document_.name = "made.txt";
    document_.path = "/made/made.txt";
    document_.content_hash = std::move(content_hash);
    document_.report.characters = text::count_code_points(document_.text);
    Page page;
    page.text = {0, static_cast<std::int64_t>(document_.text.size())};
    page.label = "1";
    document_.pages = {page};
    document_.report.pages = 1;
    for (std::size_t at = 0, count = 0; at < document_.text.size(); ++count) {
      if (count % 64 == 0) document_.code_point_index.push_back(static_cast<std::int64_t>(at));
      at += static_cast<std::size_t>(text::decode_at(document_.text, at).bytes);
    }
    document_.source_runs = {{0, 0}};
    return document_;
  }

 private:
  Document document_;
  std::vector<std::int32_t> open_;
};

}  // namespace whereof::retrieval

#endif  // WHEREOF_TESTS_RETRIEVAL_MADE_DOCUMENT_H_
