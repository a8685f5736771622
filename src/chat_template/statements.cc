#include <algorithm>

#include "chat_template/evaluation_depth.h"
#include "chat_template/evaluator.h"
#include "chat_template/filters.h"
#include "chat_template/operators.h"
#include "chat_template/printing.h"
#include "text/in_quotes.h"

namespace whereof::chat_template {
namespace {

// What a statement or an expression costs.
constexpr std::uint64_t kStepUnits = 8;

void capture(Scope* scope) {
  for (; scope != nullptr && !scope->is_captured; scope = scope->outer) scope->is_captured = true;
}

}  // namespace

MarkedText Evaluator::run(const Block& block, Scope& variables) {
  TextBuilder output(memory_);
  whole_output_ = &output;
  run(block, *memory_.make_scope(&variables), output);
  return output.text();
}

Evaluator::Flow Evaluator::run(const Block& block, Scope& scope, TextBuilder& output) {
  const EvaluationDepth depth(depth_, kLevelsEach * limits_.depth, "statements");
  for (const Statement& statement : block) {
    memory_.charge(kStepUnits);
    line_ = statement.line;
    const Flow flow = run(statement, scope, output);
    if (flow != Flow::next) return flow;
  }
  return Flow::next;
}

Evaluator::Flow Evaluator::run(const Statement& statement, Scope& scope, TextBuilder& output) {
  const auto& what = statement.what;
  if (const auto* data = std::get_if<Data>(&what)) {
    write(output, data->text);
  } else if (const auto* print = std::get_if<Print>(&what)) {
    write(output, evaluate(print->value, scope));
  } else if (const auto* branches = std::get_if<If>(&what)) {
    return run_if(*branches, scope, output);
  } else if (const auto* loop = std::get_if<For>(&what)) {
    return run_for(*loop, scope, output);
  } else if (const auto* set = std::get_if<Set>(&what)) {
    assign(set->target, evaluate(set->value, scope), scope);
  } else if (const auto* captured = std::get_if<Capture>(&what)) {
    return run_capture(*captured, scope, output);
  } else if (const auto* macro = std::get_if<std::unique_ptr<Macro>>(&what)) {
    capture(&scope);
    Callable callable;
    callable.kind = CallableKind::macro;
    callable.name = (*macro)->name;
    callable.macro = macro->get();
    callable.scope = &scope;
    assign((*macro)->name, memory_.callable(callable), scope);
  } else if (const auto* call = std::get_if<CallBlock>(&what)) {
    run_call(*call, scope, output);
  } else if (const auto* with = std::get_if<With>(&what)) {
    return run_with(*with, scope, output);
  } else if (const auto* generation = std::get_if<Generation>(&what)) {
    return run(generation->body, *memory_.make_scope(&scope), output);
  } else {
    return std::holds_alternative<Break>(what) ? Flow::broken : Flow::continued;
  }
  return Flow::next;
}

void Evaluator::write(TextBuilder& output, const Value& value) {
  append_text(output, value);
  if (&output == whole_output_ &&
      static_cast<std::int64_t>(output.text().size()) > limits_.output_bytes) {
    refuse("it writes over " + std::to_string(limits_.output_bytes) + " bytes");
  }
}

Evaluator::Flow Evaluator::run_if(const If& statement, Scope& scope, TextBuilder& output) {
  for (const If::Branch& branch : statement.branches) {
    if (is_true(evaluate(branch.condition, scope))) return run(branch.body, scope, output);
  }
  return run(statement.otherwise, scope, output);
}

Evaluator::Flow Evaluator::run_for(const For& statement, Scope& scope, TextBuilder& output) {
  std::vector<Value> elements = elements_of(memory_, evaluate(statement.iterable, scope));
  if (statement.condition) {
    Scope& inner = *memory_.make_scope(&scope);
    std::erase_if(elements, [&](const Value& element) {
      memory_.charge(kStepUnits);
      assign(statement.target, element, inner);
      return !is_true(evaluate(*statement.condition, inner));
    });
  }
  if (elements.empty()) {
    return run(statement.otherwise, *memory_.make_scope(&scope), output);
  }
  const EvaluationDepth depth(loops_, limits_.depth, "loops");
  run_loop(statement, std::move(elements), scope, output);
  return Flow::next;
}

void Evaluator::run_loop(const For& statement, std::vector<Value> elements, Scope& scope,
                         TextBuilder& output) {
  Loop* loop = memory_.make_loop(std::move(elements));
  Scope* inner = memory_.make_scope(&scope);
  for (const Value& element : loop->elements) {
    if (++steps_ > limits_.loop_steps) {
      refuse("its loops make over " + std::to_string(limits_.loop_steps) + " steps");
    }
    if (inner->is_captured) inner = memory_.make_scope(&scope);
    inner->names.clear();
    assign("loop", loop, *inner);
    assign(statement.target, element, *inner);
    if (run(statement.body, *inner, output) == Flow::broken) return;
    ++loop->index;
  }
}

Evaluator::Flow Evaluator::run_capture(const Capture& statement, Scope& scope,
                                       TextBuilder& output) {
  TextBuilder captured(memory_);
  const Flow flow = run(statement.body, *memory_.make_scope(&scope), captured);
  Value value = captured.finish();
  for (const Suffix& filter : statement.filters) value = apply(filter, value, scope);
  if (statement.target) {
    assign(*statement.target, value, scope);
  } else {
    write(output, value);
  }
  return flow;
}

void Evaluator::run_call(const CallBlock& statement, Scope& scope, TextBuilder& output) {
  capture(&scope);
  Callable callable;
  callable.kind = CallableKind::caller;
  callable.name = statement.caller->name;
  callable.macro = statement.caller.get();
  callable.scope = &scope;
  const Value caller = memory_.callable(callable);
  const std::vector<Suffix>& suffixes = statement.call.suffixes;
  Value callee = evaluate(statement.call.operands.front(), scope);
  for (std::size_t i = 0; i + 1 < suffixes.size(); ++i) callee = apply(suffixes[i], callee, scope);
  write(output, call(callee, arguments_of(suffixes.back(), scope), &caller));
}

Evaluator::Flow Evaluator::run_with(const With& statement, Scope& scope, TextBuilder& output) {
  Scope& inner = *memory_.make_scope(&scope);
  for (const auto& [target, expression] : statement.values) {
    assign(target, evaluate(expression, scope), inner);
  }
  return run(statement.body, inner, output);
}

Value Evaluator::look_up(std::string_view name, const Scope& scope) {
  for (const Scope* at = &scope; at != nullptr; at = at->outer) {
    memory_.charge(1 + at->names.size());
    for (const auto& [own_name, value] : at->names) {
      if (own_name == name) return value;
    }
  }
  return Undefined{name};
}

void Evaluator::assign(std::string_view name, const Value& value, Scope& scope) {
  memory_.charge(1 + scope.names.size());
  for (auto& [own_name, own_value] : scope.names) {
    if (own_name != name) continue;
    own_value = value;
    return;
  }
  memory_.charge(sizeof(Value));
  scope.names.emplace_back(name, value);
}

void Evaluator::assign(const Target& target, const Value& value, Scope& scope) {
  if (!target.attribute.empty()) {
    const Value owner = look_up(target.names.front(), scope);
    if (!is<Namespace*>(owner)) {
      fail(text::in_quotes(target.names.front()) + " is no namespace, so it takes no attribute");
    }
    Namespace& space = *std::get<Namespace*>(owner);
    memory_.charge(sizeof(Value) + space.names.size());
    for (auto& [name, own_value] : space.names) {
      if (name != target.attribute) continue;
      own_value = value;
      return;
    }
    space.names.emplace_back(target.attribute, value);
    return;
  }
  if (!target.is_tuple) {
    assign(target.names.front(), value, scope);
    return;
  }
  const std::vector<Value> elements = elements_of(memory_, value);
  if (elements.size() != target.names.size()) {
    fail("it unpacks " + std::to_string(elements.size()) + " values to " +
         std::to_string(target.names.size()) + " names");
  }
  for (std::size_t i = 0; i < elements.size(); ++i) assign(target.names[i], elements[i], scope);
}

}  // namespace whereof::chat_template
