#include "answering/clause_falls.h"

#include <cstddef>
#include <map>

#include "answering/language.h"
#include "answering/prompt.h"
#include "answering/question_batch.h"
#include "whereof/retrieval.h"

namespace whereof::answering {
namespace {

using Marked = std::vector<bool>;  // [sentences of the prompt]

// Masses on sentences, [heads of all layers, sentences], as masses on clauses.
std::vector<float> on_clauses(const std::vector<float>& of_sentences,
                              const std::vector<std::size_t>& places, std::size_t rows,
                              std::size_t clauses) {
  std::vector<float> masses(rows * clauses, 0);
  for (std::size_t i = 0; i < of_sentences.size(); ++i) {
    masses[i / places.size() * clauses + places[i % places.size()]] += of_sentences[i];
  }
  return masses;
}

}  // namespace

ClauseFalls clause_falls(const Document& document, const std::shared_ptr<const Model>& model,
                         std::span<const std::string> questions, const AskOptions& options) {
  const std::vector<Passage> passages = split_passages(document);
  Manner manner;
  manner.language = language_of(questions.front());
  std::vector<Prompt> prompts;
  for (const std::string& question : questions) {
    prompts.push_back(compose_prompt(document, passages, question, manner, *model));
  }
  const Prompt content_free =
      compose_prompt(document, passages, phrases_in(manner.language).content_free, manner, *model);
  AskOptions verifying = options;
  verifying.verifies = true;
  verifying.keeps_masses = true;
  std::vector<const Prompt*> asked;
  for (const Prompt& prompt : prompts) asked.push_back(&prompt);
  QuestionBatch batch(asked, content_free, manner.language, model, verifying);
  batch.read_prompts(nullptr);
  std::vector<Answer> answers(prompts.size());
  std::vector<Answer*> given;
  for (Answer& answer : answers) given.push_back(&answer);
  batch.generate(given);

  ClauseFalls result;
  const std::vector<ReadSentence>& sentences = prompts.front().sentences;
  std::map<std::int32_t, std::size_t> place_of;
  std::vector<std::size_t> places;  // of sentences among the clauses
  std::vector<Marked> marked;
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const auto [found, is_new] = place_of.try_emplace(sentences[s].clause, place_of.size());
    if (is_new) {
      result.clauses.push_back(sentences[s].clause);
      result.tokens.push_back(0);
      marked.emplace_back(sentences.size(), false);
    }
    places.push_back(found->second);
    result.tokens[found->second] += sentences[s].tokens.length();
    marked[found->second][s] = true;
  }
  PassageMasses& masses = result.masses;
  masses.layers = answers.front().masses->layers;
  masses.heads = answers.front().masses->heads;
  masses.passages = std::ssize(result.clauses);
  const auto rows = static_cast<std::size_t>(masses.layers * masses.heads);
  const auto moved = [&](const std::vector<float>& of_sentences) {
    return on_clauses(of_sentences, places, rows, result.clauses.size());
  };
  masses.content_free = moved(*answers.front().masses->content_free);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    masses.questions.push_back(moved(answers[i].masses->question));
    masses.answers.push_back(moved(answers[i].masses->answer));
    result.answers.push_back({answers[i].text, batch.token_falls(i, marked)});
  }
  return result;
}

}  // namespace whereof::answering
