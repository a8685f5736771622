// Where the faults of position take hold; nothing of this runs without one.
#ifndef WHEREOF_MODEL_INJECTED_FAULT_H_
#define WHEREOF_MODEL_INJECTED_FAULT_H_

#include <cstdint>

#include "whereof/model.h"

namespace whereof::model {

// The position at which a row of a block of `rows` rows is rotated, given the one at which it
// stands. Below table_length.
std::int64_t rotated_position(InjectedFault fault, std::int64_t position, std::int64_t rows,
                              std::int64_t table_length) noexcept;

// How many positions the rotary table of a context of this capacity covers.
std::int64_t rotary_length_with(InjectedFault fault, std::int64_t capacity) noexcept;

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_INJECTED_FAULT_H_
