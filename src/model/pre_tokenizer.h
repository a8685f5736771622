// How a text is split into words, within which byte pairs merge.
//
// A pre-tokenizer is defined elsewhere as a regular expression; here each is a scanner that decides
// from the code points at a word's begin and looks ahead no further than one run of a kind, so the
// time is linear and the stack constant. The expressions, with the first alternative that matches:
//
//   qwen2    (?i:'s|'t|'re|'ve|'m|'ll|'d) | [^\r\n\p{L}\p{N}]?\p{L}+ | \p{N}
//            |  ?[^\s\p{L}\p{N}]+[\r\n]* | \s*[\r\n]+ | \s+(?!\S) | \s+
//   llama3   as qwen2, with \p{N}{1,3} for \p{N}
//   tekken   as qwen2 without contractions; words are of two kinds of letters, U (all but a-z) and
//            L (all but A-Z): [^\r\n\p{L}\p{N}]?U*L+ | [^\r\n\p{L}\p{N}]?U+L*; behind symbols
//            [\r\n/]*
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

enum class PreTokenizer { qwen2, llama3, tekken, smollm };

// By the name in tokenizer.ggml.pre, of which llama3 and tekken have several; std::nullopt for one
// that is not known.
std::optional<PreTokenizer> find_pre_tokenizer(std::string_view name) noexcept;

// Whether a word that is a token is that token, also where merges would make others of it; and
// whether files that do not say want their begin token before a text.
bool takes_whole_words(PreTokenizer kind) noexcept;

// The end of the word that begins at text[begin]; begin < text.size(), begin < result. An invalid
// byte counts as a symbol.
std::size_t end_of_word(PreTokenizer kind, std::string_view text, std::size_t begin) noexcept;

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_PRE_TOKENIZER_H_
