#include <algorithm>

#include "text/utf8.h"
#include "whereof/error.h"
#include "whereof/evaluation.h"
#include "whereof/passage_choice.h"

namespace whereof {
namespace {

constexpr std::int64_t kMostHits = 1000;
constexpr double kHeld = 0.95;  // of a span's characters: blanks between passages are no loss

// Whether the spans, ascending and disjoint, hold the wanted one.
bool is_held(const std::vector<Span>& read, Span wanted) {
  std::int64_t held = 0;
  for (const Span span : read) {
    held += std::max<std::int64_t>(
        0, std::min(span.end, wanted.end) - std::max(span.begin, wanted.begin));
  }
  return static_cast<double>(held) >= kHeld * static_cast<double>(wanted.length());
}

bool holds_all(const Document& document, const GoldQuestion& question,
               std::span<const RankedForChoice> ranked, std::int64_t room, double closure_share) {
  ChoiceOptions options;
  options.room = room;
  options.closure_share = closure_share;
  options.cost = [&](Span text) {
    return static_cast<std::int64_t>(text::count_code_points(document.slice(text)));
  };
  std::vector<Span> read;
  for (const ChosenPassage& passage : choose_passages(document, question.text, ranked, options)) {
    read.push_back(source_span(document, passage.where.text));
  }
  const auto is_one_held = [&](Span wanted) { return is_held(read, wanted); };
  return std::all_of(question.gold.begin(), question.gold.end(), is_one_held) &&
         std::all_of(question.needed.begin(), question.needed.end(), is_one_held);
}

}  // namespace

ClosureFigures measure_closure(const QuestionSet& set, std::span<const Document> documents,
                               Library& library, std::int64_t room_characters) {
  if (documents.size() != set.documents.size()) {
    throw Error(ErrorKind::invalid_argument,
                "a question set of " + std::to_string(set.documents.size()) + " documents, but " +
                    std::to_string(documents.size()) + " were read");
  }
  ClosureFigures figures;
  figures.room_characters = room_characters;
  double with = 0;
  double without = 0;
  for (const GoldQuestion& question : set.questions) {
    if (question.needed.empty()) continue;
    const Document& document = documents[static_cast<std::size_t>(question.document)];
    std::vector<RankedForChoice> ranked;
    for (const Hit& hit :
         library.search(question.text, kMostHits, document.content_hash, question.more_words)) {
      ranked.push_back({hit.where, false});
    }
    ++figures.questions;
    if (holds_all(document, question, ranked, room_characters, ChoiceOptions{}.closure_share)) {
      with += 1;
    } else {
      figures.missed.push_back(question.text);
    }
    if (holds_all(document, question, ranked, room_characters, 0)) without += 1;
  }
  if (figures.questions == 0) return figures;
  figures.holds_all = with / static_cast<double>(figures.questions);
  figures.holds_all_without = without / static_cast<double>(figures.questions);
  return figures;
}

}  // namespace whereof
