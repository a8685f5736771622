#include "answering/judging.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>

#include "answering/agreement.h"
#include "answering/citations.h"
#include "answering/claims.h"
#include "answering/declining.h"
#include "answering/named_clauses.h"
#include "text/sentences.h"
#include "text/utf8.h"
#include "whereof/passage_ranking.h"
#include "whereof/retrieval.h"

namespace whereof::answering {
namespace {

constexpr std::int64_t kSentenceCitations = 3;  // of one sentence of an answer
constexpr double kWordsFactor = 2;  // of full text beside evidence, for the order of clauses
// A further citation's share, of the first one's, that it is shown for its evidence alone: the
// least that was tried with which nearly half of what is quoted of cuad is gold (docs/evidence.md).
constexpr double kLeastOfFirst = 0.8;

bool is_usable(double score) { return std::isfinite(score) && score > 0; }

// Sentences that lie in an instruction, wholly or in part; [sentences].
std::vector<bool> sentences_in(std::span<const FoundInstruction> instructions,
                               std::span<const ReadSentence> sentences) {
  std::vector<bool> are_in(sentences.size(), false);
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const Span text = sentences[s].document;
    const auto after = std::partition_point(
        instructions.begin(), instructions.end(),
        [&](const FoundInstruction& one) { return one.text.end <= text.begin; });
    are_in[s] = after != instructions.end() && after->text.overlaps(text);
  }
  return are_in;
}

// What a person finds an instruction by: its clause, else its kind.
std::vector<std::string> places_of(const Document& document,
                                   std::span<const ReadSentence> sentences,
                                   const std::vector<bool>& are_in) {
  std::vector<std::string> places;
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    if (!are_in[s]) continue;
    const std::int32_t clause = sentences[s].clause;
    std::string place =
        clause < 0 ? std::string() : document.clauses[static_cast<std::size_t>(clause)].label;
    if (place.empty()) {
      constexpr std::size_t kShown = 60;
      const std::string_view text = document.slice(sentences[s].document);
      place = joined_lines(text.substr(0, text::floor_boundary(text, kShown)));
    }
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
  }
  return places;
}

// One score a sentence: one and `factor` of the other, without what stands in an instruction.
std::vector<double> summed(std::span<const double> one, std::span<const double> other,
                           const std::vector<bool>& left_out, double factor = 1) {
  std::vector<double> scores(left_out.size(), 0);
  for (std::size_t s = 0; s < scores.size(); ++s) {
    if (left_out[s]) continue;
    if (s < one.size() && is_usable(one[s])) scores[s] += one[s];
    if (s < other.size() && is_usable(other[s])) scores[s] += factor * other[s];
  }
  return scores;
}

bool is_in(std::int32_t clause, std::span<const std::int32_t> named, const Document& document) {
  while (clause >= 0 && !std::binary_search(named.begin(), named.end(), clause)) {
    clause = document.clauses[static_cast<std::size_t>(clause)].parent;
  }
  return clause >= 0;
}

// The first `limit`, but with the first one of each clause that the question names: whoever asks
// about clauses 3 and 11 is shown both.
std::vector<Citation> with_named(std::vector<Citation> citations,
                                 std::span<const std::int32_t> named, const Document& document,
                                 std::int64_t limit) {
  std::vector<bool> is_kept(citations.size(), false);
  std::int64_t kept = 0;
  const auto keep = [&](std::size_t i) {
    if (is_kept[i] || kept >= limit) return;
    is_kept[i] = true;
    ++kept;
  };
  for (const std::int32_t clause : named) {
    for (std::size_t i = 0; i < citations.size(); ++i) {
      if (!is_in(citations[i].clause, {&clause, 1}, document)) continue;
      keep(i);
      break;
    }
  }
  for (std::size_t i = 0; i < citations.size(); ++i) keep(i);
  std::vector<Citation> chosen;
  for (std::size_t i = 0; i < citations.size(); ++i) {
    if (is_kept[i]) chosen.push_back(std::move(citations[i]));
  }
  return chosen;
}

// What favours each sentence in the order of clauses: the answer's figures that it holds, and that
// the question names its clause, or else how well full text found its passage, as a share of the
// best passage's score. [sentences]
std::vector<double> favours(const Document& document, std::span<const std::int32_t> named,
                            std::span<const ReadSentence> sentences,
                            std::span<const double> borne_out,
                            std::span<const ScoredPassage> full_text) {
  std::vector<ScoredPassage> found(full_text.begin(), full_text.end());
  std::sort(found.begin(), found.end(), [](const ScoredPassage& a, const ScoredPassage& b) {
    return a.text.begin < b.text.begin;
  });
  double best = 0;
  for (const ScoredPassage& passage : found) best = std::max(best, passage.score);
  std::vector<double> favours(borne_out.begin(), borne_out.end());
  favours.resize(sentences.size(), 0);
  std::size_t next = 0;
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    if (is_in(sentences[s].clause, named, document)) {
      favours[s] += kWordsFactor;
      continue;
    }
    while (next < found.size() && found[next].text.end <= sentences[s].document.begin) ++next;
    if (best > 0 && next < found.size() && found[next].text.contains(sentences[s].document.begin)) {
      favours[s] += kWordsFactor * found[next].score / best;
    }
  }
  return favours;
}

// Marks those that are minor (Citation::is_minor). borne_out: the part of the answer's figures that
// each sentence holds, [sentences].
void mark_minor(const Document& document, std::span<const ReadSentence> sentences,
                std::span<const double> borne_out, std::span<const std::int32_t> named,
                std::vector<Citation>& citations) {
  std::map<std::int32_t, double> held;  // by clause
  for (std::size_t s = 0; s < borne_out.size(); ++s) {
    double& part = held[sentences[s].clause];
    part = std::max(part, borne_out[s]);
  }
  double most_held = 0;
  for (Citation& citation : citations) {
    citation.is_minor = citation.share < kLeastOfFirst * citations.front().share &&
                        held[citation.clause] <= most_held &&
                        !is_in(citation.clause, named, document);
    if (!citation.is_minor) most_held = std::max(most_held, held[citation.clause]);
  }
}

double sum_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

evidence::VerdictEvidence evidence_of(const Answer& answer, std::int64_t visible_keys) {
  evidence::VerdictEvidence evidence;
  evidence.is_chinese = answer.language == "zh";
  evidence.signals = answer.signals;
  evidence.visible_keys = visible_keys;
  evidence.citations = std::ssize(answer.citations);
  for (const Citation& citation : answer.citations) {
    evidence.largest_lift = std::max(evidence.largest_lift, citation.lift);
  }
  return evidence;
}

void cite_sentences(const Document& document, const Prompt& prompt, const MeasuredAnswer& measured,
                    const std::vector<bool>& left_out, std::span<const double> borne_out,
                    Answer& answer) {
  answer.sentences.clear();
  for (const Span text : text::sentences(answer.text)) {
    AnswerSentence& sentence = answer.sentences.emplace_back();
    sentence.text = text;
    const std::size_t place = answer.sentences.size() - 1;
    if (place >= measured.sentences.size()) continue;
    sentence.citations =
        cite(document, prompt.sentences, summed(measured.sentences[place], {}, left_out), borne_out,
             kSentenceCitations);
    if (sentence.citations.empty()) continue;
    mark_minor(document, prompt.sentences, borne_out, {}, sentence.citations);
    std::erase_if(sentence.citations, [](const Citation& one) { return one.is_minor; });
  }
}

std::string slice(std::string_view text, Span span) {
  return std::string(
      text.substr(static_cast<std::size_t>(span.begin), static_cast<std::size_t>(span.length())));
}

void hold_claims(const Document& document, const Agreement& agreement,
                 std::span<const Claim> claims, const Answer& answer,
                 evidence::VerdictEvidence& evidence) {
  std::set<std::int32_t> cited;
  for (const Citation& citation : answer.citations) cited.insert(citation.clause);
  for (const AnswerSentence& sentence : answer.sentences) {
    for (const Citation& citation : sentence.citations) cited.insert(citation.clause);
  }
  const std::vector<ClaimPlace> places = agreement.places(cited);
  evidence.claims = std::ssize(claims);
  for (std::size_t c = 0; c < claims.size(); ++c) {
    if (places[c] == ClaimPlace::cited) continue;
    evidence.unborne.push_back({slice(answer.text, claims[c].text), places[c] == ClaimPlace::read});
  }
  for (const Span named : invented_clauses(document, answer.text)) {
    evidence.invented_clauses.push_back(slice(answer.text, named));
  }
}

// A passage with what of it was read: sentences [first, end).
struct ReadPassage {
  Passage passage;
  std::size_t first = 0;
  std::size_t end = 0;
};

std::vector<ReadPassage> passages_read(const Document& document,
                                       std::span<const ReadSentence> sentences) {
  std::vector<ReadPassage> read;
  std::size_t next = 0;
  for (const Passage& passage : split_passages(document)) {
    while (next < sentences.size() && sentences[next].document.end <= passage.text.begin) ++next;
    std::size_t end = next;
    while (end < sentences.size() && sentences[end].document.begin < passage.text.end) ++end;
    if (end > next) read.push_back({passage, next, end});
    next = end;
  }
  return read;
}

double full_text_score(std::span<const ScoredPassage> found, Span text) {
  double score = 0;
  for (const ScoredPassage& one : found) {
    if (one.text.overlaps(text)) score = std::max(score, one.score);
  }
  return score;
}

std::size_t best_sentence(std::span<const double> scores, const ReadPassage& passage) {
  const auto first = scores.begin();
  return static_cast<std::size_t>(
      std::max_element(first + static_cast<std::ptrdiff_t>(passage.first),
                       first + static_cast<std::ptrdiff_t>(passage.end)) -
      first);
}

// Attention and full text of each passage, [passages].
struct PassageScores {
  std::vector<double> attention, words;
};

// scores: one a sentence.
PassageScores scores_of(std::span<const ReadPassage> passages, std::span<const double> scores,
                        std::span<const ScoredPassage> full_text) {
  PassageScores of_passages;
  for (const ReadPassage& read : passages) {
    of_passages.attention.push_back(sum_of(scores.subspan(read.first, read.end - read.first)));
    of_passages.words.push_back(full_text_score(full_text, read.passage.text));
  }
  return of_passages;
}

}  // namespace

evidence::VerdictEvidence cite_answer(const Document& document, const Prompt& prompt,
                                      const MeasuredAnswer& measured,
                                      std::span<const ScoredPassage> full_text,
                                      std::span<const FoundInstruction> instructions,
                                      const AskOptions& options, Answer& answer) {
  const std::vector<bool> left_out = sentences_in(instructions, prompt.sentences);
  const std::vector<double> scores =
      summed(measured.question, measured.answer, left_out, answer_share(options.calibration.heads));
  const std::vector<Claim> claims = claims_of(answer.text, answer.question);
  const Agreement agreement(document, prompt.sentences, claims);
  const std::vector<std::int32_t> named = clauses_named_in(answer.question, document);
  std::vector<Citation> citations =
      cite(document, prompt.sentences, scores,
           favours(document, named, prompt.sentences, agreement.borne_out(), full_text),
           std::ssize(prompt.sentences));
  mark_minor(document, prompt.sentences, agreement.borne_out(), named, citations);
  if (!options.keeps_minor && !options.verifies && !options.expected) {
    std::erase_if(citations, [](const Citation& one) { return one.is_minor; });
  }
  answer.citations = with_named(std::move(citations), named, document, options.max_citations);
  cite_sentences(document, prompt, measured, left_out, agreement.borne_out(), answer);
  if (!answer.citations.empty()) answer.signals.best_lift = answer.citations.front().lift;
  const PassageScores passages = scores_of(passages_read(document, prompt.sentences),
                                           summed(measured.question, {}, left_out), full_text);
  answer.signals.words_at_best = words_at_best(passages.attention, passages.words);
  answer.uniform_threshold = evidence::uniform_threshold(measured.visible_keys);
  evidence::VerdictEvidence evidence = evidence_of(answer, measured.visible_keys);
  evidence.is_answer_empty = answer.text.empty();
  evidence.is_declined = is_declining(answer.text);
  evidence.instructions = places_of(document, prompt.sentences, left_out);
  hold_claims(document, agreement, claims, answer, evidence);
  return evidence;
}

evidence::VerdictEvidence cite_extract(const Document& document, const Prompt& prompt,
                                       const MeasuredAnswer& measured,
                                       std::span<const ScoredPassage> full_text,
                                       std::span<const FoundInstruction> instructions,
                                       const AskOptions& options, Answer& answer) {
  const std::vector<bool> left_out = sentences_in(instructions, prompt.sentences);
  const std::vector<double> scores = summed(measured.question, {}, left_out);
  const std::vector<ReadPassage> passages = passages_read(document, prompt.sentences);
  const double total = sum_of(scores);
  const PassageScores of_passages = scores_of(passages, scores, full_text);
  const std::vector<double>& attention = of_passages.attention;
  double total_tokens = 0;
  std::vector<double> tokens;
  for (const ReadPassage& read : passages) {
    double length = 0;
    for (std::size_t s = read.first; s < read.end; ++s) {
      length += static_cast<double>(prompt.sentences[s].tokens.length());
    }
    tokens.push_back(length);
    total_tokens += length;
  }
  answer.signals.words_at_best = words_at_best(attention, of_passages.words);
  const std::vector<double> ranks =
      combined_scores(attention, of_passages.words, options.calibration.heads);
  std::vector<std::size_t> order(passages.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t p) { return attention[p] <= 0; });
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return ranks[a] > ranks[b]; });
  for (const std::size_t p : order) {
    if (std::ssize(answer.citations) >= options.max_citations) break;
    const ReadSentence& quoted = prompt.sentences[best_sentence(scores, passages[p])];
    Citation citation = citation_of(document, quoted.clause, quoted.document);
    citation.passage = passages[p].passage.text;
    citation.passage_text = std::string(document.slice(citation.passage));
    citation.share = attention[p] / total;
    citation.lift = citation.share * total_tokens / std::max(1.0, tokens[p]);
    answer.citations.push_back(std::move(citation));
  }
  if (!answer.citations.empty()) answer.signals.best_lift = answer.citations.front().lift;
  answer.is_extract = true;
  answer.uniform_threshold = evidence::uniform_threshold(measured.visible_keys);
  evidence::VerdictEvidence evidence = evidence_of(answer, measured.visible_keys);
  evidence.is_extract = true;
  evidence.instructions = places_of(document, prompt.sentences, left_out);
  return evidence;
}

void decide(evidence::VerdictEvidence evidence, const AskOptions& options, Answer& answer) {
  for (const Citation& citation : answer.citations) {
    if (!citation.ablation) continue;
    evidence.ablation_fall =
        std::max(evidence.ablation_fall.value_or(citation.ablation->fall), citation.ablation->fall);
    for (AnswerSentence& sentence : answer.sentences) {
      for (Citation& same : sentence.citations) {
        if (same.clause == citation.clause) same.ablation = citation.ablation;
      }
    }
  }
  evidence::VerdictResult result = evidence::verdict_of(evidence, options.calibration);
  answer.verdict = result.verdict;
  answer.reasons = std::move(result.reasons);
  answer.verdict_signals = std::move(result.signals);
}

}  // namespace whereof::answering
