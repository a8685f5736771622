// whereof read FILE...
#include <fmt/format.h>

#include <string>
#include <vector>

#include "commands.h"
#include "document_source.h"
#include "exit_codes.h"
#include "kept_folder.h"
#include "terminal.h"
#include "whereof/answer.h"
#include "whereof/error.h"
#include "workspace/kept_store.h"
#include "workspace/library_file.h"
#include "workspace/model_files.h"

namespace whereof::cli {
namespace {

struct ReadArguments {
  std::vector<std::string> files;
  std::string model = workspace::kDefaultModel;
  std::string library;
  workspace::KeptPlace kept;
  AskOptions options;
};

void say_what_was_read(const std::string& name, const ReadAhead& read) {
  const std::int64_t computed = read.tokens - read.kept_before;
  const std::string windows =
      read.windows == 1 ? std::string() : fmt::format(" in {} windows", read.windows);
  if (computed == 0) {
    fmt::print("{}: {} tokens{}, all kept from before\n", shown(name), read.tokens, windows);
    return;
  }
  fmt::print("{}: {} tokens{}, {} read in {:.1f} s ({:.0f} a second)\n", shown(name), read.tokens,
             windows, computed, read.seconds, static_cast<double>(computed) / read.seconds);
}

int read_command(ReadArguments& arguments, std::stop_token stop) {
  ProgressLine progress;
  const std::shared_ptr<const Model> model = Model::open(workspace::model_file(arguments.model));
  const std::unique_ptr<Library> library = workspace::open_library(arguments.library);
  AskOptions& options = arguments.options;
  options.store = workspace::kept_store(arguments.kept);
  if (!options.store) {
    throw Error(ErrorKind::invalid_argument,
                "there is no folder to keep readings in: give one with --kept, or set HOME");
  }
  options.stop = stop;
  options.progress = progress.callback();
  int code = kAnswered;
  for (const std::string& file : arguments.files) {
    try {
      const Document document = document_from(file, *library, progress, stop);
      const ReadAhead read = read_ahead(document, model, options);
      progress.clear();
      say_what_was_read(document.name, read);
      if (read.trouble.empty()) continue;
      fmt::print(stderr, "whereof: {}: {}\n", shown(document.name), shown(read.trouble));
      code = kInputOutput;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) throw;
      progress.clear();
      fmt::print(stderr, "whereof: {}\n", shown(error.what()));  // the other files are still read
      code = exit_code_of(error.kind());
    }
  }
  return code;
}

}  // namespace

void add_read(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<ReadArguments>();
  CLI::App* command =
      program.add_subcommand("read", "Read documents ahead, so that questions need not wait");
  command->add_option("FILE", arguments->files, std::string(kFileTypes) + "; - is standard input")
      ->required();
  command->add_option("--model", arguments->model, "Name of a fetched model, or a GGUF file")
      ->capture_default_str();
  command->add_option("--threads", arguments->options.threads, "0: all processors")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_option("--library", arguments->library, "Library file instead of the user's own");
  add_kept_options(*command, arguments->kept, false);
  add_kv_option(*command, arguments->options.kv_type);
  command->footer(
      "\nA reading that is interrupted goes on from its last block the next time.\n"
      "\nExamples:\n"
      "  whereof read contract.pdf annex.docx\n"
      "  whereof ask contract.pdf \"What is the notice period?\"\n");
  command->callback([arguments, &chosen] {
    chosen.run = [arguments, &chosen] { return read_command(*arguments, chosen.stop); };
  });
}

}  // namespace whereof::cli
