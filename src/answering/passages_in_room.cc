#include "answering/passages_in_room.h"

#include <algorithm>

#include "answering/named_clauses.h"

namespace whereof::answering {
namespace {

constexpr std::int64_t kLabelTokens = 16;  // the label and blank lines around a passage

// Ends of the clauses that the question names, the longest for each begin, ascending in both.
std::vector<Span> named_places(const Document& document, std::string_view question) {
  std::vector<Span> places;
  for (const std::int32_t clause : clauses_named_in(question, document)) {
    const Span text = document.clauses[static_cast<std::size_t>(clause)].text;
    if (!places.empty() && text.begin < places.back().end) {
      places.back().end = std::max(places.back().end, text.end);
    } else {
      places.push_back(text);
    }
  }
  return places;
}

bool overlaps_any(const std::vector<Span>& places, Span text) {
  const auto at = std::partition_point(places.begin(), places.end(),
                                       [&](const Span& place) { return place.end <= text.begin; });
  return at != places.end() && at->overlaps(text);
}

}  // namespace

std::int64_t tokens_of(const Document& document, Span text, const Model& model) {
  const auto tokens = model.tokenizer().encode(document.slice(text)).ids.size();
  return static_cast<std::int64_t>(tokens) + kLabelTokens;
}

std::vector<ChosenPassage> passages_in_room(const Document& document, const Model& model,
                                            std::string_view question,
                                            std::span<const Passage> ranked,
                                            std::int64_t room_tokens, double closure_share) {
  const std::vector<Span> named = named_places(document, question);
  std::vector<RankedForChoice> candidates;
  candidates.reserve(ranked.size());
  for (const Passage& passage : ranked) {
    candidates.push_back({passage, overlaps_any(named, passage.text)});
  }
  ChoiceOptions options;
  options.room = room_tokens;
  options.closure_share = closure_share;
  options.cost = [&](Span text) { return tokens_of(document, text, model); };
  return choose_passages(document, question, candidates, options);
}

std::vector<Passage> places_of(std::span<const ChosenPassage> chosen) {
  std::vector<Passage> places;
  places.reserve(chosen.size());
  for (const ChosenPassage& passage : chosen) places.push_back(passage.where);
  return places;
}

}  // namespace whereof::answering
