#include "clause_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "json/clause_json.h"
#include "terminal.h"

namespace whereof::cli {
namespace {

constexpr std::size_t kShownDefinition = 300;  // bytes
constexpr std::size_t kShownPlaces = 12;

std::string words_of(const Document& document, Span span) {
  return shown(joined_lines(document.slice(span)));
}

// " p. 12", empty where there are no pages.
std::string page_of(const Document& document, std::int64_t byte) {
  const std::string label = json::page_label(document, document.page_of(byte));
  return label.empty() ? "" : fmt::format(" p. {}", label);
}

// "used 5 times, in 2.1, 3(a)": each clause once.
std::string uses_text(const Document& document, const std::vector<TermUse>& uses) {
  if (uses.empty()) return "not used";
  std::string places;
  std::size_t count = 0;
  std::int32_t last = -2;
  for (const TermUse& use : uses) {
    if (use.clause == last) continue;
    last = use.clause;
    if (++count > kShownPlaces) continue;
    places += (places.empty() ? "" : ", ") + name_of_clause(document, use.clause);
  }
  if (count > kShownPlaces) places += fmt::format(" and {} more", count - kShownPlaces);
  return fmt::format("used {} time{}, in {}", uses.size(), uses.size() == 1 ? "" : "s", places);
}

std::string target_names(const Document& document, const Reference& reference) {
  std::string names;
  for (std::size_t i = 0; i < reference.targets.size(); ++i) {
    if (i == kShownPlaces) {
      return names + fmt::format(" and {} more", reference.targets.size() - kShownPlaces);
    }
    names += (names.empty() ? "" : ", ") + name_of_clause(document, reference.targets[i]);
  }
  return names;
}

std::string reference_line(const Document& document, const Reference& reference) {
  const std::string names = target_names(document, reference);
  std::string end = names.empty() ? "" : " → " + names;
  if (reference.kind != ReferenceKind::resolved)
    end += fmt::format(" ({})", json::name_of(reference.kind));
  return fmt::format("{}{}: {}{}\n", bold(name_of_clause(document, reference.clause)),
                     dim(page_of(document, reference.text.begin)),
                     words_of(document, reference.text), end);
}

std::string listing(const Document& document, const std::vector<Reference>& references,
                    ReferenceKind kind, std::string_view title) {
  std::string lines;
  std::size_t count = 0;
  for (const Reference& reference : references) {
    if (reference.kind != kind) continue;
    ++count;
    std::string missing;
    for (const Span& span : reference.missing) {
      missing += (missing.empty() ? "" : ", ") + words_of(document, span);
    }
    lines += fmt::format("  {}{}: {}\n", name_of_clause(document, reference.clause),
                         page_of(document, reference.text.begin), missing);
  }
  return count == 0 ? "" : fmt::format("\n{} ({}):\n{}", title, count, lines);
}

}  // namespace

std::string name_of_clause(const Document& document, std::int32_t clause) {
  return shown(json::clause_name(document, clause));
}

std::string definitions_text(const Document& document, const std::vector<Definition>& definitions,
                             const std::vector<UndefinedTerm>& undefined) {
  std::string text;
  for (const Definition& definition : definitions) {
    text += fmt::format(
        "{} {}{}; {}\n", bold(shown(definition.term)), name_of_clause(document, definition.clause),
        dim(page_of(document, definition.term_text.begin)), uses_text(document, definition.uses));
    text += "    " + dim(shortened(words_of(document, definition.text), kShownDefinition)) + "\n";
  }
  if (!undefined.empty()) {
    text += fmt::format("\nIn capitals, but not defined ({}):\n", undefined.size());
  }
  for (const UndefinedTerm& term : undefined) {
    text += fmt::format("  {}: {}\n", shown(term.term), uses_text(document, term.uses));
  }
  return text;
}

std::string references_text(const Document& document, const std::vector<Reference>& references) {
  std::string text;
  for (const Reference& reference : references) text += reference_line(document, reference);
  text += listing(document, references, ReferenceKind::dangling, "Lead to no clause");
  text += listing(document, references, ReferenceKind::unattached, "Not in this file");
  return text;
}

}  // namespace whereof::cli
