// A parsed template: blocks of statements, which hold expressions.
//
// What Jinja parses to a chain of nested nodes (a + b + c, x.y|f is g) is one node with a list
// here, so the depth of the tree is the depth of its brackets and blocks.
#ifndef WHEREOF_CHAT_TEMPLATE_TREE_H_
#define WHEREOF_CHAT_TEMPLATE_TREE_H_

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "chat_template/value.h"

namespace whereof::chat_template {

enum class ExpressionKind {
  constant,
  name,
  tuple,
  list,
  map,            // operands: key, value, key, value, ...
  any_of,         // or
  all_of,         // and
  negation,       // not
  comparison,     // a < b <= c
  arithmetic,     // a + b - c, from the left
  concatenation,  // a ~ b ~ c
  minus,
  plus,
  conditional,  // operands: the value, the condition, the other value unless there is none
  postfix,      // operands: what the suffixes are put to
  absent,       // of a slice's begin, end or step
};

enum class Operator {
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  remainder,
  power,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  not_in,
};

enum class SuffixKind { attribute, item, slice, call, filter, test };

struct Expression;

struct NamedArgument;

struct Suffix {
  SuffixKind kind = SuffixKind::attribute;
  int line = 1;
  std::string name;  // of an attribute, a filter, a test
  bool is_negated = false;
  std::vector<Expression> arguments;  // of an item: one; of a slice: begin, end, step
  std::vector<NamedArgument> named_arguments;
};

struct Expression {
  ExpressionKind kind = ExpressionKind::absent;
  int line = 1;
  Value constant;
  std::string name;
  std::vector<Expression> operands;
  std::vector<Operator> operators;  // operators[i] stands between operands[i] and operands[i + 1]
  std::vector<Suffix> suffixes;
};

struct NamedArgument {
  std::string name;
  Expression value;
};

// What is assigned to: a name, an attribute of a namespace, or several names.
struct Target {
  std::vector<std::string> names;
  std::string attribute;  // of the namespace names[0]; else empty
  bool is_tuple = false;
};

struct Statement;
using Block = std::vector<Statement>;

struct Data {
  Value text;
};
struct Print {
  Expression value;
};
struct If {
  struct Branch;
  std::vector<Branch> branches;
  Block otherwise;
};
struct For {
  Target target;
  Expression iterable;
  std::optional<Expression> condition;
  Block body;
  Block otherwise;
};
struct Set {
  Target target;
  Expression value;
};
// {% set x %}...{% endset %}, and {% filter f %}...{% endfilter %}, which has no target.
struct Capture {
  std::optional<Target> target;
  std::vector<Suffix> filters;
  Block body;
};
struct Parameter {
  std::string name;
  std::optional<Expression> otherwise;
};
struct Macro {
  std::string name;
  std::vector<Parameter> parameters;
  Block body;
};
// {% call(parameters) f() %}...{% endcall %}
struct CallBlock {
  Expression call;
  std::unique_ptr<Macro> caller;
};
struct With {
  std::vector<std::pair<Target, Expression>> values;
  Block body;
};
// {% generation %}: what transformers marks as the assistant's; here its body.
struct Generation {
  Block body;
};
struct Break {};
struct Continue {};

struct Statement {
  int line = 1;
  std::variant<Data, Print, If, For, Set, Capture, std::unique_ptr<Macro>, CallBlock, With,
               Generation, Break, Continue>
      what;
};

struct If::Branch {
  Expression condition;
  Block body;
};

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_TREE_H_
