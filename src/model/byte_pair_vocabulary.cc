#include "model/byte_pair_vocabulary.h"

#include <bit>

#include "model/byte_pair_alphabet.h"
#include "model/gguf_cursor.h"
#include "model/seeded_hash.h"
#include "whereof/error.h"

namespace whereof::model {
namespace {

constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
constexpr std::string_view kKindsKey = "tokenizer.ggml.token_type";
constexpr std::string_view kMergesKey = "tokenizer.ggml.merges";

[[noreturn]] void fail(const std::string& file_name, std::string_view key,
                       const std::string& what) {
  throw Error(ErrorKind::bad_model, file_name + ": metadata " + in_quotes(key) + ": " + what);
}

std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

std::vector<std::string_view> read_strings(const GgufFile& file, std::string_view key) {
  auto values = file.strings(key);
  if (!values) fail(file.path().string(), key, "is absent, wanted an array of strings");
  return *std::move(values);
}

std::size_t merge_count(const GgufFile& file) { return read_strings(file, kMergesKey).size(); }

std::vector<TokenKind> read_kinds(const GgufFile& file, std::size_t tokens) {
  const std::string name = file.path().string();
  const auto numbers = file.integers(kKindsKey);
  if (!numbers) return std::vector<TokenKind>(tokens, TokenKind::normal);
  if (numbers->size() != tokens) {
    fail(name, kKindsKey,
         std::to_string(numbers->size()) + " entries, wanted " + std::to_string(tokens) +
             ", one for each token");
  }
  std::vector<TokenKind> kinds;
  kinds.reserve(tokens);
  for (const std::int64_t number : *numbers) {
    if (number < 0 || number > static_cast<std::int64_t>(TokenKind::byte)) {
      fail(name, kKindsKey, "is " + std::to_string(number) + ", wanted 0 to 6");
    }
    kinds.push_back(static_cast<TokenKind>(number));
    if (kinds.back() == TokenKind::byte) {
      throw Error(ErrorKind::unsupported,
                  name + ": byte tokens in a byte-level vocabulary are not supported");
    }
  }
  return kinds;
}

}  // namespace

BytePairVocabulary::BytePairVocabulary(const GgufFile& file)
    : seed_(process_hash_seed()), merges_(merge_count(file)) {
  byte_tokens_.fill(kNoToken);
  read_tokens(file);
  index_tokens(file.path().string());
  read_merges(file);
}

std::string_view BytePairVocabulary::text(TokenId id) const noexcept {
  const auto index = static_cast<std::size_t>(id);
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(arena_).substr(begin, ends_[index] - begin);
}

void BytePairVocabulary::read_tokens(const GgufFile& file) {
  const std::vector<std::string_view> letters = read_strings(file, kTokensKey);
  kinds_ = read_kinds(file, letters.size());
  ends_.reserve(letters.size());
  for (std::size_t i = 0; i < letters.size(); ++i) {
    // A normal token outside the byte alphabet stands for itself; no text leads to it.
    const bool is_bytes =
        kinds_[i] == TokenKind::normal && append_bytes_of_letters(letters[i], arena_);
    if (!is_bytes) arena_ += letters[i];
    ends_.push_back(arena_.size());
  }
}

std::size_t BytePairVocabulary::slot_of(std::string_view bytes, std::uint64_t hash) const noexcept {
  const std::uint32_t tag = tag_of(hash);
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot].id != kNoToken &&
         (slots_[slot].tag != tag || text(slots_[slot].id) != bytes)) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

void BytePairVocabulary::index_tokens(const std::string& file_name) {
  slots_.resize(std::bit_ceil(2 * kinds_.size() + 2));
  for (TokenId id = 0; id < size(); ++id) {
    if (kind(id) != TokenKind::normal) continue;
    const std::string_view bytes = text(id);
    const std::uint64_t hash = hash_of(bytes, seed_);
    Slot& slot = slots_[slot_of(bytes, hash)];
    if (slot.id != kNoToken) {
      fail(file_name, kTokensKey,
           "tokens " + std::to_string(slot.id) + " and " + std::to_string(id) + " are both " +
               in_quotes(bytes) + ", wanted one of each");
    }
    slot = {tag_of(hash), id};
    if (bytes.size() == 1) byte_tokens_[static_cast<unsigned char>(bytes[0])] = id;
  }
}

std::optional<TokenId> BytePairVocabulary::find(std::string_view bytes) const noexcept {
  const TokenId id = slots_[slot_of(bytes, hash_of(bytes, seed_))].id;
  return id == kNoToken ? std::nullopt : std::optional(id);
}

void BytePairVocabulary::read_merges(const GgufFile& file) {
  std::string bytes;
  for (const std::string_view line : read_strings(file, kMergesKey)) {
    // "LEFT RIGHT"; a space is not in the alphabet, so the first one parts them.
    const std::size_t space = line.find(' ');
    bytes.clear();
    bool is_pair = space != std::string_view::npos && space > 0 &&
                   append_bytes_of_letters(line.substr(0, space), bytes);
    const std::size_t left_bytes = bytes.size();
    is_pair = is_pair && append_bytes_of_letters(line.substr(space + 1), bytes);
    const auto left = is_pair ? find(std::string_view(bytes).substr(0, left_bytes)) : std::nullopt;
    const auto right = is_pair ? find(std::string_view(bytes).substr(left_bytes)) : std::nullopt;
    const auto merged = is_pair ? find(bytes) : std::nullopt;
    if (!left || !right || !merged) {
      fail(file.path().string(), kMergesKey,
           "entry " + in_quotes(line) + " is no pair of tokens that make a token");
    }
    merges_.add(*left, *right, *merged);
  }
}

}  // namespace whereof::model
