#include "model/gguf_cursor.h"

#include <algorithm>
#include <array>

namespace whereof::model {

std::string_view name_of(GgufValueType type) noexcept {
  constexpr std::array<std::string_view, kLastValueType + 1> kNames = {
      "uint8", "int8",   "uint16", "int16",  "uint32", "int32",  "float32",
      "bool",  "string", "array",  "uint64", "int64",  "float64"};
  const auto number = static_cast<std::uint32_t>(type);
  return number < kNames.size() ? kNames[number] : "unknown";
}

std::uint64_t fixed_bytes(GgufValueType type) noexcept {
  constexpr std::array<std::uint8_t, kLastValueType + 1> kBytes = {1, 1, 2, 2, 4, 4, 4,
                                                                   1, 0, 0, 8, 8, 8};
  const auto number = static_cast<std::uint32_t>(type);
  return number < kBytes.size() ? kBytes[number] : 0;
}

const std::byte* GgufCursor::take(std::uint64_t bytes, std::string_view field) {
  if (bytes > remaining()) {
    fail(field, "cut off: the file has " + std::to_string(remaining()) + " bytes left",
         std::to_string(bytes));
  }
  const std::byte* begin = bytes_.data() + position_;
  position_ += bytes;
  return begin;
}

std::string_view GgufCursor::string(std::string_view field, std::uint64_t max_bytes) {
  const auto length = number<std::uint64_t>(field);
  const std::uint64_t limit = std::min(max_bytes, remaining());
  if (length > limit) {
    fail(field, std::to_string(length) + " bytes long", "at most " + std::to_string(limit));
  }
  return {reinterpret_cast<const char*>(take(length, field)), length};
}

void GgufCursor::skip(std::uint64_t count, std::uint64_t element_bytes, std::string_view field) {
  if (count > remaining() / element_bytes) {
    fail(field, std::to_string(count) + " elements long",
         "at most " + std::to_string(remaining() / element_bytes));
  }
  position_ += count * element_bytes;
}

std::uint64_t GgufCursor::count(std::string_view field, std::uint64_t element_bytes,
                                std::uint64_t max_count) {
  const auto value = number<std::uint64_t>(field);
  const std::uint64_t limit = std::min(max_count, remaining() / element_bytes);
  if (value > limit) fail(field, std::to_string(value), "at most " + std::to_string(limit));
  return value;
}

void GgufCursor::fail(std::string_view field, std::string_view found, std::string_view wanted,
                      ErrorKind kind) const {
  std::string message = file_name_ + ": ";
  if (!subject_.empty()) {
    message += subject_;
    if (!name_.empty()) message += " " + in_quotes(name_);
    message += ": ";
  }
  message.append(field).append(" is ").append(found).append(", wanted ").append(wanted);
  throw Error(kind, message);
}

}  // namespace whereof::model
