// The header of a GGUF file: where each metadata value and each tensor lies.
#ifndef WHEREOF_MODEL_GGUF_HEADER_H_
#define WHEREOF_MODEL_GGUF_HEADER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/gguf_cursor.h"
#include "whereof/gguf.h"

namespace whereof::model {

constexpr std::uint64_t kMaxMetadataEntries = 65'536;
constexpr std::uint64_t kMaxTensors = 65'536;
constexpr std::uint64_t kMaxArrayElements = 1 << 24;  // vocabularies are far smaller
constexpr std::uint64_t kMaxKeyBytes = 65'535;        // of the format
constexpr std::uint64_t kMaxTensorNameBytes = 64;     // of the format
constexpr std::uint32_t kMaxDimensions = 4;           // of the format

struct GgufEntry {
  std::string_view key;  // inside the mapping
  GgufValueType type = GgufValueType::uint8;
  GgufValueType element_type = GgufValueType::uint8;  // of an array
  std::uint64_t count = 1;                            // elements of an array, else 1
  std::uint64_t position = 0;                         // of the first value in the file
};

struct GgufHeader {
  std::uint32_t version = 0;
  std::vector<GgufEntry> entries;   // in file order
  std::vector<GgufTensor> tensors;  // in file order; their data lies inside bytes
};

// Throws Error(bad_model) and Error(unsupported), as GgufFile::open says. Memory: O(entries), each
// of which is backed by bytes of the file.
GgufHeader read_gguf_header(const std::string& file_name, std::span<const std::byte> bytes);

// Indices of items, sorted by item.*name: for binary search, and to find doubles.
template <typename Item, typename Name>
std::vector<std::uint32_t> order_by_name(const std::vector<Item>& items, Name Item::*name) {
  std::vector<std::uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return items[a].*name < items[b].*name; });
  return order;
}

// The item of that name, or null.
template <typename Item, typename Name>
const Item* find_by_name(const std::vector<Item>& items, const std::vector<std::uint32_t>& order,
                         Name Item::*name, std::string_view wanted) {
  const auto found = std::lower_bound(
      order.begin(), order.end(), wanted,
      [&](std::uint32_t a, std::string_view text) { return items[a].*name < text; });
  return found != order.end() && items[*found].*name == wanted ? &items[*found] : nullptr;
}

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_GGUF_HEADER_H_
