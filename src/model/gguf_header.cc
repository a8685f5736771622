// GGUF, versions 2 and 3 (ggml docs/gguf.md):
//
//   "GGUF" version:u32 tensor_count:u64 entry_count:u64
//   entry_count  x  key:string type:u32 value
//   tensor_count x  name:string dimensions:u32 shape:u64[dimensions] type:u32 offset:u64
//   padding to general.alignment, then the tensors' data at their offsets
//
// A string is its length (u64) and its bytes; an array its element type (u32), its count (u64) and
// its elements. Sizes of tensors are computed in 128 bits: shape entries are below 2^63 and are
// multiplied one at a time, each product checked before the next.
#include "model/gguf_header.h"

#include <bit>
#include <optional>

namespace whereof::model {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kMinEntryBytes = 8 + 4 + 1;           // empty key, type, one byte
constexpr std::uint64_t kMinTensorBytes = 8 + 4 + 8 + 4 + 8;  // empty name, one dimension
constexpr std::uint32_t kDefaultAlignment = 32;
constexpr std::int64_t kLargest = INT64_MAX;

std::uint32_t read_version(GgufCursor& cursor) {
  const auto magic = cursor.number<std::uint32_t>("magic number");
  if (magic != 0x46554747) {  // "GGUF"
    cursor.fail("magic number", std::to_string(magic), "\"GGUF\": this is no GGUF file");
  }
  const auto version = cursor.number<std::uint32_t>("version");
  if (version != 2 && version != 3) {
    const bool is_swapped = version == 0x02000000 || version == 0x03000000;
    cursor.fail("GGUF version", is_swapped ? "big-endian" : std::to_string(version),
                is_swapped ? "little-endian" : "2 or 3", ErrorKind::unsupported);
  }
  return version;
}

GgufValueType read_type(GgufCursor& cursor, std::string_view field) {
  const auto number = cursor.number<std::uint32_t>(field);
  if (number > kLastValueType) {
    cursor.fail(field, std::to_string(number), "0 to " + std::to_string(kLastValueType));
  }
  return static_cast<GgufValueType>(number);
}

// Walks over one element, or over count of them when they have a fixed size.
void skip_values(GgufCursor& cursor, GgufValueType type, std::uint64_t count) {
  if (type == GgufValueType::string) {
    for (std::uint64_t i = 0; i < count; ++i) cursor.string("string");
  } else if (type == GgufValueType::boolean) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto value = cursor.number<std::uint8_t>("bool");
      if (value > 1) cursor.fail("bool", std::to_string(value), "0 or 1");
    }
  } else {
    cursor.skip(count, fixed_bytes(type), "array");
  }
}

GgufEntry read_entry(GgufCursor& cursor) {
  cursor.speak_of("metadata");
  GgufEntry entry;
  entry.key = cursor.string("key", kMaxKeyBytes);
  cursor.speak_of("metadata", entry.key);
  if (entry.key.empty()) cursor.fail("key", "empty", "a name");
  entry.type = read_type(cursor, "value type");
  if (entry.type == GgufValueType::array) {
    entry.element_type = read_type(cursor, "element type");
    if (entry.element_type == GgufValueType::array) {
      cursor.fail("element type", "array", "an array of plain values", ErrorKind::unsupported);
    }
    const bool is_strings = entry.element_type == GgufValueType::string;
    entry.count = cursor.count("array length", is_strings ? 8 : fixed_bytes(entry.element_type),
                               kMaxArrayElements);
    entry.position = cursor.position();
    skip_values(cursor, entry.element_type, entry.count);
  } else {
    entry.position = cursor.position();
    skip_values(cursor, entry.type, 1);
  }
  return entry;
}

struct TensorPlace {
  std::uint64_t offset = 0;  // from the start of the data section
  std::uint64_t bytes = 0;
};

std::vector<std::int64_t> read_shape(GgufCursor& cursor) {
  const auto dimensions = cursor.number<std::uint32_t>("number of dimensions");
  if (dimensions < 1 || dimensions > kMaxDimensions) {
    cursor.fail("number of dimensions", std::to_string(dimensions), "1 to 4");
  }
  std::vector<std::int64_t> shape(dimensions);
  Wide elements = 1;
  for (std::int64_t& extent : shape) {
    const auto value = cursor.number<std::uint64_t>("dimension");
    if (value < 1 || value > static_cast<std::uint64_t>(kLargest)) {
      cursor.fail("dimension", std::to_string(value), "1 to 2^63-1");
    }
    extent = static_cast<std::int64_t>(value);
    elements *= value;
    if (elements > static_cast<Wide>(kLargest)) {
      cursor.fail("number of elements", "over 2^63-1", "what fits the file");
    }
  }
  return shape;
}

GgufTensor read_tensor(GgufCursor& cursor, std::uint64_t file_bytes, TensorPlace& place) {
  cursor.speak_of("tensor");
  const std::string_view name = cursor.string("name", kMaxTensorNameBytes);
  cursor.speak_of("tensor", name);
  if (name.empty()) cursor.fail("name", "empty", "a name");
  GgufTensor tensor;
  tensor.name = name;
  tensor.shape = read_shape(cursor);
  const auto type = cursor.number<std::uint32_t>("type");
  if (!is_known_tensor_type(type)) {
    cursor.fail("type", std::to_string(type), "one that this build reads", ErrorKind::unsupported);
  }
  tensor.type = static_cast<GgufTensorType>(type);
  const std::int64_t in_block = block_elements(tensor.type);
  if (tensor.columns() % in_block != 0) {
    cursor.fail(
        "row length", std::to_string(tensor.columns()),
        "a multiple of " + std::to_string(in_block) + " for " + std::string(name_of(tensor.type)));
  }
  const Wide blocks = static_cast<Wide>(tensor.columns() / in_block) * tensor.rows();
  const Wide bytes = blocks * static_cast<Wide>(block_bytes(tensor.type));
  if (bytes > file_bytes) {
    cursor.fail("size", "over the file's size", "at most " + std::to_string(file_bytes));
  }
  place.bytes = static_cast<std::uint64_t>(bytes);
  place.offset = cursor.number<std::uint64_t>("offset");
  return tensor;
}

std::uint32_t read_alignment(GgufCursor& cursor, const std::vector<GgufEntry>& entries,
                             const std::vector<std::uint32_t>& order) {
  const GgufEntry* entry = find_by_name(entries, order, &GgufEntry::key, "general.alignment");
  if (entry == nullptr) return kDefaultAlignment;
  cursor.speak_of("metadata", entry->key);
  if (entry->type != GgufValueType::uint32) {
    cursor.fail("type", name_of(entry->type), name_of(GgufValueType::uint32));
  }
  const std::uint64_t here = cursor.position();
  cursor.move_to(entry->position);
  const auto alignment = cursor.number<std::uint32_t>("alignment");
  cursor.move_to(here);
  if (alignment < 8 || !std::has_single_bit(alignment)) {
    cursor.fail("alignment", std::to_string(alignment), "a power of two, at least 8");
  }
  return alignment;
}

// Sets the data of each tensor; no two may overlap.
void place_tensors(GgufCursor& cursor, std::span<const std::byte> bytes, std::uint32_t alignment,
                   const std::vector<TensorPlace>& places, std::vector<GgufTensor>& tensors) {
  const Wide data_begin = (static_cast<Wide>(cursor.position()) + alignment - 1) / alignment *
                          static_cast<Wide>(alignment);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    cursor.speak_of("tensor", tensors[i].name);
    const TensorPlace& place = places[i];
    if (place.offset % alignment != 0) {
      cursor.fail("offset", std::to_string(place.offset),
                  "a multiple of " + std::to_string(alignment));
    }
    const Wide end = data_begin + place.offset + place.bytes;
    if (end > bytes.size()) {
      const Wide excess = end - bytes.size();
      const bool is_small = excess <= UINT64_MAX;
      cursor.fail("end of the data",
                  (is_small ? std::to_string(static_cast<std::uint64_t>(excess)) : "over 2^64") +
                      " bytes past the end of the file",
                  "at most " + std::to_string(bytes.size()));
    }
    tensors[i].data =
        bytes.subspan(static_cast<std::size_t>(data_begin + place.offset), place.bytes);
  }
  std::vector<std::uint32_t> order(tensors.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return places[a].offset < places[b].offset; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    const TensorPlace& before = places[order[i - 1]];
    if (before.offset + before.bytes > places[order[i]].offset) {
      cursor.speak_of("tensor", tensors[order[i]].name);
      cursor.fail("data", "inside that of tensor " + in_quotes(tensors[order[i - 1]].name),
                  "bytes of its own");
    }
  }
}

template <typename Item, typename Name>
void refuse_doubles(GgufCursor& cursor, std::string_view subject, const std::vector<Item>& items,
                    const std::vector<std::uint32_t>& order, Name Item::*name) {
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (items[order[i - 1]].*name != items[order[i]].*name) continue;
    cursor.speak_of(subject, items[order[i]].*name);
    cursor.fail("name", "there twice", "one of each");
  }
}

}  // namespace

GgufHeader read_gguf_header(const std::string& file_name, std::span<const std::byte> bytes) {
  GgufCursor cursor(file_name, bytes);
  GgufHeader header;
  header.version = read_version(cursor);
  const std::uint64_t tensor_count = cursor.count("tensor count", kMinTensorBytes, kMaxTensors);
  const std::uint64_t entry_count =
      cursor.count("metadata count", kMinEntryBytes, kMaxMetadataEntries);

  header.entries.reserve(entry_count);
  for (std::uint64_t i = 0; i < entry_count; ++i) header.entries.push_back(read_entry(cursor));
  const std::vector<std::uint32_t> entry_order = order_by_name(header.entries, &GgufEntry::key);
  refuse_doubles(cursor, "metadata", header.entries, entry_order, &GgufEntry::key);

  std::vector<TensorPlace> places(tensor_count);
  header.tensors.reserve(tensor_count);
  for (std::uint64_t i = 0; i < tensor_count; ++i) {
    header.tensors.push_back(read_tensor(cursor, bytes.size(), places[i]));
  }
  refuse_doubles(cursor, "tensor", header.tensors, order_by_name(header.tensors, &GgufTensor::name),
                 &GgufTensor::name);
  const std::uint32_t alignment = read_alignment(cursor, header.entries, entry_order);
  place_tensors(cursor, bytes, alignment, places, header.tensors);
  return header;
}

}  // namespace whereof::model
