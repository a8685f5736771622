// Any bytes as a DOCX file; or, since few bytes make a zip archive, as the parts of one: body,
// numbering, styles and footnotes, parted by zero bytes, where the first byte is even.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "document/readers/reader.h"
#include "document/sample_docx.h"
#include "fuzz/document_checks.h"

namespace {

std::string zipped(std::string_view parts) {
  const auto next = [&parts] {
    const std::size_t end = std::min(parts.find('\0'), parts.size());
    std::string part(parts.substr(0, end));
    parts.remove_prefix(std::min(end + 1, parts.size()));
    return part;
  };
  whereof::testing::SampleDocx docx;
  docx.body(next()).numbering(next()).styles(next()).footnotes(next());
  return docx.bytes();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace whereof;
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string bytes = (data[0] & 1) != 0 ? std::string(rest) : zipped(rest);
  tests::check_reader(DocumentType::docx, size, [&](Document& document) {
    document::read_docx(bytes, tests::fuzz_limits(), {}, document);
  });
  return 0;
}
