// From a tensor type's number to its unpack function, and rows of any type to floats.
//
// Everything is static: compiled once in each instruction set's folder, with its flags.
#ifndef WHEREOF_LINEAR_UNPACK_H_
#define WHEREOF_LINEAR_UNPACK_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "linear/block_formats.h"
#include "linear/linear_kernels.h"
#include "whereof/gguf.h"

namespace whereof::linear {

// How many bytes a chunk of 256 elements takes, and its unpack function; null for f32, f16, bf16.
struct ChunkFormat {
  std::int64_t block_elements;
  std::int64_t block_bytes;
  void (*unpack)(const std::byte*, UnpackedChunk&);
};

template <typename Block>
static void unpack_bytes(const std::byte* blocks, UnpackedChunk& out) {
  unpack_chunk(reinterpret_cast<const Block*>(blocks), out);
}

template <typename Block>
static constexpr ChunkFormat format_of(std::int64_t elements) {
  return {elements, sizeof(Block), unpack_bytes<Block>};
}

[[maybe_unused]] static ChunkFormat chunk_format(GgufTensorType type) {
  switch (type) {
    case GgufTensorType::q4_0:
      return format_of<BlockQ4_0>(32);
    case GgufTensorType::q4_1:
      return format_of<BlockQ4_1>(32);
    case GgufTensorType::q5_0:
      return format_of<BlockQ5_0>(32);
    case GgufTensorType::q5_1:
      return format_of<BlockQ5_1>(32);
    case GgufTensorType::q8_0:
      return format_of<BlockQ8_0>(32);
    case GgufTensorType::q2_k:
      return format_of<BlockQ2_K>(256);
    case GgufTensorType::q3_k:
      return format_of<BlockQ3_K>(256);
    case GgufTensorType::q4_k:
      return format_of<BlockQ4_K>(256);
    case GgufTensorType::q5_k:
      return format_of<BlockQ5_K>(256);
    case GgufTensorType::q6_k:
      return format_of<BlockQ6_K>(256);
    case GgufTensorType::iq4_nl:
      return format_of<BlockIQ4_NL>(32);
    case GgufTensorType::iq4_xs:
      return format_of<BlockIQ4_XS>(256);
    case GgufTensorType::f32:
    case GgufTensorType::f16:
    case GgufTensorType::bf16:
      break;
  }
  return {1, 0, nullptr};
}

// The largest chunk: eight blocks of Q8_0.
constexpr std::int64_t kMaxChunkBytes = 8 * static_cast<std::int64_t>(sizeof(BlockQ8_0));

// The chunk that begins at element `begin` of a row of `columns`. A row's last chunk may be short:
// its blocks are then copied into `buffer` (kMaxChunkBytes) and followed by zero blocks, whose
// elements are zero in every type, so that no byte behind the row is read.
[[maybe_unused]] static const std::byte* chunk_at(const std::byte* row, const ChunkFormat& format,
                                                  std::int64_t begin, std::int64_t columns,
                                                  std::byte* buffer) {
  const std::byte* blocks = row + begin / format.block_elements * format.block_bytes;
  if (begin + kChunk <= columns) return blocks;
  const std::int64_t left = (columns - begin) / format.block_elements * format.block_bytes;
  std::memset(buffer, 0, static_cast<std::size_t>(kMaxChunkBytes));
  std::memcpy(buffer, blocks, static_cast<std::size_t>(left));
  return buffer;
}

// Elements [begin, begin + count) of a row of f32, f16 or bf16 weights.
[[maybe_unused]] static void widen_floats(GgufTensorType type, const std::byte* row,
                                          std::int64_t begin, std::int64_t count, float* out) {
  if (type == GgufTensorType::f32) {
    std::memcpy(out, row + 4 * begin, static_cast<std::size_t>(4 * count));
    return;
  }
  const std::byte* halves = row + 2 * begin;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, halves + 2 * i, 2);
    out[i] =
        type == GgufTensorType::f16 ? numeric::float_of_f16(bits) : numeric::float_of_bf16(bits);
  }
}

// Elements [begin, begin + count) of a row, begin a multiple of kChunk.
[[maybe_unused]] static void widen_row(GgufTensorType type, const std::byte* row,
                                       std::int64_t columns, std::int64_t begin, std::int64_t count,
                                       float* out) {
  const ChunkFormat format = chunk_format(type);
  if (format.unpack == nullptr) {
    widen_floats(type, row, begin, count, out);
    return;
  }
  UnpackedChunk chunk;
  alignas(64) std::byte buffer[kMaxChunkBytes];
  for (std::int64_t done = 0; done < count; done += kChunk) {
    format.unpack(chunk_at(row, format, begin + done, columns, buffer), chunk);
    const std::int64_t groups = (count - done < kChunk ? count - done : kChunk) / kScaleGroup;
    for (std::int64_t g = 0; g < groups; ++g) {
      for (std::int64_t i = 0; i < kScaleGroup; ++i) {
        out[done + g * kScaleGroup + i] =
            chunk.scales[g] * static_cast<float>(chunk.quants[g * kScaleGroup + i]) +
            chunk.offsets[g];
      }
    }
  }
}

}  // namespace whereof::linear

#endif  // WHEREOF_LINEAR_UNPACK_H_
