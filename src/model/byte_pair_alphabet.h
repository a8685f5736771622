// GPT-2's byte alphabet: in a byte-level vocabulary each byte is written as one printable code
// point. 0x21-0x7E, 0xA1-0xAC and 0xAE-0xFF stand for themselves; the other 68 bytes, in order, are
// U+0100 and the code points after it (so a space is U+0120).
#ifndef WHEREOF_MODEL_BYTE_PAIR_ALPHABET_H_
#define WHEREOF_MODEL_BYTE_PAIR_ALPHABET_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace whereof::model {

// The code point that stands for a byte.
char32_t letter_of_byte(std::uint8_t byte) noexcept;

// Appends the bytes that a token's text stands for. False, with nothing appended, if the text has a
// code point outside the alphabet.
bool append_bytes_of_letters(std::string_view letters, std::string& bytes);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_BYTE_PAIR_ALPHABET_H_
