#include "model/byte_pair_encoder.h"

#include "model/byte_pair_alphabet.h"
#include "model/gguf_cursor.h"
#include "whereof/error.h"

namespace whereof::model {
namespace {

constexpr std::string_view kMergesKey = "tokenizer.ggml.merges";

PreTokenizer pre_tokenizer_of(const GgufFile& file) {
  const std::string_view name = file.string("tokenizer.ggml.pre").value_or("default");
  const auto found = find_pre_tokenizer(name);
  if (!found) {
    throw Error(ErrorKind::unsupported,
                file.path().string() + ": pre-tokenizer " + in_quotes(name) +
                    " is not supported, only 'qwen2', 'smollm', 'llama-bpe' and 'tekken'");
  }
  return *found;
}

// A normal token outside the byte alphabet stands for itself; no text leads to it.
void append_bytes(std::string_view letters, std::string& bytes) {
  if (!append_bytes_of_letters(letters, bytes)) bytes += letters;
}

}  // namespace

BytePairEncoder::BytePairEncoder(const GgufFile& file)
    : pre_tokenizer_(pre_tokenizer_of(file)),
      vocabulary_(file, append_bytes),
      merges_(required_strings(file, kMergesKey).size()) {
  for (const TokenId id : vocabulary_.byte_tokens()) {
    if (id == kNoToken) continue;
    throw Error(ErrorKind::unsupported, file.path().string() +
                                            ": byte tokens in a byte-level vocabulary, as token " +
                                            std::to_string(id) + ", are not supported");
  }
  for (std::size_t byte = 0; byte < byte_tokens_.size(); ++byte) {
    const char text = static_cast<char>(byte);
    byte_tokens_[byte] = vocabulary_.find({&text, 1}).value_or(kNoToken);
  }
  read_merges(file);
}

void BytePairEncoder::read_merges(const GgufFile& file) {
  std::string bytes;
  for (const std::string_view line : required_strings(file, kMergesKey)) {
    // "LEFT RIGHT"; a space is not in the alphabet, so the first one parts them.
    const std::size_t space = line.find(' ');
    bytes.clear();
    bool is_pair = space != std::string_view::npos && space > 0 &&
                   append_bytes_of_letters(line.substr(0, space), bytes);
    const std::size_t left_bytes = bytes.size();
    is_pair = is_pair && append_bytes_of_letters(line.substr(space + 1), bytes);
    const std::string_view all = bytes;
    const auto left = is_pair ? vocabulary_.find(all.substr(0, left_bytes)) : std::nullopt;
    const auto right = is_pair ? vocabulary_.find(all.substr(left_bytes)) : std::nullopt;
    const auto merged = is_pair ? vocabulary_.find(all) : std::nullopt;
    if (!left || !right || !merged) {
      fail_metadata(file, kMergesKey,
                    "entry " + in_quotes(line) + " is no pair of tokens that make a token");
    }
    merges_.add(*left, *right, *merged);
  }
}

void BytePairEncoder::encode(std::string_view text, std::size_t begin, std::size_t end, TextPlace,
                             Encoding& encoding) const {
  const std::string_view part = text.substr(0, end);  // words look ahead no further than `end`
  BytePairMerger merger(merges_, byte_tokens_);
  while (begin < end) {
    const std::size_t word_end = end_of_word(pre_tokenizer_, part, begin);
    const std::string_view word = part.substr(begin, word_end - begin);
    const auto whole = takes_whole_words(pre_tokenizer_) ? vocabulary_.find(word) : std::nullopt;
    if (whole) {
      encoding.ids.push_back(*whole);
      encoding.ends.push_back(static_cast<std::int64_t>(word_end));
    } else {
      merger.encode(word, static_cast<std::int64_t>(begin), encoding);
    }
    begin = word_end;
  }
}

}  // namespace whereof::model
