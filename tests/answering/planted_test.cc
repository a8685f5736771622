// What becomes of planted clauses; bench/planted_bench.cc measures it over 200 cases.
#include <gtest/gtest.h>

#include "model/model_files.h"
#include "planted/ask_about.h"

namespace whereof::planted {
namespace {

TEST(Planted, IsDiagnosedAsWhatWasDoneToIt) {
  if (!tests::has_model(tests::kQwenSmall)) {
    GTEST_SKIP() << "the model file " << tests::kQwenSmall << " is absent";
  }
  const std::shared_ptr<const Model> model = Model::open(tests::model_file(tests::kQwenSmall));
  Workplace workplace;
  for (std::int64_t n = 8; n < 16; ++n) {  // two facts, one of each language, in every treatment
    const Case made = made_case(n);
    const Outcome outcome = ask_about(made, workplace, model, 0);
    EXPECT_EQ(outcome.diagnosis.diagnosis, right_diagnosis(made.treatment))
        << name_of(made.treatment) << ": " << made.question << "\n"
        << outcome.answer;
  }
}

}  // namespace
}  // namespace whereof::planted
