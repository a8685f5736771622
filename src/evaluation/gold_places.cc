// Gold spans of a text file, found again in the same contract as a PDF.
//
// Both texts are brought to their letters and digits, in which a gold span is looked for whole, the
// nearest place to where it stands in the text file first. Lines that stand at the edge of pages
// are left out, then, where that fails, kept.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/ascii_case.h"
#include "text/utf8.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

struct Letters {
  std::string text;
  std::vector<std::int64_t> bytes;  // of Document::text, of each byte
};

bool is_letter(char32_t value) {
  if (value < 0x80) {
    return (value >= '0' && value <= '9') || ((value | 0x20U) >= 'a' && (value | 0x20U) <= 'z');
  }
  return value > 0xBF && !(value >= 0x2000 && value <= 0x206F) && value != 0x3000;
}

Letters letters_of(const Document& document, bool with_page_edges) {
  Letters letters;
  for (const Line& line : document.lines) {
    const bool is_edge = line.kind == LineKind::header || line.kind == LineKind::footer ||
                         line.kind == LineKind::page_number;
    if (is_edge && !with_page_edges) continue;
    for (std::int64_t at = line.text.begin; at < line.text.end;) {
      const text::CodePoint point = text::decode_at(document.text, static_cast<std::size_t>(at));
      if (point.value < 0x80) {
        if (is_letter(point.value))
          letters.text.push_back(text::ascii_lower(static_cast<char>(point.value)));
      } else if (is_letter(point.value)) {
        letters.text.append(document.text, static_cast<std::size_t>(at),
                            static_cast<std::size_t>(point.bytes));
      }
      letters.bytes.resize(letters.text.size(), at);
      at += point.bytes;
    }
  }
  return letters;
}

// The letters whose source lies in the span of code points.
std::string_view part_of(const Letters& letters, const Document& document, Span code_points) {
  const auto place = [&](std::int64_t code_point) {
    std::size_t low = 0;
    std::size_t high = letters.bytes.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (document.source_code_point(letters.bytes[middle]).value_or(0) < code_point) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  const std::size_t begin = place(code_points.begin);
  return std::string_view(letters.text).substr(begin, place(code_points.end) - begin);
}

Span found_in(const Letters& letters, std::string_view wanted, double where) {
  if (wanted.empty()) return {};
  const auto expected = static_cast<std::size_t>(where * static_cast<double>(letters.text.size()));
  const std::size_t after = letters.text.find(wanted, expected);
  const std::size_t before = letters.text.rfind(wanted, expected);
  std::size_t at = after;
  const bool has_before = before != std::string::npos;
  if (has_before && (after == std::string::npos || expected - before < after - expected)) {
    at = before;
  }
  if (at == std::string::npos) return {};
  return {letters.bytes[at], letters.bytes[at + wanted.size() - 1] + 1};
}

}  // namespace

std::int64_t place_gold(QuestionSet& set, std::int32_t document, const Document& text_file,
                        const Document& pdf) {
  const Letters from = letters_of(text_file, true);
  const Letters body = letters_of(pdf, false);
  const Letters all = letters_of(pdf, true);
  std::int64_t unplaced = 0;
  const auto place = [&](std::vector<Span>& spans) {
    std::vector<Span> placed;
    for (const Span& span : spans) {
      const std::string_view wanted = part_of(from, text_file, span);
      const double where = from.text.empty() || wanted.empty()
                               ? 0
                               : static_cast<double>(wanted.data() - from.text.data()) /
                                     static_cast<double>(from.text.size());
      Span found = found_in(body, wanted, where);
      if (found.is_empty()) found = found_in(all, wanted, where);
      if (found.is_empty()) {
        ++unplaced;
      } else {
        placed.push_back(found);
      }
    }
    spans = std::move(placed);
  };
  for (GoldQuestion& question : set.questions) {
    if (question.document != document) continue;
    place(question.gold);
    place(question.needed);
  }
  return unplaced;
}

}  // namespace whereof
