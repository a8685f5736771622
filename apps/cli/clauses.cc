// whereof clauses FILE: the tree, or what of it refers to what.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "clause_graph.h"
#include "clause_picture.h"
#include "clause_report.h"
#include "commands.h"
#include "document_source.h"
#include "exit_codes.h"
#include "json/clause_json.h"
#include "terminal.h"
#include "whereof/error.h"
#include "whereof/page_image.h"
#include "whereof/references.h"

namespace whereof::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kShownBytes = 60;

std::string pages_of(const Document& document, const Clause& clause) {
  const std::string first = json::page_label(document, clause.first_page);
  const std::string last = json::page_label(document, clause.last_page);
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
    const bool has_number = !clause.number.empty();
    const std::string name =
        has_number ? shown(clause.number) : fmt::format("({})", json::name_of(clause.kind));
    tree += fmt::format("{}{} {}{}\n", std::string(2 * static_cast<std::size_t>(clause.depth), ' '),
                        bold(name), title_of(document, clause), dim(pages_of(document, clause)));
  }
  std::fwrite(tree.data(), 1, tree.size(), stdout);
  fmt::print(stderr, "{}: {} numbered units on {} pages, {} characters\n", shown(document.name),
             document.clauses.size(), document.report.pages, document.report.characters);
}

struct Arguments {
  std::string file;
  bool is_json = false;
  bool has_definitions = false;
  bool has_references = false;
  bool is_graph = false;
  int picture_page = 0;  // counted from 1; 0: no picture
};

void print_json(const Document& document, const Arguments& arguments) {
  ordered_json json = json::tree_json(document);
  if (arguments.has_definitions) {
    const std::vector<Definition> definitions = find_definitions(document);
    json["definitions"] = json::definitions_json(document, definitions);
    json["undefined_terms"] =
        json::undefined_json(document, find_undefined_terms(document, definitions));
  }
  if (arguments.has_references) {
    json["references"] = json::references_json(document, find_references(document));
  }
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_text(const Document& document, const Arguments& arguments) {
  std::string text;
  if (arguments.has_definitions) {
    const std::vector<Definition> definitions = find_definitions(document);
    text += definitions_text(document, definitions, find_undefined_terms(document, definitions));
  }
  if (arguments.has_references) {
    if (!text.empty()) text += '\n';
    text += references_text(document, find_references(document));
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
}

constexpr int kDotsPerInch = 96;

void print_picture(const Document& document, const Arguments& arguments) {
  const auto page = static_cast<std::int32_t>(arguments.picture_page - 1);
  const auto pages = static_cast<std::int32_t>(document.report.pages);
  if (arguments.file == "-" || document.boxes.empty() || page >= pages) {
    throw Error(ErrorKind::invalid_argument,
                document.name + ": a picture of page " + std::to_string(arguments.picture_page) +
                    " was wanted; pictures are made of the pages of a PDF file, this has " +
                    (document.boxes.empty() ? "none with places" : std::to_string(pages)));
  }
  const std::string svg =
      clause_picture(document, page, render_page(arguments.file, page, kDotsPerInch));
  std::fwrite(svg.data(), 1, svg.size(), stdout);
}

void print(const Document& document, const Arguments& arguments) {
  if (arguments.picture_page > 0) {
    print_picture(document, arguments);
  } else if (arguments.is_graph) {
    const std::string svg = clause_graph(document, find_references(document));
    std::fwrite(svg.data(), 1, svg.size(), stdout);
  } else if (arguments.is_json) {
    print_json(document, arguments);
  } else if (arguments.has_definitions || arguments.has_references) {
    print_text(document, arguments);
  } else {
    print_tree(document);
  }
}

}  // namespace

void add_clauses(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      program.add_subcommand("clauses", "Show the numbered units of a document as a tree");
  command->add_option("FILE", arguments->file, std::string(kFileTypes) + "; - is standard input")
      ->required();
  command->add_flag("--definitions", arguments->has_definitions,
                    "Defined terms, where they are used, and terms that nothing defines");
  command->add_flag("--references", arguments->has_references,
                    "Which clause names which, and the references that lead nowhere");
  CLI::Option* json = command->add_flag("--json", arguments->is_json, "As JSON");
  CLI::Option* graph =
      command
          ->add_flag("--graph", arguments->is_graph, "References between clauses as an SVG picture")
          ->excludes(json);
  command
      ->add_option("--picture", arguments->picture_page,
                   "This page of a PDF, counted from 1, with boxes around its clauses, as SVG")
      ->check(CLI::PositiveNumber)
      ->type_name("PAGE")
      ->excludes(json)
      ->excludes(graph);
  command->footer(
      "\nExamples:\n"
      "  whereof clauses contract.pdf\n"
      "  whereof clauses contract.pdf --definitions --references\n"
      "  whereof clauses contract.pdf --graph > contract.svg\n"
      "  whereof clauses contract.pdf --picture 12 > page.svg\n");
  command->callback([arguments, &chosen] {
    chosen.run = [arguments, &chosen] {
      ProgressLine progress;
      const Document document = document_from(arguments->file, progress, chosen.stop);
      print(document, *arguments);
      return kAnswered;
    };
  });
}

}  // namespace whereof::cli
