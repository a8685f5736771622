// tesseract beside the reader of untrusted files.
//
// The reader may start no process (sandbox.h), so one is started before it gives that right up: it
// holds neither the document nor the pipe to the parent, takes pictures from the reader over a
// socket, runs tesseract on each in a process with limits of its own (memory, computing time, no
// network, no file but for reading, no process of its own), and hands back what tesseract wrote.
// It dies with the reader, and tesseract with it.
#ifndef WHEREOF_DOCUMENT_RECOGNITION_PROCESS_H_
#define WHEREOF_DOCUMENT_RECOGNITION_PROCESS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "document/readers/text_recognition.h"

namespace whereof::document {

class RecognitionProcess : public TextRecognizer {
 public:
  struct Limits {
    std::int64_t memory_bytes = 0;
    int page_seconds = 0;  // computing time, and time on the clock
    int all_seconds = 0;   // on the clock, from the first picture; later requests give nothing
  };

  // Starts the process. Call before the sandbox closes; about_to_wait is called before each
  // request. Without a process (the system has none left) every request gives nothing.
  RecognitionProcess(std::string tesseract, Limits limits, std::function<void()> about_to_wait);
  // The process ends when its socket closes.
  ~RecognitionProcess() override;
  RecognitionProcess(const RecognitionProcess&) = delete;
  RecognitionProcess& operator=(const RecognitionProcess&) = delete;

  std::optional<std::string> ask(RecognitionRequest request, std::string_view picture) override;

 private:
  Limits limits_;
  std::function<void()> about_to_wait_;
  int socket_ = -1;
  std::int64_t deadline_ms_ = 0;  // 0: not begun
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_RECOGNITION_PROCESS_H_
