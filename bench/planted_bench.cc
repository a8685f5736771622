// Are diagnoses right? planted_bench MODEL [--cases N] [--unrelated N] [--half 1|2] [--threads N]
//
// Asks about contracts into which a clause was planted (planted/cases.h), with the clause as what
// is expected, and compares the diagnosis with what was done to it. Prints one JSON object a case,
// with what the diagnosis was made from, and one of counts at the end. --half takes every other
// pair of templates: thresholds are chosen on the first half and reported on the second.
// "right" goes by what was done to the clause and, where that was left to the model, by whether its
// answer has the planted value; "as_planned" counts the cases in which the model did what the
// treatment is for (planted/cases.h).
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "planted/ask_about.h"
#include "whereof/error.h"

namespace whereof::planted {
namespace {

using nlohmann::ordered_json;

struct Arguments {
  std::string model;
  std::int64_t cases = 200;
  std::int64_t unrelated = 0;
  std::int64_t half = 0;
  int threads = 0;
};

ordered_json rows_json(const RowsOnText& rows) { return {rows.share, rows.lift, rows.rank}; }

struct Counts {
  std::int64_t cases = 0;
  std::int64_t right = 0;
  std::int64_t as_planned = 0;
  std::int64_t right_as_planned = 0;
};

ordered_json counts_json(const Counts& counts) {
  return {{"cases", counts.cases},
          {"right", counts.right},
          {"as_planned", counts.as_planned},
          {"right_as_planned", counts.right_as_planned}};
}

void run(const Arguments& arguments) {
  const std::shared_ptr<const Model> model = Model::open(arguments.model);
  Workplace workplace;
  std::vector<Case> cases;
  for (std::int64_t n = 0; n < arguments.cases; ++n) cases.push_back(made_case(n));
  for (std::int64_t n = 0; n < arguments.unrelated; ++n) cases.push_back(unrelated_case(n));
  std::map<std::string_view, Counts> counts;
  for (const Case& made : cases) {
    if (arguments.half != 0 && made.fact / 2 % 2 != arguments.half - 1) continue;
    const Outcome outcome = ask_about(made, workplace, model, arguments.threads);
    const DiagnosisFigures& figures = outcome.diagnosis.figures;
    const Diagnosis diagnosis = outcome.diagnosis.diagnosis;
    const bool is_right_one = is_right(made, diagnosis, outcome.answer);
    const bool is_planned = is_as_planned(made, outcome.answer);
    const std::string_view part = made.treatment == Treatment::unrelated ? "beside" : "planted";
    for (const std::string_view name : {name_of(made.treatment), part}) {
      Counts& of_name = counts[name];
      ++of_name.cases;
      of_name.right += is_right_one ? 1 : 0;
      of_name.as_planned += is_planned ? 1 : 0;
      of_name.right_as_planned += is_right_one && is_planned ? 1 : 0;
    }
    const ordered_json line = {{"treatment", name_of(made.treatment)},
                               {"fact", made.fact},
                               {"diagnosis", name_of(diagnosis)},
                               {"is_right", is_right_one},
                               {"is_as_planned", is_planned},
                               {"clauses", figures.clauses_read},
                               {"question_rows", rows_json(figures.question)},
                               {"answer_rows", rows_json(figures.answer)},
                               {"fall", figures.ablation.fall},
                               {"fall_per_token", figures.ablation.fall_per_token},
                               {"other_fall", figures.other_ablation.fall},
                               {"value", made.value},
                               {"other", made.other},
                               {"question", made.question},
                               {"answer", outcome.answer}};
    std::printf("%s\n", line.dump(-1, ' ', false, ordered_json::error_handler_t::replace).c_str());
    std::fflush(stdout);
  }
  ordered_json summary = {{"model", model->description().name}};
  for (const auto& [name, of_name] : counts) summary[std::string(name)] = counts_json(of_name);
  std::printf("%s\n", summary.dump().c_str());
}

int usage() {
  std::fprintf(stderr,
               "planted_bench MODEL [--cases N] [--unrelated N] [--half 1|2] [--threads N]\n");
  return 2;
}

int main_of(int count, char** words) {
  if (count < 2 || count % 2 != 0) return usage();
  Arguments arguments;
  arguments.model = words[1];
  for (int i = 2; i < count; i += 2) {
    const std::string_view name = words[i];
    const std::int64_t value = std::atoll(words[i + 1]);
    if (name == "--cases") {
      arguments.cases = value;
    } else if (name == "--unrelated") {
      arguments.unrelated = value;
    } else if (name == "--half") {
      arguments.half = value;
    } else if (name == "--threads") {
      arguments.threads = static_cast<int>(value);
    } else {
      return usage();
    }
  }
  try {
    run(arguments);
  } catch (const Error& error) {
    std::fprintf(stderr, "planted_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace whereof::planted

int main(int count, char** words) { return whereof::planted::main_of(count, words); }
