#include "model/seeded_hash.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace whereof::model {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kOdd1 = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
constexpr std::uint64_t kOdd2 = 0xD1B54A32D192ED03;  // 2^64 / plastic number, squared

std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept {
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

std::uint64_t process_hash_seed() {
  static const std::uint64_t seed = [] {
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 32) | device();
  }();
  return seed;
}

std::uint64_t hash_of(std::uint64_t value, std::uint64_t seed) noexcept {
  return fold(fold(value ^ seed, kOdd1) ^ seed, kOdd2);
}

std::uint64_t hash_of(std::string_view text, std::uint64_t seed) noexcept {
  std::uint64_t state = seed ^ text.size();
  for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t piece = 0;
    std::memcpy(&piece, text.data() + at, std::min(sizeof(piece), text.size() - at));
    state = fold(state ^ kOdd2, piece ^ seed ^ kOdd1);
  }
  return hash_of(state, seed);
}

}  // namespace whereof::model
