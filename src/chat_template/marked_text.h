// Text of which each byte is known to be the template's or not.
//
// Only what the template itself writes may become special tokens. The mark goes wherever the text
// goes: a slice of a message, trimmed and joined to the template's words, is still the message's.
#ifndef WHEREOF_CHAT_TEMPLATE_MARKED_TEXT_H_
#define WHEREOF_CHAT_TEMPLATE_MARKED_TEXT_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whereof::chat_template {

struct Run {
  std::size_t end = 0;  // the run begins where the one before ends
  bool is_template = false;
};

class MarkedText {
 public:
  MarkedText() = default;
  MarkedText(std::string_view bytes, bool is_template) { append(bytes, is_template); }

  void append(std::string_view bytes, bool is_template);
  // Bytes begin .. end - 1 of the other, with their marks. end <= its size.
  void append(const MarkedText& other, std::size_t begin, std::size_t end);
  void append(const MarkedText& other) { append(other, 0, other.size()); }

  MarkedText slice(std::size_t begin, std::size_t end) const;
  bool is_template_at(std::size_t at) const noexcept;  // at < size()

  std::string_view bytes() const noexcept { return bytes_; }
  std::size_t size() const noexcept { return bytes_.size(); }
  // Neighbours differ; none is empty; the last ends at size().
  std::span<const Run> runs() const noexcept { return runs_; }

 private:
  std::size_t run_at(std::size_t at) const noexcept;

  std::string bytes_;
  std::vector<Run> runs_;
};

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_MARKED_TEXT_H_
