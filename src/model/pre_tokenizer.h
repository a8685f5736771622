// How a text is split into words, within which byte pairs merge.
//
// A pre-tokenizer is defined elsewhere as a regular expression; here each is a scanner that decides
// from the code points at a word's begin and looks ahead no further than one run of a kind, so the
// time is linear and the stack constant. The expressions, with the first alternative that matches:
//
//   qwen2    (?i:'s|'t|'re|'ve|'m|'ll|'d) | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}
//            |  ?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+
//   smollm   first every \p{N} by itself, then between them GPT-2's
//            's|'t|'re|'ve|'m|'ll|'d |  ?\p{L}+ |  ?[^\s\p{L}\p{N}]+ | \s+(?!\S) | \s+
//
// Checked against llama.cpp, whose case folding of contractions is ASCII only.
#ifndef WHEREOF_MODEL_PRE_TOKENIZER_H_
#define WHEREOF_MODEL_PRE_TOKENIZER_H_

#include <cstddef>
#include <optional>
#include <string_view>

namespace whereof::model {

enum class PreTokenizer { qwen2, smollm };

// By the name in tokenizer.ggml.pre; std::nullopt for one that is not known.
std::optional<PreTokenizer> find_pre_tokenizer(std::string_view name) noexcept;

// The end of the word that begins at text[begin]; begin < text.size(), begin < result. An invalid
// byte counts as a symbol.
std::size_t end_of_word(PreTokenizer kind, std::string_view text, std::size_t begin) noexcept;

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_PRE_TOKENIZER_H_
