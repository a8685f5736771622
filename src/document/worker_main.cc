// whereof-document-worker: reads one untrusted file, given as an open descriptor, and writes the
// document to a pipe (worker_channel.h). Started by read_document; of no use by hand.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "document/readers/page_picture.h"
#include "document/readers/pdf_file.h"
#include "document/readers/pdfium_library.h"
#include "document/readers/reader.h"
#include "document/recognition_process.h"
#include "document/sandbox.h"
#include "document/worker_channel.h"
#include "text/sha256.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace {

using whereof::Document;
using whereof::DocumentType;
using whereof::Error;
using whereof::ErrorKind;
using whereof::ReadLimits;
using namespace whereof::document;

constexpr auto kProgressInterval = std::chrono::milliseconds(100);

void write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(kWorkerPipe, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);  // the parent is gone
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void send(Frame kind, std::string_view payload) {
  std::array<char, kFrameHeaderBytes> header;
  header[0] = static_cast<char>(kind);
  const std::uint64_t length = payload.size();
  std::memcpy(header.data() + 1, &length, sizeof(length));
  write_all({header.data(), header.size()});
  write_all(payload);
}

[[noreturn]] void fail(ErrorKind kind, std::string_view message) {
  std::string payload(1, static_cast<char>(kind));
  payload += message;
  send(Frame::failure, payload);
  _exit(1);
}

void send_progress(std::int64_t done, std::int64_t total) {
  using Clock = std::chrono::steady_clock;
  static Clock::time_point last;
  const auto now = Clock::now();
  if (done < total && now - last < kProgressInterval) return;
  last = now;
  std::array<char, 16> payload;
  std::memcpy(payload.data(), &done, 8);
  std::memcpy(payload.data() + 8, &total, 8);
  send(Frame::progress, {payload.data(), payload.size()});
}

std::int64_t number(const char* argument) {
  std::int64_t value = 0;
  const char* const end = argument + std::strlen(argument);
  const auto [at, error] = std::from_chars(argument, end, value);
  if (error != std::errc() || at != end || value < 0) {
    fail(ErrorKind::invalid_argument, std::string("document worker: not a number: ") + argument);
  }
  return value;
}

std::string read_file(std::int64_t limit, const std::string& name) {
  std::string bytes;
  std::size_t length = 0;
  while (true) {
    if (bytes.size() - length < (1 << 16)) bytes.resize(std::max<std::size_t>(1 << 20, 2 * length));
    const ssize_t got = pread(kWorkerFile, bytes.data() + length, bytes.size() - length,
                              static_cast<off_t>(length));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      fail(ErrorKind::input_output, name + ": cannot be read: " + std::strerror(errno));
    }
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
    if (length > static_cast<std::size_t>(limit)) {
      fail(ErrorKind::bad_document,
           name + ": grew past the limit of " + std::to_string(limit) + " bytes while it was read");
    }
  }
  bytes.resize(length);
  return bytes;
}

struct Job {
  DocumentType type;
  std::string name;
  std::string pdfium;
  std::string tesseract;
  ReadLimits limits;
  int image_page = 0;  // counted from 1; 0: the document is read
  int image_dots = 0;
};

Job parse_arguments(char** arguments) {
  Job job;
  job.type = static_cast<DocumentType>(number(arguments[kArgumentType]));
  job.name = arguments[kArgumentName];
  job.pdfium = arguments[kArgumentPdfium];
  job.tesseract = arguments[kArgumentTesseract];
  job.limits.file_bytes = number(arguments[kArgumentFileBytes]);
  job.limits.pages = number(arguments[kArgumentPages]);
  job.limits.characters = number(arguments[kArgumentCharacters]);
  job.limits.inflated_bytes = number(arguments[kArgumentInflatedBytes]);
  job.limits.worker_memory_bytes = number(arguments[kArgumentMemoryBytes]);
  job.limits.worker_cpu_seconds = static_cast<int>(number(arguments[kArgumentCpuSeconds]));
  job.limits.recognition_page_seconds =
      static_cast<int>(number(arguments[kArgumentRecognitionPageSeconds]));
  job.limits.recognition_seconds = static_cast<int>(number(arguments[kArgumentRecognitionSeconds]));
  job.image_page = static_cast<int>(number(arguments[kArgumentImagePage]));
  job.image_dots = static_cast<int>(number(arguments[kArgumentImageDots]));
  return job;
}

Document read(const Job& job, const PdfiumLibrary* pdfium, TextRecognizer* recognizer) {
  const std::string bytes = read_file(job.limits.file_bytes, job.name);
  Document document;
  document.name = job.name;
  document.type = job.type;
  document.content_hash = whereof::text::sha256_hex(bytes);
  switch (job.type) {
    case DocumentType::pdf:
      read_pdf(bytes, job.limits, *pdfium, recognizer, send_progress, document);
      break;
    case DocumentType::docx:
      read_docx(bytes, job.limits, send_progress, document);
      break;
    case DocumentType::text:
    case DocumentType::markdown:
      read_plain(bytes, job.limits, document);
      break;
    case DocumentType::html:
      read_html(bytes, job.limits, document);
      break;
    case DocumentType::epub:
      read_epub(bytes, job.limits, send_progress, document);
      break;
    case DocumentType::email:
      read_email(bytes, job.limits, document);
      break;
  }
  whereof::find_clauses(document);
  return document;
}

std::string image_of_page(const Job& job, const PdfiumLibrary& pdfium) {
  const std::string bytes = read_file(job.limits.file_bytes, job.name);
  const PdfFile file(pdfium, bytes, job.name);
  const std::string page = job.name + ": page " + std::to_string(job.image_page);
  if (job.image_page > file.pages()) {
    throw Error(ErrorKind::invalid_argument,
                page + " was wanted; the file has " + std::to_string(file.pages()));
  }
  PdfiumLibrary::Page handle = file.load(job.image_page - 1);
  if (handle == nullptr) throw Error(ErrorKind::bad_document, page + " is broken");
  const auto picture = render_gray(pdfium, handle, static_cast<float>(job.image_dots), true);
  if (!picture) throw Error(ErrorKind::bad_document, page + " has no size, or needs more memory");
  std::string payload(kImageHeaderBytes, '\0');
  std::memcpy(payload.data(), &picture->columns, 4);
  std::memcpy(payload.data() + 4, &picture->rows, 4);
  std::memcpy(payload.data() + 8, &picture->points, 4);
  return payload + picture->gray;
}

void run(const Job& job) {
  std::optional<RecognitionProcess> recognizer;
  if (!job.tesseract.empty()) {
    const RecognitionProcess::Limits limits{job.limits.worker_memory_bytes,
                                            job.limits.recognition_page_seconds,
                                            job.limits.recognition_seconds};
    recognizer.emplace(job.tesseract, limits, [] { send(Frame::recognition, {}); });
  }
  limit_resources(job.limits.worker_memory_bytes, job.limits.worker_cpu_seconds,
                  recognizer ? job.limits.recognition_seconds : 0);
  std::optional<PdfiumLibrary> pdfium;
  if (job.type == DocumentType::pdf) pdfium.emplace(job.pdfium);
  refuse_system_calls(SystemCalls::of_reader);
  if (job.image_page > 0 && pdfium) {
    send(Frame::image, image_of_page(job, *pdfium));
    _exit(0);
  }
  const Document document =
      read(job, pdfium ? &*pdfium : nullptr, recognizer ? &*recognizer : nullptr);
  send(Frame::document, whereof::serialize_document(document));
  _exit(0);  // without destructors: PDFium's state dies with the process
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != kWorkerArguments || fcntl(kWorkerFile, F_GETFD) < 0 ||
      fcntl(kWorkerPipe, F_GETFD) < 0) {
    constexpr std::string_view kUse = "whereof-document-worker is started by whereof\n";
    return write(STDERR_FILENO, kUse.data(), kUse.size()) < 0 ? 70 : 64;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close_descriptors_from(kWorkerPipe + 1);
  signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the whole terminal; the parent decides
  signal(SIGPIPE, SIG_IGN);
  const Job job = parse_arguments(argv);
  try {
    run(job);
  } catch (const Error& error) {
    fail(error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    fail(ErrorKind::bad_document, job.name + ": needs more memory to be read than the limit of " +
                                      std::to_string(job.limits.worker_memory_bytes >> 20) +
                                      " MiB");
  } catch (const std::exception& error) {
    fail(ErrorKind::bad_document, job.name + ": cannot be read: " + error.what());
  }
}
