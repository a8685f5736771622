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
  for (const std::int64_t n : {8, 9, 10, 13, 15}) {  // every treatment, both languages
    const Case made = made_case(n);
    const Outcome outcome = ask_about(made, workplace, model, 0);
    EXPECT_TRUE(is_right(made, outcome.diagnosis.diagnosis, outcome.answer))
        << name_of(made.treatment) << ", but " << name_of(outcome.diagnosis.diagnosis) << ": "
        << made.question << "\n"
        << outcome.answer;
  }
}

}  // namespace
}  // namespace whereof::planted
