// Questions about one reading, run together.
//
// What all their prompts begin with is read once (or taken from where it was kept). The rest of
// each prompt, and of the content-free one, goes on as a branch of its own; so do the answers, a
// token of each at a time.
#ifndef WHEREOF_ANSWERING_QUESTION_BATCH_H_
#define WHEREOF_ANSWERING_QUESTION_BATCH_H_

#include <memory>
#include <span>
#include <vector>

#include "answering/answer_sentences.h"
#include "answering/judging.h"
#include "answering/language.h"
#include "answering/prompt.h"
#include "answering/text_stream.h"
#include "answering/windows.h"
#include "evidence/mass_table.h"
#include "whereof/answer.h"
#include "whereof/kv_store.h"
#include "whereof/passage_ranking.h"

namespace whereof::answering {

class QuestionBatch {
 public:
  // The prompts are of the same passages in the same manner, in this language; they, the model and
  // the options outlive the batch. Throws what Context::create throws.
  QuestionBatch(std::span<const Prompt* const> prompts, const Prompt& content_free,
                Language language, std::shared_ptr<const Model> model, const AskOptions& options);

  // kept may be null. What the prompts begin with comes from windows where they are not null: they
  // are then made by it. Error(failed_check) when keys do not stand where they belong.
  void read_prompts(KeptReading* kept, WindowedDocument* windows = nullptr);
  // Fills in the answer of each prompt what the run of it gave: text, times, measures.
  void generate(std::span<Answer* const> answers);

  // In place of generate: what the questions' rows alone give, for extracts.
  void measure_questions(std::span<Answer* const> answers);

  // Of the i-th prompt's sentences: the question's rows find the clause, the answer's rows say what
  // of it was used.
  std::vector<double> sentence_scores(std::size_t i) const;  // of both together
  std::vector<double> question_scores(std::size_t i) const;
  std::vector<double> answer_scores(std::size_t i) const;
  std::int64_t visible_keys(std::size_t i) const;
  // All that the i-th answer is judged by.
  MeasuredAnswer measured(std::size_t i) const;

  // How far ln of the probability of the i-th answer falls when the marked sentences of its prompt
  // are hidden too (ablation.h), nats; one for each marking. After generate(), of a batch whose
  // options verify or expect.
  std::vector<double> falls(std::size_t i, std::span<const std::vector<bool>> marked);
  // The same of each token of the answer: [marked][tokens].
  std::vector<std::vector<double>> token_falls(std::size_t i,
                                               std::span<const std::vector<bool>> marked);

 private:
  struct Question {
    const Prompt* prompt = nullptr;
    std::int64_t branch = 0;
    std::int64_t length = 0;  // positions read
    std::int64_t most_tokens = 0;
    evidence::MassTable question_rows;
    evidence::MassTable answer_rows;    // of the sentences of the answer that are at their end
    evidence::MassTable sentence_rows;  // of the sentence that is being written
    AnswerSentences answer_sentences;
    std::vector<std::vector<double>> sentence_scores;
    EvidenceRequest answer_request;  // the sentences, and the answer so far as one more span
    std::vector<Evidence> layer_evidence;
    double decline_probability = 0;
    double log_probability = 0;  // of the tokens chosen so far, summed
    double lookback = 0;         // of the rows so far, summed
    double entropy_share = 0;    // likewise
    double max_document_weight = 0;
    TokenId token = 0;
    std::vector<TokenId> answer;
  };

  std::span<const TokenId> rest_of(const Prompt& prompt) const;
  void check_stop() const;
  bool choose_token(Question& question, Sampler& sampler, TextStream& stream, Answer& answer);
  void read_tokens(std::span<Question* const> questions);
  void measure_row(Question& question);
  void end_sentence(Question& question) const;
  void measure_declining();
  // All but those that citations and full text give.
  void measure(const Question& question, AnswerSignals& signals) const;
  PassageMasses passage_masses_of(const Question& question) const;
  std::shared_ptr<const AnswerMasses> masses_of(const Question& question) const;

  std::vector<Question> questions_;
  const Prompt& content_free_;
  Language language_;
  std::shared_ptr<const Model> model_;
  const AskOptions& options_;
  std::int64_t shared_ = 0;  // tokens that all prompts begin with
  std::int64_t branch_tokens_ = 0;
  std::vector<bool> is_hidden_;  // options.hidden, by sentences
  std::unique_ptr<Context> context_;
  EvidenceRequest request_;
  std::int64_t document_tokens_ = 0;  // of its key spans
  evidence::MassTable content_free_rows_;
  std::shared_ptr<const std::vector<float>> content_free_masses_;  // where masses are kept
  double prefill_seconds_ = 0;
};

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_QUESTION_BATCH_H_
