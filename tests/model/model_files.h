// Where the tests find the model files that `make test` fetches.
#ifndef WHEREOF_TESTS_MODEL_MODEL_FILES_H_
#define WHEREOF_TESTS_MODEL_MODEL_FILES_H_

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace whereof::tests {

constexpr const char* kSmolLm2 = "smollm2-135m-instruct-q4_1.gguf";
constexpr const char* kQwenSmall = "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf";
constexpr const char* kQwenDefault = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf";
constexpr const char* kGemma = "gemma-3-270m-q4_k_m.gguf";

// $WHEREOF_MODELS, else whereof/models in the user's cache folder.
inline std::filesystem::path model_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  if (const auto models = variable("WHEREOF_MODELS"); !models.empty()) return models;
  const auto cache = variable("XDG_CACHE_HOME");
  return (cache.empty() ? variable("HOME") / ".cache" : cache) / "whereof" / "models";
}

inline bool has_model(const char* name) { return std::filesystem::exists(model_folder() / name); }

// Throws, so that the test that needs the file fails and says why.
inline std::filesystem::path model_file(const char* name) {
  const std::filesystem::path path = model_folder() / name;
  if (!std::filesystem::exists(path)) {
    throw std::runtime_error("the model file " + path.string() +
                             " is absent; `make test` fetches it, or set WHEREOF_MODELS");
  }
  return path;
}

}  // namespace whereof::tests

#endif  // WHEREOF_TESTS_MODEL_MODEL_FILES_H_
