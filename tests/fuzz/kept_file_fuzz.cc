// Any bytes as the file of a kept reading. The first byte chooses the type of its elements and
// whether checksums of header and blocks are made right first, as a forger would. The file is
// described, opened, read, gone on with and read again: what was written last is what is read, and
// no block is used whose checksum is wrong.
#include <xxhash.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "model/kv_file.h"
#include "model/temporary_file.h"

namespace {

using namespace whereof;
using namespace whereof::model;

// As kv_file.h has it.
constexpr std::size_t kHeaderBytes = 4096;
constexpr std::size_t kHeaderChecksumAt = 1392;
constexpr std::size_t kBlockFront = 32 + kKvBlockTokens * sizeof(TokenId);

void check(bool holds) {
  if (!holds) std::abort();
}

template <typename Number>
void put(std::string& bytes, std::size_t at, Number number) {
  std::memcpy(bytes.data() + at, &number, sizeof number);
}

void make_checksums_right(std::string& bytes, const KvBlockLayout& layout) {
  if (bytes.size() < kHeaderBytes) return;
  put(bytes, kHeaderChecksumAt, XXH3_64bits(bytes.data(), kHeaderChecksumAt));
  const auto block_bytes = static_cast<std::size_t>(layout.file_bytes());
  const auto content_bytes = static_cast<std::size_t>(layout.bytes());
  for (std::size_t at = kHeaderBytes; at + block_bytes <= bytes.size(); at += block_bytes) {
    put(bytes, at + 16, XXH3_64bits(bytes.data() + at + kBlockFront, content_bytes));
    std::string front = bytes.substr(at, 24) + bytes.substr(at + 32, kBlockFront - 32);
    put(bytes, at + 24, XXH3_64bits(front.data(), front.size()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const KvBlockLayout layout{.layers = 1,
                             .kv_heads = 1,
                             .head_dim = 2,
                             .type = (data[0] & 1) != 0 ? ElementType::i8 : ElementType::bf16};
  const KvIdentity identity{.hash = std::string(64, 'a'), .text_name = "t", .model_name = "m"};
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if ((data[0] & 2) != 0) make_checksums_right(bytes, layout);
  const tests::TemporaryFile path(bytes);
  if (const auto summary = KvFile::summary(path.path())) {
    check(summary->tokens >= 0 && summary->bytes == std::ssize(bytes));
  }
  KvFile file(path.path(), identity, layout);
  const std::int64_t kept = std::ssize(file.tokens());
  check(kept * static_cast<std::int64_t>(sizeof(TokenId)) <= std::ssize(bytes));
  std::int64_t block = 0;
  for (; block * kKvBlockTokens < kept; ++block) {
    if (file.read_block(block).empty()) break;
  }
  check(std::ssize(file.tokens()) <= (block + 1) * kKvBlockTokens);
  check(file.prepare_writing());
  const std::int64_t last = std::ssize(file.tokens()) / kKvBlockTokens;
  const std::array<TokenId, 3> tokens = {1, 2, 3};
  std::memset(file.staging().data(), 0x2A, file.staging().size());
  file.write_block(last, tokens);
  check(file.trouble().empty());
  KvFile again(path.path(), identity, layout);
  check(std::ssize(again.tokens()) == last * kKvBlockTokens + 3);
  const auto content = again.read_block(last);
  check(std::ssize(content) == layout.bytes() && content[0] == std::byte{0x2A});
  return 0;
}
