// Reads the metadata of one architecture ("llama.block_count") and checks its values' ranges.
#ifndef WHEREOF_MODEL_METADATA_READER_H_
#define WHEREOF_MODEL_METADATA_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "whereof/error.h"
#include "whereof/gguf.h"

namespace whereof::model {

// Throws Error(bad_model) naming the file, the key, the value found and the value wanted.
class MetadataReader {
 public:
  MetadataReader(const GgufFile& file, std::string_view architecture)
      : file_(file), prefix_(std::string(architecture) + ".") {}

  const GgufFile& file() const noexcept { return file_; }
  std::string key(std::string_view name) const { return prefix_ + std::string(name); }

  // 1 to most.
  std::int64_t size(std::string_view name, std::int64_t most) const;
  std::int64_t size_or(std::string_view name, std::int64_t otherwise, std::int64_t most) const;
  // 0 to most; 0 where the key is absent.
  std::int64_t size_or_zero(std::string_view name, std::int64_t most) const;
  // Finite and above 0.
  double positive_real(std::string_view name) const;
  double positive_real_or(std::string_view name, double otherwise) const;
  double positive_real_or_zero(std::string_view name, double otherwise) const;  // or 0 in the file

  // "FILE: ARCHITECTURE.NAME WHAT"
  [[noreturn]] void fail(ErrorKind kind, std::string_view name, const std::string& what) const;

 private:
  [[noreturn]] void missing(std::string_view name) const;
  std::int64_t checked(std::string_view name, std::int64_t value, std::int64_t least,
                       std::int64_t most) const;

  const GgufFile& file_;
  std::string prefix_;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_METADATA_READER_H_
