#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include "text/sha256.h"
#include "whereof/document.h"

namespace whereof {

std::optional<std::string> content_hash_of_file(const std::filesystem::path& path,
                                                const ReadLimits& limits) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) return std::nullopt;
  const auto size = std::filesystem::file_size(path, failure);
  if (failure || size > static_cast<std::uintmax_t>(limits.file_bytes)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file || bytes.size() != size) return std::nullopt;
  return text::sha256_hex(bytes);
}

}  // namespace whereof
