#include "answering/question_batch.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "answering/ablation.h"
#include "answering/reading.h"
#include "evidence/alarms.h"
#include "evidence/verdict.h"
#include "whereof/error.h"

namespace whereof::answering {
namespace {

constexpr std::int64_t kTopKeys = 16;
constexpr std::int64_t kLongReading = 256;    // tokens, of which more depths are checked
constexpr std::int64_t kAblatedTogether = 8;  // branches that there is room for, of longest answers
constexpr std::size_t kMostSentences = 64;    // of an answer, that are scored apart

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

double probability_of(std::span<const float> logits, TokenId id) {
  if (id < 0 || static_cast<std::size_t>(id) >= logits.size()) return 0;
  const float largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit - largest));
  return std::exp(static_cast<double>(logits[static_cast<std::size_t>(id)] - largest)) / sum;
}

std::int64_t length_of(const Prompt& prompt) {
  return static_cast<std::int64_t>(prompt.tokens.size());
}

}  // namespace

QuestionBatch::QuestionBatch(std::span<const Prompt* const> prompts, const Prompt& content_free,
                             Language language, std::shared_ptr<const Model> model,
                             const AskOptions& options)
    : content_free_(content_free),
      language_(language),
      model_(std::move(model)),
      options_(options) {
  request_.key_spans = prompts.front()->token_spans();
  request_.top_keys = kTopKeys;
  for (const Span& span : request_.key_spans) document_tokens_ += span.length();
  shared_ = length_of(content_free) - 1;
  for (const Prompt* prompt : prompts) {
    shared_ = std::min(
        {shared_, shared_prefix(prompt->tokens, content_free.tokens), length_of(*prompt) - 1});
  }
  const std::int64_t window = model_->description().window_tokens;
  ContextOptions context_options;
  context_options.threads = options.threads;
  context_options.shared_steps = options.shared_steps;
  context_options.fault = options.fault;
  context_options.kv_type = options.kv_type;
  std::int64_t longest = length_of(content_free);
  context_options.branch_tokens = length_of(content_free) - shared_ + kBranchOverheadTokens;
  for (const Prompt* prompt : prompts) {
    Question& question = questions_.emplace_back();
    question.prompt = prompt;
    question.answer_request = request_;
    question.answer_request.key_spans.push_back({length_of(*prompt), length_of(*prompt)});
    question.most_tokens = std::min(options.max_answer_tokens, window - length_of(*prompt));
    const std::int64_t length = length_of(*prompt) + question.most_tokens;
    longest = std::max(longest, length);
    context_options.branch_tokens += length - shared_ + kBranchOverheadTokens;
  }
  if (options.verifies || options.expected) {
    context_options.branch_tokens =
        std::max(context_options.branch_tokens,
                 kAblatedTogether * (longest - shared_ + kBranchOverheadTokens));
  }
  branch_tokens_ = context_options.branch_tokens;
  is_hidden_ = sentences_within(*prompts.front(), options.hidden);
  context_options.capacity_tokens = longest;
  context_ = Context::create(model_, context_options);
}

std::span<const TokenId> QuestionBatch::rest_of(const Prompt& prompt) const {
  return std::span(prompt.tokens).subspan(static_cast<std::size_t>(shared_));
}

void QuestionBatch::check_stop() const {
  if (options_.stop.stop_requested()) {
    throw Error(ErrorKind::cancelled, "the answer was stopped");
  }
}

void QuestionBatch::read_prompts(KeptReading* kept, WindowedDocument* windows) {
  const Stopwatch watch;
  ReadOptions read;
  read.wants_logits = false;
  read.kept = kept;
  read.progress = options_.progress;
  read.stop = options_.stop;
  const std::int64_t there = windows != nullptr ? windows->fill(*context_, model_) : 0;
  context_->read(std::span(content_free_.tokens)
                     .first(static_cast<std::size_t>(shared_))
                     .subspan(static_cast<std::size_t>(there)),
                 read);
  require_sound_positions(*context_, *model_, shared_ >= kLongReading ? 4 : 2);

  const std::vector<Span> hidden = hidden_positions(*questions_.front().prompt, is_hidden_);
  std::vector<BranchRead> reads;
  std::vector<Evidence> content_free_evidence;
  const std::span<const TokenId> content_free = rest_of(content_free_);
  reads.push_back({.branch = context_->open_branch({std::ssize(content_free), hidden}),
                   .tokens = content_free,
                   .evidence = &request_,
                   .layer_evidence = &content_free_evidence,
                   .log_probabilities = nullptr});
  for (Question& question : questions_) {
    const std::span<const TokenId> rest = rest_of(*question.prompt);
    question.branch = context_->open_branch({std::ssize(rest) + question.most_tokens, hidden});
    question.length = length_of(*question.prompt);
    reads.push_back({.branch = question.branch,
                     .tokens = rest,
                     .evidence = &request_,
                     .layer_evidence = &question.layer_evidence,
                     .log_probabilities = nullptr});
  }
  check_stop();
  context_->read_branches(reads, options_.stop);
  content_free_rows_.add(content_free_evidence);
  if (options_.keeps_masses) {
    content_free_masses_ =
        std::make_shared<const std::vector<float>>(content_free_rows_.mean_masses());
  }
  for (Question& question : questions_) question.question_rows.add(question.layer_evidence);
  prefill_seconds_ = watch.seconds();
}

// False when the answer is at its end.
bool QuestionBatch::choose_token(Question& question, Sampler& sampler, TextStream& stream,
                                 Answer& answer) {
  if (answer.answer_tokens >= question.most_tokens) return false;
  const std::span<const float> logits = context_->branch_logits(question.branch);
  question.token = sampler.choose(logits);
  if (model_->tokenizer().ends_generation(question.token)) {
    answer.is_truncated = false;
    return false;
  }
  ++answer.answer_tokens;
  question.log_probability += std::log(probability_of(logits, question.token));
  question.answer.push_back(question.token);
  const std::string_view bytes = model_->tokenizer().bytes_of_token(question.token);
  stream.append(bytes);
  const std::size_t sentence = question.answer_sentences.append(bytes);
  while (question.sentence_scores.size() < sentence) end_sentence(question);
  return true;
}

void QuestionBatch::read_tokens(std::span<Question* const> questions) {
  std::vector<BranchRead> reads;
  for (Question* question : questions) {
    question->answer_request.key_spans.back().end = question->length + 1;
    reads.push_back({.branch = question->branch,
                     .tokens = {&question->token, 1},
                     .evidence = &question->answer_request,
                     .layer_evidence = &question->layer_evidence,
                     .log_probabilities = nullptr});
  }
  context_->read_branches(reads, options_.stop);
  for (Question* question : questions) {
    ++question->length;
    measure_row(*question);
  }
}

void QuestionBatch::measure_row(Question& question) {
  const std::vector<double> on_answer = evidence::take_last_span(question.layer_evidence);
  question.sentence_rows.add(question.layer_evidence);
  question.lookback +=
      evidence::lookback_ratio(question.layer_evidence, document_tokens_, on_answer,
                               question.length - length_of(*question.prompt));
  double entropy = 0;
  std::size_t heads = 0;
  for (const Evidence& layer : question.layer_evidence) {
    for (const float of_head : layer.entropy) entropy += static_cast<double>(of_head);
    heads += layer.entropy.size();
  }
  const double most = std::log(static_cast<double>(question.length));
  if (heads > 0 && most > 0) question.entropy_share += entropy / static_cast<double>(heads) / most;
  question.max_document_weight =
      std::max(question.max_document_weight,
               evidence::largest_weight_on(question.layer_evidence, request_.key_spans));
}

// Scores are kept in place of tables: one of those takes more than the evidence of a whole answer.
void QuestionBatch::end_sentence(Question& question) const {
  question.sentence_scores.push_back(question.sentence_scores.size() < kMostSentences
                                         ? evidence::span_scores(question.sentence_rows,
                                                                 content_free_rows_,
                                                                 options_.calibration.heads)
                                         : std::vector<double>());
  question.answer_rows.add(question.sentence_rows);
  question.sentence_rows = {};
}

void QuestionBatch::generate(std::span<Answer* const> answers) {
  const Stopwatch watch;
  const bool is_single = answers.size() == 1;
  std::vector<Sampler> samplers(answers.size(), Sampler(options_.sampler));
  std::vector<TextStream> streams(
      answers.size(),
      TextStream(is_single ? options_.on_text : std::function<void(std::string_view)>()));
  measure_declining();
  std::vector<std::size_t> active;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i]->prefill_seconds = prefill_seconds_;
    answers[i]->is_truncated = true;
    active.push_back(i);
  }
  while (!active.empty()) {
    check_stop();
    std::vector<Question*> next;
    std::erase_if(active, [&](std::size_t i) {
      const bool goes_on = choose_token(questions_[i], samplers[i], streams[i], *answers[i]);
      if (goes_on) next.push_back(&questions_[i]);
      if (!goes_on) answers[i]->decode_seconds = watch.seconds();
      return !goes_on;
    });
    if (next.empty()) break;
    read_tokens(next);
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i]->text = streams[i].whole_text();
    end_sentence(questions_[i]);
    measure(questions_[i], answers[i]->signals);
    const Question& question = questions_[i];
    answers[i]->layers = evidence::layer_figures(
        question.answer_rows.rows() > 0 ? question.answer_rows : question.question_rows,
        question.length);
    if (options_.keeps_masses) answers[i]->masses = masses_of(questions_[i]);
  }
}

void QuestionBatch::measure_questions(std::span<Answer* const> answers) {
  measure_declining();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i]->prefill_seconds = prefill_seconds_;
    Question& question = questions_[i];
    question.max_document_weight =
        evidence::largest_weight_on(question.layer_evidence, request_.key_spans);
    AnswerSignals& signals = answers[i]->signals;
    measure(question, signals);
    signals.max_document_weight = question.max_document_weight;
    signals.uniform_ratio =
        question.max_document_weight / evidence::uniform_threshold(question.length);
    signals.document_mass = question.question_rows.mass_of_all_spans();
    signals.sink_mass = question.question_rows.sink_mass();
    answers[i]->layers = evidence::layer_figures(question.question_rows, question.length);
    if (options_.keeps_masses) answers[i]->masses = masses_of(question);
  }
}

void QuestionBatch::measure_declining() {
  const std::vector<TokenId> declining =
      model_->tokenizer().encode(phrases_in(language_).declining).ids;
  if (declining.empty()) return;
  for (Question& question : questions_) {
    question.decline_probability =
        probability_of(context_->branch_logits(question.branch), declining[0]);
  }
}

void QuestionBatch::measure(const Question& question, AnswerSignals& signals) const {
  signals.decline_probability = question.decline_probability;
  score_signals(passage_masses_of(question), 0, options_.calibration.heads, signals);
  const auto rows = static_cast<double>(question.answer_rows.rows());
  if (rows == 0) return;
  signals.mean_log_probability = question.log_probability / rows;
  signals.max_document_weight = question.max_document_weight;
  signals.uniform_ratio =
      question.max_document_weight / evidence::uniform_threshold(question.length);
  signals.document_mass = question.answer_rows.mass_of_all_spans();
  signals.sink_mass = question.answer_rows.sink_mass();
  signals.entropy_share = question.entropy_share / rows;
  signals.lookback_ratio = question.lookback / rows;
}

// Masses on passages: what score_signals() is fitted on is kept by passage.
PassageMasses QuestionBatch::passage_masses_of(const Question& question) const {
  const Prompt& prompt = *question.prompt;
  PassageMasses masses;
  masses.layers = question.question_rows.layers();
  masses.heads = question.question_rows.heads();
  masses.passages = std::ssize(prompt.passages);
  const std::size_t passages = prompt.passages.size();
  const std::size_t sentences = prompt.sentences.size();
  std::vector<std::size_t> places;  // of sentences among passages
  for (std::size_t s = 0, p = 0; s < sentences; ++s) {
    while (p + 1 < passages && prompt.passages[p].end <= prompt.sentences[s].tokens.begin) ++p;
    places.push_back(p);
  }
  const auto rows = static_cast<std::size_t>(masses.layers * masses.heads);
  const auto moved = [&](const std::vector<float>& of_sentences) {
    std::vector<float> table(rows * passages, 0);
    for (std::size_t i = 0; i < of_sentences.size(); ++i) {
      table[i / sentences * passages + places[i % sentences]] += of_sentences[i];
    }
    return table;
  };
  masses.content_free = moved(content_free_rows_.mean_masses());
  masses.questions.push_back(moved(question.question_rows.mean_masses()));
  masses.answers.push_back(moved(question.answer_rows.mean_masses()));
  return masses;
}

std::shared_ptr<const AnswerMasses> QuestionBatch::masses_of(const Question& question) const {
  auto masses = std::make_shared<AnswerMasses>();
  masses->layers = question.question_rows.layers();
  masses->heads = question.question_rows.heads();
  for (const ReadSentence& sentence : question.prompt->sentences) {
    masses->sentences.push_back(sentence.document);
  }
  masses->content_free = content_free_masses_;
  masses->question = question.question_rows.mean_masses();
  masses->answer = question.answer_rows.mean_masses();
  masses->question_scores =
      evidence::span_scores(question.question_rows, content_free_rows_, options_.calibration.heads);
  masses->answer_scores =
      evidence::span_scores(question.answer_rows, content_free_rows_, options_.calibration.heads);
  masses->answer_sentences = question.sentence_scores;
  return masses;
}

std::vector<double> QuestionBatch::question_scores(std::size_t i) const {
  return evidence::span_scores(questions_[i].question_rows, content_free_rows_,
                               options_.calibration.heads);
}

std::vector<double> QuestionBatch::answer_scores(std::size_t i) const {
  return evidence::span_scores(questions_[i].answer_rows, content_free_rows_,
                               options_.calibration.heads);
}

std::vector<double> QuestionBatch::sentence_scores(std::size_t i) const {
  std::vector<double> scores = question_scores(i);
  const std::vector<double> of_answer = answer_scores(i);
  scores.resize(std::max(scores.size(), of_answer.size()), 0);
  for (std::size_t s = 0; s < of_answer.size(); ++s) scores[s] += of_answer[s];
  return scores;
}

std::vector<std::vector<double>> QuestionBatch::token_falls(
    std::size_t i, std::span<const std::vector<bool>> marked) {
  const Question& question = questions_[i];
  std::vector<std::vector<Span>> hidden = {hidden_positions(*question.prompt, is_hidden_)};
  for (std::vector<bool> with_others : marked) {
    for (std::size_t s = 0; s < with_others.size(); ++s) {
      if (is_hidden_[s]) with_others[s] = true;
    }
    hidden.push_back(hidden_positions(*question.prompt, with_others));
  }
  context_->close_branches();
  std::vector<std::vector<double>> found =
      answer_log_probabilities(*context_,
                               {.question = rest_of(*question.prompt),
                                .answer = question.answer,
                                .branch_tokens = branch_tokens_,
                                .stop = options_.stop},
                               hidden);
  const std::vector<double> with_all = std::move(found.front());
  found.erase(found.begin());
  for (std::vector<double>& of_tokens : found) {
    for (std::size_t t = 0; t < of_tokens.size(); ++t) of_tokens[t] = with_all[t] - of_tokens[t];
  }
  return found;
}

std::vector<double> QuestionBatch::falls(std::size_t i, std::span<const std::vector<bool>> marked) {
  std::vector<double> sums;
  for (const std::vector<double>& of_tokens : token_falls(i, marked)) {
    sums.push_back(std::accumulate(of_tokens.begin(), of_tokens.end(), 0.0));
  }
  return sums;
}

std::int64_t QuestionBatch::visible_keys(std::size_t i) const { return questions_[i].length; }

MeasuredAnswer QuestionBatch::measured(std::size_t i) const {
  return {question_scores(i), answer_scores(i), questions_[i].sentence_scores, visible_keys(i)};
}

}  // namespace whereof::answering
