// Runs a fuzz target over its saved inputs, cut at many lengths, without libFuzzer.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

TEST(Replay, SavedInputsAndTheirPrefixes) {
  int inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WHEREOF_FUZZ_CORPUS)) {
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::vector<std::uint8_t> bytes(std::istreambuf_iterator<char>(stream), {});
    SCOPED_TRACE(entry.path());
    const std::size_t step = 1 + bytes.size() / 64;
    for (std::size_t size = 0; size < bytes.size(); size += step) {
      const std::vector<std::uint8_t> prefix(bytes.begin(),
                                             bytes.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_EQ(LLVMFuzzerTestOneInput(prefix.data(), prefix.size()), 0);
    }
    EXPECT_EQ(LLVMFuzzerTestOneInput(bytes.data(), bytes.size()), 0);
    ++inputs;
  }
  EXPECT_GT(inputs, 0);
}

}  // namespace
