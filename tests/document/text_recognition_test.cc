// Pages without text, read from their pictures. Where tesseract is not installed, programs that
// stand in for it are still run.
#include "document/readers/text_recognition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "document/readers/pdfium_library.h"
#include "document/sample_pdf.h"
#include "document/temporary_file.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using document::glyphs_of_table;
using document::PdfiumLibrary;
using testing::at;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::SamplePdf;
using testing::TemporaryFolder;

// A content stream that draws the first page of this file as a picture over the whole page.
std::string picture_of(const std::string& pdf) {
  static const PdfiumLibrary pdfium(document::find_pdfium({}));
  constexpr int kWidth = 1224, kHeight = 1584;  // 144 dots an inch
  PdfiumLibrary::Document file = pdfium.load_document(pdf.data(), pdf.size(), nullptr);
  PdfiumLibrary::Page page = pdfium.load_page(file, 0);
  std::string pixels(static_cast<std::size_t>(kWidth) * kHeight, '\0');
  PdfiumLibrary::Bitmap bitmap = pdfium.create_bitmap(kWidth, kHeight, 1, pixels.data(), kWidth);
  pdfium.fill_bitmap(bitmap, 0, 0, kWidth, kHeight, 0xFFFFFFFF);
  pdfium.render_page(bitmap, page, 0, 0, kWidth, kHeight, 0, 8);
  pdfium.destroy_bitmap(bitmap);
  pdfium.close_page(page);
  pdfium.close_document(file);
  return "q 612 0 0 792 0 0 cm BI /W " + std::to_string(kWidth) + " /H " + std::to_string(kHeight) +
         " /CS /G /BPC 8 ID " + pixels + " EI Q\n";
}

std::string scan() {
  return picture_of(
      SamplePdf()
          .page(at(72, 700, "1. Limitation of liability", 14) +
                at(72, 670, "The total liability of the Supplier shall not exceed", 14) +
                at(72, 650, "the fees paid under this Agreement.", 14))
          .bytes());
}

std::vector<std::string> body_of(const Document& document) {
  std::vector<std::string> lines;
  for (const Line& line : document.lines) {
    if (line.kind == LineKind::body) lines.emplace_back(document.slice(line.text));
  }
  return lines;
}

class Recognition : public ::testing::Test {
 protected:
  // A stand-in: a shell script. It may start no process and write no file.
  ReadDocumentOptions stand_in(const std::string& body) {
    const auto path = folder_.write("tesseract.sh", "#!/bin/sh\n" + body + "\n");
    chmod(path.c_str(), 0755);
    ReadDocumentOptions options;
    options.tesseract = path;
    return options;
  }
  Document read(const std::string& bytes, const ReadDocumentOptions& options) {
    return read_document(folder_.write("scan.pdf", bytes), options);
  }
  // A text page, so that the file is read whatever becomes of the picture.
  static std::string with_text_page() {
    return SamplePdf().page(at(72, 700, "Text")).page(scan()).bytes();
  }
  TemporaryFolder folder_;
};

constexpr const char* kScript = R"(case "$1" in
  --list-langs) printf 'List of available languages (1):\neng\n' ;;
  *) printf '4\t1\t1\t1\t1\t0\t300\t300\t900\t50\t-1\t\n'
     printf '5\t1\t1\t1\t1\t1\t300\t300\t400\t50\t96.5\tSeen\n'
     printf '5\t1\t1\t1\t1\t2\t720\t300\t400\t50\t63.5\twords\n' ;;
esac)";

TEST(RecognizedGlyphs, TakeTheirPlacesFromTheTable) {
  const auto page = glyphs_of_table(
      "level\tpage_num\tand so on\n"
      "4\t1\t1\t1\t1\t0\t100\t200\t300\t50\t-1\t\n"
      "5\t1\t1\t1\t1\t1\t100\t205\t100\t40\t90.0\tab\n"
      "5\t1\t1\t1\t1\t2\t220\t205\t50\t40\t60\t损\n"
      "5\t1\t1\t1\t1\t3\t300\t205\t50\t40\t5\t~~\n",  // a speck
      0.5f);
  ASSERT_EQ(page.glyphs.size(), 3u);
  EXPECT_EQ(page.confidence, 80);
  EXPECT_EQ(page.glyphs[0].box.left, 50);
  EXPECT_EQ(page.glyphs[0].box.right, 75);
  EXPECT_EQ(page.glyphs[1].value, U'b');
  EXPECT_TRUE(page.glyphs[0].space_before);
  EXPECT_FALSE(page.glyphs[1].space_before);
  EXPECT_EQ(page.glyphs[2].confidence, 60);
  EXPECT_EQ(page.glyphs[0].baseline, page.glyphs[2].baseline);
}

TEST(RecognizedGlyphs, PassOverNonsense) {
  for (const char* table :
       {"", "\n\n\n", "5\t", "5\t1\t1\t1\t1\t1\t-4\t2\t3\t4\t90\tword", "\t\t\t\t\t\t\t\t\t\t\t",
        "5\t1\t1\t1\t1\t1\t99999999999\t2\t3\t4\t90\tword", "5\t1\t1\t1\t1\t1\t4\t2\t3\t4\tnan\tw",
        "5\t1\t1\t1\t1\t1\t4\t2\t3\t4\t90", "5\t1\t1\t1\t1\t1\t4\t2\t3\t4\t90\t\xE2\x80\x8B"}) {
    EXPECT_TRUE(glyphs_of_table(table, 1).glyphs.empty()) << table;
  }
}

TEST_F(Recognition, MarksWhatItRead) {
  const Document document = read(with_text_page(), stand_in(kScript));
  EXPECT_THAT(body_of(document), ElementsAre("Text", "Seen words"));
  EXPECT_EQ(document.lines[0].confidence, -1);
  EXPECT_EQ(document.lines[1].confidence, 77);  // (4 * 96 + 5 * 63) / 9
  EXPECT_EQ(document.report.pages_recognized, 1);
  EXPECT_EQ(document.report.pages_without_text, 0);
  EXPECT_EQ(document.report.confidence, 78);
  EXPECT_THAT(document.report.warnings,
              ElementsAre("page 2 of 2: read from pictures by text recognition (tesseract eng), "
                          "confidence 78 %"));
  const auto boxes = document.boxes_of(document.lines[1].text);
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_EQ(boxes[0].page, 1);
  EXPECT_NEAR(boxes[0].box.left, 72, 0.5);
}

TEST_F(Recognition, AStampOnAScanDoesNotHideIt) {
  const Document document =
      read(SamplePdf().page(scan() + at(72, 760, "Envelope 17", 8)).bytes(), stand_in(kScript));
  EXPECT_THAT(body_of(document), ElementsAre("Envelope 17", "Seen words"));
}

TEST_F(Recognition, AWordThatIsWrittenAsWellIsTakenOnce) {
  // The script reads "Seen" between 72 and 168 points from the left, 72 and 84 from the top.
  const Document document =
      read(SamplePdf().page(scan() + at(72, 792 - 84, "Seen", 40)).bytes(), stand_in(kScript));
  EXPECT_THAT(body_of(document), ElementsAre("Seen words"));
}

TEST_F(Recognition, FailuresNameThePage) {
  const auto warning = [&](const std::string& script) {
    ReadDocumentOptions options = stand_in(script);
    options.limits.recognition_page_seconds = 1;
    const Document document = read(with_text_page(), options);
    EXPECT_EQ(document.text, "Text\n");
    EXPECT_EQ(document.report.pages_without_text, 1);
    return document.report.warnings.empty() ? "none" : document.report.warnings.front();
  };
  const std::string list = "case \"$1\" in --list-langs) echo eng; exit 0;; esac\n";
  EXPECT_THAT(warning(list + "exit 1"), HasSubstr("page 2 of 2: pictures without text, not read"));
  EXPECT_THAT(warning(list + "kill -SEGV $$"), HasSubstr("recognition failed"));
  EXPECT_THAT(warning(list + "while :; do :; done"), HasSubstr("ran out of its time"));
  EXPECT_THAT(warning(list + "while :; do echo 12345678901234567890123456789012345678901234; done"),
              HasSubstr("recognition failed"));
  EXPECT_THAT(warning(list + "echo nonsense"), HasSubstr("no words were recognised"));
  EXPECT_THAT(warning("echo fra"), HasSubstr("is not installed"));
}

TEST_F(Recognition, ItsProcessHasLimits) {
  const auto made = folder_.path() / "made";
  const Document document = read(with_text_page(), stand_in("echo x > " + made.string() +
                                                            "\n(echo y) > /dev/null || "
                                                            "exit 1\n" +
                                                            std::string(kScript)));
  EXPECT_NE(access(made.c_str(), F_OK), 0) << "it wrote a file";
}

TEST_F(Recognition, CanBeTurnedOff) {
  ReadDocumentOptions options = stand_in(kScript);
  options.recognizes_text = false;
  EXPECT_THAT(read(with_text_page(), options).report.warnings,
              ElementsAre(HasSubstr("tesseract) is not installed or is off")));
}

std::string installed_languages() {
  FILE* const list = popen("tesseract --list-langs 2>/dev/null", "r");
  std::string out;
  std::array<char, 4096> chunk;
  while (const std::size_t got = fread(chunk.data(), 1, chunk.size(), list)) {
    out.append(chunk.data(), got);
  }
  pclose(list);
  return out;
}

TEST_F(Recognition, ReadsEnglish) {
  if (installed_languages().find("\neng") == std::string::npos) {
    GTEST_SKIP() << "tesseract and its eng data are not installed";
  }
  const Document document = read(SamplePdf().page(scan()).bytes(), {});
  EXPECT_THAT(body_of(document), ElementsAre("1. Limitation of liability",
                                             "The total liability of the Supplier shall not exceed",
                                             "the fees paid under this Agreement."));
  EXPECT_GT(document.report.confidence, 80);
  ASSERT_EQ(document.clauses.size(), 1u);
  EXPECT_EQ(document.clauses[0].label, "1");
}

}  // namespace
}  // namespace whereof
