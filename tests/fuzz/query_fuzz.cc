// Any bytes as a question to the full-text index: nothing in it is syntax, so SQLite takes every
// query that is built from it, and finds a word of the text that the question names.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "fuzz/document_checks.h"
#include "retrieval/query.h"
#include "text/utf8.h"
#include "whereof/retrieval.h"

namespace {

using namespace whereof;

std::unique_ptr<Library> library_of_one() {
  std::string pattern = (std::filesystem::temp_directory_path() / "whereof-XXXXXX").string();
  tests::require(mkdtemp(pattern.data()) != nullptr);
  auto library = Library::open(std::filesystem::path(pattern) / "library.db");
  Document document;
  document.name = "a.txt";
  document.content_hash = std::string(64, 'a');
  document.text = "1. Terminology of indemnities 损失 means \"AND\" OR NEAR.\n";
  document.lines.push_back({{0, std::ssize(document.text) - 1}});
  document.pages.push_back({{0, std::ssize(document.text)}, "1"});
  find_clauses(document);
  library->add(document);
  std::filesystem::remove_all(pattern);  // the open file lives on
  return library;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto library = library_of_one();
  const std::string question(reinterpret_cast<const char*>(data), size);
  const retrieval::Query query = retrieval::query_of(question);
  tests::require(query.match.empty() == (query.terms == 0));
  library->search(question, 3);
  library->search("indemnities", 3, {}, question);
  tests::require(!library->search(question + "\n indemnities", 3).empty());
  return 0;
}
