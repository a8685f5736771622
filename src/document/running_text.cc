#include "document/running_text.h"

#include <algorithm>

#include "document/clause_wording.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

bool is_content(LineKind kind) {
  return kind == LineKind::body || kind == LineKind::table || kind == LineKind::footnote;
}

}  // namespace

RunningText::RunningText(const Document& document) {
  const auto size = static_cast<std::int64_t>(document.text.size());
  text_.reserve(document.text.size());
  std::int64_t previous_end = 0;
  for (const Line& line : document.lines) {
    const std::int64_t begin = std::clamp<std::int64_t>(line.text.begin, previous_end, size);
    const std::int64_t end = std::clamp<std::int64_t>(line.text.end, begin, size);
    previous_end = end;
    if (!is_content(line.kind)) continue;
    const std::string_view whole = document.slice({begin, end});
    const std::string_view content = trim(whole);
    if (content.empty()) continue;
    const std::int64_t source = begin + (content.data() - whole.data());
    if (!text_.empty()) {
      const bool is_solid =
          !line.starts_paragraph &&
          text::joins_without_blank(text::decode_before(text_, text_.size()).value,
                                    text::decode_at(content, 0).value);
      if (!is_solid) add(line.starts_paragraph ? "\n" : " ", std::max<std::int64_t>(source - 1, 0));
    }
    add_line(content, source);
  }
}

void RunningText::add(std::string_view bytes, std::int64_t source) {
  if (bytes.empty()) return;
  const auto expected =
      runs_.empty()
          ? -1
          : runs_.back().source + static_cast<std::int64_t>(text_.size() - runs_.back().begin);
  if (source != expected) runs_.push_back({text_.size(), source});
  text_ += bytes;
}

void RunningText::add_line(std::string_view line, std::int64_t source) {
  std::size_t begin = 0;  // of what is not copied yet
  for (std::size_t n = 0; n < line.size();) {
    std::size_t bytes = 0;
    if (!is_space_at(line, n, bytes)) {
      ++n;
      continue;
    }
    std::size_t end = n;
    bool has_tab = false;
    while (is_space_at(line, end, bytes)) {
      has_tab = has_tab || line[end] == '\t';
      end += bytes;
    }
    add(line.substr(begin, n - begin), source + static_cast<std::int64_t>(begin));
    add(has_tab ? "\t" : " ", source + static_cast<std::int64_t>(n));
    begin = n = end;
  }
  add(line.substr(begin), source + static_cast<std::int64_t>(begin));
}

std::int64_t RunningText::source(std::size_t at) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), at,
                                      [](std::size_t a, const Run& run) { return a < run.begin; });
  if (after == runs_.begin()) return 0;
  const Run& run = *(after - 1);
  return run.source + static_cast<std::int64_t>(at - run.begin);
}

Span RunningText::source(std::size_t begin, std::size_t end) const {
  return {source(begin), source(end - 1) + 1};
}

std::size_t RunningText::place_of(std::int64_t source_byte) const {
  const auto after =
      std::upper_bound(runs_.begin(), runs_.end(), source_byte,
                       [](std::int64_t byte, const Run& run) { return byte < run.source; });
  if (after == runs_.begin()) return 0;
  const Run& run = *(after - 1);
  const std::size_t stop = after == runs_.end() ? text_.size() : after->begin;
  return std::min(stop, run.begin + static_cast<std::size_t>(source_byte - run.source));
}

}  // namespace whereof::document
