#include "model/vocabulary.h"

#include <bit>
#include <charconv>

#include "model/gguf_cursor.h"
#include "model/seeded_hash.h"
#include "whereof/error.h"

namespace whereof::model {
namespace {

constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
constexpr std::string_view kKindsKey = "tokenizer.ggml.token_type";

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

std::vector<TokenKind> read_kinds(const GgufFile& file, std::size_t tokens) {
  const auto numbers = file.integers(kKindsKey);
  if (!numbers) return std::vector<TokenKind>(tokens, TokenKind::normal);
  if (numbers->size() != tokens) {
    fail_metadata(file, kKindsKey,
                  std::to_string(numbers->size()) + " entries, wanted " + std::to_string(tokens) +
                      ", one for each token");
  }
  std::vector<TokenKind> kinds;
  kinds.reserve(tokens);
  for (const std::int64_t number : *numbers) {
    if (number < 0 || number > static_cast<std::int64_t>(TokenKind::byte)) {
      fail_metadata(file, kKindsKey, "is " + std::to_string(number) + ", wanted 0 to 6");
    }
    kinds.push_back(static_cast<TokenKind>(number));
  }
  return kinds;
}

// The byte of "<0x41>".
std::optional<char> named_byte(std::string_view name) {
  if (name.size() != 6 || !name.starts_with("<0x") || !name.ends_with('>')) return std::nullopt;
  unsigned value = 0;
  const char* end = name.data() + 5;
  const auto [rest, error] = std::from_chars(name.data() + 3, end, value, 16);
  if (error != std::errc() || rest != end) return std::nullopt;
  return static_cast<char>(value);
}

}  // namespace

void fail_metadata(const GgufFile& file, std::string_view key, const std::string& what) {
  throw Error(ErrorKind::bad_model,
              file.path().string() + ": metadata " + in_quotes(key) + ": " + what);
}

std::vector<std::string_view> required_strings(const GgufFile& file, std::string_view key) {
  auto values = file.strings(key);
  if (!values) fail_metadata(file, key, "is absent, wanted an array of strings");
  return *std::move(values);
}

Vocabulary::Vocabulary(const GgufFile& file, AppendBytes append_bytes)
    : seed_(process_hash_seed()) {
  byte_tokens_.fill(kNoToken);
  read_tokens(file, append_bytes);
  index_tokens(file);
}

std::string_view Vocabulary::text(TokenId id) const noexcept {
  const auto index = static_cast<std::size_t>(id);
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(arena_).substr(begin, ends_[index] - begin);
}

void Vocabulary::read_tokens(const GgufFile& file, AppendBytes append_bytes) {
  const std::vector<std::string_view> written = required_strings(file, kTokensKey);
  kinds_ = read_kinds(file, written.size());
  ends_.reserve(written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (kinds_[i] == TokenKind::normal) {
      append_bytes(written[i], arena_);
    } else if (kinds_[i] == TokenKind::byte) {
      const std::optional<char> byte = named_byte(written[i]);
      if (!byte) {
        fail_metadata(file, kTokensKey,
                      "byte token " + std::to_string(i) + " is " + in_quotes(written[i]) +
                          ", wanted '<0x00>' to '<0xFF>'");
      }
      arena_ += *byte;
    } else {
      arena_ += written[i];
    }
    ends_.push_back(arena_.size());
  }
}

std::size_t Vocabulary::slot_of(std::string_view bytes, std::uint64_t hash) const noexcept {
  const std::uint32_t tag = tag_of(hash);
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot].id != kNoToken &&
         (slots_[slot].tag != tag || text(slots_[slot].id) != bytes)) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

void Vocabulary::index_tokens(const GgufFile& file) {
  slots_.resize(std::bit_ceil(2 * kinds_.size() + 2));
  const auto expect_first = [&](TokenId before, TokenId id) {
    if (before == kNoToken) return;
    fail_metadata(file, kTokensKey,
                  "tokens " + std::to_string(before) + " and " + std::to_string(id) + " are both " +
                      in_quotes(text(id)) + ", wanted one of each");
  };
  for (TokenId id = 0; id < size(); ++id) {
    const std::string_view bytes = text(id);
    if (kind(id) == TokenKind::byte) {
      TokenId& of_byte = byte_tokens_[static_cast<unsigned char>(bytes[0])];
      expect_first(of_byte, id);
      of_byte = id;
    }
    if (kind(id) != TokenKind::normal) continue;
    const std::uint64_t hash = hash_of(bytes, seed_);
    Slot& slot = slots_[slot_of(bytes, hash)];
    expect_first(slot.id, id);
    slot = {tag_of(hash), id};
  }
}

std::optional<TokenId> Vocabulary::find(std::string_view bytes) const noexcept {
  TokenId id = slots_[slot_of(bytes, hash_of(bytes, seed_))].id;
  if (id == kNoToken && bytes.size() == 1) {
    id = byte_tokens_[static_cast<unsigned char>(bytes[0])];
  }
  return id == kNoToken ? std::nullopt : std::optional(id);
}

}  // namespace whereof::model
