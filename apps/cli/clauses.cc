// whereof clauses FILE
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "document_source.h"
#include "exit_codes.h"
#include "terminal.h"

namespace whereof::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kShownBytes = 60;

const char* name_of_kind(ClauseKind kind) {
  switch (kind) {
    case ClauseKind::preamble:
      return "preamble";
    case ClauseKind::part:
      return "part";
    case ClauseKind::clause:
      return "clause";
    case ClauseKind::schedule:
      return "schedule";
  }
  return "clause";
}

std::string page_label(const Document& document, std::int32_t page) {
  const auto at = static_cast<std::size_t>(page);
  return document.report.pages > 0 && at < document.pages.size() ? document.pages[at].label : "";
}

std::string pages_of(const Document& document, const Clause& clause) {
  const std::string first = page_label(document, clause.first_page);
  const std::string last = page_label(document, clause.last_page);
  if (first.empty()) return "";
  return clause.first_page == clause.last_page ? fmt::format("  p. {}", first)
                                               : fmt::format("  p. {}-{}", first, last);
}

// The heading, or the beginning of the clause's own text.
std::string title_of(const Document& document, const Clause& clause) {
  if (!clause.heading.empty()) return shown(clause.heading);
  std::string text = shown(joined_lines(document.slice(clause.own_text)));
  if (text.starts_with(clause.number)) text.erase(0, clause.number.size());
  text.erase(0, text.find_first_not_of(" .:"));
  if (text.size() <= kShownBytes) return dim(text);
  std::size_t end = kShownBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return dim(text.substr(0, end) + "…");
}

void print_tree(const Document& document) {
  std::string tree;
  for (const Clause& clause : document.clauses) {
    const std::string name =
        clause.kind == ClauseKind::preamble ? std::string("(preamble)") : shown(clause.number);
    tree += fmt::format("{}{} {}{}\n", std::string(2 * static_cast<std::size_t>(clause.depth), ' '),
                        bold(name), title_of(document, clause), dim(pages_of(document, clause)));
  }
  std::fwrite(tree.data(), 1, tree.size(), stdout);
  fmt::print(stderr, "{}: {} numbered units on {} pages, {} characters\n", shown(document.name),
             document.clauses.size(), document.report.pages, document.report.characters);
}

void print_json(const Document& document) {
  ordered_json clauses = ordered_json::array();
  for (const Clause& clause : document.clauses) {
    clauses.push_back({{"kind", name_of_kind(clause.kind)},
                       {"number", clause.number},
                       {"label", clause.label},
                       {"heading", clause.heading},
                       {"parent", clause.parent},
                       {"depth", clause.depth},
                       {"text_begin", clause.text.begin},
                       {"text_end", clause.text.end},
                       {"first_page", page_label(document, clause.first_page)},
                       {"last_page", page_label(document, clause.last_page)}});
  }
  const ordered_json json = {{"document", document.name},
                             {"sha256", document.content_hash},
                             {"pages", document.report.pages},
                             {"characters", document.report.characters},
                             {"clauses", clauses}};
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

void add_clauses(CLI::App& program, Chosen& chosen) {
  struct Arguments {
    std::string file;
    bool is_json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      program.add_subcommand("clauses", "Show the numbered units of a document as a tree");
  command->add_option("FILE", arguments->file, "PDF, DOCX, TXT or Markdown; - is standard input")
      ->required();
  command->add_flag("--json", arguments->is_json, "As JSON");
  command->footer("\nExample:\n  whereof clauses contract.pdf\n");
  command->callback([arguments, &chosen] {
    chosen.run = [arguments, &chosen] {
      ProgressLine progress;
      const Document document = document_from(arguments->file, progress, chosen.stop);
      if (arguments->is_json) {
        print_json(document);
      } else {
        print_tree(document);
      }
      return kAnswered;
    };
  });
}

}  // namespace whereof::cli
