// whereof why FILE QUESTION --clause LABEL: why an answer does not rest on a clause.
#include <fmt/format.h>

#include <string>

#include "answer_text.h"
#include "ask_options.h"
#include "commands.h"
#include "diagnosis_report.h"
#include "document_source.h"
#include "exit_codes.h"
#include "json/answer_json.h"
#include "json/diagnosis_json.h"
#include "terminal.h"
#include "whereof/error.h"
#include "workspace/library_file.h"
#include "workspace/machine_file.h"
#include "workspace/model_files.h"

namespace whereof::cli {
namespace {

struct WhyArguments : AskingArguments {
  std::string file;
  std::string question;
  std::string clause;
  std::string words;
  bool is_json = false;
};

void print_json(const nlohmann::ordered_json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void show_absent(const WhyArguments& arguments, const Document& document,
                 const ExpectedText& expected) {
  const ClauseDiagnosis diagnosis = diagnosis_of_absent(document, expected, arguments.question);
  if (arguments.is_json) {
    print_json({{"question", arguments.question}, {"diagnosis", json::diagnosis_json(diagnosis)}});
  } else {
    fmt::print("{}", diagnosis_text(diagnosis));
  }
}

int why_command(WhyArguments& arguments, std::stop_token stop) {
  ProgressLine progress;
  const std::unique_ptr<Library> library = workspace::open_library(arguments.library);
  const Document document = document_from(arguments.file, *library, progress, stop);
  AskOptions& options = arguments.options;
  options.expected = arguments.clause.empty() ? find_words(document, arguments.words)
                                              : find_clause_text(document, arguments.clause);
  find_hidden(document, arguments);
  if (options.expected->text.empty()) {  // nothing that a model could tell
    show_absent(arguments, document, *options.expected);
    return kAnswered;
  }
  const std::shared_ptr<const Model> model = Model::open(workspace::model_file(arguments.model));
  prepare(arguments, model, progress, stop);
  options.on_plan = [&](const RoutePlan& plan) {
    progress.clear();
    fmt::print(stderr, "{}: {}\n", shown(document.name), plan.reason);
  };
  const Answer answer = ask(document, *library, model, arguments.question, options);
  progress.clear();
  workspace::learn_speed(*model, options.threads, options.machine, answer, true);
  if (arguments.is_json) {
    print_json(json::answer_json(answer, document, *model));
    return kAnswered;
  }
  fmt::print("{}\n{}", diagnosis_text(*answer.diagnosis), answer_text(answer));
  return kAnswered;
}

}  // namespace

void add_why(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<WhyArguments>();
  CLI::App* command = program.add_subcommand(
      "why", "Why an answer does or does not rest on the clause that it should have come from");
  command->add_option("FILE", arguments->file, std::string(kFileTypes) + "; - is standard input")
      ->required();
  command->add_option("QUESTION", arguments->question, "In English or Chinese")->required();
  CLI::Option_group* expected = command->add_option_group("expected");
  expected->add_option("--clause", arguments->clause, "Its label: 3.1, 第三条");
  expected->add_option("--text", arguments->words, "Words of it");
  expected->require_option(1);
  add_asking_options(*command, *arguments);
  command->add_flag("--json", arguments->is_json, "Everything as JSON (docs/answer.schema.json)");
  command->footer(
      "\nOne of: not in the text, not in the context, not seen, seen but not chosen, used; with\n"
      "figures and what to do. The exit code is 0 whichever it is (docs/evidence.md).\n"
      "\nExamples:\n"
      "  whereof why contract.pdf \"What is the notice period?\" --clause 11.2\n"
      "  whereof why 合同.docx \"赔偿上限是多少？\" --clause 第三条\n");
  command->callback([arguments, &chosen] {
    chosen.run = [arguments, &chosen] { return why_command(*arguments, chosen.stop); };
  });
}

}  // namespace whereof::cli
