#include "chat_template/marked_text.h"

#include <algorithm>

namespace whereof::chat_template {

void MarkedText::append(std::string_view bytes, bool is_template) {
  if (bytes.empty()) return;
  bytes_.append(bytes);
  if (runs_.empty() || runs_.back().is_template != is_template) {
    runs_.push_back({bytes_.size(), is_template});
  } else {
    runs_.back().end = bytes_.size();
  }
}

std::size_t MarkedText::run_at(std::size_t at) const noexcept {
  const auto run = std::upper_bound(runs_.begin(), runs_.end(), at,
                                    [](std::size_t place, const Run& r) { return place < r.end; });
  return static_cast<std::size_t>(run - runs_.begin());
}

bool MarkedText::is_template_at(std::size_t at) const noexcept {
  return runs_[run_at(at)].is_template;
}

void MarkedText::append(const MarkedText& other, std::size_t begin, std::size_t end) {
  for (std::size_t run = begin < end ? other.run_at(begin) : 0; begin < end; ++run) {
    const std::size_t run_end = std::min(end, other.runs_[run].end);
    append(other.bytes().substr(begin, run_end - begin), other.runs_[run].is_template);
    begin = run_end;
  }
}

MarkedText MarkedText::slice(std::size_t begin, std::size_t end) const {
  MarkedText part;
  part.append(*this, begin, end);
  return part;
}

}  // namespace whereof::chat_template
