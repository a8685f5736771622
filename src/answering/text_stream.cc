#include "answering/text_stream.h"

#include <algorithm>

#include "text/utf8.h"

namespace whereof::answering {

TextStream::TextStream(std::function<void(std::string_view)> callback)
    : callback_(std::move(callback)) {}

void TextStream::append(std::string_view bytes) {
  text_ += bytes;
  if (!callback_) return;
  std::size_t end = text_.size();  // of the last code point that is complete
  for (std::size_t back = 1; back <= 3 && back <= text_.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text_[text_.size() - back]);
    if ((byte & 0xC0U) == 0x80U) continue;
    const std::size_t wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    if (wanted > back) end = text_.size() - back;
    break;
  }
  if (end <= sent_) return;
  callback_(std::string_view(text_).substr(sent_, end - sent_));
  sent_ = end;
}

std::string TextStream::whole_text() const {
  std::string whole;
  for (std::size_t at = 0; at < text_.size();) {
    const text::CodePoint point = text::decode_at(text_, at);
    const bool is_cut = std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                    text_.end(), [](char c) { return (c & 0xC0) == 0x80; });
    if (!point.is_valid && is_cut) break;
    text::append(whole, point.value);
    at += static_cast<std::size_t>(point.bytes);
  }
  return whole;
}

}  // namespace whereof::answering
