// Samples cut at every length and with bytes flipped, through the real worker: a document or an
// error, never a crash. With sanitizers on, a crash of the worker is a failure here.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "document/sample_docx.h"
#include "document/sample_epub.h"
#include "document/sample_pdf.h"
#include "document/temporary_file.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using namespace testing;

SampleDocx sample_docx() {
  return SampleDocx()
      .styles(
          "<w:style w:type=\"paragraph\" w:styleId=\"H\"><w:name w:val=\"heading 1\"/></w:style>")
      .numbering(abstract(0, level(0, "decimal", "%1.")) + list(1, 0))
      .body(numbered(1, 0, "Losses") + paragraph("means") + "<w:tbl><w:tr><w:tc>" + paragraph("a") +
            "</w:tc><w:tc>" + paragraph("b") + "</w:tc></w:tr></w:tbl>");
}

SamplePdf sample_pdf() {
  return SamplePdf()
      .page(at(72, 700, "1. Losses") + at(72, 686, "means indem-") + at(72, 672, "nity"))
      .page(at(72, 700, "2. Cap"));
}

class Hostile : public ::testing::Test {
 protected:
  void feed(const std::string& name, const std::string& bytes, const std::string& what) {
    const auto path = folder_.write(name, bytes);
    try {
      const Document document = read_document(path);
      EXPECT_FALSE(document.lines.empty()) << what << ": a document without a line";
      ++documents_;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find("crashed"), std::string::npos) << what << ": " << message;
      EXPECT_EQ(message.find("without an answer"), std::string::npos) << what << ": " << message;
      ++errors_;
    }
  }
  void cut(const std::string& name, const std::string& bytes, std::size_t step) {
    for (std::size_t length = 1; length < bytes.size(); length += step) {
      feed(name, bytes.substr(0, length), "cut at " + std::to_string(length));
    }
    EXPECT_GT(errors_, 0);
  }
  void flip(const std::string& name, const std::string& bytes, int times) {
    constexpr unsigned kSeed = 20260309;
    std::mt19937 random(kSeed);
    for (int i = 0; i < times; ++i) {
      std::string flipped = bytes;
      const int count = 1 + static_cast<int>(random() % 8);
      for (int n = 0; n < count; ++n) {
        flipped[random() % flipped.size()] = static_cast<char>(random());
      }
      feed(name, flipped, "seed " + std::to_string(kSeed) + ", round " + std::to_string(i));
    }
    EXPECT_EQ(documents_ + errors_, times);
  }
  TemporaryFolder folder_;
  int documents_ = 0;
  int errors_ = 0;
};

TEST_F(Hostile, PdfCut) { cut("a.pdf", sample_pdf().bytes(), 3); }
TEST_F(Hostile, PdfFlipped) { flip("a.pdf", sample_pdf().bytes(), 300); }
TEST_F(Hostile, DocxCut) { cut("a.docx", sample_docx().bytes(), 7); }
TEST_F(Hostile, DocxFlipped) { flip("a.docx", sample_docx().bytes(), 300); }
constexpr const char* kHtml =
    "<!DOCTYPE html><meta charset=utf-8><h1 style='color:red'>Term</h1><ol start=3><li>a&amp;b<ul>"
    "<li>c</ul></ol><table><tr><td>(a)<td>x</table><script>s</script><!-- c --><pre>\n p</pre>损失";
constexpr const char* kEmail =
    "Subject: =?utf-8?q?=C3=BC?=\nContent-Type: multipart/mixed; boundary=\"b\"\n\n--b\n\nplain\n"
    "--b\nContent-Type: text/html; charset=gbk\nContent-Transfer-Encoding: quoted-printable\n\n"
    "<p>=B5=DA=\n</p>\n--b\nContent-Disposition: attachment; filename=a.txt\n"
    "Content-Transfer-Encoding: base64\n\nMS4gVGVybQ==\n--b--\n";
SampleEpub sample_epub() {
  return SampleEpub().page("a.xhtml", kHtml).page("b.xhtml", "<p>1. Price</p>");
}

TEST_F(Hostile, HtmlCut) { cut("a.html", kHtml, 3); }
TEST_F(Hostile, HtmlFlipped) { flip("a.html", kHtml, 200); }
TEST_F(Hostile, EpubCut) { cut("a.epub", sample_epub().bytes(), 13); }
TEST_F(Hostile, EpubFlipped) { flip("a.epub", sample_epub().bytes(), 200); }
TEST_F(Hostile, EmailFlipped) { flip("a.eml", kEmail, 200); }
TEST_F(Hostile, TextFlipped) {
  flip("a.txt", "1. Losses\r\n\xEF\xBF\xBD means 损失 ....... 12\n\n- 3 -\n第一条\n", 200);
}

}  // namespace
}  // namespace whereof
