#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <string>

#include "document/sample_pdf.h"
#include "document/temporary_file.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::TemporaryFolder;

class Worker : public ::testing::Test {
 protected:
  // The error of reading this; fails the test when it is read.
  static Error error_of(const std::filesystem::path& path,
                        const ReadDocumentOptions& options = {}) {
    try {
      read_document(path, options);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << path << " was read";
    return Error(ErrorKind::invalid_argument, "none");
  }
  // A worker that is a shell script.
  std::filesystem::path script(const std::string& body) {
    const auto path = folder_.write("worker.sh", "#!/bin/sh\n" + body + "\n");
    chmod(path.c_str(), 0755);
    return path;
  }
  Error error_of_script(const std::string& body, ReadDocumentOptions options = {}) {
    options.worker_program = script(body);
    return error_of(folder_.write("a.txt", "text"), options);
  }
  TemporaryFolder folder_;
};

TEST_F(Worker, NamesWhatIsNoDocument) {
  EXPECT_EQ(error_of(folder_.path() / "absent.pdf").kind(), ErrorKind::not_found);
  const Error directory = error_of(folder_.path());
  EXPECT_EQ(directory.kind(), ErrorKind::bad_document);
  EXPECT_THAT(directory.what(), HasSubstr("a directory"));
  EXPECT_THAT(error_of(folder_.write("a.txt", "")).what(), HasSubstr("an empty file"));
  EXPECT_THAT(error_of(folder_.write("b.txt", " \n\n ")).what(), HasSubstr("0 characters"));
  const auto fifo = folder_.path() / "fifo.pdf";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(error_of(fifo).what(), HasSubstr("not a regular file"));
  EXPECT_THAT(error_of(folder_.write("c.pdf", "hello")).what(), HasSubstr("no PDF header"));
  EXPECT_THAT(error_of(folder_.write("c.docx", "hello")).what(), HasSubstr("no zip archive"));
  EXPECT_THAT(error_of(folder_.write("c.bin", std::string("\1\2\3\4\0\0", 6))).what(),
              HasSubstr("unknown type"));
  EXPECT_THAT(error_of(folder_.write("d.zip", "PK\x03\x04 and more")).what(),
              HasSubstr("neither DOCX nor EPUB"));
}

TEST_F(Worker, HoldsTheFileLimit) {
  const auto path = folder_.write("a.txt", "12345");
  ReadDocumentOptions options;
  options.limits.file_bytes = 5;
  EXPECT_EQ(read_document(path, options).text, "12345\n");
  options.limits.file_bytes = 4;
  EXPECT_STREQ(error_of(path, options).what(), "a.txt: 5 bytes; the limit is 4");
}

TEST_F(Worker, TellsNameHashAndPath) {
  const auto path = folder_.write("abc.txt", "abc");
  const Document document = read_document(path);
  EXPECT_EQ(document.name, "abc.txt");
  EXPECT_EQ(document.path, path);
  EXPECT_EQ(document.content_hash,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_F(Worker, ACrashIsAnError) {
  const Error error = error_of_script("kill -SEGV $$");
  EXPECT_EQ(error.kind(), ErrorKind::bad_document);
  EXPECT_STREQ(error.what(),
               "a.txt: the document reader crashed on it (signal 11); it is broken, "
               "or needs more than 1024 MiB of memory");
}

TEST_F(Worker, SilenceIsAnError) {
  EXPECT_THAT(error_of_script("exit 0").what(), HasSubstr("ended without an answer"));
  EXPECT_THAT(error_of_script("exit 3").what(), HasSubstr("ended without an answer"));
}

TEST_F(Worker, NonsenseIsAnError) {
  EXPECT_THAT(error_of_script("echo hello, this is no frame >&4").what(), HasSubstr("nonsense"));
  // A document frame of 3 bytes; half a frame; a failure of an unknown kind.
  EXPECT_EQ(error_of_script("printf 'D\\003\\0\\0\\0\\0\\0\\0\\0abc' >&4").kind(),
            ErrorKind::bad_document);
  EXPECT_EQ(error_of_script("printf 'D\\003\\0\\0\\0\\0\\0\\0\\0ab' >&4").kind(),
            ErrorKind::bad_document);
  EXPECT_THAT(error_of_script("printf 'E\\002\\0\\0\\0\\0\\0\\0\\0\\177x' >&4").what(),
              HasSubstr("nonsense"));
}

TEST_F(Worker, HoldsTheWallTime) {
  ReadDocumentOptions options;
  options.limits.worker_wall_seconds = 1;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(error_of_script("exec sleep 30", options).what(), HasSubstr("limit of 1 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST_F(Worker, CanBeCancelled) {
  std::stop_source stop;
  stop.request_stop();
  ReadDocumentOptions options;
  options.stop = stop.get_token();
  EXPECT_EQ(error_of_script("exec sleep 30", options).kind(), ErrorKind::cancelled);
}

TEST_F(Worker, AMissingProgramIsNamed) {
  ReadDocumentOptions options;
  options.worker_program = folder_.path() / "no-worker";
  const Error error = error_of(folder_.write("a.txt", "text"), options);
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_THAT(error.what(), HasSubstr("no-worker"));
}

TEST_F(Worker, AMissingPdfiumIsNamed) {
  ReadDocumentOptions options;
  options.pdfium_library = folder_.path() / "libpdfium.so";
  const auto path =
      folder_.write("a.pdf", testing::SamplePdf().page(testing::at(72, 700, "Text")).bytes());
  const Error error = error_of(path, options);
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_THAT(error.what(), StartsWith("PDFium: cannot load"));
}

TEST_F(Worker, TellsItsProgress) {
  testing::SamplePdf pdf;
  for (int i = 0; i < 3; ++i) pdf.page(testing::at(72, 700, "Text"));
  ReadDocumentOptions options;
  std::int64_t last = 0;
  options.progress = [&](const Progress& progress) {
    EXPECT_GE(progress.done, last);
    EXPECT_EQ(progress.total, 3);
    EXPECT_EQ(progress.unit, "pages");
    last = progress.done;
  };
  read_document(folder_.write("a.pdf", pdf.bytes()), options);
  EXPECT_EQ(last, 3);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST_F(Worker, HoldsTheMemoryLimit) {
  // 30 MiB of text need more than 80 MiB: the file, its lines and its copy.
  std::string text;
  while (text.size() < (30u << 20)) text += "a line of the text\n";
  const auto path = folder_.write("a.txt", text);
  ReadDocumentOptions options;
  options.limits.characters = 1LL << 30;
  options.limits.worker_memory_bytes = 80 << 20;
  EXPECT_THAT(error_of(path, options).what(), HasSubstr("memory"));
}
#endif

TEST_F(Worker, FileNamesMayBeAnyBytes) {
  const Document document = read_document(folder_.write("\xFF\n.txt", "text"));
  EXPECT_EQ(document.name, "\xEF\xBF\xBD\xEF\xBF\xBD.txt");
}

}  // namespace
}  // namespace whereof
