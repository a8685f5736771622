// Questions, from plan to verdict.
//
// Questions that are put to the same reading of the whole document in the same manner are run
// together (question_batch.h); one whose document is read in passages is run alone. The evidence of
// the content-free rows, the question's and the answer's gives the scores of sentences
// (evidence/mass_table.h).
#include <algorithm>
#include <cstddef>
#include <string>

#include "answering/alarms.h"
#include "answering/answer_together.h"
#include "answering/earlier_questions.h"
#include "answering/judging.h"
#include "answering/language.h"
#include "answering/named_clauses.h"
#include "answering/prompt.h"
#include "answering/question_batch.h"
#include "answering/reading.h"
#include "answering/route.h"
#include "answering/verification.h"
#include "text/utf8.h"
#include "whereof/answer.h"
#include "whereof/error.h"
#include "whereof/instructions.h"

namespace whereof {
namespace {

using answering::ChosenRoute;
using answering::Language;
using answering::Manner;
using answering::Prompt;
using answering::trimmed;

constexpr std::int64_t kLeastFound = 30;  // passages that full text ranks

// Questions that are run together.
struct Group {
  Manner manner;
  std::unique_ptr<KeptReading> kept;  // of the whole document in this manner; may be null
  std::vector<std::size_t> members;   // indices of the questions
};

// A call of ask_all on its way.
class Asking {
 public:
  Asking(const Document& document, Library& library, std::shared_ptr<const Model> model,
         const AskOptions& options)
      : document_(document),
        library_(library),
        model_(std::move(model)),
        options_(options),
        instructions_(find_instructions(document)) {}

  std::vector<Answer> run(std::span<const std::string> questions) {
    for (const std::string& question : questions) answering::check_question(question, options_);
    answers_.resize(questions.size());
    routes_.resize(questions.size());
    found_.resize(questions.size());
    for (std::size_t i = 0; i < questions.size(); ++i) plan(i, trimmed(questions[i]));
    for (Group& group : groups_) run_group(group);
    const std::vector<Alarm> alarms = answering::alarms_of_document(document_, instructions_);
    for (Answer& answer : answers_) {
      answer.alarms.insert(answer.alarms.begin(), alarms.begin(), alarms.end());
    }
    return std::move(answers_);
  }

 private:
  Group& group_of(const Manner& manner) {
    for (Group& group : groups_) {
      if (group.manner == manner) return group;
    }
    Group& group = groups_.emplace_back();
    group.manner = manner;
    if (options_.store) {
      group.kept =
          answering::kept_reading(*options_.store, document_, *model_, manner, options_.kv_type);
    }
    return group;
  }

  void plan(std::size_t i, std::string_view question) {
    const Language language = answering::language_of(question);
    Group& group = group_of({language, answering::clauses_named_in(question, document_).empty(),
                             answering::questions_that_count(options_.earlier)});
    routes_[i] = answering::choose_route(document_, library_, model_, question, group.manner,
                                         options_, group.kept.get());
    group.members.push_back(i);
    Answer& answer = answers_[i];
    answer.question = question;
    answer.language = language == Language::chinese ? "zh" : "en";
    answer.plan = routes_[i].plan;
    answer.signals.statement = answering::is_statement(question) ? 1 : 0;
    // All that are read, as the signals were fitted; those that full text gives no place score 0.
    const std::int64_t most = std::max(kLeastFound, std::ssize(routes_[i].passages));
    const std::vector<Hit> hits =
        answering::search(library_, question, options_.earlier, most, document_.content_hash);
    // The verdict was fitted on questions that stand alone: it counts the question's own words.
    answer.signals.full_text_score =
        group.manner.earlier.empty()
            ? answering::best_of(hits)
            : answering::best_of(library_.search(question, 1, document_.content_hash));
    for (const Hit& hit : hits) found_[i].push_back({hit.where.text, hit.score});
    if (options_.on_plan) options_.on_plan(answer.plan);
  }

  void run_group(Group& group) {
    std::vector<std::size_t> whole;
    for (const std::size_t i : group.members) {
      if (routes_[i].plan.route == Route::whole_document) {
        whole.push_back(i);
      } else {
        run_together({&i, 1}, group.manner, nullptr);
      }
    }
    if (whole.empty()) return;
    run_together(whole, group.manner, group.kept.get());
    for (const std::size_t i : whole) {
      if (group.kept) answers_[i].keeping_trouble = group.kept->trouble();
    }
  }

  // The questions are about the same passages.
  void run_together(std::span<const std::size_t> members, const Manner& manner, KeptReading* kept) {
    const ChosenRoute& route = routes_[members.front()];
    const std::string_view asks_nothing = answering::phrases_in(manner.language).content_free;
    const Prompt content_free =
        route.windows
            ? route.windows->prompt_for(asks_nothing)
            : answering::compose_prompt(document_, route.passages, asks_nothing, manner, *model_);
    std::vector<const Prompt*> prompts;
    std::vector<Answer*> answers;
    std::vector<std::vector<answering::ScoredPassage>> found;
    for (const std::size_t i : members) {
      prompts.push_back(&routes_[i].prompt);
      found.push_back(std::move(found_[i]));
      answers.push_back(&answers_[i]);
    }
    answering::answer_together(document_, content_free, prompts, manner, model_, options_, kept,
                               route.windows.get(), found, instructions_, answers);
    if (route.windows) answers.front()->keeping_trouble = route.windows->trouble();
  }

  const Document& document_;
  Library& library_;
  std::shared_ptr<const Model> model_;
  const AskOptions& options_;
  std::vector<FoundInstruction> instructions_;
  std::vector<Answer> answers_;
  std::vector<ChosenRoute> routes_;
  std::vector<std::vector<answering::ScoredPassage>> found_;  // by full text, for each question
  std::vector<Group> groups_;
};

}  // namespace

namespace answering {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

void check_question(std::string_view question, const AskOptions& options) {
  if (trimmed(question).empty()) {
    throw Error(ErrorKind::invalid_argument, "the question is empty");
  }
  if (!text::is_valid(question)) {
    throw Error(ErrorKind::invalid_argument, "the question is not valid UTF-8");
  }
  for (const std::string& earlier : options.earlier) {
    if (!text::is_valid(earlier)) {
      throw Error(ErrorKind::invalid_argument, "an earlier question is not valid UTF-8");
    }
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

void answer_together(const Document& document, const Prompt& content_free,
                     std::span<const Prompt* const> prompts, const Manner& manner,
                     const std::shared_ptr<const Model>& model, const AskOptions& options,
                     KeptReading* kept, WindowedDocument* windows,
                     std::span<const std::vector<ScoredPassage>> found,
                     std::span<const FoundInstruction> instructions,
                     std::span<Answer* const> answers) {
  QuestionBatch batch(prompts, content_free, manner.language, model, options);
  batch.read_prompts(kept, windows);
  if (options.is_extract) {
    batch.measure_questions(answers);
  } else {
    batch.generate(answers);
  }
  for (std::size_t k = 0; k < answers.size(); ++k) {
    Answer& answer = *answers[k];
    answer.text = trimmed(answer.text);
    const MeasuredAnswer measured = batch.measured(k);
    if (options.is_extract) {
      decide(cite_extract(document, *prompts[k], measured, found[k], instructions, options, answer),
             options, answer);
      continue;
    }
    evidence::VerdictEvidence evidence =
        cite_answer(document, *prompts[k], measured, found[k], instructions, options, answer);
    if (options.verifies || options.expected) {
      verify(document, *prompts[k], batch, k, options, answer);
    }
    decide(std::move(evidence), options, answer);
    raise_alarms_of_run(model->description(), options.calibration, batch.visible_keys(k), answer);
  }
}

}  // namespace answering

std::vector<Answer> ask_all(const Document& document, Library& library,
                            std::shared_ptr<const Model> model,
                            std::span<const std::string> questions, const AskOptions& options) {
  return Asking(document, library, std::move(model), options).run(questions);
}

Answer ask(const Document& document, Library& library, std::shared_ptr<const Model> model,
           std::string_view question, const AskOptions& options) {
  const std::string one(question);
  return std::move(ask_all(document, library, std::move(model), {&one, 1}, options).front());
}

}  // namespace whereof
