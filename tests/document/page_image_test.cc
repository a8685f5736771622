#include "whereof/page_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>

#include "document/sample_pdf.h"
#include "document/temporary_file.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using ::testing::HasSubstr;
using testing::SamplePdf;
using testing::TemporaryFolder;

class PageImages : public ::testing::Test {
 protected:
  std::string error_of(const std::filesystem::path& path, std::int32_t page, int dots,
                       ErrorKind kind, const ReadDocumentOptions& options = {}) {
    try {
      render_page(path, page, dots, options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return error.what();
    }
    return "no error";
  }
  std::filesystem::path sample() {
    return folder_.write("a.pdf", SamplePdf()
                                      .page(testing::at(72, 700, "Losses", 40))
                                      .page(testing::at(300, 100, "Gains", 40))
                                      .bytes());
  }
  TemporaryFolder folder_;
};

// The smallest box of pixels that are not white, in points.
Box inked(const PageImage& image) {
  Box box{1e9f, 1e9f, 0, 0};
  for (std::int32_t row = 0; row < image.rows; ++row) {
    for (std::int32_t column = 0; column < image.columns; ++column) {
      const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(image.columns) +
                      static_cast<std::size_t>(column);
      if (static_cast<unsigned char>(image.gray[at]) > 200) continue;
      const float x = static_cast<float>(column) * image.points_a_pixel;
      const float y = static_cast<float>(row) * image.points_a_pixel;
      box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x),
             std::max(box.bottom, y)};
    }
  }
  return box;
}

TEST_F(PageImages, ShowTheTextWhereTheDocumentSaysItIs) {
  const auto path = sample();
  const Document document = read_document(path);
  for (std::int32_t page = 0; page < 2; ++page) {
    const PageImage image = render_page(path, page, 96);
    EXPECT_NEAR(static_cast<float>(image.columns) * image.points_a_pixel, 612, 1);
    EXPECT_NEAR(static_cast<float>(image.rows) * image.points_a_pixel, 792, 1);
    const Box ink = inked(image);
    const Box text = document.boxes_of(document.pages[static_cast<std::size_t>(page)].text)[0].box;
    EXPECT_GE(ink.left, text.left - 2);
    EXPECT_LE(ink.right, text.right + 2);
    EXPECT_GE(ink.top, text.top - 2);
    EXPECT_LE(ink.bottom, text.bottom + 2);
    EXPECT_GT(ink.right - ink.left, 60);
  }
}

TEST_F(PageImages, ErrorsSayWhatIsWanted) {
  const auto path = sample();
  EXPECT_THAT(error_of(path, 2, 96, ErrorKind::invalid_argument),
              HasSubstr("a.pdf: page 3 was wanted; the file has 2"));
  EXPECT_THAT(error_of(path, -1, 96, ErrorKind::invalid_argument), HasSubstr("pages count from 0"));
  EXPECT_THAT(error_of(path, 0, 6000, ErrorKind::invalid_argument), HasSubstr("10 to 600"));
  EXPECT_THAT(error_of(folder_.write("a.txt", "1. Losses"), 0, 96, ErrorKind::invalid_argument),
              HasSubstr("pages of a PDF; this is text"));
  EXPECT_THAT(error_of(folder_.write("b.pdf", "%PDF-1.4 nothing"), 0, 96, ErrorKind::bad_document),
              HasSubstr("broken PDF"));
}

// A picture that does not fit its header, and a document where a picture is wanted.
TEST_F(PageImages, AWorkerThatAnswersNonsenseIsAnError) {
  const auto path = sample();
  for (const char* const answer :
       {R"(printf 'I\014\0\0\0\0\0\0\0\377\377\377\177\1\0\0\0\0\0\200\77')",
        R"(printf 'I\0\0\0\0\0\0\0\0')", R"(printf 'D\0\0\0\0\0\0\0\0')"}) {
    ReadDocumentOptions options;
    options.worker_program =
        folder_.write("worker.sh", std::string("#!/bin/sh\n") + answer + " >&4\n");
    chmod(options.worker_program.c_str(), 0755);
    EXPECT_THAT(error_of(path, 0, 96, ErrorKind::bad_document, options), HasSubstr("nonsense"));
  }
}

TEST(Png, TimeAndSizeAreLinearInWhatCannotBePressed) {
  PageImage image{1999, 1001, 1, std::string(std::size_t{1999} * 1001, '\0')};
  std::uint32_t state = 1;
  for (char& pixel : image.gray)
    pixel = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  const std::string png = png_of(image);
  EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n"));
  EXPECT_LT(png.size(), std::size_t{1000} * 1001 * 9 / 8 + 1000);
  EXPECT_LT(png_of({1999, 1001, 1, std::string(image.gray.size(), '\xff')}).size(), 20000u);
}

}  // namespace
}  // namespace whereof
