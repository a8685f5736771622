// English word stems (Snowball's "english", the revision of Porter 1980, by libstemmer).
#ifndef WHEREOF_TEXT_STEMMER_H_
#define WHEREOF_TEXT_STEMMER_H_

#include <string_view>

struct sb_stemmer;

namespace whereof::text {

// An object belongs to one thread.
class EnglishStemmer {
 public:
  // Throws Error(out_of_memory).
  EnglishStemmer();
  ~EnglishStemmer();
  EnglishStemmer(const EnglishStemmer&) = delete;
  EnglishStemmer& operator=(const EnglishStemmer&) = delete;

  // Of a folded word. The view is valid until the next call and may be the word itself.
  // Throws Error(out_of_memory).
  std::string_view stem(std::string_view word);

 private:
  sb_stemmer* stemmer_;
};

}  // namespace whereof::text

#endif  // WHEREOF_TEXT_STEMMER_H_
