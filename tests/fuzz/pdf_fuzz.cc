// Any bytes as a PDF file; or, where the first byte is even, as the parts of one, parted by zero
// bytes: content streams of two pages, what stands in the dictionary of the second, the catalog,
// and the table that tesseract wrote of each page that is a picture.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "document/readers/reader.h"
#include "document/sample_pdf.h"
#include "fuzz/document_checks.h"

namespace {

using namespace whereof;

// Says the same of every picture.
class ToldTable : public document::TextRecognizer {
 public:
  explicit ToldTable(std::string table) : table_(std::move(table)) {}
  std::optional<std::string> ask(document::RecognitionRequest request,
                                 std::string_view picture) override {
    if (request == document::RecognitionRequest::languages) return "Languages:\neng\nchi_sim\n";
    tests::require(picture.starts_with("P5\n"));
    return table_;
  }

 private:
  std::string table_;
};

void read(std::string_view file, const std::string& table, std::size_t size) {
  static const document::PdfiumLibrary pdfium(document::find_pdfium({}));
  ToldTable recognizer(table);
  tests::check_reader(DocumentType::pdf, size, [&](Document& document) {
    document::read_pdf(file, tests::fuzz_limits(), pdfium, table.empty() ? nullptr : &recognizer,
                       {}, document);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 1) != 0) {
    read(rest, "", size);
    return 0;
  }
  const auto next = [&rest] {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    std::string part(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
  };
  testing::SamplePdf pdf;
  pdf.page(next());
  const std::string second = next();
  pdf.page(second, next());
  pdf.catalog(next());
  read(pdf.bytes(), next(), size);
  return 0;
}
