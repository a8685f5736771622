// The filters by subject; filters.cc puts the tables together.
#ifndef WHEREOF_CHAT_TEMPLATE_FILTER_TABLES_H_
#define WHEREOF_CHAT_TEMPLATE_FILTER_TABLES_H_

#include <span>
#include <string_view>

#include "chat_template/arguments.h"
#include "chat_template/value.h"

namespace whereof::chat_template {

using Filter = Value (*)(Memory&, const Value&, ArgumentReader&);
struct NamedFilter {
  std::string_view name;
  Filter apply;
};

std::span<const NamedFilter> text_filters() noexcept;
std::span<const NamedFilter> number_filters() noexcept;
std::span<const NamedFilter> list_filters() noexcept;

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_FILTER_TABLES_H_
