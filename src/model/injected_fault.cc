#include "model/injected_fault.h"

#include <algorithm>

#include "numeric/half.h"

namespace whereof {

std::string_view name_of(InjectedFault fault) noexcept {
  switch (fault) {
    case InjectedFault::none:
      return "none";
    case InjectedFault::rotary_table_too_short:
      return "rotary_table_too_short";
    case InjectedFault::decode_at_position_zero:
      return "decode_at_position_zero";
    case InjectedFault::decode_one_position_late:
      return "decode_one_position_late";
    case InjectedFault::positions_in_half_precision:
      return "positions_in_half_precision";
    case InjectedFault::left_padding:
      return "left_padding";
    case InjectedFault::shifted_cache:
      return "shifted_cache";
  }
  return "unknown";
}

namespace model {
namespace {

constexpr std::int64_t kPadding = 8;

std::int64_t in_half_precision(std::int64_t position) noexcept {
  const float rounded = numeric::float_of_f16(numeric::f16_of_float(static_cast<float>(position)));
  return static_cast<std::int64_t>(rounded);
}

}  // namespace

std::int64_t rotated_position(InjectedFault fault, std::int64_t position, std::int64_t rows,
                              std::int64_t table_length) noexcept {
  switch (fault) {
    case InjectedFault::decode_at_position_zero:
      if (rows == 1) return 0;
      break;
    case InjectedFault::decode_one_position_late:
      if (rows == 1) ++position;
      break;
    case InjectedFault::positions_in_half_precision:
      position = in_half_precision(position);
      break;
    case InjectedFault::left_padding:
      if (rows > 1) position += kPadding;
      break;
    default:
      break;
  }
  return fault == InjectedFault::none ? position : std::min(position, table_length - 1);
}

std::int64_t rotary_length_with(InjectedFault fault, std::int64_t capacity) noexcept {
  if (fault != InjectedFault::rotary_table_too_short) return capacity;
  return std::max<std::int64_t>(1, capacity / 2);
}

}  // namespace model
}  // namespace whereof
