// Any lines of text, of any kind and look, through the clause finder and what is built on it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "document/text_builder.h"
#include "fuzz/document_checks.h"

namespace {

using namespace whereof;

// Each line is preceded by a byte that says what it is and one that says how it looks.
Document document_of(std::string_view bytes) {
  Document document;
  document.name = "fuzz";
  document::TextBuilder builder(document, 100'000);
  while (bytes.size() > 2) {
    const auto kind = static_cast<std::uint8_t>(bytes[0]);
    const auto look = static_cast<std::uint8_t>(bytes[1]);
    bytes.remove_prefix(2);
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    builder.add(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (builder.is_line_empty()) continue;
    Line line;
    line.kind = static_cast<LineKind>(kind % 9);
    line.starts_paragraph = (look & 1) != 0;
    line.is_bold = (look & 2) != 0;
    line.left = static_cast<float>(look >> 4);
    line.number_bytes =
        (look & 4) != 0 ? std::min<std::int32_t>(3, static_cast<std::int32_t>(builder.line_bytes()))
                        : 0;
    line.level = (look & 8) != 0 ? kind % 9 : -1;
    builder.end_line(line);
    if (kind == 0xFF) builder.end_page({});
  }
  builder.end_page({});
  builder.finish();
  return document;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Document document = document_of({reinterpret_cast<const char*>(data), size});
  if (document.lines.empty()) return 0;
  find_clauses(document);
  tests::check_clauses(document);
  return 0;
}
