// Small PDF files for tests, written byte by byte: pages of placed Helvetica text.
#ifndef WHEREOF_TESTS_DOCUMENT_SAMPLE_PDF_H_
#define WHEREOF_TESTS_DOCUMENT_SAMPLE_PDF_H_

#include <string>
#include <string_view>
#include <vector>

namespace whereof::testing {

class SamplePdf {
 public:
  // A page of 612 x 792 points with this content stream; `extra` goes into its dictionary.
  SamplePdf& page(std::string content, std::string extra = "") {
    pages_.push_back({std::move(content), std::move(extra)});
    return *this;
  }
  // `extra` goes into the catalog ("/PageLabels ...") or the trailer ("/Encrypt ...").
  SamplePdf& catalog(std::string extra) {
    catalog_ = std::move(extra);
    return *this;
  }
  SamplePdf& trailer(std::string extra) {
    trailer_ = std::move(extra);
    return *this;
  }

  std::string bytes() const {
    std::vector<std::string> objects;
    std::string kids;
    const std::size_t first_page = 5;
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      kids += std::to_string(first_page + 2 * i) + " 0 R ";
    }
    objects.push_back("<< /Type /Catalog /Pages 2 0 R " + catalog_ + " >>");
    objects.push_back("<< /Type /Pages /Kids [" + kids + "] /Count " +
                      std::to_string(pages_.size()) + " /MediaBox [0 0 612 792] >>");
    objects.push_back(font("Helvetica"));
    objects.push_back(font("Helvetica-Bold"));
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      objects.push_back(
          "<< /Type /Page /Parent 2 0 R /Contents " + std::to_string(first_page + 2 * i + 1) +
          " 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> " + pages_[i].extra + " >>");
      objects.push_back("<< /Length " + std::to_string(pages_[i].content.size()) + " >>\nstream\n" +
                        pages_[i].content + "\nendstream");
    }
    return assemble(objects);
  }

 private:
  struct PageSource {
    std::string content, extra;
  };

  static std::string font(std::string_view name) {
    return "<< /Type /Font /Subtype /Type1 /BaseFont /" + std::string(name) +
           " /Encoding /WinAnsiEncoding >>";
  }

  std::string assemble(const std::vector<std::string>& objects) const {
    std::string file = "%PDF-1.7\n";
    std::vector<std::size_t> offsets;
    for (std::size_t i = 0; i < objects.size(); ++i) {
      offsets.push_back(file.size());
      file += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
    }
    const std::size_t table = file.size();
    file += "xref\n0 " + std::to_string(objects.size() + 1) + "\n0000000000 65535 f \n";
    for (const std::size_t offset : offsets) {
      std::string digits = std::to_string(offset);
      file += std::string(10 - digits.size(), '0') + digits + " 00000 n \n";
    }
    file += "trailer\n<< /Size " + std::to_string(objects.size() + 1) + " /Root 1 0 R " + trailer_ +
            " >>\nstartxref\n" + std::to_string(table) + "\n%%EOF\n";
    return file;
  }

  std::vector<PageSource> pages_;
  std::string catalog_, trailer_;
};

// One line of text at (x, y), y from the page's lower edge.
inline std::string at(double x, double y, std::string_view text, double size = 11,
                      std::string_view font = "F1", std::string_view state = "") {
  return "BT /" + std::string(font) + " " + std::to_string(size) + " Tf " + std::string(state) +
         " 1 0 0 1 " + std::to_string(x) + " " + std::to_string(y) + " Tm (" + std::string(text) +
         ") Tj ET\n";
}

}  // namespace whereof::testing

#endif  // WHEREOF_TESTS_DOCUMENT_SAMPLE_PDF_H_
