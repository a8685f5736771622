#include "answering/declining.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/ascii_case.h"
#include "text/sentences.h"

namespace whereof::answering {
namespace {

constexpr std::array<std::string_view, 6> kOpenings = {
    "not stated", "not specified", "not mentioned", "未载明", "未提及", "未说明"};

// A subject that means the document, then somewhere after it a denial.
constexpr std::array<std::string_view, 10> kSubjects = {
    "the clauses", "the document", "the agreement", "the contract", "the provided",
    "the given",   "there is no",  "条款",          "文件",         "合同"};
constexpr std::array<std::string_view, 16> kDenials = {
    "not state",   "not specif",     "not mention",    "not provide", "not contain", "not answer",
    "not address", "not explicitly", "no information", "no mention",  "未载明",      "没有规定",
    "没有提及",    "没有说明",       "未提及",         "未规定"};

// Denials that need no subject before them.
constexpr std::array<std::string_view, 6> kWholeDenials = {
    "not stated in the",   "not specified in the", "not mentioned in the",
    "not provided in the", "not defined in the",   "未在条款中"};

template <typename List>
std::size_t find_any(std::string_view text, const List& list) {
  std::size_t first = std::string_view::npos;
  for (const std::string_view entry : list) first = std::min(first, text.find(entry));
  return first;
}

}  // namespace

bool is_declining(std::string_view answer) {
  const std::vector<Span> parts = text::sentences(answer);
  if (parts.empty()) return false;
  const std::string first = text::ascii_lower(answer.substr(
      static_cast<std::size_t>(parts[0].begin), static_cast<std::size_t>(parts[0].length())));
  const std::size_t opening = find_any(first, kOpenings);
  if (opening != std::string::npos && opening <= 3) return true;  // a quote may stand before it
  if (find_any(first, kWholeDenials) != std::string::npos) return true;
  const std::size_t subject = find_any(first, kSubjects);
  if (subject == std::string::npos || subject > 24) return false;
  const std::size_t denial = find_any(std::string_view(first).substr(subject), kDenials);
  return denial != std::string::npos;
}

}  // namespace whereof::answering
