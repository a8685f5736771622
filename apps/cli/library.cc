// whereof library: what was read and is kept.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "exit_codes.h"
#include "kept_folder.h"
#include "terminal.h"
#include "whereof/error.h"
#include "workspace/kept_store.h"

namespace whereof::cli {
namespace {

struct LibraryArguments {
  workspace::KeptPlace kept;
  std::vector<std::string> dropped;  // names of documents
  bool drops_all = false;
  bool is_json = false;
};

std::string day_and_time(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%d %H:%M}",
                     fmt::localtime(std::chrono::system_clock::to_time_t(time)));
}

std::string size_text(std::int64_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1024 * 1024));
}

void show(const std::vector<KeptReadingDescription>& readings, std::int64_t budget) {
  std::int64_t total = 0;
  for (const KeptReadingDescription& reading : readings) {
    total += reading.bytes;
    fmt::print("{}  {:>9} tokens  {:>11}  {}  {}\n", day_and_time(reading.last_used),
               reading.tokens, size_text(reading.bytes), shown(reading.model_name),
               shown(reading.text_name));
  }
  fmt::print(stderr, "{} readings, {} of {}\n", readings.size(), size_text(total),
             size_text(budget));
}

void show_json(const std::vector<KeptReadingDescription>& readings) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const KeptReadingDescription& reading : readings) {
    all.push_back({{"document", reading.text_name},
                   {"model", reading.model_name},
                   {"tokens", reading.tokens},
                   {"bytes", reading.bytes},
                   {"last_used", day_and_time(reading.last_used)},
                   {"file", reading.file.string()}});
  }
  fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

// The exit code.
int drop(KvStore& store, const LibraryArguments& arguments) {
  int dropped = 0;
  int code = kAnswered;
  for (const std::string& name : arguments.dropped) {
    bool is_known = false;
    for (const KeptReadingDescription& reading : store.list()) {
      if (reading.text_name != name) continue;
      is_known = true;
      dropped += store.drop(reading) ? 1 : 0;
    }
    if (is_known) continue;
    fmt::print(stderr, "whereof: nothing is kept of \"{}\"\n", shown(name));
    code = kNotFound;
  }
  if (arguments.drops_all) {
    for (const KeptReadingDescription& reading : store.list()) dropped += store.drop(reading);
  }
  fmt::print(stderr, "{} readings dropped\n", dropped);
  return code;
}

int library_command(const LibraryArguments& arguments) {
  const std::shared_ptr<KvStore> store = workspace::kept_store(arguments.kept);
  if (!store) {
    throw Error(ErrorKind::invalid_argument,
                "there is no folder of kept readings: give one with --kept, or set HOME");
  }
  if (arguments.drops_all || !arguments.dropped.empty()) return drop(*store, arguments);
  if (arguments.is_json) {
    show_json(store->list());
  } else {
    show(store->list(), store->budget_bytes());
  }
  return kAnswered;
}

}  // namespace

void add_library(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<LibraryArguments>();
  CLI::App* command =
      program.add_subcommand("library", "List or drop what was read and is kept on disk");
  add_kept_options(*command, arguments->kept, false);
  command->add_option("--drop", arguments->dropped, "Forget the readings of this document");
  command->add_flag("--drop-all", arguments->drops_all, "Forget all readings");
  command->add_flag("--json", arguments->is_json, "The list as JSON");
  command->footer(
      "\nExamples:\n"
      "  whereof library\n"
      "  whereof library --drop contract.pdf\n");
  command->callback(
      [arguments, &chosen] { chosen.run = [arguments] { return library_command(*arguments); }; });
}

}  // namespace whereof::cli
