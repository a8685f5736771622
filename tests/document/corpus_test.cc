// The readers on real documents: $WHEREOF_CORPUS, else ../shared/corpus beside the project.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "document/temporary_file.h"
#include "text/utf8.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;

fs::path corpus() {
  if (const char* named = std::getenv("WHEREOF_CORPUS")) return named;
  return fs::path(WHEREOF_SOURCE_DIR) / ".." / "shared" / "corpus";
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& extension = "") {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    if (extension.empty() || entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_body(LineKind kind) {
  return kind != LineKind::header && kind != LineKind::footer && kind != LineKind::page_number;
}

// Quotation marks are straight in the text files and curved in the PDFs.
char32_t folded(char32_t c) {
  if (c == 0x2018 || c == 0x2019) return U'\'';
  return c == 0x201C || c == 0x201D ? U'"' : c;
}

// Text without spaces, dashes and what page edges carry, so that two ways of setting one text
// compare equal; and the byte of the document that each of its bytes came from.
struct Compact {
  std::string text;
  std::vector<std::int64_t> from;
  std::vector<std::int64_t> source;  // of each byte, for text files
};

Compact compact(const Document& document, bool with_page_edges = false) {
  Compact out;
  for (const Line& line : document.lines) {
    if (!with_page_edges && !is_body(line.kind)) continue;
    for (auto at = line.text.begin; at < line.text.end;) {
      const auto point = text::decode_at(document.text, static_cast<std::size_t>(at));
      const bool is_dash = point.value == '-' || (point.value >= 0x2010 && point.value <= 0x2014);
      // '|' parts the cells of a row.
      const bool is_word =
          point.value > ' ' && !is_dash && point.value != 0x3000 && point.value != '|';
      const std::int64_t source = is_word ? document.source_code_point(at).value_or(-1) : -1;
      if (is_word) text::append(out.text, folded(point.value));
      out.from.resize(out.text.size(), at);
      out.source.resize(out.text.size(), source);
      at += point.bytes;
    }
  }
  return out;
}

// The part that comes from [begin, end) of the source.
std::string_view part_of(const Compact& whole, std::int64_t begin, std::int64_t end) {
  const auto at = [&](std::int64_t position) {
    return static_cast<std::size_t>(
        std::lower_bound(whole.source.begin(), whole.source.end(), position) -
        whole.source.begin());
  };
  return std::string_view(whole.text).substr(at(begin), at(end) - at(begin));
}

TEST(Corpus, EveryFileIsADocumentOrAnError) {
  std::vector<fs::path> files = files_in(corpus() / "documents");
  for (const auto& file : files_in(corpus() / "cuad", ".pdf")) files.push_back(file);
  if (files.empty()) GTEST_SKIP() << "no corpus at " << corpus();
  const testing::TemporaryFolder folder;
  int documents = 0, errors = 0;
  ReadDocumentOptions options;
  options.recognizes_text = false;  // it takes seconds a page
  const auto read = [&](const fs::path& file) {
    try {
      const Document document = read_document(file, options);
      ++documents;
      EXPECT_FALSE(document.lines.empty()) << file << ": a silent empty";
      EXPECT_EQ(document.boxes.empty(), document.type != DocumentType::pdf) << file;
    } catch (const Error& error) {
      ++errors;
      const std::string message = error.what();
      for (const char* fault :
           {"crashed", "without an answer", "nonsense", "longer", "computing"}) {
        EXPECT_EQ(message.find(fault), std::string::npos) << file << ": " << message;
      }
    }
  };
  for (const auto& file : files) {
    read(file);
    if (file.extension() != ".fuzz") continue;
    // Fuzzers name nothing: let the PDF reader have it too.
    fs::copy_file(file, folder.path() / "fuzz.pdf", fs::copy_options::overwrite_existing);
    read(folder.path() / "fuzz.pdf");
  }
  std::printf("%zu files: %d documents, %d errors\n", files.size(), documents, errors);
}

// The licences of Creative Commons count their clauses in nested lists: what their HTML says is
// what their plain text says, and a translation has the clauses of its original.
TEST(Corpus, ClausesOfHtmlAreThoseOfItsTextAndOfItsTranslation) {
  const fs::path html = corpus() / "documents" / "legal_html";
  if (!fs::is_directory(html)) GTEST_SKIP() << "no corpus at " << corpus();
  const Document english = read_document(html / "by_4.0.html");
  const Document chinese = read_document(html / "by_4.0_zh-Hans.html");
  const auto lists_of = [](const Document& document) {
    std::vector<std::string> labels;
    for (const Clause& clause : document.clauses) {
      if (clause.depth > 0) labels.push_back(std::to_string(clause.depth) + " " + clause.number);
    }
    return labels;
  };
  EXPECT_EQ(lists_of(english).size(), 57u);
  EXPECT_EQ(lists_of(english), lists_of(chinese));
  // The same licence but for one more condition; its letters and capitals differ.
  const auto folded_text = [](const Document& document) {
    std::string text = compact(document).text;
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
  };
  const std::string text =
      folded_text(read_document(corpus() / "documents" / "contracts_en" / "txt" / "by-nc_4.0.txt"));
  int found = 0, all = 0;
  for (const Clause& clause : english.clauses) {
    if (clause.depth == 0) continue;
    Document part;
    part.text = std::string(english.slice(clause.own_text)).substr(clause.number.size() + 1);
    part.lines.push_back({{0, static_cast<std::int64_t>(part.text.size())}});
    ++all;
    found += text.find(folded_text(part)) != std::string::npos ? 1 : 0;
  }
  std::printf("%d of %d clauses stand in the text of the twin\n", found, all);
  EXPECT_GE(found, 52);  // the others name that condition
}

TEST(Corpus, GoldSpansOfTextFilesAreFoundOnPagesOfTheirPdf) {
  std::ifstream questions(corpus() / "cuad" / "questions.jsonl");
  if (!questions) GTEST_SKIP() << "no corpus at " << corpus();
  std::map<std::string, std::vector<std::pair<std::int64_t, std::int64_t>>> spans;
  for (std::string row; std::getline(questions, row);) {
    const auto question = nlohmann::json::parse(row);
    for (const auto& span : question["gold_spans"]) {
      spans[question["document"]].emplace_back(span[0], span[1]);
    }
  }
  int found = 0, all = 0;
  for (const auto& [name, of_document] : spans) {
    const Document txt = read_document(corpus() / "cuad" / (name + ".txt"));
    const Document pdf = read_document(corpus() / "cuad" / (name + ".pdf"));
    // In the text files page numbers and footers run into the text, so a span may hold some.
    const Compact of_body = compact(pdf), of_all = compact(pdf, true), in_txt = compact(txt);
    int missed = 0;
    for (const auto& [begin, end] : of_document) {
      const std::string_view gold = part_of(in_txt, begin, end);
      if (gold.empty()) continue;
      ++all;
      std::size_t at = of_body.text.find(gold);
      const Compact& in_pdf = at != std::string::npos ? of_body : of_all;
      if (at == std::string::npos) at = of_all.text.find(gold);
      if (at == std::string::npos) {
        ++missed;
        continue;
      }
      ++found;
      const auto first = in_pdf.from[at], last = in_pdf.from[at + gold.size() - 1];
      EXPECT_LE(pdf.page_of(first), pdf.page_of(last));
      EXPECT_FALSE(pdf.boxes_of({first, last + 1}).empty()) << name << " " << begin;
    }
    if (missed > 0)
      std::printf("%s: %d of %zu not found\n", name.c_str(), missed, of_document.size());
  }
  std::printf("%d of %d gold spans have a page\n", found, all);
  EXPECT_GE(found * 100, all * 99);
}

}  // namespace
}  // namespace whereof
