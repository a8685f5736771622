// Arguments of a filter, a test, a method or a function.
#ifndef WHEREOF_CHAT_TEMPLATE_ARGUMENTS_H_
#define WHEREOF_CHAT_TEMPLATE_ARGUMENTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chat_template/value.h"

namespace whereof::chat_template {

struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<std::string_view, Value>> named;
};

// Reads arguments by the names of their parameters and refuses those that are left over.
class ArgumentReader {
 public:
  // owner is what is called, for messages.
  ArgumentReader(const Arguments& arguments, std::string_view owner)
      : arguments_(arguments), owner_(owner) {}

  // The next positional argument, else the one of that name.
  std::optional<Value> take(std::string_view name);
  Value take(std::string_view name, Value otherwise) {
    return take(name).value_or(std::move(otherwise));
  }
  Value need(std::string_view name);
  // Each of the wanted kind, else a Failure.
  const MarkedText& need_text(std::string_view name);
  std::optional<std::int64_t> take_integer(std::string_view name);
  bool take_flag(std::string_view name, bool otherwise);
  // To be called once all were taken.
  void finish() const;

 private:
  [[noreturn]] void fail_on_kind(std::string_view name, const Value& value,
                                 std::string_view wanted) const;

  const Arguments& arguments_;
  std::string_view owner_;
  std::size_t next_ = 0;
  std::size_t named_taken_ = 0;
};

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_ARGUMENTS_H_
