// What Python does with values: truth, order, arithmetic, membership, attributes, items, slices.
//
// What Python refuses with a TypeError or the like is a Failure(bad_model); what it looks for and
// does not find is undefined, as in Jinja.
#ifndef WHEREOF_CHAT_TEMPLATE_OPERATORS_H_
#define WHEREOF_CHAT_TEMPLATE_OPERATORS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "chat_template/tree.h"
#include "chat_template/value.h"

namespace whereof::chat_template {

bool is_true(const Value& value);
bool are_equal(Memory& memory, const Value& one, const Value& other);
bool is_less(Memory& memory, const Value& one, const Value& other);
bool compare(Memory& memory, Operator op, const Value& left, const Value& right);
bool contains(Memory& memory, const Value& container, const Value& item);
Value arithmetic(Memory& memory, Operator op, const Value& left, const Value& right);
Value negative(const Value& number);

std::int64_t length_of(const Value& value);
bool is_iterable(const Value& value) noexcept;
// The elements of a list, the keys of a map, the characters of a string.
std::vector<Value> elements_of(Memory& memory, const Value& value);

// Where a key lies among a map's entries; charged.
std::optional<std::size_t> find_key(Memory& memory, const Map& map, const Value& key);
// The value of a map's key that is a string; null if there is none.
const Value* find_name(Memory& memory, const Map& map, std::string_view name);
// Adds an entry or overwrites that with the same key.
void put(Memory& memory, std::vector<std::pair<Value, Value>>& entries, Value key, Value value);

Value attribute_of(Memory& memory, const Value& value, std::string_view name);
Value item_of(Memory& memory, const Value& value, const Value& key);
// Parts that are undefined were not written.
Value slice_of(Memory& memory, const Value& value, const Value& begin, const Value& end,
               const Value& step);

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_OPERATORS_H_
