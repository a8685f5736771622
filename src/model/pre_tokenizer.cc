#include "model/pre_tokenizer.h"

#include <unicode/uchar.h>

#include <cstdint>

#include "text/utf8.h"

namespace whereof::model {
namespace {

enum class Kind { none, letter, number, space, other };  // none: past the end

bool is_newer_letter(char32_t c) noexcept {
  // CJK extension I, of Unicode 15.1; ICU 72 knows 15.0.
  return c >= 0x2EBF0 && c <= 0x2EE5D;
}

Kind kind_of(char32_t c) noexcept {
  if (c < 0x80) {
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') return Kind::letter;
    if (c >= '0' && c <= '9') return Kind::number;
    return c == ' ' || (c >= '\t' && c <= '\r') ? Kind::space : Kind::other;
  }
  const auto point = static_cast<UChar32>(c);
  const auto category = static_cast<std::uint32_t>(U_GET_GC_MASK(point));
  if ((category & U_GC_L_MASK) != 0 || is_newer_letter(c)) return Kind::letter;
  if ((category & U_GC_N_MASK) != 0) return Kind::number;
  return u_isUWhiteSpace(point) ? Kind::space : Kind::other;
}

// One code point of the text, and its kind.
struct Place {
  std::size_t begin = 0;
  std::size_t end = 0;  // begin of the next one
  char32_t value = 0;
  Kind kind = Kind::none;
};

Place place_at(std::string_view text, std::size_t at) noexcept {
  if (at >= text.size()) return {at, at, 0, Kind::none};
  const text::CodePoint point = text::decode_at(text, at);
  return {at, at + static_cast<std::size_t>(point.bytes), point.value,
          point.is_valid ? kind_of(point.value) : Kind::other};
}

bool is_line_end(char32_t c) noexcept { return c == '\r' || c == '\n'; }

// The end of the run of that kind which begins at `at`; `at` if there is none.
std::size_t end_of_run(std::string_view text, std::size_t at, Kind kind) noexcept {
  Place place = place_at(text, at);
  while (place.kind == kind) place = place_at(text, place.end);
  return place.begin;
}

// The bytes of 's, 't, 're, 've, 'm, 'll or 'd at the front of rest, else 0.
std::size_t contraction_bytes(std::string_view rest, bool ignores_case) noexcept {
  if (rest.size() < 2 || rest[0] != '\'') return 0;
  const auto lower = [&](char c) {
    return ignores_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  };
  const char first = lower(rest[1]);
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return 2;
  if (rest.size() < 3) return 0;
  const char second = lower(rest[2]);
  const bool is_long =
      ((first == 'r' || first == 'v') && second == 'e') || (first == 'l' && second == 'l');
  return is_long ? 3 : 0;
}

// \s+(?!\S)|\s+ : the run without its last code point if a word follows that may take it along.
std::size_t end_of_white_space(std::string_view text, std::size_t begin,
                               bool number_ends_text) noexcept {
  Place place = place_at(text, begin);
  std::size_t last_begin = begin;
  while (place.kind == Kind::space) {
    last_begin = place.begin;
    place = place_at(text, place.end);
  }
  const bool is_at_end =
      place.kind == Kind::none || (number_ends_text && place.kind == Kind::number);
  return is_at_end || last_begin == begin ? place.begin : last_begin;
}

// \s*[\r\n]+ : the place after the last line end of the run; `begin` if it has none.
std::size_t end_of_line_ends(std::string_view text, std::size_t begin) noexcept {
  std::size_t end = begin;
  for (Place place = place_at(text, begin); place.kind == Kind::space;
       place = place_at(text, place.end)) {
    if (is_line_end(place.value)) end = place.end;
  }
  return end;
}

// What qwen2, llama3 and tekken have in common: symbols and white space.
std::size_t end_of_symbols_or_space(std::string_view text, std::size_t begin,
                                    bool takes_slashes) noexcept {
  const std::size_t symbols = text[begin] == ' ' ? begin + 1 : begin;
  std::size_t end = end_of_run(text, symbols, Kind::other);
  if (end > symbols) {
    while (end < text.size() && (is_line_end(static_cast<unsigned char>(text[end])) ||
                                 (takes_slashes && text[end] == '/'))) {
      ++end;
    }
    return end;
  }
  end = end_of_line_ends(text, begin);
  return end > begin ? end : end_of_white_space(text, begin, false);
}

// Where the letters of a word begin: at `begin`, or behind one symbol or space; npos where no
// letter follows.
std::size_t begin_of_letters(std::string_view text, const Place& first) noexcept {
  if (first.kind == Kind::letter) return first.begin;
  const bool may_lead = first.kind != Kind::number && !is_line_end(first.value);
  return may_lead && place_at(text, first.end).kind == Kind::letter ? first.end
                                                                    : std::string_view::npos;
}

std::size_t end_of_qwen2_word(std::string_view text, std::size_t begin, int most_digits) noexcept {
  if (const std::size_t bytes = contraction_bytes(text.substr(begin), true)) return begin + bytes;
  Place place = place_at(text, begin);
  const std::size_t letters = begin_of_letters(text, place);
  if (letters != std::string_view::npos) return end_of_run(text, letters, Kind::letter);
  if (place.kind != Kind::number) return end_of_symbols_or_space(text, begin, false);
  for (int digits = 1; digits < most_digits; ++digits) {
    const Place next = place_at(text, place.end);
    if (next.kind != Kind::number) break;
    place = next;
  }
  return place.end;
}

// U*L+ from here on, else U+: the former gives back letters of U until the next is in L too.
std::size_t end_of_cased_letters(std::string_view text, std::size_t begin) noexcept {
  const auto is_in_u = [](const Place& place) {
    return place.kind == Kind::letter && !(place.value >= 'a' && place.value <= 'z');
  };
  const auto is_in_l = [](const Place& place) {
    return place.kind == Kind::letter && !(place.value >= 'A' && place.value <= 'Z');
  };
  std::size_t end_of_both = begin;  // behind the last letter that is in U and in L
  Place place = place_at(text, begin);
  for (; is_in_u(place); place = place_at(text, place.end)) {
    if (is_in_l(place)) end_of_both = place.end;
  }
  if (!is_in_l(place)) return end_of_both > begin ? end_of_both : place.begin;
  while (is_in_l(place)) place = place_at(text, place.end);
  return place.begin;
}

std::size_t end_of_tekken_word(std::string_view text, std::size_t begin) noexcept {
  const Place first = place_at(text, begin);
  if (first.kind == Kind::number) return first.end;
  const std::size_t letters = begin_of_letters(text, first);
  if (letters != std::string_view::npos) return end_of_cased_letters(text, letters);
  return end_of_symbols_or_space(text, begin, true);
}

std::size_t end_of_smollm_word(std::string_view text, std::size_t begin) noexcept {
  if (const std::size_t bytes = contraction_bytes(text.substr(begin), false)) return begin + bytes;
  const Place first = place_at(text, begin);
  if (first.kind == Kind::number) return first.end;
  const std::size_t word = first.value == ' ' ? first.end : begin;
  for (const Kind kind : {Kind::letter, Kind::other}) {
    const std::size_t end = end_of_run(text, word, kind);
    if (end > word) return end;
  }
  return end_of_white_space(text, begin, true);
}

}  // namespace

std::optional<PreTokenizer> find_pre_tokenizer(std::string_view name) noexcept {
  if (name == "qwen2") return PreTokenizer::qwen2;
  if (name == "smollm") return PreTokenizer::smollm;
  for (const std::string_view known : {"llama-bpe", "llama3", "llama-v3"}) {
    if (name == known) return PreTokenizer::llama3;
  }
  if (name == "tekken") return PreTokenizer::tekken;
  return std::nullopt;
}

bool takes_whole_words(PreTokenizer kind) noexcept {
  return kind == PreTokenizer::llama3 || kind == PreTokenizer::tekken;
}

std::size_t end_of_word(PreTokenizer kind, std::string_view text, std::size_t begin) noexcept {
  switch (kind) {
    case PreTokenizer::qwen2:
      return end_of_qwen2_word(text, begin, 1);
    case PreTokenizer::llama3:
      return end_of_qwen2_word(text, begin, 3);
    case PreTokenizer::tekken:
      return end_of_tekken_word(text, begin);
    case PreTokenizer::smollm:
      break;
  }
  return end_of_smollm_word(text, begin);
}

}  // namespace whereof::model
