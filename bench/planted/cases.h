// Made contracts with a planted clause, and what became of it.
#ifndef WHEREOF_BENCH_PLANTED_CASES_H_
#define WHEREOF_BENCH_PLANTED_CASES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "whereof/diagnosis.h"

namespace whereof::planted {

enum class Treatment {
  left,              // it stands there
  cut_from_text,     // it does not
  cut_from_context,  // the only passage that is read is another, in the question's words
  masked,            // its keys are hidden
  overridden,        // another clause says that it no longer applies, and what does
  unrelated,         // it is left, but another clause is expected, which says nothing of it
};
std::string_view name_of(Treatment treatment) noexcept;

struct Case {
  Treatment treatment = Treatment::left;
  std::int64_t fact = 0;  // number of its template, over both languages
  std::string text;       // of the contract
  std::string question;
  std::string expected;  // words of the clause that is expected
  std::string value;     // what an answer from the planted clause says
  std::string other;     // what one from the overriding clause says
};

// Whether a diagnosis is what was done to the clause. Where it was left to the model, the answer
// says what the model did: with the planted value in it, the clause was used; without it, the
// clause was seen, since the question asks for it, but not chosen.
bool is_right(const Case& made, Diagnosis diagnosis, std::string_view answer) noexcept;
// Whether the model did what the treatment is for: took the value that was left, the overriding one
// where there is one.
bool is_as_planned(const Case& made, std::string_view answer) noexcept;

std::int64_t fact_count();

// The n-th case: treatments in turn (left, cut, masked, overridden), then facts, English and
// Chinese in turn, then the facts' second values; other clauses and the order of all vary with n.
// 200 cases use every fact with both values in every treatment; cut alternates between both kinds.
Case made_case(std::int64_t n);
// Of as many as there are facts.
Case unrelated_case(std::int64_t n);

}  // namespace whereof::planted

#endif  // WHEREOF_BENCH_PLANTED_CASES_H_
