// The golden blocks of tests/linear/golden, by type.
#ifndef WHEREOF_TESTS_LINEAR_GOLDEN_BLOCKS_H_
#define WHEREOF_TESTS_LINEAR_GOLDEN_BLOCKS_H_

#include <cstddef>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "whereof/gguf.h"

namespace whereof::tests {

struct GoldenBlocks {
  GgufTensorType type = GgufTensorType::f32;
  std::vector<std::byte> blocks;
  std::vector<float> values;
};

inline std::vector<std::byte> bytes_of_hex(const std::string& hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

inline GgufTensorType type_named(const std::string& name) {
  for (std::uint32_t number = 0; number < 64; ++number) {
    const auto type = static_cast<GgufTensorType>(number);
    std::string known(name_of(type));
    for (char& c : known) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (known == name) return type;
  }
  throw std::runtime_error("no tensor type is called " + name);
}

inline std::vector<GoldenBlocks> golden_blocks() {
  std::ifstream lines(WHEREOF_SOURCE_DIR "/tests/linear/golden/blocks.jsonl");
  std::vector<GoldenBlocks> all;
  for (std::string line; std::getline(lines, line);) {
    const auto golden = nlohmann::json::parse(line);
    GoldenBlocks blocks{type_named(golden["type"]), bytes_of_hex(golden["blocks"]), {}};
    const std::vector<std::byte> values = bytes_of_hex(golden["values"]);
    blocks.values.resize(values.size() / sizeof(float));
    std::memcpy(blocks.values.data(), values.data(), values.size());
    all.push_back(std::move(blocks));
  }
  return all;
}

}  // namespace whereof::tests

#endif  // WHEREOF_TESTS_LINEAR_GOLDEN_BLOCKS_H_
