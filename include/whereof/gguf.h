// GGUF model files, versions 2 and 3, memory-mapped and checked (format: ggml docs/gguf.md).
#ifndef WHEREOF_GGUF_H_
#define WHEREOF_GGUF_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whereof {

// Numbers as in the file. Only those that GgufFile::open accepts are listed.
enum class GgufTensorType : std::uint32_t {
  f32 = 0,
  f16 = 1,
  q4_0 = 2,
  q4_1 = 3,
  q5_0 = 6,
  q5_1 = 7,
  q8_0 = 8,
  q2_k = 10,
  q3_k = 11,
  q4_k = 12,
  q5_k = 13,
  q6_k = 14,
  iq4_nl = 20,
  iq4_xs = 23,
  bf16 = 30,
};

std::string_view name_of(GgufTensorType type) noexcept;
std::int64_t block_elements(GgufTensorType type) noexcept;  // elements of one block: 1, 32 or 256
std::int64_t block_bytes(GgufTensorType type) noexcept;     // bytes of one block

struct GgufTensor {
  std::string name;
  GgufTensorType type = GgufTensorType::f32;
  std::vector<std::int64_t> shape;  // innermost first, as GGUF writes it: [columns, rows, ...]
  std::span<const std::byte> data;  // inside the mapping; lives as long as the GgufFile

  std::int64_t columns() const noexcept { return shape.empty() ? 1 : shape[0]; }
  std::int64_t rows() const noexcept {
    std::int64_t product = 1;
    for (std::size_t i = 1; i < shape.size(); ++i) product *= shape[i];
    return product;
  }
};

// Immutable after open(); safe to read from several threads.
class GgufFile {
 public:
  // Maps the file read-only. Every count, length, offset and sum is checked against the file's size
  // before it is used. Throws Error: not_found, input_output, bad_model (names the field, the value
  // found and the value wanted), unsupported (a version or tensor type not listed above).
  static std::shared_ptr<const GgufFile> open(const std::filesystem::path& path);
  virtual ~GgufFile() = default;

  virtual const std::filesystem::path& path() const = 0;
  virtual std::uint32_t version() const = 0;
  virtual std::int64_t file_bytes() const = 0;
  virtual std::span<const GgufTensor> tensors() const = 0;
  virtual const GgufTensor* find_tensor(std::string_view name) const = 0;  // null if absent

  // Lost pages of a file that is cut while mapped read as zeros, they do not end the process. Call
  // this once a piece of work on tensor data is done, before its result counts: throws
  // Error(bad_model) if a lost page was read or the file's size is no longer what was mapped.
  virtual void check_intact() const = 0;

  // Metadata. std::nullopt when the key is absent; Error(bad_model) when its type does not fit.
  virtual std::optional<std::int64_t> integer(std::string_view key) const = 0;
  virtual std::optional<double> real(std::string_view key) const = 0;
  virtual std::optional<bool> boolean(std::string_view key) const = 0;
  virtual std::optional<std::string_view> string(std::string_view key) const = 0;
  virtual std::optional<std::vector<std::string_view>> strings(std::string_view key) const = 0;
  // Booleans of an array count as 0 and 1.
  virtual std::optional<std::vector<std::int64_t>> integers(std::string_view key) const = 0;
  virtual std::optional<std::vector<float>> reals(std::string_view key) const = 0;
  virtual bool is_array(std::string_view key) const = 0;   // false if absent
  virtual std::vector<std::string_view> keys() const = 0;  // in file order
};

}  // namespace whereof

#endif  // WHEREOF_GGUF_H_
