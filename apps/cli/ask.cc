// whereof ask FILE QUESTION, whereof ask --all QUESTION
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "answer_text.h"
#include "ask_options.h"
#include "chosen_passages.h"
#include "commands.h"
#include "diagnosis_report.h"
#include "document_source.h"
#include "exit_codes.h"
#include "json/answer_json.h"
#include "terminal.h"
#include "whereof/answer.h"
#include "workspace/library_file.h"
#include "workspace/machine_file.h"
#include "workspace/model_files.h"

namespace whereof::cli {
namespace {

struct AskArguments : AskingArguments {
  std::string file;  // empty with --all
  std::vector<std::string> questions;
  bool asks_all = false;
  std::string expected;  // a clause's label, or words of it; empty: nothing
  bool is_json = false;
};

void show_answer(const Answer& answer) {
  std::string text = answer_text(answer);
  if (answer.diagnosis) text += "\n" + diagnosis_text(*answer.diagnosis);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void show_trouble(const std::vector<Answer>& answers) {
  for (const Answer& answer : answers) {
    if (answer.keeping_trouble.empty()) continue;
    fmt::print(stderr, "whereof: {}\n", shown(answer.keeping_trouble));
    return;  // it is the same for all
  }
}

// One answer as an object, several as a list.
void print_json(const nlohmann::ordered_json& answers) {
  fmt::print("{}\n", (answers.size() == 1 ? answers[0] : answers)
                         .dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void show_json(const std::vector<Answer>& answers, const Document& document, const Model& model) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const Answer& answer : answers) json.push_back(json::answer_json(answer, document, model));
  print_json(json);
}

void say_outdated(const LibraryAnswer& result) {
  for (const std::string& name : result.outdated) {
    fmt::print(stderr, "whereof: {} has changed since it was added and is left out; add it again\n",
               shown(name));
  }
}

void show_all(const std::vector<Answer>& answers) {
  for (const Answer& answer : answers) {
    fmt::print("{}{}\n\n", &answer == answers.data() ? "" : "\n", bold(shown(answer.question)));
    show_answer(answer);
  }
}

void say_alarms(const Answer& answer) {
  for (const Alarm& alarm : answer.alarms) {
    fmt::print(stderr, "whereof: alarm: {}: {}\n", name_of(alarm.kind), shown(alarm.text));
  }
}

bool say_times(const Answer& answer) {
  say_alarms(answer);
  fmt::print(stderr, "read {} tokens in {:.1f} s (predicted {:.1f} s), wrote {} in {:.1f} s\n",
             computed_tokens(answer.plan), answer.prefill_seconds, answer.plan.predicted_seconds,
             answer.answer_tokens, answer.decode_seconds);
  return answer.verdict != Verdict::no_basis;
}

// One question after the other: each has passages of its own.
int ask_all_documents(AskArguments& arguments, std::stop_token stop) {
  ProgressLine progress;
  const std::shared_ptr<const Model> model = Model::open(workspace::model_file(arguments.model));
  const std::unique_ptr<Library> library = workspace::open_library(arguments.library);
  prepare(arguments, model, progress, stop);
  AskOptions& options = arguments.options;
  options.on_plan = [&](const RoutePlan& plan) {
    progress.clear();
    fmt::print(stderr, "{}\n", plan.reason);
  };
  const bool is_single = arguments.questions.size() == 1;
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  bool is_any_answered = false;
  for (const std::string& question : arguments.questions) {
    const LibraryAnswer result = ask_library(*library, model, question, options);
    progress.clear();
    workspace::learn_speed(*model, options.threads, options.machine, result.answer, true);
    say_outdated(result);
    if (arguments.is_json) {
      json.push_back(json::library_answer_json(result, *model));
    } else {
      if (!is_single) fmt::print("{}\n\n", bold(shown(question)));
      fmt::print(stderr, "{}", chosen_passages(result));
      show_answer(result.answer);
    }
    is_any_answered |= say_times(result.answer);
  }
  if (arguments.is_json) print_json(json);
  return is_any_answered ? kAnswered : kNoBasis;
}

int ask_document(AskArguments& arguments, std::stop_token stop) {
  ProgressLine progress;
  const std::shared_ptr<const Model> model = Model::open(workspace::model_file(arguments.model));
  const std::unique_ptr<Library> library = workspace::open_library(arguments.library);
  const Document document = document_from(arguments.file, *library, progress, stop);
  prepare(arguments, model, progress, stop);
  find_hidden(document, arguments);
  AskOptions& options = arguments.options;
  if (!arguments.expected.empty())
    options.expected = find_clause_or_words(document, arguments.expected);
  options.on_plan = [&](const RoutePlan& plan) {
    progress.clear();
    fmt::print(stderr, "{}: {}\n{}", shown(document.name), plan.reason,
               chosen_passages(plan.chosen, document));
  };
  const bool is_single = arguments.questions.size() == 1;
  const std::vector<Answer> answers =
      ask_all(document, *library, model, arguments.questions, options);
  progress.clear();
  workspace::learn_speed(*model, options.threads, options.machine, answers[0], is_single);
  show_trouble(answers);
  if (!options.calibration.heads.is_fitted()) {
    fmt::print(stderr, "{}: not calibrated, so all heads count alike\n",
               shown(model->description().name));
  }
  if (arguments.is_json) {
    show_json(answers, document, *model);
  } else if (is_single) {
    show_answer(answers[0]);
  } else {
    show_all(answers);
  }
  bool is_any_answered = false;
  for (const Answer& answer : answers) is_any_answered |= say_times(answer);
  return is_any_answered ? kAnswered : kNoBasis;
}

}  // namespace

void add_ask(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<AskArguments>();
  CLI::App* command = program.add_subcommand("ask", "Answer a question about a document");
  AskOptions& options = arguments->options;
  command->add_option("FILE", arguments->file, std::string(kFileTypes) + "; - is standard input")
      ->required();
  command->add_option("QUESTION", arguments->questions,
                      "In English or Chinese; several run together");
  command->add_flag("--all", arguments->asks_all,
                    "Ask all documents of the library (whereof add): no FILE, questions only");
  add_asking_options(*command, *arguments);
  command->add_option("--earlier", options.earlier,
                      "A question that was asked before and that this one refers to; may be given "
                      "again, the oldest first");
  command->add_flag("--quote", options.is_extract,
                    "Write no answer: show the passages that bear on the question, the best first");
  command->add_flag("--verify", options.verifies,
                    "Hide each cited clause in turn and see whether the answer depends on it");
  command->add_option(
      "--expect", arguments->expected,
      "A clause that the answer should rest on, by its label or words: says whether "
      "it does, and else why not (as whereof why does)");
  command->add_option("--citations", options.max_citations, "Most clauses to cite")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000}))
      ->capture_default_str();
  command->add_option("--temperature", options.sampler.temperature, "0 always takes the likeliest")
      ->check(CLI::Range(0.0F, 10.0F))
      ->capture_default_str();
  command->add_option("--seed", options.sampler.seed, "Of sampling")->capture_default_str();
  command->add_flag("--json", arguments->is_json, "Everything as JSON (docs/answer.schema.json)");
  command->footer(
      "\nExamples:\n"
      "  whereof ask contract.pdf \"What is the notice period?\"\n"
      "  whereof ask 合同.docx \"第三条的赔偿上限是多少？\" --json\n"
      "  whereof ask --all \"Which contracts may be ended without cause?\"\n");
  command->callback([arguments, &chosen] {
    const bool verifies = arguments->options.verifies;
    if (arguments->options.is_extract && (verifies || !arguments->expected.empty())) {
      throw CLI::ExcludesError("--quote", verifies ? "--verify" : "--expect");
    }
    if (arguments->asks_all && !(arguments->expected.empty() && arguments->hidden.empty())) {
      throw CLI::ExcludesError("--all", arguments->hidden.empty() ? "--expect" : "--hide");
    }
    if (arguments->asks_all) {  // the first word is a question too
      arguments->questions.insert(arguments->questions.begin(), arguments->file);
    } else if (arguments->questions.empty()) {
      throw CLI::RequiredError("QUESTION");
    }
    chosen.run = [arguments, &chosen] {
      return arguments->asks_all ? ask_all_documents(*arguments, chosen.stop)
                                 : ask_document(*arguments, chosen.stop);
    };
  });
}

}  // namespace whereof::cli
