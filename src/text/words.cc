#include "text/words.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <optional>

#include "text/chinese_number.h"
#include "text/utf8.h"

namespace whereof::text {
namespace {

constexpr std::size_t kLongestBracketBytes = 8;

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

bool is_digit(char32_t c) {
  return c < 0x80 ? c >= '0' && c <= '9' : u_isdigit(static_cast<UChar32>(c)) != 0;
}

// Scripts without blanks between words.
bool is_ideograph(char32_t c) {
  if (c < 0x0E00) return false;
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(static_cast<UChar32>(c), &status)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
    case USCRIPT_THAI:
      return U_SUCCESS(status) && u_isalnum(static_cast<UChar32>(c)) != 0;
    default:
      return c == U'〇';
  }
}

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return u_isalpha(static_cast<UChar32>(c)) != 0 && !is_ideograph(c);
}

bool is_mark(char32_t c) {
  if (c < 0x300) return false;
  const int type = u_charType(static_cast<UChar32>(c));
  return type == U_NON_SPACING_MARK || type == U_COMBINING_SPACING_MARK;
}

bool is_apostrophe(char32_t c) { return c == '\'' || c == 0x2019; }

}  // namespace

bool WordScanner::next(Word& word) {
  while (at_ < text_.size()) {
    const CodePoint point = decode_at(text_, at_);
    if (is_digit(point.value)) return scan_number(word);
    if (is_letter(point.value)) return scan_letters(word);
    const std::size_t end = at_ + static_cast<std::size_t>(point.bytes);
    if (is_ideograph(point.value)) {
      const auto begin = static_cast<std::int64_t>(at_);
      if (point.value == U'第' && at_ >= labelled_to_) {
        const std::size_t label_end = end_of_chinese_label(end);
        if (label_end != 0) {
          labelled_to_ = label_end;
          word = {{begin, static_cast<std::int64_t>(label_end)}, WordKind::chinese_label};
          return true;
        }
      }
      word = {{begin, static_cast<std::int64_t>(end)}, WordKind::ideograph};
      at_ = end;
      return true;
    }
    at_ = end;
  }
  return false;
}

bool WordScanner::scan_letters(Word& word) {
  const std::size_t begin = at_;
  at_ = end_of_alphanumerics(at_);
  word = {{static_cast<std::int64_t>(begin), static_cast<std::int64_t>(at_)}, WordKind::letters};
  // A possessive's or a contraction's tail is dropped with its apostrophe.
  if (at_ < text_.size()) {
    const CodePoint point = decode_at(text_, at_);
    const std::size_t tail = at_ + static_cast<std::size_t>(point.bytes);
    if (is_apostrophe(point.value) && tail < text_.size()) {
      const std::size_t end = end_of_alphanumerics(tail);
      if (end > tail && end - tail <= 2) at_ = end;
    }
  }
  return true;
}

bool WordScanner::scan_number(Word& word) {
  const std::size_t begin = at_;
  at_ = end_of_alphanumerics(at_);
  while (at_ + 1 < text_.size() && (text_[at_] == '.' || text_[at_] == ',') &&
         is_ascii_digit(text_[at_ + 1])) {
    at_ = end_of_alphanumerics(at_ + 1);
  }
  const std::size_t end = end_of_brackets(at_);
  word.kind = end > at_ ? WordKind::label : WordKind::number;
  word.bytes = {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)};
  at_ = end;
  return true;
}

std::size_t WordScanner::end_of_alphanumerics(std::size_t at) const {
  while (at < text_.size()) {
    const CodePoint point = decode_at(text_, at);
    if (!is_letter(point.value) && !is_digit(point.value) && !is_mark(point.value)) break;
    at += static_cast<std::size_t>(point.bytes);
  }
  return at;
}

// "(a)(iv)" right behind a number belongs to its label.
std::size_t WordScanner::end_of_brackets(std::size_t at) const {
  while (at < text_.size() && text_[at] == '(') {
    std::size_t inner = at + 1;
    while (inner < text_.size() && inner - at <= kLongestBracketBytes &&
           (is_ascii_digit(text_[inner]) || is_letter(static_cast<unsigned char>(text_[inner])))) {
      ++inner;
    }
    if (inner == at + 1 || inner >= text_.size() || text_[inner] != ')') break;
    at = inner + 1;
  }
  return at;
}

// at: behind 第. 0 where no label is there.
std::size_t WordScanner::end_of_chinese_label(std::size_t at) const {
  const std::optional<ChineseNumber> number = chinese_number(text_.substr(at, 64));
  if (!number) return 0;
  at += number->bytes;
  while (at + 1 < text_.size() && text_[at] == '.' && is_ascii_digit(text_[at + 1])) {
    for (++at; at < text_.size() && is_ascii_digit(text_[at]);) ++at;
  }
  if (at >= text_.size()) return 0;
  const CodePoint unit = decode_at(text_, at);
  constexpr std::u32string_view kUnits = U"条款项目章节编";
  if (kUnits.find(unit.value) == std::u32string_view::npos) return 0;
  return at + static_cast<std::size_t>(unit.bytes);
}

}  // namespace whereof::text
