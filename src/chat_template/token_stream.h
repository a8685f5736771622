// Tokens one after the other, and the depth that the parser is in.
#ifndef WHEREOF_CHAT_TEMPLATE_TOKEN_STREAM_H_
#define WHEREOF_CHAT_TEMPLATE_TOKEN_STREAM_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "chat_template/lexer.h"
#include "chat_template/limits.h"
#include "text/in_quotes.h"

namespace whereof::chat_template {

class TokenStream {
 public:
  // The last token is the end; line follows the reading.
  TokenStream(std::vector<Token> tokens, std::int64_t max_depth, int& line)
      : tokens_(std::move(tokens)), max_depth_(max_depth), line_(line) {
    line_ = tokens_.front().line;
  }

  const Token& current() const { return tokens_[at_]; }
  const Token& following() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  int line() const { return current().line; }

  bool sees(TokenKind kind) const { return current().kind == kind; }
  bool sees_mark(std::string_view mark) const { return is(current(), TokenKind::mark, mark); }
  bool sees_word(std::string_view word) const { return is(current(), TokenKind::name, word); }
  bool is_followed_by_word(std::string_view word) const {
    return is(following(), TokenKind::name, word);
  }

  Token next() {
    Token token = current();
    if (at_ + 1 < tokens_.size()) ++at_;
    line_ = current().line;
    return token;
  }
  bool skip_mark(std::string_view mark) { return sees_mark(mark) && (next(), true); }
  bool skip_word(std::string_view word) { return sees_word(word) && (next(), true); }

  void expect_mark(std::string_view mark) {
    if (!skip_mark(mark)) unexpected(text::in_quotes(mark));
  }
  void expect_word(std::string_view word) {
    if (!skip_word(word)) unexpected(text::in_quotes(word));
  }
  void expect(TokenKind kind, std::string_view wanted) {
    if (!sees(kind)) unexpected(std::string(wanted));
    next();
  }
  std::string expect_name() {
    if (!sees(TokenKind::name)) unexpected("a name");
    return next().text;
  }

  [[noreturn]] void unexpected(const std::string& wanted) const {
    fail("unexpected " + text::in_quotes(current().text) + ", wanted " + wanted);
  }

  void enter() {
    if (++depth_ > max_depth_) {
      refuse("blocks and brackets lie over " + std::to_string(max_depth_) + " deep");
    }
  }
  void leave() { --depth_; }

 private:
  static bool is(const Token& token, TokenKind kind, std::string_view text) {
    return token.kind == kind && token.text == text;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::int64_t depth_ = 0;
  std::int64_t max_depth_;
  int& line_;
};

class Nesting {
 public:
  explicit Nesting(TokenStream& tokens) : tokens_(tokens) { tokens_.enter(); }
  ~Nesting() { tokens_.leave(); }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  TokenStream& tokens_;
};

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_TOKEN_STREAM_H_
