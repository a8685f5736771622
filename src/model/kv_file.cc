#include "model/kv_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "whereof/error.h"

namespace whereof::model {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> kMagic = {'w', 'h', 'e', 'r', 'e', 'o', 'f', 'K'};
constexpr std::uint32_t kVersion = 2;
constexpr std::int64_t kHeaderBytes = 4096;
constexpr std::int64_t kPage = 4096;

struct FileHeader {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion;
  std::uint32_t block_tokens = kKvBlockTokens;
  std::int64_t layers = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::uint64_t element_type = 0;  // ElementType: bf16 or i8
  std::array<char, 64> identity{};
  std::array<char, 1024> text_name{};  // cut at a whole character, zeros behind
  std::array<char, 256> model_name{};
  std::uint64_t checksum = 0;  // of all above
};
static_assert(sizeof(FileHeader) <= kHeaderBytes);

struct BlockHeader {
  std::int64_t block = 0;
  std::int64_t tokens = 0;
  std::uint64_t content_checksum = 0;
  std::uint64_t checksum = 0;  // of all above and of the token ids
};

constexpr std::int64_t kIdBytes = kKvBlockTokens * static_cast<std::int64_t>(sizeof(TokenId));
constexpr std::int64_t kContentAt = sizeof(BlockHeader) + kIdBytes;

std::uint64_t checksum_of(const void* data, std::size_t bytes) { return XXH3_64bits(data, bytes); }

std::uint64_t checksum_of(const FileHeader& header) {
  return checksum_of(&header, offsetof(FileHeader, checksum));
}

// Over the header's fields and the ids that follow it.
std::uint64_t checksum_of(const BlockHeader& header, const std::byte* ids) {
  std::array<std::byte, offsetof(BlockHeader, checksum) + kIdBytes> all;
  std::memcpy(all.data(), &header, offsetof(BlockHeader, checksum));
  std::memcpy(all.data() + offsetof(BlockHeader, checksum), ids, kIdBytes);
  return checksum_of(all.data(), all.size());
}

bool read_at(int descriptor, void* to, std::int64_t bytes, std::int64_t offset) {
  auto* at = static_cast<std::byte*>(to);
  while (bytes > 0) {
    const ssize_t got = pread(descriptor, at, static_cast<std::size_t>(bytes), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= got;
    offset += got;
  }
  return true;
}

bool write_at(int descriptor, const void* from, std::int64_t bytes, std::int64_t offset) {
  const auto* at = static_cast<const std::byte*>(from);
  while (bytes > 0) {
    const ssize_t put = pwrite(descriptor, at, static_cast<std::size_t>(bytes), offset);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    bytes -= put;
    offset += put;
  }
  return true;
}

std::string reason_of(int error) { return std::generic_category().message(error); }

template <std::size_t kSize>
void put_text(std::array<char, kSize>& field, std::string_view text) {
  std::size_t bytes = std::min(text.size(), kSize - 1);
  while (bytes < text.size() && bytes > 0 && (text[bytes] & 0xC0) == 0x80) --bytes;
  std::copy_n(text.begin(), bytes, field.begin());
}

template <std::size_t kSize>
std::string text_of(const std::array<char, kSize>& field) {
  return std::string(field.begin(), std::find(field.begin(), field.end(), '\0'));
}

// Small enough that sizes of blocks are exact in 64 bits, whatever wrote the file.
bool has_sound_sizes(const FileHeader& header) {
  constexpr std::int64_t kMost = std::int64_t{1} << 16;
  const auto is_sound = [](std::int64_t size) { return size >= 1 && size <= kMost; };
  const auto type = static_cast<ElementType>(header.element_type);
  return is_sound(header.layers) && is_sound(header.kv_heads) && is_sound(header.head_dim) &&
         header.element_type <= 0xFF && (type == ElementType::bf16 || type == ElementType::i8);
}

std::optional<FileHeader> read_header(int descriptor) {
  FileHeader header;
  if (!read_at(descriptor, &header, sizeof header, 0)) return std::nullopt;
  const bool is_right = header.magic == kMagic && header.version == kVersion &&
                        header.block_tokens == kKvBlockTokens && has_sound_sizes(header) &&
                        header.checksum == checksum_of(header);
  if (!is_right) return std::nullopt;
  return header;
}

FileHeader header_for(const KvIdentity& identity, const KvBlockLayout& layout) {
  FileHeader header;
  header.layers = layout.layers;
  header.kv_heads = layout.kv_heads;
  header.head_dim = layout.head_dim;
  header.element_type = static_cast<std::uint64_t>(layout.type);
  std::copy_n(identity.hash.begin(), std::min(identity.hash.size(), header.identity.size()),
              header.identity.begin());
  put_text(header.text_name, identity.text_name);
  put_text(header.model_name, identity.model_name);
  header.checksum = checksum_of(header);
  return header;
}

KvBlockLayout layout_of(const FileHeader& header) {
  return {.layers = header.layers,
          .kv_heads = header.kv_heads,
          .head_dim = header.head_dim,
          .type = static_cast<ElementType>(header.element_type)};
}

std::int64_t offset_in(const KvBlockLayout& layout, std::int64_t block) {
  return kHeaderBytes + block * layout.file_bytes();
}

// The ids of all blocks up to the first that is short, missing or damaged.
std::vector<TokenId> read_ids(int descriptor, const KvBlockLayout& layout) {
  std::vector<TokenId> ids;
  std::array<std::byte, kContentAt> front;
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return ids;
  const std::int64_t whole_blocks = (status.st_size - kHeaderBytes) / layout.file_bytes();
  for (std::int64_t block = 0; block < whole_blocks; ++block) {
    if (!read_at(descriptor, front.data(), kContentAt, offset_in(layout, block))) return ids;
    BlockHeader header;
    std::memcpy(&header, front.data(), sizeof header);
    const std::byte* its_ids = front.data() + sizeof header;
    if (header.block != block || header.tokens < 1 || header.tokens > kKvBlockTokens ||
        header.checksum != checksum_of(header, its_ids)) {
      return ids;
    }
    const std::size_t before = ids.size();
    ids.resize(before + static_cast<std::size_t>(header.tokens));
    std::memcpy(ids.data() + before, its_ids,
                static_cast<std::size_t>(header.tokens) * sizeof(TokenId));
    if (header.tokens < kKvBlockTokens) return ids;
  }
  return ids;
}

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path)
      : value_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)) {}
  ~Descriptor() {
    if (value_ >= 0) close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const noexcept { return value_; }

 private:
  int value_;
};

}  // namespace

void check_kv_type(ElementType type) {
  if (type == ElementType::bf16 || type == ElementType::i8) return;
  throw Error(ErrorKind::invalid_argument,
              "kv_type is " + std::string(name_of(type)) + "; wanted bf16 or i8");
}

KvBlockLayout KvBlockLayout::of(const Hyperparameters& sizes, ElementType type) {
  return {
      .layers = sizes.layers, .kv_heads = sizes.kv_heads, .head_dim = sizes.head_dim, .type = type};
}

std::int64_t KvBlockLayout::file_bytes() const noexcept {
  return (kContentAt + bytes() + kPage - 1) / kPage * kPage;
}

KvFile::KvFile(std::filesystem::path path, KvIdentity identity, KvBlockLayout layout)
    : path_(std::move(path)), identity_(std::move(identity)), layout_(layout) {
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  if (descriptor_ >= 0 && is_own_header(descriptor_)) tokens_ = read_ids(descriptor_, layout_);
}

KvFile::~KvFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool KvFile::is_own_header(int descriptor) const {
  const std::optional<FileHeader> header = read_header(descriptor);
  const FileHeader wanted = header_for(identity_, layout_);
  return header && header->identity == wanted.identity && header->layers == wanted.layers &&
         header->kv_heads == wanted.kv_heads && header->head_dim == wanted.head_dim &&
         header->element_type == wanted.element_type;
}

std::int64_t KvFile::offset_of(std::int64_t block) const noexcept {
  return offset_in(layout_, block);
}

std::byte* KvFile::buffer() {
  if (buffer_.size() == 0) {
    buffer_ = memory::AlignedArray<std::byte>(layout_.file_bytes());
    std::memset(buffer_.data(), 0, static_cast<std::size_t>(layout_.file_bytes()));
  }
  return buffer_.data();
}

void KvFile::forget_from(std::int64_t block) {
  const auto kept = static_cast<std::size_t>(block * kKvBlockTokens);
  if (kept < tokens_.size()) tokens_.resize(kept);
}

std::span<std::byte> KvFile::staging() {
  return {buffer() + kContentAt, static_cast<std::size_t>(layout_.bytes())};
}

std::span<const std::byte> KvFile::read_block(std::int64_t block) {
  const std::span<const std::byte> content = staging();
  BlockHeader header;
  const bool is_read =
      descriptor_ >= 0 && read_at(descriptor_, buffer(), layout_.file_bytes(), offset_of(block));
  if (is_read) std::memcpy(&header, buffer(), sizeof header);
  if (!is_read || header.block != block ||
      header.checksum != checksum_of(header, buffer() + sizeof header) ||
      header.content_checksum != checksum_of(content.data(), content.size())) {
    forget_from(block);
    damaged_block_ = std::min(damaged_block_, block);
    return {};
  }
  return content;
}

// The lock is on the file itself and goes with the descriptor, so it cannot outlive the process.
bool KvFile::prepare_writing() {
  if (is_writable_ || !trouble_.empty()) return is_writable_ && trouble_.empty();
  std::error_code ignored;
  std::filesystem::create_directories(path_.parent_path(), ignored);
  const int opened =
      open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0600);
  if (opened < 0) {
    trouble_ = "cannot keep what is read in " + path_.string() + ": " + reason_of(errno);
    return false;
  }
  if (flock(opened, LOCK_EX | LOCK_NB) != 0) {
    close(opened);
    trouble_ = "another process is keeping this reading";
    return false;
  }
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = opened;
  tokens_.clear();
  if (is_own_header(descriptor_)) {
    tokens_ = read_ids(descriptor_, layout_);
    forget_from(damaged_block_);
  } else {
    const FileHeader header = header_for(identity_, layout_);
    if (ftruncate(descriptor_, 0) != 0 || !write_at(descriptor_, &header, sizeof header, 0)) {
      trouble_ = "cannot keep what is read in " + path_.string() + ": " + reason_of(errno);
      return false;
    }
  }
  is_writable_ = true;
  return true;
}

void KvFile::write_block(std::int64_t block, std::span<const TokenId> tokens) {
  if (!is_writable_ || !trouble_.empty()) return;
  forget_from(block);
  std::byte* at = buffer();
  std::memset(at, 0, kContentAt);
  std::memcpy(at + sizeof(BlockHeader), tokens.data(), tokens.size_bytes());
  BlockHeader header;
  header.block = block;
  header.tokens = static_cast<std::int64_t>(tokens.size());
  const std::span<const std::byte> content = staging();
  header.content_checksum = checksum_of(content.data(), content.size());
  header.checksum = checksum_of(header, at + sizeof header);
  std::memcpy(at, &header, sizeof header);
  // What lay behind belongs to other tokens.
  if (ftruncate(descriptor_, offset_of(block)) != 0 ||
      !write_at(descriptor_, at, layout_.file_bytes(), offset_of(block))) {
    trouble_ = "cannot keep more of what is read in " + path_.string() + ": " + reason_of(errno);
    [[maybe_unused]] const int cut = ftruncate(descriptor_, offset_of(block));
    return;
  }
  tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
}

std::optional<KvFileSummary> KvFile::summary(const std::filesystem::path& path) {
  const Descriptor file(path);
  struct stat status {};
  if (file.value() < 0 || fstat(file.value(), &status) != 0) return std::nullopt;
  const std::optional<FileHeader> header = read_header(file.value());
  if (!header) return std::nullopt;
  KvFileSummary summary;
  summary.identity = {.hash = std::string(header->identity.begin(), header->identity.end()),
                      .text_name = text_of(header->text_name),
                      .model_name = text_of(header->model_name)};
  summary.bytes = status.st_size;
  summary.tokens = static_cast<std::int64_t>(read_ids(file.value(), layout_of(*header)).size());
  return summary;
}

bool KvFile::is_being_written(const std::filesystem::path& path) {
  const Descriptor file(path);
  return file.value() >= 0 && flock(file.value(), LOCK_SH | LOCK_NB) != 0;
}

}  // namespace whereof::model
