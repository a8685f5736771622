// PNG (RFC 2083) of a page: rows of 16 shades of gray, deflated (RFC 1951) in one block of fixed
// codes. A run is looked for where its first four bytes stood last, which is enough for pages:
// white space and the same letters again.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/page_image.h"

namespace whereof {
namespace {

constexpr std::size_t kShortestRun = 4;
constexpr std::size_t kLongestRun = 258;
constexpr std::size_t kFurthestRun = 32768;
constexpr int kHashBits = 15;
constexpr unsigned kEndOfBlock = 256;

void append_u32(std::string& out, std::uint32_t value) {  // big-endian
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0);
  }
  return ~crc;
}

std::uint32_t adler32(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

// Bits fill each byte from its lowest; Huffman codes come with their highest bit first.
class Deflater {
 public:
  std::string deflate(std::string_view bytes) {
    std::vector<std::size_t> last(std::size_t{1} << kHashBits, bytes.size());
    bits(0b011, 3);  // the last block, fixed codes
    for (std::size_t at = 0; at < bytes.size();) {
      std::size_t length = 0, distance = 0;
      if (at + kShortestRun <= bytes.size()) {
        std::size_t& place = last[hash_of(bytes.substr(at, kShortestRun))];
        if (place < at && at - place <= kFurthestRun) {
          distance = at - place;
          length = run_length(bytes, place, at);
        }
        place = at;
      }
      if (length >= kShortestRun) {
        run(static_cast<unsigned>(length), static_cast<unsigned>(distance));
        at += length;
      } else {
        symbol(static_cast<unsigned char>(bytes[at++]));
      }
    }
    symbol(kEndOfBlock);
    bits(0, 7);  // fills the last byte
    return std::move(out_);
  }

 private:
  static std::size_t hash_of(std::string_view four) {
    std::uint32_t value = 0;
    for (const char byte : four) value = value << 8 | static_cast<unsigned char>(byte);
    return (value * 2654435761U) >> (32 - kHashBits);
  }

  static std::size_t run_length(std::string_view bytes, std::size_t from, std::size_t at) {
    const std::size_t most = std::min(kLongestRun, bytes.size() - at);
    std::size_t length = 0;
    while (length < most && bytes[from + length] == bytes[at + length]) ++length;
    return length;
  }

  void bits(unsigned value, int count) {
    held_ |= value << held_bits_;
    held_bits_ += count;
    for (; held_bits_ >= 8; held_bits_ -= 8, held_ >>= 8) out_ += static_cast<char>(held_);
  }

  void code(unsigned value, int count) {
    for (int bit = count - 1; bit >= 0; --bit) bits(value >> bit & 1U, 1);
  }

  void symbol(unsigned value) {
    if (value < 144) {
      code(0x30 + value, 8);
    } else if (value < 256) {
      code(0x190 + value - 144, 9);
    } else if (value < 280) {
      code(value - 256, 7);
    } else {
      code(0xC0 + value - 280, 8);
    }
  }

  void run(unsigned length, unsigned distance) {
    static constexpr std::array<unsigned, 29> kLengths = {
        3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
        31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static constexpr std::array<int, 29> kLengthBits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                        2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    const auto after = std::upper_bound(kLengths.begin(), kLengths.end(), length);
    const auto n = static_cast<std::size_t>(after - kLengths.begin() - 1);
    symbol(257 + static_cast<unsigned>(n));
    bits(length - kLengths[n], kLengthBits[n]);
    // Distances: two codes for each number of further bits, which grows from the fifth on.
    unsigned first = 1, number = 0;
    int further = 0;
    while (distance >= first + (1U << further)) {
      first += 1U << further;
      ++number;
      further = number < 4 ? 0 : static_cast<int>(number / 2) - 1;
    }
    code(number, 5);
    bits(distance - first, further);
  }

  std::string out_;
  unsigned held_ = 0;
  int held_bits_ = 0;
};

void append_chunk(std::string& out, std::string_view name, std::string_view content) {
  append_u32(out, static_cast<std::uint32_t>(content.size()));
  const std::string named = std::string(name) + std::string(content);
  out += named;
  append_u32(out, crc32(named));
}

// Each row: filter 0, then two pixels a byte.
std::string packed_rows(const PageImage& image) {
  const auto columns = static_cast<std::size_t>(image.columns);
  const auto shade = [&](std::size_t at) {
    return (static_cast<unsigned>(static_cast<unsigned char>(image.gray[at])) * 15 + 127) / 255;
  };
  std::string rows;
  rows.reserve(static_cast<std::size_t>(image.rows) * (columns / 2 + 2));
  for (std::size_t row = 0; row < static_cast<std::size_t>(image.rows); ++row) {
    rows += '\0';
    for (std::size_t column = 0; column < columns; column += 2) {
      const std::size_t at = row * columns + column;
      const unsigned right = column + 1 < columns ? shade(at + 1) : 0;
      rows += static_cast<char>(shade(at) << 4 | right);
    }
  }
  return rows;
}

}  // namespace

std::string png_of(const PageImage& image) {
  std::string header;
  append_u32(header, static_cast<std::uint32_t>(image.columns));
  append_u32(header, static_cast<std::uint32_t>(image.rows));
  header += std::string("\x04\x00\x00\x00\x00", 5);  // four bits of gray, not interlaced
  const std::string rows = packed_rows(image);
  std::string content = "\x78\x01" + Deflater().deflate(rows);
  append_u32(content, adler32(rows));
  std::string png = "\x89PNG\r\n\x1a\n";
  append_chunk(png, "IHDR", header);
  append_chunk(png, "IDAT", content);
  append_chunk(png, "IEND", {});
  return png;
}

}  // namespace whereof
