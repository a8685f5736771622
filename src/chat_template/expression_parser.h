// Jinja's expressions, by recursive descent over its levels of precedence:
//
//   if else  <  or  <  and  <  not  <  comparisons, in  <  + -  <  ~  <  * / // %  <  **  <  - +
//   <  . [] ()  <  | is
#ifndef WHEREOF_CHAT_TEMPLATE_EXPRESSION_PARSER_H_
#define WHEREOF_CHAT_TEMPLATE_EXPRESSION_PARSER_H_

#include <initializer_list>
#include <string_view>
#include <vector>

#include "chat_template/token_stream.h"
#include "chat_template/tree.h"
#include "chat_template/value.h"

namespace whereof::chat_template {

class ExpressionParser {
 public:
  // Constants are made in the memory.
  ExpressionParser(TokenStream& tokens, Memory& constants)
      : tokens_(tokens), constants_(constants) {}

  Expression expression();
  // One expression or, with commas, a tuple; up to the tag's end or one of the words.
  Expression expressions(bool takes_conditional, std::initializer_list<std::string_view> end_words);
  std::vector<Suffix> filters();  // of a block: the first stands without "|"
  void arguments(Suffix& call);   // with the parentheses

 private:
  Expression either();  // without "if"
  Expression both();
  Expression negation();
  Expression comparison();
  Expression sum();
  Expression concatenation();
  Expression product();
  Expression power();
  Expression unary(bool takes_filters);
  Expression primary();
  Expression parenthesised();
  Expression list();
  Expression map();
  void subscript(std::vector<Suffix>& suffixes);
  Expression slice_part();
  void postfix(std::vector<Suffix>& suffixes);
  void filters_and_tests(std::vector<Suffix>& suffixes);
  Suffix filter();
  Suffix test();
  Suffix call();
  Expression of(ExpressionKind kind) const;

  TokenStream& tokens_;
  Memory& constants_;
};

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_EXPRESSION_PARSER_H_
