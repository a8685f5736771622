// whereof find WORDS: the best passages over all documents of the library.
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "document_source.h"
#include "exit_codes.h"
#include "terminal.h"
#include "whereof/find_passages.h"
#include "workspace/library_file.h"

namespace whereof::cli {
namespace {

struct FindArguments {
  std::vector<std::string> words;
  std::string library;
  std::int64_t limit = 10;
  bool is_json = false;
};

std::string place_of(const FoundPassage& found) {
  std::string place = shown(found.document_name);
  if (!found.label.empty()) place += "  " + shown(found.label);
  if (!found.heading.empty()) place += " " + shown(joined_lines(found.heading));
  if (!found.page_label.empty()) place += ", page " + shown(found.page_label);
  return place;
}

void show(const FoundPassages& found) {
  std::string text;
  int number = 0;
  for (const FoundPassage& passage : found.passages) {
    text += fmt::format("{}{}. {}  {}\n   {}\n", number == 0 ? "" : "\n", number + 1,
                        bold(place_of(passage)), dim(fmt::format("{:.1f}", passage.score)),
                        shown(joined_lines(passage.text)));
    ++number;
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void show_json(const FoundPassages& found) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const FoundPassage& passage : found.passages) {
    list.push_back(
        {{"document", passage.document_name},
         {"path", passage.document_path},
         {"sha256", passage.content_hash},
         {"clause", passage.label},
         {"heading", passage.heading},
         {"page_label", passage.page_label.empty() ? nlohmann::ordered_json(nullptr)
                                                   : nlohmann::ordered_json(passage.page_label)},
         {"text", passage.text},
         {"text_begin", passage.where.text.begin},
         {"text_end", passage.where.text.end},
         {"score", passage.score},
         {"coverage", passage.coverage}});
  }
  fmt::print("{}\n", list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

int find_command(const FindArguments& arguments) {
  const std::unique_ptr<Library> library = workspace::open_library(arguments.library);
  std::string words;
  for (const std::string& word : arguments.words) words += (words.empty() ? "" : " ") + word;
  const FoundPassages found = find_passages(*library, words, arguments.limit);
  for (const std::string& name : found.outdated) {
    fmt::print(stderr, "whereof: {} has changed since it was added and is left out; add it again\n",
               shown(name));
  }
  if (arguments.is_json) {
    show_json(found);
  } else {
    show(found);
  }
  if (!found.passages.empty()) return kAnswered;
  fmt::print(stderr, "whereof: nothing found for \"{}\" in {} documents\n", shown(words),
             library->entries().size());
  return kNotFound;
}

}  // namespace

void add_find(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<FindArguments>();
  CLI::App* command = program.add_subcommand(
      "find", "Find passages in all documents of the library, the best first");
  command->add_option("WORDS", arguments->words, "Plain words, in English or Chinese")->required();
  command->add_option("--limit", arguments->limit, "Most passages to show")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000}))
      ->capture_default_str();
  command->add_option("--library", arguments->library, "Library file instead of the user's own");
  command->add_flag("--json", arguments->is_json, "As JSON");
  command->footer(
      "\nExamples:\n"
      "  whereof add contracts/\n"
      "  whereof find \"limitation of liability\" --limit 5\n");
  command->callback(
      [arguments, &chosen] { chosen.run = [arguments] { return find_command(*arguments); }; });
}

}  // namespace whereof::cli
