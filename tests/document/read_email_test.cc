#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "document/readers/mime.h"
#include "document/readers/reader.h"
#include "document/sample_docx.h"
#include "document/temporary_file.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using document::mime_words;

Document read(const std::string& message, const ReadLimits& limits = {}) {
  Document document;
  document.name = "a.eml";
  document.type = DocumentType::email;
  document::read_email(message, limits, document);
  return document;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k <= bytes.size() ? kAlphabet[bits >> (18 - 6 * k) & 63U] : '=';
    }
    if (i % 57 == 54) out += "\r\n";
  }
  return out;
}

TEST(ReadEmail, HeadersThenText) {
  const Document document = read(
      "From mailbox Mon Nov 30\r\nReceived: by x\r\nFROM: =?utf-8?q?J=C3=BCrgen_M=2E?= <j@x>\r\n"
      "Subject: =?GB2312?B?tdrSu8z1?=\r\n =?utf-8?b?IFRlcm0=?= of\r\n\tsupply\r\n"
      "\r\nDear Sir,\r\n\r\n1. Term\r\n   five years\r\n");
  EXPECT_EQ(document.text,
            "From: Jürgen M. <j@x>\nSubject: 第一条 Term of supply\nDear Sir,\n1. Term\nfive "
            "years\n");
  EXPECT_TRUE(document.lines[3].starts_paragraph);
  EXPECT_FALSE(document.lines[4].starts_paragraph);
  EXPECT_EQ(document.report.pages, 0);
}

TEST(ReadEmail, TransferEncodingsAreUndone) {
  const std::string quoted = "Content-Transfer-Encoding: Quoted-Printable\r\n\r\n";
  EXPECT_EQ(read("Content-Type: text/plain; charset=\"windows-1252\"\r\n" + quoted +
                 "=93quo=\r\nted=94 =3D =zz =4  \r\nnext=\r\n")
                .text,
            "“quoted” = =zz =4\nnext\n");
  EXPECT_EQ(read("Content-Type: text/plain; charset=big5\r\nContent-Transfer-Encoding: base64"
                 "\r\n\r\n" +
                 base64("\xB2\xC4\xA4\x40\xB1\xF8"))
                .text,
            "第一條\n");
}

TEST(ReadEmail, OfAlternativesTheLastThatCanBeReadCounts) {
  EXPECT_EQ(read("Content-Type: multipart/alternative;\r\n boundary=\"b 1\"\r\n\r\npreamble\r\n"
                 "--b 1\r\n\r\nplain\r\n--b 1\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
                 "<ol><li>rich</ol>\r\n--b 1\r\nContent-Type: text/calendar\r\n\r\nX\r\n--b 1--\r\n"
                 "epilogue")
                .text,
            "1. rich\n");
}

TEST(ReadEmail, AttachmentsThatCanBeReadAreReadAndOthersNamed) {
  const std::string docx =
      testing::SampleDocx().body("<w:p><w:r><w:t>1. Lease</w:t></w:r></w:p>").bytes();
  const auto attached = [](const std::string& name, const std::string& bytes) {
    return "--b\nContent-Type: application/octet-stream\nContent-Disposition: attachment;\n "
           "filename" +
           name + "\nContent-Transfer-Encoding: base64\n\n" + base64(bytes) + "\n";
  };
  const Document document = read(
      "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nSee below.\n" +
      attached("=lease.docx", docx) + attached("*0*=utf-8''%E9%99%84; filename*1*=.html", "<p>hi") +
      attached("=logo.png", "\x89PNG") + attached("=scan.pdf", "%PDF-1.7") +
      attached("=bad.docx", "PK\3\4") +
      "--b\nContent-Type: message/rfc822\n\nSubject: Inner\n\ninner text\n");
  EXPECT_EQ(document.text,
            "See below.\n[lease.docx]\n1. Lease\n[附.html]\nhi\n[a message]\nSubject: Inner\ninner "
            "text\n");
  ASSERT_EQ(document.report.warnings.size(), 2u);
  EXPECT_NE(document.report.warnings[0].find("a.eml: bad.docx: a broken DOCX"), std::string::npos);
  EXPECT_EQ(document.report.warnings[1], "attachments not read: logo.png, scan.pdf, bad.docx");
}

TEST(ReadEmail, ASavedWebPageIsItsFirstPart) {
  EXPECT_EQ(read("MIME-Version: 1.0\nContent-Type: multipart/related; boundary=\"--x\"\n\n"
                 "----x\nContent-Type: text/html\n\n<meta charset=gbk><p>\xB5\xDA\xD2\xBB\xCC\xF5"
                 "\n----x\nContent-Type: text/css\n\np{}\n----x--\n")
                .text,
            "第一条\n");
}

TEST(ReadEmail, NothingToReadIsAnError) {
  EXPECT_THROW(read(""), Error);
  EXPECT_THROW(read("Content-Type: image/png\n\nx"), Error);
  EXPECT_THROW(read("Content-Type: multipart/mixed; boundary=b\n\nno boundary"), Error);
}

TEST(ReadEmail, NamesOfAttachmentsMayBeAnyBytes) {
  const Document document = read(
      "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\nContent-Type: image/png; "
      "name=\"\xC3(.png\"\n\n\x89PNG\n");
  EXPECT_EQ(document.report.warnings,
            (std::vector<std::string>{"attachments not read: \xEF\xBF\xBD(.png"}));
}

TEST(ReadEmail, NestingAndPartsHaveLimits) {
  const auto nested = [](int levels) {
    std::string message;
    for (int i = 0; i < levels; ++i) {
      const std::string boundary = "b" + std::to_string(i);
      message += "Content-Type: multipart/mixed; boundary=" + boundary + "\n\n--" + boundary + "\n";
    }
    return message + "\ndeep\n";
  };
  EXPECT_EQ(read(nested(16)).text, "deep\n");
  EXPECT_THROW(read(nested(17)), Error);
  const auto parts = [](int count) {
    std::string message = "Content-Type: multipart/mixed; boundary=b\n\n";
    for (int i = 0; i < count; ++i) message += "--b\n\nx\n";
    return message;
  };
  EXPECT_EQ(read(parts(999)).lines.size(), 999u);
  EXPECT_THROW(read(parts(1000)), Error);
}

TEST(ReadEmail, EncodedWordsMayBeBroken) {
  EXPECT_EQ(mime_words("=?utf-8?q?a?= =?utf-8?q?b?= c"), "ab c");
  EXPECT_EQ(mime_words("=?utf-8?x =?= =?a?q?"), "=?utf-8?x =?= =?a?q?");
  EXPECT_EQ(mime_words("=?utf-8?b?YQ"), "=?utf-8?b?YQ");
  EXPECT_EQ(mime_words("=?nonsense?q?=41?="), "A");
}

TEST(ReadEmail, TimeIsLinearInHostileInput) {
  const auto repeated = [](std::string_view text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
  };
  const int n = 300'000;
  for (const std::string& message :
       {"Subject: " + repeated("=?a?q?", n) + "\n\nx", repeated("a: b\n", n) + "\nx",
        "Content-Type: text/plain" + repeated("; a=b", n) + "\n\nx",
        "Content-Type: multipart/mixed; boundary=b\n\n" + repeated("--b\n", n),
        "Content-Transfer-Encoding: quoted-printable\n\n" + repeated("=\n", n) + "x",
        "Content-Type: text/plain\n" + repeated(" folded\n", n) + "\nx"}) {
    try {
      read(message);
    } catch (const Error&) {
    }
  }
}

TEST(ReadEmail, IsKnownByItsNameOrItsHeaders) {
  EXPECT_EQ(document_type("a.eml", "x"), DocumentType::email);
  EXPECT_EQ(document_type("a.mht", "x"), DocumentType::email);
  EXPECT_EQ(document_type("a", "Received: by x\r\n y\r\nMessage-ID: <1>\r\nX-A: b\r\n\r\n"),
            DocumentType::email);
  EXPECT_EQ(document_type("a.txt", "Subject: the lease\nDate: today\n\nMessage-ID: none"),
            DocumentType::text);
  const testing::TemporaryFolder folder;
  EXPECT_EQ(read_document(folder.write("a.eml", "Subject: x\n\n1. Term\n")).text,
            "Subject: x\n1. Term\n");
}

}  // namespace
}  // namespace whereof
