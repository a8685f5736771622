#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document/readers/reader.h"
#include "document/sample_epub.h"
#include "document/temporary_file.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using testing::SampleEpub;

Document read(const std::string& bytes, const ReadLimits& limits = {}) {
  Document document;
  document.name = "a.epub";
  document.type = DocumentType::epub;
  document::read_epub(bytes, limits, {}, document);
  return document;
}

std::string error_of(const std::string& bytes, const ReadLimits& limits = {}) {
  try {
    read(bytes, limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_document);
    return error.what();
  }
  return "";
}

TEST(ReadEpub, PagesOfTheSpineAreReadInOrder) {
  const Document document = read(
      SampleEpub()
          .page("b.xhtml", "<html><head><title/></head><body><p>First<br/>page</p></body></html>")
          .page("l.xhtml", "<ol><li>a<del><ol/><table/></del></li><li>b</li></ol>")
          .page("text/a%20b.xhtml#top", "text/a b.xhtml", "<p>Second<script/></p><p/><p>x</p>")
          .page("../c.html", "../c.html", "<p>Third<p>and last", "text/html")
          .bytes());
  EXPECT_EQ(document.text, "First\npage\n1. a\n2. b\nSecond\nx\n");
  EXPECT_EQ(document.report.pages, 0);
  EXPECT_TRUE(document.source_runs.empty());
  ASSERT_EQ(document.report.warnings.size(), 1u);
  EXPECT_EQ(document.report.warnings[0], "not read: c.html (not in the package)");
}

TEST(ReadEpub, XhtmlMayHaveCdataEntitiesPrefixesAndADoctype) {
  EXPECT_EQ(read(SampleEpub()
                     .page("a.xhtml",
                           "<?xml version='1.0' encoding='gbk'?><!DOCTYPE html><h:p>"
                           "\xB5\xDA\xD2\xBB\xCC\xF5&nbsp;<![CDATA[<a> & b]]></h:p>")
                     .bytes())
                .text,
            "第一条 <a> & b\n");
}

TEST(ReadEpub, NumbersAndNavigationAreAsInHtml) {
  const Document document =
      read(SampleEpub()
               .page("nav.xhtml", "<nav><ol><li>Term</li></ol></nav>")
               .page("a.xhtml", "<ol type='I'><li>Term</li><li>Price</li></ol>")
               .bytes());
  EXPECT_EQ(document.text, "1. Term\nI. Term\nII. Price\n");
  EXPECT_EQ(document.lines[0].kind, LineKind::contents);
  EXPECT_EQ(document.lines[1].kind, LineKind::body);
}

TEST(ReadEpub, WhatIsNoTextIsNamed) {
  const Document document = read(SampleEpub()
                                     .page("a.xhtml", "<p>x</p>")
                                     .item("cover.svg", "image/svg+xml")
                                     .item("lost.xhtml", "application/xhtml+xml")
                                     .bytes());
  EXPECT_EQ(document.report.warnings,
            (std::vector<std::string>{"not read: OEBPS/cover.svg (image/svg+xml), OEBPS/lost.xhtml "
                                      "(not in the package)"}));
  EXPECT_NE(error_of(SampleEpub().item("cover.svg", "image/svg+xml").bytes()), "");
}

TEST(ReadEpub, BrokenAndProtectedBooksSaySo) {
  EXPECT_NE(error_of("PK\3\4 no zip").find("a broken EPUB"), std::string::npos);
  EXPECT_NE(error_of(testing::SampleDocx().body("").bytes()).find("META-INF/container.xml"),
            std::string::npos);
  EXPECT_NE(error_of(SampleEpub().bytes()).find("no pages in its spine"), std::string::npos);
  const std::string encrypted =
      "<encryption><EncryptedData><CipherData><CipherReference URI='OEBPS/a.xhtml'/></CipherData>"
      "</EncryptedData></encryption>";
  EXPECT_EQ(
      error_of(
          SampleEpub().page("a.xhtml", "x").part("META-INF/encryption.xml", encrypted).bytes()),
      "a.epub: an EPUB whose pages are encrypted; nothing was read");
  EXPECT_NE(error_of(SampleEpub()
                         .page("a.xhtml", "x")
                         .part("META-INF/encryption.xml", "<!DOCTYPE x [<!ENTITY a 'b'>]><x/>")
                         .bytes())
                .find("document type definition"),
            std::string::npos);
}

TEST(ReadEpub, LimitsOfTheZipAreKept) {
  ReadLimits limits;
  limits.inflated_bytes = 3000;
  SampleEpub small;
  small.page("a.xhtml", "<p>" + std::string(2000, 'x'));
  EXPECT_EQ(read(small.bytes(), limits).report.characters, 2001);
  small.page("b.xhtml", "<p>" + std::string(2000, 'x'));
  EXPECT_EQ(error_of(small.bytes(), limits), "a.epub: more than 3000 bytes when inflated");
  EXPECT_NE(error_of(SampleEpub().page("a.xhtml", std::string(8 << 20, ' ')).bytes())
                .find("inflates to more than 200 times"),
            std::string::npos);
  SampleEpub many;
  for (int i = 0; i < 2000; ++i) many.part("x" + std::to_string(i), "");
  EXPECT_NE(error_of(many.bytes()).find("the limit is 2000"), std::string::npos);
}

TEST(ReadEpub, ThroughTheWorker) {
  const testing::TemporaryFolder folder;
  const Document document =
      read_document(folder.write("a.epub", SampleEpub().page("a.xhtml", "<p>1. Term</p>").bytes()));
  EXPECT_EQ(document.type, DocumentType::epub);
  EXPECT_EQ(document.text, "1. Term\n");
}

}  // namespace
}  // namespace whereof
