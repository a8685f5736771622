// What the commands that ask a document a question have in common.
#ifndef WHEREOF_CLI_ASK_OPTIONS_H_
#define WHEREOF_CLI_ASK_OPTIONS_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "kept_folder.h"
#include "terminal.h"
#include "whereof/answer.h"

namespace whereof::cli {

struct AskingArguments {
  std::string model;
  std::string library;
  workspace::KeptPlace kept;
  std::vector<std::string> hidden;  // labels of clauses, or words
  AskOptions options;
};

// --model, --budget-seconds, --rank, --max-tokens, --hide, --threads, --library, --kept-folder, ...
void add_asking_options(CLI::App& command, AskingArguments& arguments);

// Speeds of the machine, head weights, the store, progress.
void prepare(AskingArguments& arguments, const std::shared_ptr<const Model>& model,
             ProgressLine& progress, std::stop_token stop);

// Fills in AskOptions::hidden. Throws Error(not_found) for what the document does not have.
void find_hidden(const Document& document, AskingArguments& arguments);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_ASK_OPTIONS_H_
