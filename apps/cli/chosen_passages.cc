#include "chosen_passages.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "terminal.h"

namespace whereof::cli {

std::string place_of(const Passage& passage, const Document& document) {
  std::string place = "in no clause";
  if (passage.clause >= 0) {
    const Clause& clause = document.clauses[static_cast<std::size_t>(passage.clause)];
    place = clause.label.empty() ? "before the first clause" : shown(clause.label);
  }
  if (document.report.pages > 0) {
    const auto page = static_cast<std::size_t>(document.page_of(passage.text.begin));
    if (page < document.pages.size()) place += ", page " + shown(document.pages[page].label);
  }
  return place;
}

std::string chosen_passages(std::span<const ChosenPassage> chosen, const Document& document) {
  std::vector<std::pair<std::string, std::string>> lines;  // reason, places
  std::vector<const ChosenPassage*> nearest;
  for (const ChosenPassage& passage : chosen) nearest.push_back(&passage);
  std::stable_sort(nearest.begin(), nearest.end(),
                   [](const auto* a, const auto* b) { return a->distance < b->distance; });
  for (const ChosenPassage* passage : nearest) {
    const std::string reason = shown(reason_text(*passage, false));
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const auto& known) { return known.first == reason; });
    if (line == lines.end()) line = lines.insert(lines.end(), {reason, ""});
    if (!line->second.empty()) line->second += "; ";
    line->second += place_of(passage->where, document);
  }
  std::string text;
  for (const auto& [reason, places] : lines) text += "  " + reason + ": " + places + "\n";
  return text;
}

std::string chosen_passages(const LibraryAnswer& result) {
  std::string text;
  for (std::size_t i = 0; i < result.documents.size(); ++i) {
    text += shown(result.documents[i].name) + "\n";
    text += chosen_passages(result.chosen[i], result.documents[i]);
  }
  return text;
}

}  // namespace whereof::cli
