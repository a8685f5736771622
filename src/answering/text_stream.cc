#include "answering/text_stream.h"

#include <utility>

#include "text/utf8.h"

namespace whereof::answering {
namespace {

// Of bytes that more may follow, those that are whole characters or none at all.
std::size_t end_of_whole(std::string_view bytes) noexcept {
  for (std::size_t back = 1; back <= 3 && back <= bytes.size(); ++back) {
    const auto byte = static_cast<unsigned char>(bytes[bytes.size() - back]);
    if ((byte & 0xC0U) == 0x80U) continue;
    const std::size_t wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
    return wanted > back ? bytes.size() - back : bytes.size();
  }
  return bytes.size();
}

}  // namespace

TextStream::TextStream(std::function<void(std::string_view)> callback)
    : callback_(std::move(callback)) {}

void TextStream::append(std::string_view bytes) {
  open_ += bytes;
  const std::size_t end = end_of_whole(open_);
  if (end == 0) return;
  const std::size_t given = whole_.size();
  for (std::size_t at = 0; at < end;) {
    const text::CodePoint point = text::decode_at(open_, at);
    text::append(whole_, point.value);
    at += static_cast<std::size_t>(point.bytes);
  }
  open_.erase(0, end);
  if (callback_) callback_(std::string_view(whole_).substr(given));
}

}  // namespace whereof::answering
