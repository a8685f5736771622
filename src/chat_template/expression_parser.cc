#include "chat_template/expression_parser.h"

#include <algorithm>
#include <array>
#include <optional>

#include "chat_template/filters.h"
#include "chat_template/tests.h"

namespace whereof::chat_template {
namespace {

struct Spelling {
  std::string_view mark;
  Operator meaning;
};
constexpr std::array<Spelling, 6> kComparisons = {{{"==", Operator::equal},
                                                   {"!=", Operator::not_equal},
                                                   {"<", Operator::less},
                                                   {"<=", Operator::less_equal},
                                                   {">", Operator::greater},
                                                   {">=", Operator::greater_equal}}};
constexpr std::array<Spelling, 2> kSums = {{{"+", Operator::add}, {"-", Operator::subtract}}};
constexpr std::array<Spelling, 4> kProducts = {{{"*", Operator::multiply},
                                                {"/", Operator::divide},
                                                {"//", Operator::floor_divide},
                                                {"%", Operator::remainder}}};
constexpr std::array<Spelling, 1> kPowers = {{{"**", Operator::power}}};

template <std::size_t kCount>
std::optional<Operator> skip_operator(TokenStream& tokens,
                                      const std::array<Spelling, kCount>& spellings) {
  for (const Spelling& spelling : spellings) {
    if (tokens.skip_mark(spelling.mark)) return spelling.meaning;
  }
  return std::nullopt;
}

std::optional<Operator> skip_comparison(TokenStream& tokens) {
  if (const auto found = skip_operator(tokens, kComparisons)) return found;
  if (tokens.skip_word("in")) return Operator::in;
  if (tokens.sees_word("not") && tokens.is_followed_by_word("in")) {
    tokens.next();
    tokens.next();
    return Operator::not_in;
  }
  return std::nullopt;
}

// operand (operator operand)*, as one node where there is an operator.
template <typename SkipOperator, typename ReadOperand>
Expression chain(ExpressionKind kind, const SkipOperator& skip, const ReadOperand& read) {
  Expression first = read();
  auto found = skip();
  if (!found) return first;
  Expression node;
  node.kind = kind;
  node.line = first.line;
  node.operands.push_back(std::move(first));
  for (; found; found = skip()) {
    node.operators.push_back(*found);
    node.operands.push_back(read());
  }
  return node;
}

}  // namespace

Expression ExpressionParser::of(ExpressionKind kind) const {
  Expression node;
  node.kind = kind;
  node.line = tokens_.line();
  return node;
}

Expression ExpressionParser::expression() {
  const Nesting nesting(tokens_);
  Expression value = either();
  for (int count = 0; tokens_.sees_word("if"); ++count) {
    if (count == 8) refuse("over 8 inline ifs follow each other");
    Expression node = of(ExpressionKind::conditional);
    tokens_.next();
    node.operands.push_back(std::move(value));
    node.operands.push_back(either());
    if (tokens_.skip_word("else")) node.operands.push_back(expression());
    value = std::move(node);
  }
  return value;
}

Expression ExpressionParser::expressions(bool takes_conditional,
                                         std::initializer_list<std::string_view> end_words) {
  const auto sees_end = [&] {
    return tokens_.sees(TokenKind::print_end) || tokens_.sees(TokenKind::block_end) ||
           tokens_.sees_mark(")") ||
           std::any_of(end_words.begin(), end_words.end(),
                       [this](std::string_view word) { return tokens_.sees_word(word); });
  };
  Expression tuple = of(ExpressionKind::tuple);
  bool is_tuple = false;
  while (!sees_end()) {
    tuple.operands.push_back(takes_conditional ? expression() : either());
    if (!tokens_.skip_mark(",")) break;
    is_tuple = true;
  }
  if (is_tuple) return tuple;
  if (tuple.operands.empty()) tokens_.unexpected("an expression");
  return std::move(tuple.operands.front());
}

Expression ExpressionParser::either() {
  const auto skip = [this] {
    return tokens_.skip_word("or") ? std::optional(Operator::in) : std::nullopt;
  };
  return chain(ExpressionKind::any_of, skip, [this] { return both(); });
}

Expression ExpressionParser::both() {
  const auto skip = [this] {
    return tokens_.skip_word("and") ? std::optional(Operator::in) : std::nullopt;
  };
  return chain(ExpressionKind::all_of, skip, [this] { return negation(); });
}

Expression ExpressionParser::negation() {
  if (!tokens_.sees_word("not")) return comparison();
  const Nesting nesting(tokens_);
  Expression node = of(ExpressionKind::negation);
  tokens_.next();
  node.operands.push_back(negation());
  return node;
}

Expression ExpressionParser::comparison() {
  return chain(
      ExpressionKind::comparison, [this] { return skip_comparison(tokens_); },
      [this] { return sum(); });
}

Expression ExpressionParser::sum() {
  return chain(
      ExpressionKind::arithmetic, [this] { return skip_operator(tokens_, kSums); },
      [this] { return concatenation(); });
}

Expression ExpressionParser::concatenation() {
  const auto skip = [this] {
    return tokens_.skip_mark("~") ? std::optional(Operator::add) : std::nullopt;
  };
  return chain(ExpressionKind::concatenation, skip, [this] { return product(); });
}

Expression ExpressionParser::product() {
  return chain(
      ExpressionKind::arithmetic, [this] { return skip_operator(tokens_, kProducts); },
      [this] { return power(); });
}

Expression ExpressionParser::power() {
  return chain(
      ExpressionKind::arithmetic, [this] { return skip_operator(tokens_, kPowers); },
      [this] { return unary(true); });
}

Expression ExpressionParser::unary(bool takes_filters) {
  Expression node;
  if (tokens_.sees_mark("-") || tokens_.sees_mark("+")) {
    const Nesting nesting(tokens_);
    node = of(tokens_.sees_mark("-") ? ExpressionKind::minus : ExpressionKind::plus);
    tokens_.next();
    node.operands.push_back(unary(false));
  } else {
    node = primary();
  }
  std::vector<Suffix> suffixes;
  postfix(suffixes);
  if (takes_filters) filters_and_tests(suffixes);
  if (suffixes.empty()) return node;
  Expression whole;
  whole.kind = ExpressionKind::postfix;
  whole.line = node.line;
  whole.suffixes = std::move(suffixes);
  whole.operands.push_back(std::move(node));
  return whole;
}

Expression ExpressionParser::primary() {
  Expression node = of(ExpressionKind::constant);
  if (tokens_.sees_mark("(")) return parenthesised();
  if (tokens_.sees_mark("[")) return list();
  if (tokens_.sees_mark("{")) return map();
  if (tokens_.sees(TokenKind::integer)) {
    node.constant = tokens_.next().integer;
  } else if (tokens_.sees(TokenKind::real)) {
    node.constant = tokens_.next().real;
  } else if (tokens_.sees(TokenKind::string)) {
    std::string text;
    while (tokens_.sees(TokenKind::string)) text += tokens_.next().text;
    node.constant = constants_.text(text);
  } else if (tokens_.sees(TokenKind::name)) {
    const std::string name = tokens_.next().text;
    if (name == "true" || name == "True" || name == "false" || name == "False") {
      node.constant = name == "true" || name == "True";
    } else if (name == "none" || name == "None") {
      node.constant = None{};
    } else {
      node.kind = ExpressionKind::name;
      node.name = name;
    }
  } else {
    tokens_.unexpected("an expression");
  }
  return node;
}

Expression ExpressionParser::parenthesised() {
  Expression empty = of(ExpressionKind::tuple);
  tokens_.expect_mark("(");
  if (tokens_.skip_mark(")")) return empty;
  Expression inner = expressions(true, {});
  tokens_.expect_mark(")");
  return inner;
}

Expression ExpressionParser::list() {
  Expression node = of(ExpressionKind::list);
  tokens_.expect_mark("[");
  while (!tokens_.sees_mark("]")) {
    if (!node.operands.empty()) tokens_.expect_mark(",");
    if (tokens_.sees_mark("]")) break;
    node.operands.push_back(expression());
  }
  tokens_.expect_mark("]");
  return node;
}

Expression ExpressionParser::map() {
  Expression node = of(ExpressionKind::map);
  tokens_.expect_mark("{");
  while (!tokens_.sees_mark("}")) {
    if (!node.operands.empty()) tokens_.expect_mark(",");
    if (tokens_.sees_mark("}")) break;
    node.operands.push_back(expression());
    tokens_.expect_mark(":");
    node.operands.push_back(expression());
  }
  tokens_.expect_mark("}");
  return node;
}

void ExpressionParser::postfix(std::vector<Suffix>& suffixes) {
  while (true) {
    if (tokens_.sees_mark(".") || tokens_.sees_mark("[")) {
      subscript(suffixes);
    } else if (tokens_.sees_mark("(")) {
      suffixes.push_back(call());
    } else {
      return;
    }
  }
}

void ExpressionParser::subscript(std::vector<Suffix>& suffixes) {
  Suffix& suffix = suffixes.emplace_back();
  suffix.line = tokens_.line();
  if (tokens_.skip_mark(".")) {
    if (tokens_.sees(TokenKind::integer)) {
      Expression index = of(ExpressionKind::constant);
      index.constant = tokens_.next().integer;
      suffix.kind = SuffixKind::item;
      suffix.arguments.push_back(std::move(index));
    } else {
      suffix.name = tokens_.expect_name();
    }
    return;
  }
  tokens_.expect_mark("[");
  suffix.kind = SuffixKind::item;
  suffix.arguments.push_back(slice_part());
  if (tokens_.sees_mark(":")) {
    suffix.kind = SuffixKind::slice;
    while (suffix.arguments.size() < 3 && tokens_.skip_mark(":")) {
      suffix.arguments.push_back(slice_part());
    }
  } else if (suffix.arguments.front().kind == ExpressionKind::absent) {
    tokens_.unexpected("an expression");
  }
  if (tokens_.sees_mark(",")) refuse("it takes an item by several keys");
  tokens_.expect_mark("]");
}

Expression ExpressionParser::slice_part() {
  if (tokens_.sees_mark(":") || tokens_.sees_mark("]")) return of(ExpressionKind::absent);
  return expression();
}

void ExpressionParser::filters_and_tests(std::vector<Suffix>& suffixes) {
  while (true) {
    if (tokens_.skip_mark("|")) {
      suffixes.push_back(filter());
    } else if (tokens_.skip_word("is")) {
      suffixes.push_back(test());
    } else if (tokens_.sees_mark("(")) {
      suffixes.push_back(call());
    } else {
      return;
    }
  }
}

std::vector<Suffix> ExpressionParser::filters() {
  std::vector<Suffix> suffixes;
  do {
    suffixes.push_back(filter());
  } while (tokens_.skip_mark("|"));
  return suffixes;
}

Suffix ExpressionParser::filter() {
  Suffix suffix;
  suffix.kind = SuffixKind::filter;
  suffix.line = tokens_.line();
  suffix.name = tokens_.expect_name();
  if (!is_filter(suffix.name))
    refuse("the filter " + text::in_quotes(suffix.name) + " is not known");
  if (tokens_.sees_mark("(")) arguments(suffix);
  return suffix;
}

Suffix ExpressionParser::test() {
  Suffix suffix;
  suffix.kind = SuffixKind::test;
  suffix.line = tokens_.line();
  suffix.is_negated = tokens_.skip_word("not");
  suffix.name = tokens_.expect_name();
  if (!is_test(suffix.name)) refuse("the test " + text::in_quotes(suffix.name) + " is not known");
  const bool sees_operand = tokens_.sees(TokenKind::name) || tokens_.sees(TokenKind::string) ||
                            tokens_.sees(TokenKind::integer) || tokens_.sees(TokenKind::real) ||
                            tokens_.sees_mark("[") || tokens_.sees_mark("{");
  if (tokens_.sees_mark("(")) {
    arguments(suffix);
  } else if (sees_operand && !tokens_.sees_word("else") && !tokens_.sees_word("or") &&
             !tokens_.sees_word("and")) {
    if (tokens_.sees_word("is")) fail("tests cannot follow each other");
    const Nesting nesting(tokens_);
    Expression node = primary();
    std::vector<Suffix> suffixes;
    postfix(suffixes);
    if (!suffixes.empty()) {
      Expression whole = of(ExpressionKind::postfix);
      whole.suffixes = std::move(suffixes);
      whole.operands.push_back(std::move(node));
      node = std::move(whole);
    }
    suffix.arguments.push_back(std::move(node));
  }
  return suffix;
}

Suffix ExpressionParser::call() {
  Suffix suffix;
  suffix.kind = SuffixKind::call;
  suffix.line = tokens_.line();
  arguments(suffix);
  return suffix;
}

void ExpressionParser::arguments(Suffix& call) {
  tokens_.expect_mark("(");
  bool is_first = true;
  while (!tokens_.sees_mark(")")) {
    if (!is_first) tokens_.expect_mark(",");
    if (tokens_.sees_mark(")")) break;
    is_first = false;
    if (tokens_.sees_mark("*") || tokens_.sees_mark("**")) {
      refuse("it calls with a list of arguments (*)");
    }
    const Token& following = tokens_.following();
    if (tokens_.sees(TokenKind::name) && following.kind == TokenKind::mark &&
        following.text == "=") {
      const std::string name = tokens_.expect_name();
      tokens_.expect_mark("=");
      call.named_arguments.push_back({name, expression()});
    } else {
      if (!call.named_arguments.empty()) fail("an argument without a name follows a named one");
      call.arguments.push_back(expression());
    }
  }
  tokens_.expect_mark(")");
}

}  // namespace whereof::chat_template
