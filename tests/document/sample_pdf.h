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

  // An object of its own; returns how the file refers to it ("1000 0 R"). Numbers begin at 1000.
  std::string object(std::string content) {
    objects_.push_back(std::move(content));
    return std::to_string(kFirstObject + objects_.size() - 1) + " 0 R";
  }
  // Fonts beside F1 (Helvetica) and F2 (bold): "/F3 1000 0 R".
  SamplePdf& fonts(std::string extra) {
    fonts_ = std::move(extra);
    return *this;
  }
  // How the file refers to this page, counted from 0.
  static std::string page_reference(std::size_t page) {
    return std::to_string(kFirstPage + 2 * page) + " 0 R";
  }

  std::string bytes() const {
    std::vector<std::string> objects;
    std::string kids;
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      kids += page_reference(i) + " ";
    }
    objects.push_back("<< /Type /Catalog /Pages 2 0 R " + catalog_ + " >>");
    objects.push_back("<< /Type /Pages /Kids [" + kids + "] /Count " +
                      std::to_string(pages_.size()) + " /MediaBox [0 0 612 792] >>");
    objects.push_back(font("Helvetica"));
    objects.push_back(font("Helvetica-Bold"));
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      objects.push_back("<< /Type /Page /Parent 2 0 R /Contents " +
                        std::to_string(kFirstPage + 2 * i + 1) +
                        " 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R " + fonts_ + " >> >> " +
                        pages_[i].extra + " >>");
      objects.push_back("<< /Length " + std::to_string(pages_[i].content.size()) + " >>\nstream\n" +
                        pages_[i].content + "\nendstream");
    }
    return assemble(objects);
  }

 private:
  static constexpr std::size_t kFirstPage = 5;
  static constexpr std::size_t kFirstObject = 1000;

  struct PageSource {
    std::string content, extra;
  };

  static std::string font(std::string_view name) {
    return "<< /Type /Font /Subtype /Type1 /BaseFont /" + std::string(name) +
           " /Encoding /WinAnsiEncoding >>";
  }

  std::string assemble(const std::vector<std::string>& objects) const {
    std::string file = "%PDF-1.7\n";
    std::string table;
    const auto add = [&](std::size_t first, const std::vector<std::string>& contents) {
      table += std::to_string(first) + " " + std::to_string(contents.size()) + "\n";
      for (std::size_t i = 0; i < contents.size(); ++i) {
        const std::string digits = std::to_string(file.size());
        table += std::string(10 - digits.size(), '0') + digits + " 00000 n \n";
        file += std::to_string(first + i) + " 0 obj\n" + contents[i] + "\nendobj\n";
      }
    };
    table = "0 1\n0000000000 65535 f \n";
    add(1, objects);
    if (!objects_.empty()) add(kFirstObject, objects_);
    const std::size_t place = file.size();
    file += "xref\n" + table;
    file += "trailer\n<< /Size " + std::to_string(kFirstObject + objects_.size()) +
            " /Root 1 0 R " + trailer_ + " >>\nstartxref\n" + std::to_string(place) + "\n%%EOF\n";
    return file;
  }

  std::vector<PageSource> pages_;
  std::vector<std::string> objects_;
  std::string catalog_, trailer_, fonts_;
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
