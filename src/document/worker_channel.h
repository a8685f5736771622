// What the worker process says to its parent over the pipe: frames of
//     u8 kind | u64 bytes | payload
// progress: i64 done, i64 total. recognition: nothing; a picture is about to be read, which has a
// time limit of its own. failure: u8 ErrorKind, then the message. document: the bytes of
// serialize_document. image: i32 columns, i32 rows, f32 points a pixel, then a byte a pixel.
// Exactly one failure, document or image, last. Little-endian, one machine.
#ifndef WHEREOF_DOCUMENT_WORKER_CHANNEL_H_
#define WHEREOF_DOCUMENT_WORKER_CHANNEL_H_

#include <cstddef>
#include <cstdint>

namespace whereof::document {

enum class Frame : std::uint8_t {
  progress = 'P',
  recognition = 'R',
  failure = 'E',
  document = 'D',
  image = 'I'
};

constexpr std::size_t kFrameHeaderBytes = 9;
constexpr std::size_t kImageHeaderBytes = 12;

// The worker's descriptors; it closes all others.
constexpr int kWorkerFile = 3;
constexpr int kWorkerPipe = 4;

// Its arguments, in this order, after the program's name. Numbers are decimal.
enum WorkerArgument {
  kArgumentType = 1,   // DocumentType as a number
  kArgumentName,       // the file's name, for messages
  kArgumentPdfium,     // path of the library; empty for other types
  kArgumentTesseract,  // path of the program; empty: pages without text are not recognised
  kArgumentFileBytes,
  kArgumentPages,
  kArgumentCharacters,
  kArgumentInflatedBytes,
  kArgumentMemoryBytes,
  kArgumentCpuSeconds,
  kArgumentRecognitionPageSeconds,
  kArgumentRecognitionSeconds,
  kArgumentImagePage,  // 0: the document is read; else this page, counted from 1, is rendered
  kArgumentImageDots,  // an inch
  kWorkerArguments
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_WORKER_CHANNEL_H_
