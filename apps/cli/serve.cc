// whereof serve: the service and its page.
#include "server/serve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "commands.h"
#include "exit_codes.h"
#include "terminal.h"
#include "whereof/error.h"
#include "whereof/retrieval.h"
#include "workspace/model_files.h"

namespace whereof::cli {
namespace {

constexpr std::size_t kShortestKey = 16;
constexpr std::size_t kLongestKey = 256;

struct ServeArguments {
  server::ServiceOptions options;
  std::string library;
  std::string key_file;
};

// The first line of the file, else $WHEREOF_KEY; empty when neither is given.
std::string key_of(const std::string& file) {
  std::string key;
  std::string source = file;
  if (!file.empty()) {
    std::ifstream stream(file);
    if (!stream) throw Error(ErrorKind::not_found, file + ": cannot read the key");
    std::getline(stream, key);
    if (key.ends_with('\r')) key.pop_back();
  } else {
    const char* from_environment = std::getenv("WHEREOF_KEY");
    if (from_environment == nullptr || *from_environment == '\0') return {};
    key = from_environment;
    source = "WHEREOF_KEY";
  }
  const bool is_visible =
      std::all_of(key.begin(), key.end(), [](char byte) { return byte > 0x20 && byte < 0x7f; });
  if (!is_visible || key.size() < kShortestKey || key.size() > kLongestKey) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{}: a key of {} bytes was given; one of {} to {} visible ASCII "
                            "characters without blanks is wanted",
                            source, key.size(), kShortestKey, kLongestKey));
  }
  return key;
}

int serve_command(ServeArguments& arguments, std::stop_token stop) {
  server::ServiceOptions& options = arguments.options;
  options.key = key_of(arguments.key_file);
  options.library = arguments.library.empty() ? Library::default_path()
                                              : std::filesystem::absolute(arguments.library);
  server::serve(options, stop, [](const std::string& url) {
    fmt::print(stderr, "whereof: listening at {}\n", url);
  });
  return kAnswered;
}

}  // namespace

void add_serve(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<ServeArguments>();
  server::ServiceOptions& options = arguments->options;
  options.model = workspace::kDefaultModel;
  CLI::App* command =
      program.add_subcommand("serve", "Answer over HTTP: a page for people, JSON for programs");
  command->add_option("--host", options.host, "Address to listen at")->capture_default_str();
  command->add_option("--port", options.port, "0: any that is free")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  command->add_option("--library", arguments->library,
                      "Library file instead of the user's own; uploads lie beside it");
  CLI::Option* model =
      command->add_option("--model", options.model, "Name of a fetched model, or a GGUF file")
          ->capture_default_str();
  command->add_option("--slots", options.slots, "Requests that compute at once")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--queue", options.queue, "Requests that wait for a slot; others get 429")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str();
  command->add_option("--threads", options.threads, "0: all processors")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_option("--kept", options.kept_folder,
                      "Folder where readings are kept instead of the user's own");
  command->add_option("--key-file", arguments->key_file,
                      "File whose first line clients must send; else $WHEREOF_KEY. Needed unless "
                      "the address is loopback");
  command->add_option("--allow-host", options.allowed_hosts,
                      "Another name that the server answers to");
  command->add_option("--allow-origin", options.allowed_origins,
                      "Another site whose pages may call the server: https://intranet.example");
  command->add_option("--request-seconds", options.request_seconds, "Longest time of a request")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  command->footer(
      "\nSIGTERM and SIGINT end it: what runs has ten seconds. A second one ends it at once.\n"
      "\nExamples:\n"
      "  whereof serve\n"
      "  whereof serve --host 0.0.0.0 --key-file key.txt --allow-host reader.example\n");
  command->callback([arguments, model, &chosen] {
    arguments->options.loads_model = model->count() > 0;
    chosen.run = [arguments, &chosen] { return serve_command(*arguments, chosen.stop); };
  });
}

}  // namespace whereof::cli
