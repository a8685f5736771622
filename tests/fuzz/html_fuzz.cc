// Any bytes as HTML: a document that keeps its promises, or an Error.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "document/readers/reader.h"
#include "fuzz/document_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace whereof;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  tests::check_reader(DocumentType::html, size, [&](Document& document) {
    document::read_html(bytes, tests::fuzz_limits(), document);
  });
  return 0;
}
