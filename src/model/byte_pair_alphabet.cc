#include "model/byte_pair_alphabet.h"

#include <array>

#include "text/utf8.h"

namespace whereof::model {
namespace {

constexpr char32_t kFirstStandIn = 0x100;
constexpr std::size_t kStandIns = 68;

constexpr bool stands_for_itself(std::uint32_t byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Alphabet {
  std::array<char32_t, 256> letters{};
  std::array<std::int16_t, kFirstStandIn + kStandIns> bytes{};  // -1: not in the alphabet

  constexpr Alphabet() {
    bytes.fill(-1);
    char32_t next = kFirstStandIn;
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      letters[byte] = stands_for_itself(byte) ? byte : next++;
      bytes[letters[byte]] = static_cast<std::int16_t>(byte);
    }
  }
};

constexpr Alphabet kAlphabet;

}  // namespace

char32_t letter_of_byte(std::uint8_t byte) noexcept { return kAlphabet.letters[byte]; }

bool append_bytes_of_letters(std::string_view letters, std::string& bytes) {
  const std::size_t begin = bytes.size();
  for (std::size_t at = 0; at < letters.size();) {
    const auto first = static_cast<unsigned char>(letters[at]);
    const text::CodePoint point =
        first < 0x80 ? text::CodePoint{first, 1, true} : text::decode_at(letters, at);
    const bool is_letter =
        point.is_valid && point.value < kAlphabet.bytes.size() && kAlphabet.bytes[point.value] >= 0;
    if (!is_letter) {
      bytes.resize(begin);
      return false;
    }
    bytes += static_cast<char>(kAlphabet.bytes[point.value]);
    at += static_cast<std::size_t>(point.bytes);
  }
  return true;
}

}  // namespace whereof::model
