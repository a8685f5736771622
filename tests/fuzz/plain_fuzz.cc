// Any bytes as text, or as Markdown where the first is odd.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "document/readers/reader.h"
#include "fuzz/document_checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace whereof;
  if (size == 0) return 0;
  const auto type = (data[0] & 1) != 0 ? DocumentType::markdown : DocumentType::text;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  tests::check_reader(type, size, [&](Document& document) {
    document::read_plain(bytes, tests::fuzz_limits(), document);
  });
  return 0;
}
