// Expressions and calls; statements.cc has the rest.
#include "chat_template/evaluator.h"

#include <algorithm>

#include "chat_template/evaluation_depth.h"
#include "chat_template/filters.h"
#include "chat_template/functions.h"
#include "chat_template/methods.h"
#include "chat_template/operators.h"
#include "chat_template/printing.h"
#include "chat_template/tests.h"
#include "text/in_quotes.h"

namespace whereof::chat_template {
namespace {

constexpr std::uint64_t kExpressionUnits = 8;

[[noreturn]] void fail_on_call(const Value& callee) {
  if (const auto* undefined = get<Undefined>(callee)) {
    fail(text::in_quotes(undefined->name) + " is undefined");
  }
  fail("it calls " + std::string(kind_name(callee)));
}

}  // namespace

Value Evaluator::evaluate(const Expression& expression, Scope& scope) {
  const EvaluationDepth depth(depth_, kLevelsEach * limits_.depth, "expressions");
  memory_.charge(kExpressionUnits);
  line_ = expression.line;
  switch (expression.kind) {
    case ExpressionKind::constant:
      return expression.constant;
    case ExpressionKind::absent:
      return None{};
    case ExpressionKind::name: {
      Value value = look_up(expression.name, scope);
      if (!is<Undefined>(value) || !is_function(expression.name)) return value;
      Callable function;
      function.name = expression.name;
      return memory_.callable(function);
    }
    case ExpressionKind::postfix: {
      Value value = evaluate(expression.operands.front(), scope);
      for (const Suffix& suffix : expression.suffixes) value = apply(suffix, value, scope);
      return value;
    }
    case ExpressionKind::any_of:
    case ExpressionKind::all_of:
    case ExpressionKind::conditional:
      return evaluate_choice(expression, scope);
    default:
      return evaluate_composite(expression, scope);
  }
}

Value Evaluator::evaluate_composite(const Expression& expression, Scope& scope) {
  const std::vector<Expression>& operands = expression.operands;
  switch (expression.kind) {
    case ExpressionKind::tuple:
      return memory_.list(evaluate_all(operands, scope), ListKind::tuple);
    case ExpressionKind::list:
      return memory_.list(evaluate_all(operands, scope));
    case ExpressionKind::map:
      return evaluate_map(expression, scope);
    case ExpressionKind::negation:
      return !is_true(evaluate(operands.front(), scope));
    case ExpressionKind::comparison:
      return evaluate_comparison(expression, scope);
    case ExpressionKind::concatenation: {
      TextBuilder builder(memory_);
      for (const Value& value : evaluate_all(operands, scope)) append_text(builder, value);
      return builder.finish();
    }
    case ExpressionKind::minus:
      return negative(evaluate(operands.front(), scope));
    case ExpressionKind::plus:
      return negative(negative(evaluate(operands.front(), scope)));
    default: {
      Value value = evaluate(operands.front(), scope);
      for (std::size_t i = 0; i < expression.operators.size(); ++i) {
        const Value right = evaluate(operands[i + 1], scope);
        value = arithmetic(memory_, expression.operators[i], value, right);
      }
      return value;
    }
  }
}

Value Evaluator::evaluate_choice(const Expression& expression, Scope& scope) {
  const std::vector<Expression>& operands = expression.operands;
  if (expression.kind == ExpressionKind::conditional) {
    if (is_true(evaluate(operands[1], scope))) return evaluate(operands[0], scope);
    return operands.size() > 2 ? evaluate(operands[2], scope)
                               : Value(Undefined{"the else of an inline if"});
  }
  const bool stops_at = expression.kind == ExpressionKind::any_of;
  Value value = evaluate(operands.front(), scope);
  for (std::size_t i = 1; i < operands.size() && is_true(value) != stops_at; ++i) {
    value = evaluate(operands[i], scope);
  }
  return value;
}

Value Evaluator::evaluate_map(const Expression& expression, Scope& scope) {
  std::vector<std::pair<Value, Value>> entries;
  for (std::size_t i = 0; i + 1 < expression.operands.size(); i += 2) {
    Value key = evaluate(expression.operands[i], scope);
    put(memory_, entries, std::move(key), evaluate(expression.operands[i + 1], scope));
  }
  return memory_.map(std::move(entries));
}

bool Evaluator::evaluate_comparison(const Expression& expression, Scope& scope) {
  Value left = evaluate(expression.operands.front(), scope);
  for (std::size_t i = 0; i < expression.operators.size(); ++i) {
    Value right = evaluate(expression.operands[i + 1], scope);
    if (!compare(memory_, expression.operators[i], left, right)) return false;
    left = std::move(right);
  }
  return true;
}

std::vector<Value> Evaluator::evaluate_all(const std::vector<Expression>& expressions,
                                           Scope& scope) {
  std::vector<Value> values;
  values.reserve(expressions.size());
  for (const Expression& expression : expressions) values.push_back(evaluate(expression, scope));
  return values;
}

Value Evaluator::apply(const Suffix& suffix, const Value& value, Scope& scope) {
  memory_.charge(kExpressionUnits);
  line_ = suffix.line;
  switch (suffix.kind) {
    case SuffixKind::attribute:
      return attribute_of(memory_, value, suffix.name);
    case SuffixKind::item:
      return item_of(memory_, value, evaluate(suffix.arguments.front(), scope));
    case SuffixKind::slice: {
      std::vector<Value> parts = evaluate_all(suffix.arguments, scope);
      parts.resize(3, None{});
      return slice_of(memory_, value, parts[0], parts[1], parts[2]);
    }
    case SuffixKind::call:
      return call(value, arguments_of(suffix, scope), nullptr);
    case SuffixKind::filter:
      return apply_filter(memory_, suffix.name, value, arguments_of(suffix, scope));
    case SuffixKind::test:
      break;
  }
  return apply_test(memory_, suffix.name, value, arguments_of(suffix, scope)) != suffix.is_negated;
}

Arguments Evaluator::arguments_of(const Suffix& suffix, Scope& scope) {
  Arguments arguments;
  arguments.positional = evaluate_all(suffix.arguments, scope);
  for (const NamedArgument& argument : suffix.named_arguments) {
    arguments.named.emplace_back(argument.name, evaluate(argument.value, scope));
  }
  return arguments;
}

Value Evaluator::call(const Value& callee, const Arguments& arguments, const Value* caller) {
  const auto* callable = get<const Callable*>(callee);
  if (callable == nullptr) fail_on_call(callee);
  switch ((*callable)->kind) {
    case CallableKind::global:
      return call_function(memory_, (*callable)->name, arguments, now_);
    case CallableKind::method:
      return call_method(memory_, (*callable)->receiver, (*callable)->name, arguments);
    default:
      return call_macro(**callable, arguments, caller);
  }
}

Value Evaluator::call_macro(const Callable& callable, const Arguments& arguments,
                            const Value* caller) {
  const EvaluationDepth depth(calls_, limits_.depth, "calls");
  Scope& scope = *memory_.make_scope(callable.scope);
  if (caller != nullptr) assign("caller", *caller, scope);
  bind(*callable.macro, arguments, scope);
  TextBuilder output(memory_);
  run(callable.macro->body, scope, output);
  return output.finish();
}

void Evaluator::bind(const Macro& macro, const Arguments& arguments, Scope& scope) {
  ArgumentReader reader(arguments, macro.name);
  for (const Parameter& parameter : macro.parameters) {
    if (const auto given = reader.take(parameter.name)) {
      assign(parameter.name, *given, scope);
    } else if (parameter.otherwise) {
      assign(parameter.name, evaluate(*parameter.otherwise, scope), scope);
    } else {
      assign(parameter.name, Undefined{parameter.name}, scope);
    }
  }
  reader.finish();
}

}  // namespace whereof::chat_template
