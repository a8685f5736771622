#include "whereof/gguf.h"

#include <optional>
#include <utility>

#include "model/gguf_cursor.h"
#include "model/gguf_header.h"
#include "model/mapped_file.h"

namespace whereof {
namespace model {
namespace {

GgufHeader read_checked(const MappedFile& file) {
  try {
    GgufHeader header = read_gguf_header(file.path().string(), file.bytes());
    file.check_intact();
    return header;
  } catch (const Error&) {
    file.check_intact();  // what was read of lost pages is not what is wrong with the file
    throw;
  }
}

class MappedGguf final : public GgufFile {
 public:
  explicit MappedGguf(const std::filesystem::path& path)
      : file_(path),
        header_(read_checked(file_)),
        entry_order_(order_by_name(header_.entries, &GgufEntry::key)),
        tensor_order_(order_by_name(header_.tensors, &GgufTensor::name)) {}

  const std::filesystem::path& path() const override { return file_.path(); }
  std::uint32_t version() const override { return header_.version; }
  std::int64_t file_bytes() const override { return std::ssize(file_.bytes()); }
  std::span<const GgufTensor> tensors() const override { return header_.tensors; }
  void check_intact() const override { file_.check_intact(); }

  const GgufTensor* find_tensor(std::string_view name) const override {
    return find_by_name(header_.tensors, tensor_order_, &GgufTensor::name, name);
  }

  std::optional<std::int64_t> integer(std::string_view key) const override {
    const GgufEntry* entry = find(key);
    if (entry == nullptr) return std::nullopt;
    GgufCursor cursor = cursor_at(*entry);
    return read_integer(cursor, entry->type);
  }

  std::optional<double> real(std::string_view key) const override {
    const GgufEntry* entry = find(key);
    if (entry == nullptr) return std::nullopt;
    GgufCursor cursor = cursor_at(*entry);
    return read_real(cursor, entry->type);
  }

  std::optional<bool> boolean(std::string_view key) const override {
    const GgufEntry* entry = find(key);
    if (entry == nullptr) return std::nullopt;
    GgufCursor cursor = cursor_at(*entry);
    require(cursor, entry->type, GgufValueType::boolean);
    return cursor.number<std::uint8_t>("bool") != 0;
  }

  std::optional<std::string_view> string(std::string_view key) const override {
    const GgufEntry* entry = find(key);
    if (entry == nullptr) return std::nullopt;
    GgufCursor cursor = cursor_at(*entry);
    require(cursor, entry->type, GgufValueType::string);
    return cursor.string("string");
  }

  std::optional<std::vector<std::string_view>> strings(std::string_view key) const override {
    const GgufEntry* entry = find(key);
    if (entry == nullptr) return std::nullopt;
    GgufCursor cursor = array_cursor(*entry);
    require(cursor, entry->element_type, GgufValueType::string);
    std::vector<std::string_view> values(entry->count);
    for (std::string_view& value : values) value = cursor.string("string");
    return values;
  }

  std::optional<std::vector<std::int64_t>> integers(std::string_view key) const override {
    const GgufEntry* entry = find(key);
    if (entry == nullptr) return std::nullopt;
    GgufCursor cursor = array_cursor(*entry);
    const bool is_boolean = entry->element_type == GgufValueType::boolean;
    if (!is_boolean) require_integer(cursor, entry->element_type);
    std::vector<std::int64_t> values(entry->count);
    for (std::int64_t& value : values) {
      value = is_boolean ? static_cast<std::int64_t>(cursor.number<std::uint8_t>("bool") != 0)
                         : read_integer(cursor, entry->element_type);
    }
    return values;
  }

  std::optional<std::vector<float>> reals(std::string_view key) const override {
    const GgufEntry* entry = find(key);
    if (entry == nullptr) return std::nullopt;
    GgufCursor cursor = array_cursor(*entry);
    require(cursor, entry->element_type, GgufValueType::float32);
    std::vector<float> values(entry->count);
    for (float& value : values) value = cursor.number<float>("float32");
    return values;
  }

  bool is_array(std::string_view key) const override {
    const GgufEntry* entry = find(key);
    return entry != nullptr && entry->type == GgufValueType::array;
  }

  std::vector<std::string_view> keys() const override {
    std::vector<std::string_view> names;
    names.reserve(header_.entries.size());
    for (const GgufEntry& entry : header_.entries) names.push_back(entry.key);
    return names;
  }

 private:
  const GgufEntry* find(std::string_view key) const {
    return find_by_name(header_.entries, entry_order_, &GgufEntry::key, key);
  }

  GgufCursor cursor_at(const GgufEntry& entry) const {
    GgufCursor cursor(file_.path().string(), file_.bytes());
    cursor.move_to(entry.position);
    cursor.speak_of("metadata", entry.key);
    return cursor;
  }

  GgufCursor array_cursor(const GgufEntry& entry) const {
    GgufCursor cursor = cursor_at(entry);
    require(cursor, entry.type, GgufValueType::array);
    return cursor;
  }

  static void require(const GgufCursor& cursor, GgufValueType found, GgufValueType wanted) {
    if (found != wanted) cursor.fail("type", name_of(found), name_of(wanted));
  }

  static void require_integer(const GgufCursor& cursor, GgufValueType type) {
    if (fixed_bytes(type) == 0 || type == GgufValueType::float32 ||
        type == GgufValueType::float64 || type == GgufValueType::boolean) {
      cursor.fail("type", name_of(type), "an integer");
    }
  }

  static std::int64_t read_integer(GgufCursor& cursor, GgufValueType type) {
    constexpr std::string_view kField = "integer";
    require_integer(cursor, type);
    if (type == GgufValueType::uint8) return cursor.number<std::uint8_t>(kField);
    if (type == GgufValueType::int8) return cursor.number<std::int8_t>(kField);
    if (type == GgufValueType::uint16) return cursor.number<std::uint16_t>(kField);
    if (type == GgufValueType::int16) return cursor.number<std::int16_t>(kField);
    if (type == GgufValueType::uint32) return cursor.number<std::uint32_t>(kField);
    if (type == GgufValueType::int32) return cursor.number<std::int32_t>(kField);
    if (type == GgufValueType::int64) return cursor.number<std::int64_t>(kField);
    const auto value = cursor.number<std::uint64_t>(kField);
    if (value > static_cast<std::uint64_t>(INT64_MAX)) {
      cursor.fail("value", std::to_string(value), "at most 2^63-1");
    }
    return static_cast<std::int64_t>(value);
  }

  static double read_real(GgufCursor& cursor, GgufValueType type) {
    if (type == GgufValueType::float32) return cursor.number<float>("float32");
    if (type == GgufValueType::float64) return cursor.number<double>("float64");
    cursor.fail("type", name_of(type), "float32 or float64");
  }

  MappedFile file_;
  GgufHeader header_;
  std::vector<std::uint32_t> entry_order_;
  std::vector<std::uint32_t> tensor_order_;
};

}  // namespace
}  // namespace model

std::shared_ptr<const GgufFile> GgufFile::open(const std::filesystem::path& path) {
  return std::make_shared<model::MappedGguf>(path);
}

}  // namespace whereof
