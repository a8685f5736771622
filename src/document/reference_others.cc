#include "document/reference_others.h"

#include <algorithm>

#include "document/clause_wording.h"
#include "document/running_text.h"
#include "text/ascii_case.h"

namespace whereof::document {
namespace {

constexpr std::size_t kLongestTitle = 160;  // bytes
constexpr std::size_t kBeginning = 4000;    // where an amendment says what it amends
constexpr std::size_t kMostTitleLines = 60;

bool names_a_document(const std::string& folded) {
  for (const std::string_view word : {"agreement", "contract", "lease", "deed", "policy", "plan",
                                      "terms", "协议", "合同", "章程", "法"}) {
    if (folded.find(word) != std::string::npos) return true;
  }
  return false;
}

// The first short line that names a kind of document.
std::string title_of(const Document& document) {
  std::size_t looked = 0;
  for (const Line& line : document.lines) {
    if (line.kind != LineKind::body || line.text.is_empty()) continue;
    if (++looked > kMostTitleLines) break;
    const auto size = static_cast<std::int64_t>(document.text.size());
    if (line.text.begin < 0 || line.text.end > size) continue;
    const std::string folded = folded_name(document.slice(line.text));
    if (folded.size() <= kLongestTitle && names_a_document(folded)) return folded;
  }
  return {};
}

}  // namespace

std::string folded_name(std::string_view name) {
  std::string folded;
  for (const char c : trim(name)) {
    if (c == '*' || c == '"' || c == '#' || c == ':') continue;
    const bool is_blank = c == '\n' || c == '\t' || c == ' ';
    if (is_blank && (folded.empty() || folded.back() == ' ')) continue;
    folded += is_blank ? ' ' : text::ascii_lower(c);
  }
  return folded;
}

OtherDocuments::OtherDocuments(const Document& speaker,
                               const std::vector<const Document*>& others) {
  if (others.empty()) return;
  for (const Document* other : others) {
    titles_.push_back(title_of(*other));
    indexes_.push_back(std::make_unique<ClauseIndex>(*other, std::vector<ItemMark>()));
  }
  const RunningText running(speaker);
  const std::string beginning = folded_name(running.text().substr(0, kBeginning));
  for (std::size_t i = others.size(); i-- > 0;) {
    const bool is_named = !titles_[i].empty() && beginning.find(titles_[i]) != std::string::npos;
    if (is_named || others.size() == 1) amended_ = static_cast<std::int32_t>(i);
  }
  for (const Definition& definition : find_definitions(speaker)) {
    if (definition.text.length() > static_cast<std::int64_t>(kBeginning)) continue;
    const std::string sentence = folded_name(speaker.slice(definition.text));
    for (std::size_t i = 0; i < titles_.size() && i < kMostTitleLines; ++i) {
      if (titles_[i].empty() || sentence.find(titles_[i]) == std::string::npos) continue;
      defined_.try_emplace(folded_name(definition.term), static_cast<std::int32_t>(i));
    }
  }
}

std::int32_t OtherDocuments::called(std::string_view name) const {
  const std::string folded = folded_name(name);
  if (folded.empty()) return -1;
  for (std::size_t i = 0; i < titles_.size(); ++i) {
    if (titles_[i].ends_with(folded) && folded.find(' ') != std::string::npos) {
      return static_cast<std::int32_t>(i);
    }
    if (titles_[i] == folded) return static_cast<std::int32_t>(i);
  }
  const auto defined = defined_.find(folded);
  return defined == defined_.end() ? -1 : defined->second;
}

}  // namespace whereof::document
