#include "chat_template/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "chat_template/limits.h"
#include "chat_template/string_literal.h"
#include "chat_template/white_space.h"
#include "text/in_quotes.h"
#include "text/utf8.h"

namespace whereof::chat_template {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_begin(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Line ends as "\n", without the last one.
std::string normalised(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  for (std::size_t at = 0; at < source.size(); ++at) {
    if (source[at] != '\r') {
      text += source[at];
      continue;
    }
    text += '\n';
    if (at + 1 < source.size() && source[at + 1] == '\n') ++at;
  }
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

class Lexer {
 public:
  Lexer(std::string_view source, int& line) : source_(source), line_(line) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) read_data();
    add(TokenKind::end, "the template's end");
    return std::move(tokens_);
  }

 private:
  std::string_view rest() const { return source_.substr(at_); }
  bool sees(std::string_view text) const { return rest().starts_with(text); }

  void advance(std::size_t bytes) {
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(at_ + bytes),
                                         '\n'));
    at_ += bytes;
  }

  Token& add(TokenKind kind, std::string_view text) {
    return tokens_.emplace_back(Token{kind, line_, std::string(text), 0, 0});
  }

  void add_data(std::string_view text) {
    if (!text.empty()) add(TokenKind::data, text);
  }

  std::size_t find_tag() const {
    std::size_t at = source_.find('{', at_);
    while (at != std::string_view::npos && at + 1 < source_.size()) {
      const char next = source_[at + 1];
      if (next == '{' || next == '%' || next == '#') return at;
      at = source_.find('{', at + 1);
    }
    return std::string_view::npos;
  }

  // Data before a tag without what the tag's sign (-, + or none) and its line take from its end.
  std::string_view stripped(std::string_view data, char sign, bool is_print) const {
    if (sign == '-') return data.substr(0, end_without_white_space(data));
    if (sign == '+' || is_print) return data;
    const std::size_t line_begin = data.rfind('\n') + 1;  // npos + 1 is 0
    if (line_begin == 0 && !starts_line_) return data;
    if (skip_white_space(data, line_begin) != data.size()) return data;
    return data.substr(0, line_begin);
  }

  char sign_at(std::size_t at) const {
    const bool is_sign = at < source_.size() && (source_[at] == '-' || source_[at] == '+');
    return is_sign ? source_[at] : '\0';
  }

  void read_data() {
    const std::size_t tag = find_tag();
    if (tag == std::string_view::npos) {
      add_data(rest());
      advance(rest().size());
      return;
    }
    const std::string_view data = source_.substr(at_, tag - at_);
    const char kind = source_[tag + 1];
    const char sign = sign_at(tag + 2);
    add_data(stripped(data, sign, kind == '{'));
    advance(tag - at_);
    if (kind == '#') {
      read_comment();
    } else if (kind == '%' && raw_begin_bytes() != 0) {
      read_raw();
    } else {
      read_tag(kind == '{', sign);
    }
  }

  // Passes the rest of a tag's end, which begins after its sign; blanks and line ends that it
  // takes.
  void pass_end(std::string_view end, char sign, bool takes_line_end) {
    advance(end.size());
    if (sign == '-') {
      advance(skip_white_space(source_, at_) - at_);
    } else if (sign != '+' && takes_line_end && sees("\n")) {
      advance(1);
    }
    starts_line_ = source_[at_ - 1] == '\n';
  }

  void read_comment() {
    const std::size_t begin = at_ + (sign_at(at_ + 2) != '\0' ? 3 : 2);
    const std::size_t end = source_.find("#}", begin);
    if (end == std::string_view::npos) fail("a comment does not end");
    const char sign = end > begin ? sign_at(end - 1) : '\0';
    advance(end - at_);
    pass_end("#}", sign, true);
  }

  // Bytes of a {% raw %} up to its "%}" or "-%}"; 0 if there is none here.
  std::size_t raw_begin_bytes() const { return bytes_before_end("raw", at_); }

  // Bytes from a block's begin to its end mark or that mark's sign if it says nothing but the word.
  std::size_t bytes_before_end(std::string_view word, std::size_t begin) const {
    std::size_t at = begin + 2;
    if (sign_at(at) != '\0') ++at;
    at = skip_white_space(source_, at);
    if (!source_.substr(at).starts_with(word)) return 0;
    at = skip_white_space(source_, at + word.size());
    const std::size_t end = at + (sign_at(at) != '\0' ? 1 : 0);
    return source_.substr(end).starts_with("%}") ? at - begin : 0;
  }

  void read_raw() {
    advance(raw_begin_bytes());
    const char begin_sign = sign_at(at_);
    if (begin_sign != '\0') advance(1);
    pass_end("%}", begin_sign, false);
    for (std::size_t tag = source_.find("{%", at_); tag != std::string_view::npos;
         tag = source_.find("{%", tag + 2)) {
      const std::size_t bytes = bytes_before_end("endraw", tag);
      if (bytes == 0) continue;
      add_data(stripped(source_.substr(at_, tag - at_), sign_at(tag + 2), false));
      advance(tag + bytes - at_);
      const char sign = sign_at(at_);
      if (sign != '\0') advance(1);
      pass_end("%}", sign, true);
      return;
    }
    fail("{% raw %} without {% endraw %}");
  }

  void read_tag(bool is_print, char sign) {
    add(is_print ? TokenKind::print_begin : TokenKind::block_begin, is_print ? "{{" : "{%");
    advance(sign == '\0' ? 2 : 3);
    const std::string_view end = is_print ? "}}" : "%}";
    brackets_.clear();
    while (true) {
      advance(skip_white_space(source_, at_) - at_);
      if (at_ == source_.size()) fail("a tag does not end");
      if (brackets_.empty()) {
        const char end_sign = sign_at(at_);
        const bool has_sign = end_sign == '-' || (end_sign == '+' && !is_print);
        if (source_.substr(at_ + (has_sign ? 1 : 0)).starts_with(end)) {
          add(is_print ? TokenKind::print_end : TokenKind::block_end, end);
          if (has_sign) advance(1);
          pass_end(end, has_sign ? end_sign : '\0', !is_print);
          return;
        }
      }
      read_token();
    }
  }

  void read_token() {
    const char c = source_[at_];
    if (c == '\'' || c == '"') {
      read_string(c);
    } else if (is_digit(c)) {
      read_number();
    } else if (is_name_begin(c)) {
      read_name();
    } else {
      read_mark();
    }
  }

  void read_string(char quote) {
    std::size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size()) fail("a string does not end");
    add(TokenKind::string, unescaped(source_.substr(at_ + 1, end - at_ - 1)));
    advance(end + 1 - at_);
  }

  void read_name() {
    std::size_t end = at_;
    while (end < source_.size() && (is_name_begin(source_[end]) || is_digit(source_[end]))) {
      const text::CodePoint point = text::decode_at(source_, end);
      if (!point.is_valid || is_white_space(point.value)) break;
      end += static_cast<std::size_t>(point.bytes);
    }
    if (end == at_) fail("unexpected " + text::in_quotes(source_.substr(at_, 4)));
    add(TokenKind::name, source_.substr(at_, end - at_));
    advance(end - at_);
  }

  std::size_t end_of_digits(std::size_t at) const {
    while (at < source_.size() &&
           (is_digit(source_[at]) ||
            (source_[at] == '_' && at + 1 < source_.size() && is_digit(source_[at + 1])))) {
      ++at;
    }
    return at;
  }

  bool has_digit_at(std::size_t at) const { return at < source_.size() && is_digit(source_[at]); }

  void read_number() {
    std::size_t end = end_of_digits(at_);
    bool is_real = false;
    // The 1 of "x.0.1" belongs to the chain of dots, not to a float.
    const bool follows_dot = at_ > 0 && source_[at_ - 1] == '.';
    if (!follows_dot && end < source_.size() && source_[end] == '.' && has_digit_at(end + 1)) {
      end = end_of_digits(end + 1);
      is_real = true;
    }
    if (!follows_dot && end < source_.size() && (source_[end] == 'e' || source_[end] == 'E')) {
      const std::size_t digits = end + (sign_at(end + 1) != '\0' ? 2 : 1);
      if (has_digit_at(digits)) {
        end = end_of_digits(digits);
        is_real = true;
      }
    }
    std::string digits(source_.substr(at_, end - at_));
    std::erase(digits, '_');
    Token& token = add(is_real ? TokenKind::real : TokenKind::integer, digits);
    const char* last = digits.data() + digits.size();
    const std::errc result = is_real ? std::from_chars(digits.data(), last, token.real).ec
                                     : std::from_chars(digits.data(), last, token.integer).ec;
    if (result != std::errc()) refuse("the number " + text::in_quotes(digits) + " is too large");
    advance(end - at_);
  }

  void read_mark() {
    constexpr std::array<std::string_view, 26> kMarks = {
        "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "(",
        ")",  "[",  "]",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ",", ";"};
    const auto mark = std::find_if(kMarks.begin(), kMarks.end(),
                                   [this](std::string_view text) { return sees(text); });
    if (mark == kMarks.end()) fail("unexpected " + text::in_quotes(rest().substr(0, 1)));
    balance(mark->front());
    add(TokenKind::mark, *mark);
    advance(mark->size());
  }

  void balance(char mark) {
    if (mark == '(' || mark == '[' || mark == '{') {
      brackets_ += mark == '(' ? ')' : mark == '[' ? ']' : '}';
    } else if (mark == ')' || mark == ']' || mark == '}') {
      if (brackets_.empty() || brackets_.back() != mark) {
        fail("unexpected " + text::in_quotes(rest().substr(0, 1)));
      }
      brackets_.pop_back();
    }
  }

  std::string_view source_;
  int& line_;
  std::size_t at_ = 0;
  bool starts_line_ = true;  // whether the tag before ended a line
  std::string brackets_;     // those that are open want these, the last first
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source, int& line) {
  const std::string text = normalised(source);
  line = 1;
  return Lexer(text, line).run();
}

}  // namespace whereof::chat_template
