// The values that a template computes with, and the memory that holds them.
//
// Values are small and copied; what they point to is immutable (but for namespaces and loops),
// belongs to a Memory, and lives until that ends. So nothing is freed while a template runs: what
// it made is bounded by what it may make.
#ifndef WHEREOF_CHAT_TEMPLATE_VALUE_H_
#define WHEREOF_CHAT_TEMPLATE_VALUE_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "chat_template/limits.h"
#include "chat_template/marked_text.h"

namespace whereof::chat_template {

struct Undefined {
  std::string_view name;  // of what was looked for; for messages
};
struct None {};
struct List;
struct Map;
struct Namespace;
struct Loop;
struct Callable;

using Value = std::variant<Undefined, None, bool, std::int64_t, double, const MarkedText*,
                           const List*, const Map*, Namespace*, const Loop*, const Callable*>;

enum class ListKind {
  list,
  tuple,
  range,
  view,       // of a map's keys, values or items: has a length, no index
  generator,  // what filters like map give: can only be gone through
};

struct List {
  ListKind kind = ListKind::list;
  std::vector<Value> elements;
  std::int64_t depth = 1;  // 1 + the deepest element's
};

struct Map {
  std::vector<std::pair<Value, Value>> entries;  // in the order of insertion; keys differ
  std::int64_t depth = 1;
};

struct Namespace {
  std::vector<std::pair<std::string_view, Value>> names;
};

struct Loop {
  std::vector<Value> elements;
  std::int64_t index = 0;                     // from 0
  mutable std::optional<Value> last_changed;  // the arguments of loop.changed() before
};

struct Macro;
struct Scope;

enum class CallableKind { global, method, macro, caller };

struct Callable {
  CallableKind kind = CallableKind::global;
  std::string_view name;
  Value receiver;                // of a method
  const Macro* macro = nullptr;  // of a macro or a caller
  Scope* scope = nullptr;        // where the macro was made
};

struct Scope {
  Scope* outer = nullptr;
  std::vector<std::pair<std::string_view, Value>> names;
  bool is_captured = false;  // by a macro, so that it must not be used again
};

// Counts what was made and what was done, in units of about a byte, and stops what goes over.
class Memory {
 public:
  explicit Memory(const Limits& limits) : units_left_(limits.work_units), depth_(limits.depth) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Throws Failure(unsupported) when no more is left.
  void charge(std::uint64_t units);
  // Throws it when count times units would not be left, and charges nothing.
  void check(std::uint64_t count, std::uint64_t units) const;

  Value text(MarkedText text);
  Value text(std::string_view bytes, bool is_template = true) {
    return text(MarkedText(bytes, is_template));
  }
  // Throw Failure(unsupported) when they lie too deep in each other.
  Value list(std::vector<Value> elements, ListKind kind = ListKind::list);
  Value map(std::vector<std::pair<Value, Value>> entries);  // keys differ
  Value callable(Callable callable);
  Namespace* make_namespace();
  Loop* make_loop(std::vector<Value> elements);
  Scope* make_scope(Scope* outer);
  // A copy of a name that lives as long as the values.
  std::string_view name(std::string_view name);

 private:
  std::int64_t checked_depth(std::int64_t depth) const;

  std::int64_t units_left_;
  std::int64_t depth_;
  std::deque<MarkedText> texts_;
  std::deque<List> lists_;
  std::deque<Map> maps_;
  std::deque<Namespace> namespaces_;
  std::deque<Loop> loops_;
  std::deque<Callable> callables_;
  std::deque<Scope> scopes_;
  std::deque<std::string> names_;
};

// Text in the making: charged as it grows, so before it takes memory.
class TextBuilder {
 public:
  explicit TextBuilder(Memory& memory) : memory_(memory) {}

  void append(std::string_view bytes, bool is_template = true);
  void append(const MarkedText& text) { append(text, 0, text.size()); }
  void append(const MarkedText& text, std::size_t begin, std::size_t end);

  const MarkedText& text() const noexcept { return text_; }
  Value finish() { return memory_.text(std::move(text_)); }

 private:
  Memory& memory_;
  MarkedText text_;
};

template <typename Kind>
const Kind* get(const Value& value) noexcept {
  return std::get_if<Kind>(&value);
}
template <typename Kind>
bool is(const Value& value) noexcept {
  return std::holds_alternative<Kind>(value);
}
// The pointed-to text, list or map; null for another kind.
const MarkedText* text_of(const Value& value) noexcept;
const List* list_of(const Value& value) noexcept;
const Map* map_of(const Value& value) noexcept;
// An integer, or a boolean as Python counts it.
std::optional<std::int64_t> integer_of(const Value& value) noexcept;
bool is_number(const Value& value) noexcept;  // a boolean is one
double real_of(const Value& number) noexcept;

// "a string", "a list": for messages.
std::string_view kind_name(const Value& value) noexcept;

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_VALUE_H_
