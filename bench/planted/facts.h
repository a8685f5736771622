// Facts that are planted in made contracts: written for this program.
#ifndef WHEREOF_BENCH_PLANTED_FACTS_H_
#define WHEREOF_BENCH_PLANTED_FACTS_H_

#include <array>
#include <span>

namespace whereof::planted {

// In the texts {} stands for a value and @ for the number of the planted clause.
struct Fact {
  const char* heading;
  const char* clause;
  const char* question;
  std::array<const char*, 2> values;  // of the planted clause, one for each variant
  const char* overriding;             // a clause that takes its place
  std::array<const char*, 2> others;  // the values of that
  const char* decoy;                  // says nothing in the question's words
};

struct Filler {
  const char* heading;
  const char* clause;
};

std::span<const Fact> english_facts();
std::span<const Fact> chinese_facts();
std::span<const Filler> english_fillers();
std::span<const Filler> chinese_fillers();

}  // namespace whereof::planted

#endif  // WHEREOF_BENCH_PLANTED_FACTS_H_
