// The block layouts of GGUF's quantised tensor types (format: ggml docs/gguf.md and ggml-common.h),
// and the one form that all of them have here.
//
// Whatever its packing, every quantised type is affine in small unsigned integers:
//
//   w[i] = scale[i / 16] * quant[i] + offset[i / 16]        0 <= quant <= 255
//
// with one scale and one offset for 16 elements (types that share them between 32 repeat them). A
// chunk is 256 elements: one block of the K types, eight blocks of the 32-element types. unpack_*
// below turn one chunk into that form; widening and dot products know nothing else of a type.
//
// Exact: quants, and all scales and offsets but those of Q6_K, Q3_K and IQ4_XS, where a product of
// three factors can differ from another order of multiplication in the last bit of a float.
//
// Everything is static: the header is compiled once in each instruction set's folder.
#ifndef WHEREOF_LINEAR_BLOCK_FORMATS_H_
#define WHEREOF_LINEAR_BLOCK_FORMATS_H_

#include <cstdint>
#include <cstring>

#include "numeric/half.h"

namespace whereof::linear {

constexpr std::int64_t kChunk = 256;      // elements of one chunk
constexpr std::int64_t kScaleGroup = 16;  // elements that share a scale and an offset
constexpr std::int64_t kChunkScales = kChunk / kScaleGroup;

struct UnpackedChunk {
  alignas(64) std::uint8_t quants[kChunk];
  alignas(64) float scales[kChunkScales];
  alignas(64) float offsets[kChunkScales];
};

struct BlockQ4_0 {  // 32 elements: w = d * (q - 8); byte j holds elements j (low) and j + 16
  std::uint16_t d;  // f16, here and below
  std::uint8_t quants[16];
};
struct BlockQ4_1 {  // 32: w = d * q + m
  std::uint16_t d, m;
  std::uint8_t quants[16];
};
struct BlockQ5_0 {  // 32: w = d * (q - 16); bit j of high is bit 4 of element j
  std::uint16_t d;
  std::uint8_t high[4];
  std::uint8_t quants[16];
};
struct BlockQ5_1 {  // 32: w = d * q + m
  std::uint16_t d, m;
  std::uint8_t high[4];
  std::uint8_t quants[16];
};
struct BlockQ8_0 {  // 32: w = d * q, q signed
  std::uint16_t d;
  std::int8_t quants[32];
};
struct BlockQ2_K {  // 256: w = d * (s & 15) * q - dmin * (s >> 4), s for each 16
  std::uint8_t scales[16];
  std::uint8_t quants[64];  // 128 elements in each 32 bytes, two bits at shifts 0, 2, 4, 6
  std::uint16_t d, dmin;
};
struct BlockQ3_K {          // 256: w = d * (s - 32) * (q - 4), s of six bits for each 16
  std::uint8_t high[32];    // bit j of byte i: bit 2 of element 32 j + i
  std::uint8_t quants[64];  // as in Q2_K
  std::uint8_t scales[12];
  std::uint16_t d;
};
struct BlockQ4_K {  // 256: w = d * s * q - dmin * m, s and m of six bits for each 32
  std::uint16_t d, dmin;
  std::uint8_t scales[12];
  std::uint8_t quants[128];  // 64 elements in each 32 bytes: low halves, then high halves
};
struct BlockQ5_K {  // 256: as Q4_K, with a fifth bit
  std::uint16_t d, dmin;
  std::uint8_t scales[12];
  std::uint8_t high[32];  // bit j of byte i: bit 4 of element 32 j + i
  std::uint8_t quants[128];
};
struct BlockQ6_K {        // 256: w = d * s * (q - 32), s signed for each 16
  std::uint8_t low[128];  // of each 128 elements: 64 bytes, low halves then high halves
  std::uint8_t high[64];  // of each 128 elements: 32 bytes, two bits at shifts 0, 2, 4, 6
  std::int8_t scales[16];
  std::uint16_t d;
};
struct BlockIQ4_NL {  // 32: w = d * kNonLinear[q]
  std::uint16_t d;
  std::uint8_t quants[16];
};
struct BlockIQ4_XS {  // 256: w = d * (s - 32) * kNonLinear[q], s of six bits for each 32
  std::uint16_t d;
  std::uint16_t scales_high;
  std::uint8_t scales_low[4];
  std::uint8_t quants[128];  // 32 elements in each 16 bytes, as in Q4_0
};

static_assert(sizeof(BlockQ4_0) == 18 && sizeof(BlockQ4_1) == 20 && sizeof(BlockQ5_0) == 22 &&
              sizeof(BlockQ5_1) == 24 && sizeof(BlockQ8_0) == 34 && sizeof(BlockQ2_K) == 84 &&
              sizeof(BlockQ3_K) == 110 && sizeof(BlockQ4_K) == 144 && sizeof(BlockQ5_K) == 176 &&
              sizeof(BlockQ6_K) == 210 && sizeof(BlockIQ4_NL) == 18 && sizeof(BlockIQ4_XS) == 136);

// The 16 levels of the non-linear four-bit types, moved up by 128.
constexpr std::uint8_t kNonLinear[16] = {1,   24,  45,  63,  79,  93,  106, 118,
                                         129, 141, 153, 166, 181, 197, 217, 241};

// Eight blocks of 32: `Block` says how one becomes quants, scale and offset.
template <typename Block, typename UnpackBlock>
static void unpack_eight(const void* blocks, UnpackedChunk& out, UnpackBlock unpack_block) {
  const auto* block = static_cast<const Block*>(blocks);
  for (int b = 0; b < 8; ++b) {
    float scale = 0;
    float offset = 0;
    unpack_block(block[b], out.quants + 32 * b, scale, offset);
    out.scales[2 * b] = out.scales[2 * b + 1] = scale;
    out.offsets[2 * b] = out.offsets[2 * b + 1] = offset;
  }
}

[[maybe_unused]] static void unpack_nibbles(const std::uint8_t* bytes, std::uint8_t* quants) {
  for (int j = 0; j < 16; ++j) {
    quants[j] = bytes[j] & 15U;
    quants[j + 16] = static_cast<std::uint8_t>(bytes[j] >> 4);
  }
}

[[maybe_unused]] static void add_fifth_bits(const std::uint8_t* high, std::uint8_t* quants) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, high, 4);
  for (unsigned j = 0; j < 32; ++j) {
    quants[j] = static_cast<std::uint8_t>(quants[j] | (((bits >> j) & 1U) << 4));
  }
}

[[maybe_unused]] static void unpack_chunk(const BlockQ4_0* blocks, UnpackedChunk& out) {
  unpack_eight<BlockQ4_0>(
      blocks, out, [](const BlockQ4_0& b, std::uint8_t* quants, float& scale, float& offset) {
        unpack_nibbles(b.quants, quants);
        scale = numeric::float_of_f16(b.d);
        offset = -8 * scale;
      });
}

[[maybe_unused]] static void unpack_chunk(const BlockQ4_1* blocks, UnpackedChunk& out) {
  unpack_eight<BlockQ4_1>(
      blocks, out, [](const BlockQ4_1& b, std::uint8_t* quants, float& scale, float& offset) {
        unpack_nibbles(b.quants, quants);
        scale = numeric::float_of_f16(b.d);
        offset = numeric::float_of_f16(b.m);
      });
}

[[maybe_unused]] static void unpack_chunk(const BlockQ5_0* blocks, UnpackedChunk& out) {
  unpack_eight<BlockQ5_0>(
      blocks, out, [](const BlockQ5_0& b, std::uint8_t* quants, float& scale, float& offset) {
        unpack_nibbles(b.quants, quants);
        add_fifth_bits(b.high, quants);
        scale = numeric::float_of_f16(b.d);
        offset = -16 * scale;
      });
}

[[maybe_unused]] static void unpack_chunk(const BlockQ5_1* blocks, UnpackedChunk& out) {
  unpack_eight<BlockQ5_1>(
      blocks, out, [](const BlockQ5_1& b, std::uint8_t* quants, float& scale, float& offset) {
        unpack_nibbles(b.quants, quants);
        add_fifth_bits(b.high, quants);
        scale = numeric::float_of_f16(b.d);
        offset = numeric::float_of_f16(b.m);
      });
}

[[maybe_unused]] static void unpack_chunk(const BlockQ8_0* blocks, UnpackedChunk& out) {
  unpack_eight<BlockQ8_0>(
      blocks, out, [](const BlockQ8_0& b, std::uint8_t* quants, float& scale, float& offset) {
        for (int j = 0; j < 32; ++j) quants[j] = static_cast<std::uint8_t>(b.quants[j] + 128);
        scale = numeric::float_of_f16(b.d);
        offset = -128 * scale;
      });
}

[[maybe_unused]] static void unpack_chunk(const BlockIQ4_NL* blocks, UnpackedChunk& out) {
  unpack_eight<BlockIQ4_NL>(
      blocks, out, [](const BlockIQ4_NL& b, std::uint8_t* quants, float& scale, float& offset) {
        unpack_nibbles(b.quants, quants);
        for (int j = 0; j < 32; ++j) quants[j] = kNonLinear[quants[j]];
        scale = numeric::float_of_f16(b.d);
        offset = -128 * scale;
      });
}

// Two bits a quant: element 128 h + 32 s + i lies in byte 32 h + i at shift 2 s.
[[maybe_unused]] static void unpack_pairs(const std::uint8_t* bytes, std::uint8_t* quants) {
  for (int half = 0; half < 2; ++half) {
    for (int shift = 0; shift < 4; ++shift) {
      for (int i = 0; i < 32; ++i) {
        quants[128 * half + 32 * shift + i] = (bytes[32 * half + i] >> (2 * shift)) & 3U;
      }
    }
  }
}

[[maybe_unused]] static void unpack_chunk(const BlockQ2_K* block, UnpackedChunk& out) {
  unpack_pairs(block->quants, out.quants);
  const float d = numeric::float_of_f16(block->d);
  const float dmin = numeric::float_of_f16(block->dmin);
  for (int g = 0; g < 16; ++g) {
    out.scales[g] = d * static_cast<float>(block->scales[g] & 15U);
    out.offsets[g] = -dmin * static_cast<float>(block->scales[g] >> 4);
  }
}

[[maybe_unused]] static void unpack_chunk(const BlockQ3_K* block, UnpackedChunk& out) {
  unpack_pairs(block->quants, out.quants);
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 32; ++i) {
      const unsigned bit = (static_cast<unsigned>(block->high[i]) >> j) & 1U;
      out.quants[32 * j + i] = static_cast<std::uint8_t>(out.quants[32 * j + i] | (bit << 2));
    }
  }
  const float d = numeric::float_of_f16(block->d);
  for (int g = 0; g < 16; ++g) {
    const unsigned low = (static_cast<unsigned>(block->scales[g % 8]) >> (g < 8 ? 0 : 4)) & 15U;
    const unsigned high = (static_cast<unsigned>(block->scales[8 + g % 4]) >> (2 * (g / 4))) & 3U;
    out.scales[g] = d * static_cast<float>(static_cast<int>(low | (high << 4)) - 32);
    out.offsets[g] = -4 * out.scales[g];
  }
}

// The six-bit scales and minima of Q4_K and Q5_K: four of each in the low six bits of bytes 0-3
// and 4-7; the other four have their low halves in bytes 8-11 and their high bits above the first.
struct SixBitScales {
  std::uint8_t scales[8];
  std::uint8_t minima[8];
};
[[maybe_unused]] static SixBitScales unpack_six_bits(const std::uint8_t* bytes) {
  SixBitScales out;
  for (int i = 0; i < 4; ++i) {
    const unsigned a = bytes[i];
    const unsigned b = bytes[i + 4];
    const unsigned c = bytes[i + 8];
    out.scales[i] = static_cast<std::uint8_t>(a & 63U);
    out.minima[i] = static_cast<std::uint8_t>(b & 63U);
    out.scales[i + 4] = static_cast<std::uint8_t>((c & 15U) | ((a >> 2) & 48U));
    out.minima[i + 4] = static_cast<std::uint8_t>((c >> 4) | ((b >> 2) & 48U));
  }
  return out;
}

// Q4_K and Q5_K share all but the fifth bit.
template <typename Block>
static void unpack_six_bit_chunk(const Block* block, UnpackedChunk& out) {
  for (int part = 0; part < 4; ++part) {
    for (int i = 0; i < 32; ++i) {
      const unsigned byte = block->quants[32 * part + i];
      out.quants[64 * part + i] = static_cast<std::uint8_t>(byte & 15U);
      out.quants[64 * part + 32 + i] = static_cast<std::uint8_t>(byte >> 4);
    }
  }
  const SixBitScales six = unpack_six_bits(block->scales);
  const float d = numeric::float_of_f16(block->d);
  const float dmin = numeric::float_of_f16(block->dmin);
  for (int g = 0; g < 16; ++g) {
    out.scales[g] = d * static_cast<float>(six.scales[g / 2]);
    out.offsets[g] = -dmin * static_cast<float>(six.minima[g / 2]);
  }
}

[[maybe_unused]] static void unpack_chunk(const BlockQ4_K* block, UnpackedChunk& out) {
  unpack_six_bit_chunk(block, out);
}

[[maybe_unused]] static void unpack_chunk(const BlockQ5_K* block, UnpackedChunk& out) {
  unpack_six_bit_chunk(block, out);
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 32; ++i) {
      const unsigned bit = (static_cast<unsigned>(block->high[i]) >> j) & 1U;
      out.quants[32 * j + i] = static_cast<std::uint8_t>(out.quants[32 * j + i] | (bit << 4));
    }
  }
}

[[maybe_unused]] static void unpack_chunk(const BlockQ6_K* block, UnpackedChunk& out) {
  unpack_pairs(block->high, out.quants);
  for (int half = 0; half < 2; ++half) {
    for (int i = 0; i < 64; ++i) {
      const unsigned byte = block->low[64 * half + i];
      std::uint8_t* low = out.quants + 128 * half + i;
      low[0] = static_cast<std::uint8_t>((low[0] << 4) | (byte & 15U));
      low[64] = static_cast<std::uint8_t>((low[64] << 4) | (byte >> 4));
    }
  }
  const float d = numeric::float_of_f16(block->d);
  for (int g = 0; g < 16; ++g) {
    out.scales[g] = d * static_cast<float>(block->scales[g]);
    out.offsets[g] = -32 * out.scales[g];
  }
}

[[maybe_unused]] static void unpack_chunk(const BlockIQ4_XS* block, UnpackedChunk& out) {
  const float d = numeric::float_of_f16(block->d);
  for (int b = 0; b < 8; ++b) {
    unpack_nibbles(block->quants + 16 * b, out.quants + 32 * b);
    for (int j = 0; j < 32; ++j) out.quants[32 * b + j] = kNonLinear[out.quants[32 * b + j]];
    const unsigned low = (static_cast<unsigned>(block->scales_low[b / 2]) >> (4 * (b % 2))) & 15U;
    const unsigned high = (static_cast<unsigned>(block->scales_high) >> (2 * b)) & 3U;
    const float scale = d * static_cast<float>(static_cast<int>(low | (high << 4)) - 32);
    out.scales[2 * b] = out.scales[2 * b + 1] = scale;
    out.offsets[2 * b] = out.offsets[2 * b + 1] = -128 * scale;
  }
}

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_BLOCK_FORMATS_H_
