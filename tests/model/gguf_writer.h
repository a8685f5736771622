// Writes small GGUF files for tests, and remembers where their counts, lengths and types stand.
#ifndef WHEREOF_TESTS_MODEL_GGUF_WRITER_H_
#define WHEREOF_TESTS_MODEL_GGUF_WRITER_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace whereof::tests {

class GgufWriter {
 public:
  struct Field {
    std::size_t offset = 0;
    std::size_t width = 0;  // bytes
    std::string name;
  };

  explicit GgufWriter(std::uint32_t version = 3) : version_(version) {}

  template <typename Number>
  GgufWriter& number(std::string_view key, std::uint32_t type, Number value) {
    begin_entry(key, type);
    put(entries_, value, "");
    return *this;
  }
  GgufWriter& uint32(std::string_view key, std::uint32_t value) { return number(key, 4, value); }
  GgufWriter& boolean(std::string_view key, bool value) {
    return number(key, 7, static_cast<std::uint8_t>(value));
  }
  GgufWriter& string(std::string_view key, std::string_view value) {
    begin_entry(key, 8);
    put_string(entries_, value, "string length");
    return *this;
  }
  GgufWriter& strings(std::string_view key, const std::vector<std::string>& values) {
    begin_array(key, 8, values.size());
    for (const std::string& value : values) put_string(entries_, value, "element length");
    return *this;
  }
  template <typename Number>
  GgufWriter& numbers(std::string_view key, std::uint32_t type, const std::vector<Number>& values) {
    begin_array(key, type, values.size());
    for (const Number value : values) put(entries_, value, "");
    return *this;
  }
  // The data is laid behind that of the tensors before, unless an offset is given.
  GgufWriter& tensor(std::string_view name, const std::vector<std::uint64_t>& shape,
                     std::uint32_t type, std::size_t bytes) {
    data_.resize((data_.size() + 31) / 32 * 32);
    describe(name, shape, type, data_.size());
    data_.resize(data_.size() + bytes, '\x3C');
    return *this;
  }
  // A tensor that claims an offset and brings no data.
  GgufWriter& describe(std::string_view name, const std::vector<std::uint64_t>& shape,
                       std::uint32_t type, std::uint64_t offset) {
    put_string(tensors_, name, "tensor name length");
    put(tensors_, static_cast<std::uint32_t>(shape.size()), "dimensions");
    for (const std::uint64_t extent : shape) put(tensors_, extent, "extent");
    put(tensors_, type, "tensor type");
    put(tensors_, offset, "tensor offset");
    ++tensor_count_;
    return *this;
  }

  std::string bytes(std::size_t alignment = 32) const {
    std::string file = head() + entries_.bytes + tensors_.bytes;
    if (!data_.empty()) file.resize((file.size() + alignment - 1) / alignment * alignment);
    return file + data_;
  }
  std::size_t header_bytes() const {
    return head().size() + entries_.bytes.size() + tensors_.bytes.size();
  }

  std::vector<Field> fields() const {
    std::vector<Field> all = {{8, 8, "tensor count"}, {16, 8, "metadata count"}};
    std::size_t begin = head().size();
    for (const Part* part : {&entries_, &tensors_}) {
      for (Field field : part->fields) {
        field.offset += begin;
        all.push_back(field);
      }
      begin += part->bytes.size();
    }
    return all;
  }

 private:
  struct Part {
    std::string bytes;
    std::vector<Field> fields;
  };

  template <typename Number>
  static void put(Part& part, Number value, const char* name) {
    if (*name != '\0') part.fields.push_back({part.bytes.size(), sizeof(Number), name});
    part.bytes.append(reinterpret_cast<const char*>(&value), sizeof(Number));
  }
  static void put_string(Part& part, std::string_view text, const char* name) {
    put(part, static_cast<std::uint64_t>(text.size()), name);
    part.bytes += text;
  }
  void begin_entry(std::string_view key, std::uint32_t type) {
    put_string(entries_, key, "key length");
    put(entries_, type, "value type");
    ++entry_count_;
  }
  void begin_array(std::string_view key, std::uint32_t type, std::uint64_t count) {
    begin_entry(key, 9);
    put(entries_, type, "element type");
    put(entries_, count, "array length");
  }
  std::string head() const {
    Part part{"GGUF", {}};
    put(part, version_, "");
    put(part, tensor_count_, "");
    put(part, entry_count_, "");
    return part.bytes;
  }

  std::uint32_t version_;
  std::uint64_t tensor_count_ = 0;
  std::uint64_t entry_count_ = 0;
  Part entries_;
  Part tensors_;
  std::string data_;
};

}  // namespace whereof::tests

#endif  // WHEREOF_TESTS_MODEL_GGUF_WRITER_H_
