#include "ask_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "whereof/error.h"
#include "workspace/kept_store.h"
#include "workspace/machine_file.h"
#include "workspace/model_files.h"

namespace whereof::cli {

void add_asking_options(CLI::App& command, AskingArguments& arguments) {
  AskOptions& options = arguments.options;
  arguments.model = workspace::kDefaultModel;
  command.add_option("--model", arguments.model, "Name of a fetched model, or a GGUF file")
      ->capture_default_str();
  command
      .add_option("--budget-seconds", options.budget_seconds,
                  "Time allowed for reading; a document that takes longer is read in passages")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command.add_flag("--rank", options.ranks_by_attention,
                   "Where passages are read: read the likeliest first and rank them by attention");
  command.add_flag("--reword", options.rewords,
                   "Where passages are searched for: look for the model's words for the question "
                   "too, for questions in everyday words");
  command.add_option("--max-tokens", options.max_answer_tokens, "Longest answer")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 20))
      ->capture_default_str();
  command.add_option("--hide", arguments.hidden,
                     "Answer as if this clause, or what these words stand in, were not seen");
  command.add_option("--threads", options.threads, "0: all processors")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command.add_option("--library", arguments.library, "Library file instead of the user's own");
  add_kept_options(command, arguments.kept, true);
  add_kv_option(command, options.kv_type);
}

void prepare(AskingArguments& arguments, const std::shared_ptr<const Model>& model,
             ProgressLine& progress, std::stop_token stop) {
  AskOptions& options = arguments.options;
  options.machine = workspace::machine_speed(model, options.threads, false);
  options.calibration = workspace::calibration_of(*model);
  options.store = workspace::kept_store(arguments.kept);
  options.stop = stop;
  options.progress = progress.callback();
}

void find_hidden(const Document& document, AskingArguments& arguments) {
  std::vector<Span>& hidden = arguments.options.hidden;
  for (const std::string& name : arguments.hidden) {
    const ExpectedText found = find_clause_or_words(document, name);
    if (found.text.empty()) {
      throw Error(ErrorKind::not_found,
                  fmt::format("{}: no clause or words \"{}\" to hide", document.name, name));
    }
    hidden.insert(hidden.end(), found.text.begin(), found.text.end());
  }
}

}  // namespace whereof::cli
