#include "text/stemmer.h"

#include <libstemmer.h>

#include "whereof/error.h"

namespace whereof::text {
namespace {

// Longer runs of letters are no English words.
constexpr std::size_t kLongestWordBytes = 64;

}  // namespace

EnglishStemmer::EnglishStemmer() : stemmer_(sb_stemmer_new("english", "UTF_8")) {
  if (stemmer_ == nullptr) throw Error(ErrorKind::out_of_memory, "no memory for the stemmer");
}

EnglishStemmer::~EnglishStemmer() { sb_stemmer_delete(stemmer_); }

std::string_view EnglishStemmer::stem(std::string_view word) {
  if (word.size() > kLongestWordBytes) return word;
  const sb_symbol* stem = sb_stemmer_stem(stemmer_, reinterpret_cast<const sb_symbol*>(word.data()),
                                          static_cast<int>(word.size()));
  if (stem == nullptr) throw Error(ErrorKind::out_of_memory, "no memory for the stemmer");
  return {reinterpret_cast<const char*>(stem),
          static_cast<std::size_t>(sb_stemmer_length(stemmer_))};
}

}  // namespace whereof::text
