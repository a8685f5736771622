// whereof add DIR|FILE...
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "document_source.h"
#include "exit_codes.h"
#include "terminal.h"
#include "whereof/add_files.h"
#include "workspace/library_file.h"

namespace whereof::cli {
namespace {

struct AddArguments {
  std::vector<std::string> places;
  std::string library;
  int readers = 0;
  bool is_json = false;
};

void show(const AddFilesResult& result, std::size_t files, double seconds) {
  fmt::print("{} files: {} added, {} there already", files, result.added, result.known);
  if (result.removed > 0) fmt::print(", {} outdated removed", result.removed);
  if (!result.failed.empty()) fmt::print(", {} failed", result.failed.size());
  fmt::print("; {:.1f} s\n", seconds);
  for (const FailedFile& failed : result.failed) {
    fmt::print(stderr, "whereof: {}: {}\n", shown(failed.path.string()), shown(failed.message));
  }
}

void show_json(const AddFilesResult& result, std::size_t files, double seconds) {
  nlohmann::ordered_json failed = nlohmann::ordered_json::array();
  for (const FailedFile& file : result.failed) {
    failed.push_back(
        {{"file", file.path.string()}, {"kind", name_of(file.kind)}, {"message", file.message}});
  }
  const nlohmann::ordered_json json = {{"files", files},        {"added", result.added},
                                       {"known", result.known}, {"removed", result.removed},
                                       {"seconds", seconds},    {"failed", failed}};
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

int add_command(const AddArguments& arguments, std::stop_token stop) {
  const auto begin = std::chrono::steady_clock::now();
  ProgressLine progress;
  const std::unique_ptr<Library> library = workspace::open_library(arguments.library);
  const std::vector<std::filesystem::path> places(arguments.places.begin(), arguments.places.end());
  const std::vector<std::filesystem::path> files = document_files(places);
  AddFilesOptions options;
  options.readers = arguments.readers;
  options.progress = progress.callback();
  options.stop = stop;
  const AddFilesResult result = add_files(*library, files, options);
  progress.clear();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (arguments.is_json) {
    show_json(result, files.size(), seconds);
  } else {
    show(result, files.size(), seconds);
  }
  if (!result.failed.empty()) return exit_code_of(result.failed.front().kind);
  return files.empty() ? kNotFound : kAnswered;
}

}  // namespace

void add_add(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<AddArguments>();
  CLI::App* command =
      program.add_subcommand("add", "Read documents into the library: files, or whole folders");
  command
      ->add_option("PLACE", arguments->places,
                   "Folders, looked through with all below them, and files")
      ->required();
  command->add_option("--library", arguments->library, "Library file instead of the user's own");
  command
      ->add_option("--readers", arguments->readers, "Files read at once; 0: as many as processors")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  command->add_flag("--json", arguments->is_json, "The result as JSON");
  command->footer(
      "\nWhat is there already is passed over, so the same command goes on where an interrupted "
      "one\n"
      "stopped. A file that cannot be read stops no other; the exit code is then that of the "
      "first\n"
      "such file.\n"
      "\nExamples:\n"
      "  whereof add contracts/\n"
      "  whereof find \"limitation of liability\"\n"
      "  whereof ask --all \"Which contracts may be ended without cause?\"\n");
  command->callback([arguments, &chosen] {
    chosen.run = [arguments, &chosen] { return add_command(*arguments, chosen.stop); };
  });
}

}  // namespace whereof::cli
