// A model file with another window: short texts are longer than it, or a tiny model takes long
// ones.
#ifndef WHEREOF_TESTS_MODEL_MODEL_WITH_WINDOW_H_
#define WHEREOF_TESTS_MODEL_MODEL_WITH_WINDOW_H_

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "model/temporary_file.h"

namespace whereof::tests {

// A copy of the file, gone with this object, whose llama.context_length is `tokens`.
class ModelWithWindow {
 public:
  ModelWithWindow(const std::filesystem::path& file, std::uint32_t tokens)
      : path_(TemporaryFile::unused_path()) {
    std::filesystem::copy_file(file, path_);
    const std::string key = "llama.context_length";
    std::fstream stream(path_, std::ios::in | std::ios::out | std::ios::binary);
    std::string front(1 << 14, '\0');
    stream.read(front.data(), static_cast<std::streamsize>(front.size()));
    const std::size_t at = front.find(key);
    constexpr std::size_t kTypeBytes = 4;  // of the value, a 32-bit integer
    if (!stream || at == std::string::npos) throw std::runtime_error("no " + key);
    stream.seekp(static_cast<std::streamoff>(at + key.size() + kTypeBytes));
    stream.write(reinterpret_cast<const char*>(&tokens), sizeof tokens);
    if (!stream.flush()) throw std::runtime_error("cannot write " + path_.string());
  }
  ~ModelWithWindow() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  ModelWithWindow(const ModelWithWindow&) = delete;
  ModelWithWindow& operator=(const ModelWithWindow&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace whereof::tests

#endif  // WHEREOF_TESTS_MODEL_MODEL_WITH_WINDOW_H_
