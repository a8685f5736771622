// Hashes with a seed drawn once for each process, for tables whose keys come from untrusted files:
// who writes the file cannot know which keys collide. Multiply and fold, 128 bits at a time.
#ifndef WHEREOF_MODEL_SEEDED_HASH_H_
#define WHEREOF_MODEL_SEEDED_HASH_H_

#include <cstdint>
#include <string_view>

namespace whereof::model {

std::uint64_t process_hash_seed();
std::uint64_t hash_of(std::uint64_t value, std::uint64_t seed) noexcept;
std::uint64_t hash_of(std::string_view text, std::uint64_t seed) noexcept;

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_SEEDED_HASH_H_
