// Runs a parsed template.
//
// Names are looked up from the innermost scope outwards; each step of a loop, each macro, capture
// and "with" has a scope of its own, an "if" has none.
#ifndef WHEREOF_CHAT_TEMPLATE_EVALUATOR_H_
#define WHEREOF_CHAT_TEMPLATE_EVALUATOR_H_

#include <cstdint>
#include <ctime>

#include "chat_template/arguments.h"
#include "chat_template/limits.h"
#include "chat_template/tree.h"
#include "chat_template/value.h"

namespace whereof::chat_template {

class Evaluator {
 public:
  // line follows the running; a Failure is thrown with it at the statement or expression.
  Evaluator(Memory& memory, const Limits& limits, const std::tm& now, int& line)
      : memory_(memory), limits_(limits), now_(now), line_(line) {}

  MarkedText run(const Block& block, Scope& variables);

 private:
  enum class Flow { next, broken, continued };

  Flow run(const Block& block, Scope& scope, TextBuilder& output);
  Flow run(const Statement& statement, Scope& scope, TextBuilder& output);
  Flow run_if(const If& statement, Scope& scope, TextBuilder& output);
  Flow run_for(const For& statement, Scope& scope, TextBuilder& output);
  void run_loop(const For& statement, std::vector<Value> elements, Scope& scope,
                TextBuilder& output);
  Flow run_capture(const Capture& statement, Scope& scope, TextBuilder& output);
  void run_call(const CallBlock& statement, Scope& scope, TextBuilder& output);
  Flow run_with(const With& statement, Scope& scope, TextBuilder& output);
  void write(TextBuilder& output, const Value& value);

  Value evaluate(const Expression& expression, Scope& scope);
  Value evaluate_composite(const Expression& expression, Scope& scope);
  Value evaluate_choice(const Expression& expression, Scope& scope);
  Value evaluate_map(const Expression& expression, Scope& scope);
  bool evaluate_comparison(const Expression& expression, Scope& scope);
  std::vector<Value> evaluate_all(const std::vector<Expression>& expressions, Scope& scope);
  Value apply(const Suffix& suffix, const Value& value, Scope& scope);
  Arguments arguments_of(const Suffix& suffix, Scope& scope);
  Value call(const Value& callee, const Arguments& arguments, const Value* caller);
  Value call_macro(const Callable& callable, const Arguments& arguments, const Value* caller);
  void bind(const Macro& macro, const Arguments& arguments, Scope& scope);

  Value look_up(std::string_view name, const Scope& scope);
  void assign(const Target& target, const Value& value, Scope& scope);
  void assign(std::string_view name, const Value& value, Scope& scope);

  Memory& memory_;
  const Limits& limits_;
  const std::tm& now_;
  int& line_;
  const TextBuilder* whole_output_ = nullptr;
  std::int64_t steps_ = 0;
  std::int64_t depth_ = 0;  // of statements and expressions, with those of the macros
  std::int64_t calls_ = 0;
  std::int64_t loops_ = 0;
};

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_EVALUATOR_H_
