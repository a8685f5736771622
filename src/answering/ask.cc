// One question, from plan to verdict.
//
// The prompt is read once up to the question; then the content-free question and the real one are
// read over the same keys, then the answer. The evidence of the three sets of rows gives the scores
// of sentences (evidence/mass_table.h).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>

#include "answering/citations.h"
#include "answering/declining.h"
#include "answering/figures.h"
#include "answering/language.h"
#include "answering/named_clauses.h"
#include "answering/prompt.h"
#include "answering/reading.h"
#include "answering/route.h"
#include "evidence/mass_table.h"
#include "evidence/verdict.h"
#include "text/utf8.h"
#include "whereof/answer.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using answering::Language;
using answering::Manner;
using answering::Phrases;
using answering::Prompt;
using evidence::MassTable;

constexpr std::int64_t kTopKeys = 16;

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

double probability_of(std::span<const float> logits, TokenId id) {
  if (id < 0 || static_cast<std::size_t>(id) >= logits.size()) return 0;
  const float largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit - largest));
  return std::exp(static_cast<double>(logits[static_cast<std::size_t>(id)] - largest)) / sum;
}

// Gives text to a callback in whole UTF-8 characters.
class TextStream {
 public:
  explicit TextStream(const std::function<void(std::string_view)>& callback)
      : callback_(callback) {}

  void append(std::string_view bytes) {
    text_ += bytes;
    if (!callback_) return;
    std::size_t end = text_.size();  // of the last code point that is complete
    for (std::size_t back = 1; back <= 3 && back <= text_.size(); ++back) {
      const auto byte = static_cast<unsigned char>(text_[text_.size() - back]);
      if ((byte & 0xC0U) == 0x80U) continue;
      const std::size_t wanted = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
      if (wanted > back) end = text_.size() - back;
      break;
    }
    if (end <= sent_) return;
    callback_(std::string_view(text_).substr(sent_, end - sent_));
    sent_ = end;
  }
  // Valid UTF-8: an answer that was cut inside a character ends before it, and what a model wrote
  // of other invalid bytes is replaced.
  std::string whole_text() const {
    std::string whole;
    for (std::size_t at = 0; at < text_.size();) {
      const text::CodePoint point = text::decode_at(text_, at);
      const bool is_cut = std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                      text_.end(), [](char c) { return (c & 0xC0) == 0x80; });
      if (!point.is_valid && is_cut) break;
      text::append(whole, point.value);
      at += static_cast<std::size_t>(point.bytes);
    }
    return whole;
  }

 private:
  const std::function<void(std::string_view)>& callback_;
  std::string text_;
  std::size_t sent_ = 0;
};

// The run of one question over one context.
class Run {
 public:
  Run(const Prompt& prompt, const Prompt& content_free, std::shared_ptr<const Model> model,
      const AskOptions& options)
      : prompt_(prompt), content_free_(content_free), model_(std::move(model)), options_(options) {
    request_.key_spans = prompt.token_spans();
    request_.top_keys = kTopKeys;
    const auto longest =
        static_cast<std::int64_t>(std::max(prompt.tokens.size(), content_free.tokens.size()));
    ContextOptions context_options;
    context_options.threads = options.threads;
    context_options.capacity_tokens =
        std::min(longest + options.max_answer_tokens, model_->description().window_tokens);
    context_ = Context::create(model_, context_options);
  }

  // kept may be null.
  void read_prompt(Language language, KeptReading* kept, Answer& answer) {
    const Stopwatch watch;
    const std::int64_t shared =
        std::min({answering::shared_prefix(prompt_.tokens, content_free_.tokens),
                  static_cast<std::int64_t>(prompt_.tokens.size()) - 1,
                  static_cast<std::int64_t>(content_free_.tokens.size()) - 1});
    ReadOptions read = read_options();
    read.progress = options_.progress;
    read.evidence = nullptr;
    read.layer_evidence = nullptr;
    read.wants_logits = false;
    read.kept = kept;
    const std::span<const TokenId> tokens(prompt_.tokens);
    context_->read(tokens.first(static_cast<std::size_t>(shared)), read);

    read_rows(std::span(content_free_.tokens).subspan(static_cast<std::size_t>(shared)),
              content_free_rows_);
    context_->truncate(shared);
    read_rows(tokens.subspan(static_cast<std::size_t>(shared)), question_rows_);
    answer.prefill_seconds = watch.seconds();
    const std::vector<TokenId> declining =
        model_->tokenizer().encode(answering::phrases_in(language).declining).ids;
    if (!declining.empty()) {
      answer.decline_probability = probability_of(context_->logits(), declining[0]);
    }
  }

  void generate(Answer& answer) {
    const Stopwatch watch;
    Sampler sampler(options_.sampler);
    TextStream stream(options_.on_text);
    const Tokenizer& tokenizer = model_->tokenizer();
    answer.is_truncated = true;
    const std::int64_t most =
        std::min(options_.max_answer_tokens, context_->capacity() - context_->length());
    for (std::int64_t i = 0; i < most; ++i) {
      const TokenId token = sampler.choose(context_->logits());
      if (tokenizer.ends_generation(token)) {
        answer.is_truncated = false;
        break;
      }
      ++answer.answer_tokens;
      stream.append(tokenizer.bytes_of_token(token));
      read_rows(std::span(&token, 1), answer_rows_);
      answer.max_document_weight =
          std::max(answer.max_document_weight,
                   evidence::largest_weight_on(layer_evidence_, request_.key_spans));
    }
    const std::string written = stream.whole_text();
    answer.text = trimmed(written);
    answer.decode_seconds = watch.seconds();
    answer.document_mass = answer_rows_.mass_of_all_spans();
    answer.sink_mass = answer_rows_.sink_mass();
    visible_keys_ = context_->length();
  }

  // The question's rows find the clause, the answer's rows say what of it was used.
  std::vector<double> sentence_scores() const {
    std::vector<double> scores = evidence::span_scores(question_rows_, content_free_rows_);
    const std::vector<double> of_answer = evidence::span_scores(answer_rows_, content_free_rows_);
    scores.resize(std::max(scores.size(), of_answer.size()), 0);
    for (std::size_t i = 0; i < of_answer.size(); ++i) scores[i] += of_answer[i];
    return scores;
  }

  std::int64_t visible_keys() const { return visible_keys_; }

 private:
  ReadOptions read_options() {
    ReadOptions read;
    read.evidence = &request_;
    read.layer_evidence = &layer_evidence_;
    read.stop = options_.stop;
    return read;
  }

  void read_rows(std::span<const TokenId> tokens, MassTable& table) {
    context_->read(tokens, read_options());
    table.add(layer_evidence_);
  }

  const Prompt& prompt_;
  const Prompt& content_free_;
  std::shared_ptr<const Model> model_;
  const AskOptions& options_;
  std::unique_ptr<Context> context_;
  EvidenceRequest request_;
  std::vector<Evidence> layer_evidence_;
  MassTable content_free_rows_;
  MassTable question_rows_;
  MassTable answer_rows_;
  std::int64_t visible_keys_ = 0;
};

void judge(const Document& document, const Prompt& prompt, const Run& run, std::int64_t limit,
           Answer& answer) {
  const std::vector<double> scores = run.sentence_scores();
  if (!scores.empty())
    answer.citations = answering::cite(document, prompt.sentences, scores, limit);
  evidence::VerdictSignals signals;
  signals.is_chinese = answer.language == "zh";
  signals.is_answer_empty = answer.text.empty();
  signals.is_declined = answering::is_declining(answer.text);
  signals.decline_probability = answer.decline_probability;
  signals.max_document_weight = answer.max_document_weight;
  signals.visible_keys = run.visible_keys();
  signals.citations = static_cast<std::int64_t>(answer.citations.size());
  for (const Citation& citation : answer.citations) {
    signals.largest_lift = std::max(signals.largest_lift, citation.lift);
  }
  signals.unfound_figures = answering::figures_not_in(answer.text, prompt.document_text);
  answer.uniform_threshold = evidence::uniform_threshold(signals.visible_keys);
  evidence::VerdictResult result = evidence::verdict_of(signals);
  answer.verdict = result.verdict;
  answer.reasons = std::move(result.reasons);
}

void check(std::string_view question, const AskOptions& options) {
  if (trimmed(question).empty()) {
    throw Error(ErrorKind::invalid_argument, "the question is empty");
  }
  if (!text::is_valid(question)) {
    throw Error(ErrorKind::invalid_argument, "the question is not valid UTF-8");
  }
  if (!(options.budget_seconds >= 0)) {
    throw Error(ErrorKind::invalid_argument, "budget_seconds is negative or no number");
  }
  if (options.max_answer_tokens < 1) {
    throw Error(ErrorKind::invalid_argument, "max_answer_tokens is " +
                                                 std::to_string(options.max_answer_tokens) +
                                                 "; wanted at least 1");
  }
}

}  // namespace

Answer ask(const Document& document, Library& library, std::shared_ptr<const Model> model,
           std::string_view question, const AskOptions& options) {
  check(question, options);
  question = trimmed(question);
  const Language language = answering::language_of(question);
  const Manner manner{language, answering::clauses_named_in(question, document).empty()};
  const std::unique_ptr<KeptReading> kept =
      options.store ? answering::kept_reading(*options.store, document, *model, manner) : nullptr;
  const answering::ChosenRoute route =
      answering::choose_route(document, library, *model, question, manner, options, kept.get());
  Answer answer;
  answer.question = question;
  answer.language = language == Language::chinese ? "zh" : "en";
  answer.plan = route.plan;
  if (options.on_plan) options.on_plan(route.plan);

  const Prompt content_free = answering::compose_prompt(
      document, route.passages, answering::phrases_in(language).content_free, manner, *model);
  Run run(route.prompt, content_free, std::move(model), options);
  const bool is_whole = route.plan.route == Route::whole_document;
  run.read_prompt(language, is_whole ? kept.get() : nullptr, answer);
  if (kept) answer.keeping_trouble = kept->trouble();
  run.generate(answer);
  judge(document, route.prompt, run, options.max_citations, answer);
  return answer;
}

}  // namespace whereof
