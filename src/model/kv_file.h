// The file of one reading.
//
//   header          4,096 bytes: FileHeader, zeros
//   block 0, 1, ... of block_bytes each: BlockHeader, token ids [kBlockTokens], keys and values
//                   [layers][keys, values][kv_heads][kBlockTokens, head_dim] bf16, or i8 and behind
//                   each head's i8 their scales, [kBlockTokens] f32
//
// All numbers little-endian. Blocks lie at fixed places and are written whole, so a write that was
// cut short shows in a checksum, and a block can be written again. Only the last may hold fewer
// tokens than kBlockTokens. Checksums are XXH3 with 64 bits: against damage, not against forgery;
// whoever may write to the user's folder may also replace the model.
#ifndef WHEREOF_MODEL_KV_FILE_H_
#define WHEREOF_MODEL_KV_FILE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "memory/aligned_array.h"
#include "model/hyperparameters.h"
#include "whereof/tensor_view.h"
#include "whereof/tokenizer.h"

namespace whereof::model {

constexpr std::int64_t kKvBlockTokens = 256;

// Of one token's key, or value, in one head; type is bf16 or i8, which has a scale.
constexpr std::int64_t kv_row_bytes(std::int64_t head_dim, ElementType type) noexcept {
  return head_dim * bytes_of(type) + (type == ElementType::i8 ? std::int64_t{sizeof(float)} : 0);
}

// Throws Error(invalid_argument) for a type that a cache cannot have.
void check_kv_type(ElementType type);

// What one block holds and where.
struct KvBlockLayout {
  std::int64_t layers = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  ElementType type = ElementType::bf16;

  static KvBlockLayout of(const Hyperparameters& sizes, ElementType type);
  // Of one head's keys, or values, in a block.
  std::int64_t head_bytes() const noexcept { return kKvBlockTokens * kv_row_bytes(head_dim, type); }
  std::int64_t bytes() const noexcept { return layers * 2 * kv_heads * head_bytes(); }
  // Byte of the first token's keys (or values) of a head.
  std::int64_t at(std::int64_t layer, bool is_value, std::int64_t head) const noexcept {
    return ((layer * 2 + (is_value ? 1 : 0)) * kv_heads + head) * head_bytes();
  }
  std::int64_t file_bytes() const noexcept;  // of a block with its header, in whole 4,096s
  friend bool operator==(const KvBlockLayout&, const KvBlockLayout&) noexcept = default;
};

// What tells one reading from another.
struct KvIdentity {
  std::string hash;  // SHA-256 in hex over model, text and element type
  std::string text_name;
  std::string model_name;
};

struct KvFileSummary {
  KvIdentity identity;
  std::int64_t tokens = 0;
  std::int64_t bytes = 0;
};

// Not thread-safe. Reading errors count as absence, writing errors are kept in trouble().
class KvFile {
 public:
  // A file that is absent, foreign or damaged is as good as empty. The file is made, or made anew,
  // when the first block is written.
  KvFile(std::filesystem::path path, KvIdentity identity, KvBlockLayout layout);
  ~KvFile();
  KvFile(const KvFile&) = delete;
  KvFile& operator=(const KvFile&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  const KvBlockLayout& layout() const noexcept { return layout_; }
  std::span<const TokenId> tokens() const noexcept { return tokens_; }
  const std::string& trouble() const noexcept { return trouble_; }
  void set_trouble(std::string trouble) { trouble_ = std::move(trouble); }

  // Keys and values of a block as KvBlockLayout says, valid until the next call; empty when the
  // block's checksum does not hold: its tokens and all behind it are then forgotten.
  std::span<const std::byte> read_block(std::int64_t block);

  // Where keys and values of a block are to be put before write_block. The content of the last call
  // of either is lost.
  std::span<std::byte> staging();
  // To be called before blocks are written. Takes the lock and looks again at what the file holds:
  // tokens() may change. False, with trouble(), when nothing can be written.
  bool prepare_writing();
  // Writes what is staged as the block of these tokens (the last may be short); what was kept
  // from this block on is replaced. After a failure nothing more is written.
  void write_block(std::int64_t block, std::span<const TokenId> tokens);

  // What a file says of itself; std::nullopt when it is no reading. Its blocks are not checked.
  static std::optional<KvFileSummary> summary(const std::filesystem::path& path);
  // Whether a process holds the file for writing.
  static bool is_being_written(const std::filesystem::path& path);

 private:
  bool is_own_header(int descriptor) const;
  void forget_from(std::int64_t block);
  std::byte* buffer();
  std::int64_t offset_of(std::int64_t block) const noexcept;

  std::filesystem::path path_;
  KvIdentity identity_;
  KvBlockLayout layout_;
  int descriptor_ = -1;
  bool is_writable_ = false;
  // The first block whose content was found damaged: its front may be sound, so that its tokens
  // would come back when the file is looked at again.
  std::int64_t damaged_block_ = std::numeric_limits<std::int64_t>::max() / kKvBlockTokens;
  std::vector<TokenId> tokens_;
  memory::AlignedArray<std::byte> buffer_;  // one block as it lies in the file
  std::string trouble_;
};

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_KV_FILE_H_
