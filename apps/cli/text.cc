// whereof text FILE
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

struct TextArguments {
  std::string file;
  bool has_boxes = false;
  bool is_json = false;
};

bool has_pages(const Document& document) { return document.report.pages > 0; }

// The text that is asked about stands out from what pages carry around it.
std::string shown_line(const Document& document, const Line& line) {
  const std::string text = shown(document.slice(line.text));
  const bool is_asked_about = line.kind == LineKind::body || line.kind == LineKind::table ||
                              line.kind == LineKind::footnote || line.kind == LineKind::form_field;
  return is_asked_about ? text : dim(text);
}

std::string page_mark(const Document& document, std::size_t page) {
  const std::string label = shown(document.pages[page].label);
  const std::string number = std::to_string(page + 1);
  return dim(label == number
                 ? fmt::format("--- page {} ---", number)
                 : fmt::format("--- page {} ({} of {}) ---", label, number, document.pages.size()));
}

void print_text(const Document& document) {
  std::string out;
  std::size_t line = 0;
  for (std::size_t page = 0; page < document.pages.size(); ++page) {
    if (has_pages(document)) out += page_mark(document, page) + "\n";
    const std::int64_t end = document.pages[page].text.end;
    for (; line < document.lines.size() && document.lines[line].text.begin < end; ++line) {
      out += shown_line(document, document.lines[line]) + "\n";
    }
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
}

// One line a place: page, left, top, right, bottom in points, then the text; a tab between them, a
// dash for what the format does not have.
void print_boxes(const Document& document) {
  std::string out;
  for (const Line& line : document.lines) {
    const std::string text = shown(document.slice(line.text));
    const auto placed = document.boxes_of(line.text);
    for (const auto& [page, box] : placed) {
      out += fmt::format("{}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.1f}\t{}\n",
                         shown(document.pages[static_cast<std::size_t>(page)].label), box.left,
                         box.top, box.right, box.bottom, text);
    }
    if (!placed.empty()) continue;
    const auto page = static_cast<std::size_t>(document.page_of(line.text.begin));
    out += fmt::format("{}\t-\t-\t-\t-\t{}\n",
                       has_pages(document) ? shown(document.pages[page].label) : "-", text);
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
}

ordered_json json_of(const Document& document, const Line& line) {
  ordered_json json = {{"text", document.slice(line.text)},
                       {"kind", name_of(line.kind)},
                       {"begin", line.text.begin},
                       {"end", line.text.end},
                       {"starts_paragraph", line.starts_paragraph},
                       {"is_bold", line.is_bold},
                       {"level", line.level},
                       {"number_bytes", line.number_bytes}};
  if (has_pages(document)) json["page"] = document.page_of(line.text.begin) + 1;
  if (line.confidence >= 0) json["confidence"] = int{line.confidence};
  if (const auto source = document.source_code_point(line.text.begin)) json["source"] = *source;
  const auto placed = document.boxes_of(line.text);
  if (placed.empty()) return json;
  ordered_json boxes = ordered_json::array();
  for (const auto& [page, box] : placed) {
    boxes.push_back({{"page", page + 1},
                     {"left", box.left},
                     {"top", box.top},
                     {"right", box.right},
                     {"bottom", box.bottom}});
  }
  json["boxes"] = std::move(boxes);
  return json;
}

void print_json(const Document& document) {
  const ReadingReport& report = document.report;
  ordered_json pages = ordered_json::array(), lines = ordered_json::array();
  for (const Page& page : document.pages) {
    if (!has_pages(document)) break;
    pages.push_back({{"label", page.label},
                     {"begin", page.text.begin},
                     {"end", page.text.end},
                     {"width", page.width},
                     {"height", page.height}});
  }
  for (const Line& line : document.lines) lines.push_back(json_of(document, line));
  const ordered_json json = {{"document", document.name},
                             {"type", name_of(document.type)},
                             {"sha256", document.content_hash},
                             {"report",
                              {{"pages", report.pages},
                               {"pages_without_text", report.pages_without_text},
                               {"pages_recognized", report.pages_recognized},
                               {"confidence", report.confidence},
                               {"characters", report.characters},
                               {"stripped_characters", report.stripped_characters},
                               {"hidden_characters", report.hidden_characters},
                               {"warnings", report.warnings}}},
                             {"pages", pages},
                             {"lines", lines}};
  fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

// Pages without text by their labels; the reasons stand in the warnings.
std::string empty_pages(const Document& document) {
  std::string labels;
  for (const Page& page : document.pages) {
    if (page.text.is_empty()) labels += (labels.empty() ? "" : ", ") + shown(page.label);
  }
  return labels;
}

void print_report(const Document& document) {
  const ReadingReport& report = document.report;
  const std::string pages = has_pages(document) ? fmt::format("{} pages", report.pages)
                                                : std::string("no pages in this format or file");
  fmt::print(stderr, "{}: {}, {}, {} characters in {} lines\n", shown(document.name),
             name_of(document.type), pages, report.characters, document.lines.size());
  if (report.pages_without_text > 0) {
    fmt::print(stderr, "  {} pages without text: {}\n", report.pages_without_text,
               empty_pages(document));
  }
  if (report.hidden_characters > 0) {
    fmt::print(stderr, "  {} hidden characters kept out\n", report.hidden_characters);
  }
  if (report.stripped_characters > 0) {
    fmt::print(stderr, "  {} invisible characters stripped\n", report.stripped_characters);
  }
}

}  // namespace

void add_text(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<TextArguments>();
  CLI::App* command =
      program.add_subcommand("text", "Show what was read of a document, and what was not");
  command->add_option("FILE", arguments->file, std::string(kFileTypes) + "; - is standard input")
      ->required();
  CLI::Option* boxes = command->add_flag(
      "--boxes", arguments->has_boxes, "Page and box of each line, in points from the upper left");
  command->add_flag("--json", arguments->is_json, "Everything, as JSON")->excludes(boxes);
  command->footer(
      "\nThe report goes to standard error.\n"
      "\nExamples:\n"
      "  whereof text contract.pdf\n"
      "  whereof text filing.html --json\n");
  command->callback([arguments, &chosen] {
    chosen.run = [arguments, &chosen] {
      ProgressLine progress;
      const Document document = document_from(arguments->file, progress, chosen.stop);
      if (arguments->is_json) {
        print_json(document);
      } else if (arguments->has_boxes) {
        print_boxes(document);
      } else {
        print_text(document);
      }
      print_report(document);
      return kAnswered;
    };
  });
}

}  // namespace whereof::cli
