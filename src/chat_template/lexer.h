// A template's text as tokens.
//
// The rules are those of Jinja 3.1 (jinja.palletsprojects.com/templates), with trim_blocks (a line
// end after a block or a comment is dropped), lstrip_blocks (blanks between a line's begin and a
// block or a comment are dropped) and without keep_trailing_newline, as the transformers library
// sets them.
#ifndef WHEREOF_CHAT_TEMPLATE_LEXER_H_
#define WHEREOF_CHAT_TEMPLATE_LEXER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace whereof::chat_template {

enum class TokenKind {
  data,         // text outside of tags
  print_begin,  // {{
  print_end,
  block_begin,  // {%
  block_end,
  name,
  string,
  integer,
  real,
  mark,  // operators, brackets, commas
  end,   // of the template
};

struct Token {
  TokenKind kind = TokenKind::end;
  int line = 1;
  std::string text;  // of a string: unescaped
  std::int64_t integer = 0;
  double real = 0;
};

// A Failure in it is thrown with `line` set to where it is. The last token is the end.
std::vector<Token> tokens_of(std::string_view source, int& line);

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_LEXER_H_
