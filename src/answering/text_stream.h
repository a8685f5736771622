// The text of an answer as its tokens come.
#ifndef WHEREOF_ANSWERING_TEXT_STREAM_H_
#define WHEREOF_ANSWERING_TEXT_STREAM_H_

#include <functional>
#include <string>
#include <string_view>

namespace whereof::answering {

// Gives text to a callback in whole UTF-8 characters; the callback may be empty.
class TextStream {
 public:
  explicit TextStream(std::function<void(std::string_view)> callback);

  void append(std::string_view bytes);
  // What the callback was given, all together. Valid UTF-8: an answer that was cut inside a
  // character ends before it, and what a model wrote of other invalid bytes is replaced.
  const std::string& whole_text() const noexcept { return whole_; }

 private:
  std::function<void(std::string_view)> callback_;
  std::string open_;  // bytes that may be the begin of a character
  std::string whole_;
};

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_TEXT_STREAM_H_
