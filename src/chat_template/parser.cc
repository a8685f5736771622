#include "chat_template/parser.h"

#include <algorithm>
#include <initializer_list>

#include "chat_template/expression_parser.h"
#include "chat_template/token_stream.h"

namespace whereof::chat_template {
namespace {

class Parser {
 public:
  Parser(TokenStream& tokens, Memory& constants)
      : tokens_(tokens), constants_(constants), expressions_(tokens, constants) {}

  Block whole() {
    Block block = statements({});
    return block;
  }

 private:
  // Up to a block that begins with one of the words, whose begin is passed; to the end for none.
  Block statements(std::initializer_list<std::string_view> end_words) {
    const Nesting nesting(tokens_);
    Block block;
    while (!tokens_.sees(TokenKind::end)) {
      const int line = tokens_.line();
      if (tokens_.sees(TokenKind::data)) {
        add(block, line, Data{constants_.text(tokens_.next().text)});
        continue;
      }
      if (tokens_.sees(TokenKind::print_begin)) {
        tokens_.next();
        add(block, line, Print{expressions_.expressions(true, {})});
        tokens_.expect(TokenKind::print_end, "'}}'");
        continue;
      }
      tokens_.expect(TokenKind::block_begin, "a tag");
      const auto sees = [this](std::string_view word) { return tokens_.sees_word(word); };
      if (std::any_of(end_words.begin(), end_words.end(), sees)) return block;
      statement(block, line);
    }
    if (end_words.size() > 0) tokens_.unexpected(text::in_quotes(*(end_words.end() - 1)));
    return block;
  }

  template <typename What>
  void add(Block& block, int line, What what) {
    Statement& statement = block.emplace_back();
    statement.line = line;
    statement.what = std::move(what);
  }

  void end_tag() { tokens_.expect(TokenKind::block_end, "'%}'"); }

  void end_block(std::string_view word) {
    tokens_.expect_word(word);
    end_tag();
  }

  void statement(Block& block, int line) {
    const std::string word = tokens_.expect_name();
    if (word == "if") {
      add(block, line, if_statement());
    } else if (word == "for") {
      add(block, line, for_statement());
    } else if (word == "set") {
      set_statement(block, line);
    } else if (word == "macro") {
      add(block, line, macro());
    } else if (word == "call") {
      add(block, line, call_block());
    } else if (word == "filter") {
      add(block, line, filter_block());
    } else if (word == "with") {
      add(block, line, with());
    } else if (word == "generation") {
      end_tag();
      Generation generation{statements({"endgeneration"})};
      end_block("endgeneration");
      add(block, line, std::move(generation));
    } else if (word == "break" || word == "continue") {
      if (loops_ == 0) fail(text::in_quotes(word) + " outside of a loop");
      end_tag();
      word == "break" ? add(block, line, Break{}) : add(block, line, Continue{});
    } else {
      refuse("the statement " + text::in_quotes(word) + " is not known");
    }
  }

  If if_statement() {
    If result;
    do {
      If::Branch& branch = result.branches.emplace_back();
      branch.condition = expressions_.expressions(false, {});
      end_tag();
      branch.body = statements({"elif", "else", "endif"});
    } while (tokens_.skip_word("elif"));
    if (tokens_.skip_word("else")) {
      end_tag();
      result.otherwise = statements({"endif"});
    }
    end_block("endif");
    return result;
  }

  For for_statement() {
    For result;
    result.target = target("in");
    tokens_.expect_word("in");
    result.iterable = expressions_.expressions(false, {"recursive"});
    if (tokens_.skip_word("if")) result.condition = expressions_.expression();
    if (tokens_.sees_word("recursive")) refuse("it has a recursive loop");
    end_tag();
    ++loops_;
    result.body = statements({"else", "endfor"});
    --loops_;
    if (tokens_.skip_word("else")) {
      end_tag();
      result.otherwise = statements({"endfor"});
    }
    end_block("endfor");
    return result;
  }

  void set_statement(Block& block, int line) {
    Target names = target("=");
    if (tokens_.skip_mark("=")) {
      Expression value = expressions_.expressions(true, {});
      end_tag();
      add(block, line, Set{std::move(names), std::move(value)});
      return;
    }
    Capture capture;
    capture.target = std::move(names);
    if (tokens_.skip_mark("|")) capture.filters = expressions_.filters();
    end_tag();
    capture.body = statements({"endset"});
    end_block("endset");
    add(block, line, std::move(capture));
  }

  Capture filter_block() {
    Capture capture;
    capture.filters = expressions_.filters();
    end_tag();
    capture.body = statements({"endfilter"});
    end_block("endfilter");
    return capture;
  }

  // Names with commas between them, maybe in parentheses; NAME.ATTRIBUTE.
  Target target(std::string_view end) {
    Target result;
    const bool is_parenthesised = tokens_.skip_mark("(");
    do {
      if (!result.names.empty()) {
        result.is_tuple = true;
        if (tokens_.sees_word(end) || tokens_.sees_mark(end) || tokens_.sees_mark(")")) break;
      }
      const std::string name = tokens_.expect_name();
      if (is_reserved(name)) fail("cannot assign to " + text::in_quotes(name));
      result.names.push_back(name);
      if (end == "=" && result.names.size() == 1 && tokens_.skip_mark(".")) {
        result.attribute = tokens_.expect_name();
        break;
      }
    } while (tokens_.skip_mark(","));
    if (is_parenthesised) tokens_.expect_mark(")");
    return result;
  }

  static bool is_reserved(std::string_view name) {
    return name == "true" || name == "True" || name == "false" || name == "False" ||
           name == "none" || name == "None";
  }

  void parameters(Macro& macro) {
    tokens_.expect_mark("(");
    while (!tokens_.sees_mark(")")) {
      if (!macro.parameters.empty()) tokens_.expect_mark(",");
      Parameter& parameter = macro.parameters.emplace_back();
      parameter.name = tokens_.expect_name();
      if (is_reserved(parameter.name)) fail("cannot assign to " + text::in_quotes(parameter.name));
      if (tokens_.skip_mark("=")) {
        parameter.otherwise = expressions_.expression();
      } else if (macro.parameters.size() > 1 &&
                 macro.parameters[macro.parameters.size() - 2].otherwise) {
        fail("a parameter without a default follows one with a default");
      }
    }
    tokens_.expect_mark(")");
  }

  std::unique_ptr<Macro> macro() {
    auto result = std::make_unique<Macro>();
    result->name = tokens_.expect_name();
    parameters(*result);
    end_tag();
    macro_body(*result, "endmacro");
    return result;
  }

  void macro_body(Macro& macro, std::string_view end_word) {
    const int loops_outside = std::exchange(loops_, 0);
    macro.body = statements({end_word});
    loops_ = loops_outside;
    end_block(end_word);
  }

  CallBlock call_block() {
    CallBlock result;
    result.caller = std::make_unique<Macro>();
    result.caller->name = "caller";
    if (tokens_.sees_mark("(")) parameters(*result.caller);
    result.call = expressions_.expression();
    const bool is_call = result.call.kind == ExpressionKind::postfix &&
                         result.call.suffixes.back().kind == SuffixKind::call;
    if (!is_call) fail("{% call %} wants a call");
    end_tag();
    macro_body(*result.caller, "endcall");
    return result;
  }

  With with() {
    With result;
    while (!tokens_.sees(TokenKind::block_end)) {
      if (!result.values.empty()) tokens_.expect_mark(",");
      Target name;
      name.names.push_back(tokens_.expect_name());
      tokens_.expect_mark("=");
      Expression value = expressions_.expression();
      result.values.emplace_back(std::move(name), std::move(value));
    }
    end_tag();
    result.body = statements({"endwith"});
    end_block("endwith");
    return result;
  }

  TokenStream& tokens_;
  Memory& constants_;
  ExpressionParser expressions_;
  int loops_ = 0;
};

}  // namespace

Block parse(std::string_view source, const Limits& limits, Memory& constants, int& line) {
  if (static_cast<std::int64_t>(source.size()) > limits.template_bytes) {
    refuse("it has " + std::to_string(source.size()) + " bytes, wanted at most " +
           std::to_string(limits.template_bytes));
  }
  TokenStream tokens(tokens_of(source, line), limits.depth, line);
  return Parser(tokens, constants).whole();
}

}  // namespace whereof::chat_template
