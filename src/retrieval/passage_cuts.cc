// A text of n characters needs at least k = ceil(n / max) pieces. Each cut looks for the strongest
// break in a window around n / k characters from the piece's start, so that no short rest is left
// over at the end; of equally strong breaks the one nearest to n / k wins.
#include "retrieval/passage_cuts.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "text/sentences.h"
#include "text/utf8.h"

namespace whereof::retrieval {
namespace {

enum Strength : std::int8_t { kNone, kBlank, kComma, kSentence, kParagraph };

struct Break {
  std::int64_t byte = 0;       // the next piece begins here or at the next character that is no
                               // blank
  std::int64_t character = 0;  // code points before it
  Strength strength = kNone;
};

bool is_blank(char32_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0x3000; }

bool is_comma(char32_t c) {
  switch (c) {
    case ',':
    case ';':
    case ':':
    case 0xFF0C:
    case 0xFF1B:
    case 0xFF1A:
    case 0x3001:
      return true;
    default:
      return false;
  }
}

// Every code point's begin as a possible break, with its strength.
std::vector<Break> find_breaks(std::string_view text, const std::vector<std::int64_t>& paragraphs) {
  const std::vector<Span> sentences = text::sentences(text);
  std::vector<Break> breaks;
  breaks.reserve(text.size() / 2);
  auto sentence = sentences.begin();
  auto paragraph = paragraphs.begin();
  std::int64_t character = 0;
  char32_t before = 0;
  for (std::size_t at = 0; at < text.size(); ++character) {
    const auto byte = static_cast<std::int64_t>(at);
    const text::CodePoint point = text::decode_at(text, at);
    while (sentence != sentences.end() && sentence->begin < byte) ++sentence;
    while (paragraph != paragraphs.end() && *paragraph < byte) ++paragraph;
    Strength strength = kNone;
    if (paragraph != paragraphs.end() && *paragraph == byte) {
      strength = kParagraph;
    } else if (sentence != sentences.end() && sentence->begin == byte) {
      strength = kSentence;
    } else if (is_blank(before) && !is_blank(point.value)) {
      strength = kBlank;
    } else if (is_comma(before) && !is_blank(point.value) && before > 0x7F) {
      strength = kComma;
    }
    if (strength == kBlank && at >= 2 && is_comma(static_cast<unsigned char>(text[at - 2]))) {
      strength = kComma;
    }
    breaks.push_back({byte, character, strength});
    before = point.value;
    at += static_cast<std::size_t>(point.bytes);
  }
  breaks.push_back({static_cast<std::int64_t>(text.size()), character, kParagraph});
  return breaks;
}

// Index of the break that ends the piece which begins at breaks[begin].
std::size_t choose_end(const std::vector<Break>& breaks, std::size_t begin,
                       std::int64_t max_characters) {
  const std::size_t last = breaks.size() - 1;
  const auto rest = static_cast<std::int64_t>(last - begin);
  if (rest <= max_characters) return last;
  const std::int64_t pieces = (rest + max_characters - 1) / max_characters;
  const std::int64_t target = (rest + pieces - 1) / pieces;
  const std::int64_t nearest = std::max<std::int64_t>(1, target / 2);
  std::size_t best = begin + static_cast<std::size_t>(target);
  for (std::int64_t length = nearest; length <= max_characters; ++length) {
    const std::size_t at = begin + static_cast<std::size_t>(length);
    const bool is_stronger = breaks[at].strength > breaks[best].strength;
    const bool is_closer =
        breaks[at].strength == breaks[best].strength &&
        std::abs(length - target) < std::abs(static_cast<std::int64_t>(best - begin) - target);
    if (is_stronger || is_closer) best = at;
  }
  return best;
}

Span trimmed(std::string_view text, std::int64_t begin, std::int64_t end) {
  while (begin < end) {
    const text::CodePoint point = text::decode_at(text, static_cast<std::size_t>(begin));
    if (!is_blank(point.value)) break;
    begin += point.bytes;
  }
  while (end > begin && is_blank(static_cast<unsigned char>(text[end - 1]))) --end;
  return {begin, end};
}

}  // namespace

std::vector<Span> cut_text(std::string_view text, const std::vector<std::int64_t>& paragraph_begins,
                           std::int64_t max_characters) {
  const std::vector<Break> breaks = find_breaks(text, paragraph_begins);
  std::vector<Span> spans;
  for (std::size_t begin = 0; begin + 1 < breaks.size();) {
    const std::size_t end = choose_end(breaks, begin, max_characters);
    const Span span = trimmed(text, breaks[begin].byte, breaks[end].byte);
    if (!span.is_empty()) spans.push_back(span);
    begin = end;
  }
  return spans;
}

}  // namespace whereof::retrieval
