// Any bytes as an EPUB file; or as the parts of one: container, package document and two pages,
// parted by zero bytes, where the first byte is even.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "document/readers/reader.h"
#include "document/sample_docx.h"
#include "fuzz/document_checks.h"

namespace {

std::string zipped(std::string_view parts) {
  whereof::testing::SampleDocx zip;
  for (const char* name :
       {"META-INF/container.xml", "OEBPS/content.opf", "OEBPS/a.xhtml", "OEBPS/b.xhtml"}) {
    const std::size_t end = std::min(parts.find('\0'), parts.size());
    zip.part(name, std::string(parts.substr(0, end)));
    parts.remove_prefix(std::min(end + 1, parts.size()));
  }
  return zip.bytes();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace whereof;
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string bytes = (data[0] & 1) != 0 ? std::string(rest) : zipped(rest);
  tests::check_reader(DocumentType::epub, size, [&](Document& document) {
    document::read_epub(bytes, tests::fuzz_limits(), {}, document);
  });
  return 0;
}
