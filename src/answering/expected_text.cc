// Where a clause or words that an answer should rest on stand in a document.
#include <algorithm>
#include <array>
#include <cstddef>

#include "text/fold.h"
#include "text/utf8.h"
#include "whereof/diagnosis.h"

namespace whereof {
namespace {

constexpr std::array<std::string_view, 8> kAnnouncing = {
    "clauses", "clause", "sections", "section", "articles", "article", "paragraph", "§"};

bool is_blank(char32_t c) noexcept { return c <= ' ' || c == 0xA0 || c == 0x3000; }

bool is_ideograph(char32_t c) noexcept {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF);
}

// Folded text without blanks, and for each of its bytes the byte of the text that it came from.
struct Folded {
  std::string text;
  std::vector<std::int64_t> origins;  // [text.size()]
};

void append_folded(Folded& folded, std::string_view text, std::int64_t begin) {
  for (std::size_t at = 0; at < text.size();) {
    const text::CodePoint point = text::decode_at(text, at);
    const std::string_view bytes = text.substr(at, static_cast<std::size_t>(point.bytes));
    if (!is_blank(point.value)) {
      folded.text += is_ideograph(point.value) ? std::string(bytes) : text::fold(bytes);
      folded.origins.resize(folded.text.size(), begin + static_cast<std::int64_t>(at));
    }
    at += bytes.size();
  }
}

std::string folded(std::string_view text) {
  Folded result;
  append_folded(result, text, 0);
  return result.text;
}

// What distinguishes a label: "Clause 3.1." and "3.1" have one key.
std::string key_of(std::string_view label) {
  std::string key = folded(label);
  while (!key.empty() && (key.back() == '.' || key.back() == ':')) key.pop_back();
  for (const std::string_view word : kAnnouncing) {
    if (key.size() > word.size() && key.starts_with(word)) return key.substr(word.size());
  }
  return key;
}

// A label without the schedule that it begins with: "3.1" of "Schedule 2, 3.1".
std::string_view within_its_part(std::string_view label) {
  for (const std::string_view comma : {std::string_view(", "), std::string_view("，")}) {
    const std::size_t at = label.rfind(comma);
    if (at != std::string_view::npos) return label.substr(at + comma.size());
  }
  return {};
}

// Clauses that a test holds for, without those that lie in one of them.
template <typename Holds>
std::vector<Span> places_where(const Document& document, Holds holds) {
  std::vector<Span> places;
  for (const Clause& clause : document.clauses) {
    if (!holds(clause)) continue;
    if (!places.empty() && clause.text.begin < places.back().end) continue;
    places.push_back(clause.text);
  }
  return places;
}

// Lines that only a printed page has between the lines of its text.
bool is_of_the_page(LineKind kind) noexcept {
  return kind == LineKind::header || kind == LineKind::footer || kind == LineKind::page_number;
}

std::vector<Span> places_in(const Folded& folded, std::string_view wanted,
                            const Document& document) {
  const auto bytes_at = [&](std::int64_t at) {
    return text::decode_at(document.text, static_cast<std::size_t>(at)).bytes;
  };
  std::vector<Span> places;
  if (wanted.empty()) return places;
  for (std::size_t at = folded.text.find(wanted); at != std::string::npos;
       at = folded.text.find(wanted, at + wanted.size())) {
    const std::int64_t last = folded.origins[at + wanted.size() - 1];
    places.push_back({folded.origins[at], last + bytes_at(last)});
  }
  return places;
}

}  // namespace

ExpectedText find_clause_text(const Document& document, std::string_view label) {
  ExpectedText expected;
  expected.name = label;
  const std::string wanted = key_of(label);
  if (wanted.empty()) return expected;
  expected.text =
      places_where(document, [&](const Clause& clause) { return key_of(clause.label) == wanted; });
  if (expected.text.empty()) {
    expected.text = places_where(document, [&](const Clause& clause) {
      return key_of(within_its_part(clause.label)) == wanted;
    });
  }
  if (expected.text.empty()) {
    const std::string heading = folded(label);
    expected.text = places_where(document, [&](const Clause& clause) {
      return !clause.heading.empty() && folded(clause.heading) == heading;
    });
  }
  if (expected.text.empty()) expected.is_mentioned = !find_words(document, label).text.empty();
  return expected;
}

ExpectedText find_words(const Document& document, std::string_view words) {
  ExpectedText expected;
  expected.name = words;
  const std::string wanted = folded(words);
  Folded running;  // as a reader takes it, over the ends of pages
  for (const Line& line : document.lines) {
    if (!is_of_the_page(line.kind)) {
      append_folded(running, document.slice(line.text), line.text.begin);
    }
  }
  expected.text = places_in(running, wanted, document);
  if (expected.text.empty()) {
    Folded all;
    append_folded(all, document.text, 0);
    expected.text = places_in(all, wanted, document);
  }
  return expected;
}

ExpectedText find_clause_or_words(const Document& document, std::string_view label_or_words) {
  ExpectedText found = find_clause_text(document, label_or_words);
  return found.text.empty() ? find_words(document, label_or_words) : found;
}

}  // namespace whereof
