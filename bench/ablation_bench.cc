// What hiding clauses says, and what it costs. Prints one JSON object a line.
//
//   ablation_bench MODEL cost FILE QUESTION
//     the ablation of ten clauses of an answer of at most 60 tokens, beside the answer's own time
//   ablation_bench MODEL falls FOLDER|probes FILE [DOCUMENTS]
//     answers the answerable questions about the shortest documents of each half of a set, or about
//     made ones, hides each clause from each answer, and keeps masses and falls in the file
//   ablation_bench MODEL foretell FILE...
//     fits, on the answers of half 1 in such files, heads whose masses foretell falls; of both
//     halves the rank correlation of falls with what they foretell, and with the heads that find
//     passages
//   ablation_bench MODEL deletion [CASES]
//     of planted clauses (planted/cases.h) and one beside each: the fall when the clause is hidden,
//     beside the fall when it is cut out of the prompt and all is read anew
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "answering/ablation.h"
#include "answering/prompt.h"
#include "answering/question_batch.h"
#include "planted/cases.h"
#include "timing/model_work.h"
#include "whereof/answer.h"
#include "whereof/dependence_fit.h"
#include "whereof/error.h"
#include "whereof/evaluation.h"
#include "whereof/probes.h"

namespace whereof {
namespace {

using answering::Manner;
using answering::Prompt;
using nlohmann::ordered_json;
using Marked = std::vector<bool>;

constexpr std::int64_t kLongestDocument = 30'000;  // characters, about 7,000 tokens
constexpr std::int64_t kFallTokens = 24;           // most of an answer whose falls are kept

void print(const ordered_json& line) {
  std::printf("%s\n", line.dump(-1, ' ', false, ordered_json::error_handler_t::replace).c_str());
  std::fflush(stdout);
}

double rounded(double value) { return std::round(value * 1000) / 1000; }

// A question that was answered over a whole document, ready for ablations.
struct Asked {
  Asked(const Document& document, const std::string& question,
        const std::shared_ptr<const Model>& model, std::int64_t answer_tokens)
      : passages(split_passages(document)) {
    manner.language = answering::language_of(question);
    options.max_answer_tokens = answer_tokens;
    options.verifies = true;
    options.calibration = Calibration::of_model(model->description());
    prompt = answering::compose_prompt(document, passages, question, manner, *model);
    content_free = answering::compose_prompt(
        document, passages, answering::phrases_in(manner.language).content_free, manner, *model);
    batch = std::make_unique<answering::QuestionBatch>(std::span(&one, 1), content_free,
                                                       manner.language, model, options);
    batch->read_prompts(nullptr);
    Answer* const answers[] = {&answer};
    generation = bench::time_of([&] { batch->generate(answers); });
  }

  std::vector<Passage> passages;
  Manner manner;
  AskOptions options;
  Prompt prompt;
  Prompt content_free;
  const Prompt* one = &prompt;
  std::unique_ptr<answering::QuestionBatch> batch;
  Answer answer;
  bench::Times generation;
};

struct ClauseMass {
  std::int32_t clause = -1;
  double mass = 0;
  Marked sentences;
};

// Heaviest first.
std::vector<ClauseMass> clauses_of(const Asked& asked) {
  const std::vector<double> scores = asked.batch->sentence_scores(0);
  std::map<std::int32_t, ClauseMass> by_clause;
  for (std::size_t i = 0; i < asked.prompt.sentences.size(); ++i) {
    const std::int32_t clause = asked.prompt.sentences[i].clause;
    ClauseMass& mass = by_clause[clause];
    mass.clause = clause;
    mass.mass += scores.empty() ? 0 : scores[i];
    mass.sentences.resize(asked.prompt.sentences.size(), false);
    mass.sentences[i] = true;
  }
  std::vector<ClauseMass> clauses;
  for (auto& [unused, mass] : by_clause) clauses.push_back(std::move(mass));
  std::stable_sort(clauses.begin(), clauses.end(),
                   [](const ClauseMass& a, const ClauseMass& b) { return a.mass > b.mass; });
  return clauses;
}

std::vector<double> falls_of(Asked& asked, std::span<const ClauseMass> clauses) {
  std::vector<Marked> marked;
  for (const ClauseMass& clause : clauses) marked.push_back(clause.sentences);
  return asked.batch->falls(0, marked);
}

void measure_cost(const std::shared_ptr<const Model>& model, const std::string& file,
                  const std::string& question) {
  const Document document = read_document(file);
  Asked asked(document, question, model, 60);
  std::vector<ClauseMass> clauses = clauses_of(asked);
  clauses.resize(std::min<std::size_t>(clauses.size(), 10));
  const bench::Times ablation = bench::time_of([&] { falls_of(asked, clauses); });
  const bench::Times& generation = asked.generation;
  print({{"tokens_kept", asked.prompt.tokens.size()},
         {"answer_tokens", asked.answer.answer_tokens},
         {"clauses", clauses.size()},
         {"answer_seconds", rounded(generation.seconds)},
         {"ablation_seconds", rounded(ablation.seconds)},
         {"ratio", rounded(ablation.seconds / generation.seconds)},
         {"answer_cpu_seconds", rounded(generation.cpu_seconds)},
         {"ablation_cpu_seconds", rounded(ablation.cpu_seconds)},
         {"ratio_of_cpu_seconds", rounded(ablation.cpu_seconds / generation.cpu_seconds)}});
}

// Documents of about 1,000 tokens: reading takes most of the time of longer ones.
QuestionSet short_probes() {
  ProbeOptions probes;
  probes.lengths_tokens = {1'000};
  probes.rounds = 6;
  return make_probes(probes);
}

void measure_falls(const std::shared_ptr<const Model>& model, const std::string& set_name,
                   const std::string& file_name, std::int64_t limit) {
  const QuestionSet set = set_name == "probes" ? short_probes() : load_question_set(set_name);
  std::vector<Document> documents;
  for (const QuestionDocument& document : set.documents) {
    documents.push_back(read_question_document(document));
  }
  DependenceMeasureOptions options;
  options.asking.max_answer_tokens = kFallTokens;
  options.documents = limit;
  MassFile file(file_name);
  measure_dependence(questions_of_half(set, documents, 0, kLongestDocument), documents, model, file,
                     options);
}

void foretell(const Calibration& calibration, std::span<const std::string> files) {
  DependenceExamples examples;
  for (const std::string& file : files) examples.add(file, MassFile(file));
  const DependenceFitOptions options;
  const DependenceWeights weights = fit_dependence(examples, options);
  for (const DependenceFigures& each : dependence_figures(examples, calibration.heads, weights)) {
    print({{"set", each.set},
           {"half", each.half},
           {"is_fitted_on", each.half == options.half},
           {"answers", each.answers},
           {"foretold", rounded(each.foretold)},
           {"finding_heads", rounded(each.finding)},
           {"all_heads_alike", rounded(each.alike)},
           {"halves_of_the_answer", rounded(each.halves)},
           {"answers_with_noticeable_falls", each.noticeable_answers},
           {"noticeable_foretold", rounded(each.noticeable_foretold)},
           {"noticeable_finding_heads", rounded(each.noticeable_finding)},
           {"answers_with_a_clear_fall", each.clear_answers},
           {"largest_is_first_foretold", rounded(each.first_foretold)},
           {"largest_is_first_by_finding_heads", rounded(each.first_finding)}});
  }
  print({{"question_heads", weights.question.size()}, {"answer_heads", weights.answer.size()}});
}

// ln of the answer's probability after this prompt, read anew, with these sentences hidden.
double log_probability(const std::shared_ptr<const Model>& model, const Prompt& prompt,
                       std::span<const TokenId> answer, const std::vector<Span>& hidden) {
  ContextOptions options;
  options.capacity_tokens = std::ssize(prompt.tokens) + std::ssize(answer);
  options.branch_tokens = std::ssize(answer) + 512 + kBranchOverheadTokens;
  const std::unique_ptr<Context> context = Context::create(model, options);
  const std::size_t last = static_cast<std::size_t>(prompt.passages.back().end);
  ReadOptions read;
  read.wants_logits = false;
  context->read(std::span(prompt.tokens).first(last), read);
  const std::vector<std::vector<Span>> one = {hidden};
  const std::vector<double> of_tokens =
      answering::answer_log_probabilities(*context,
                                          {.question = std::span(prompt.tokens).subspan(last),
                                           .answer = answer,
                                           .branch_tokens = options.branch_tokens,
                                           .stop = {}},
                                          one)[0];
  return std::accumulate(of_tokens.begin(), of_tokens.end(), 0.0);
}

// The passages without this text.
std::vector<Passage> without(const std::vector<Passage>& passages, Span text) {
  std::vector<Passage> left;
  for (const Passage& passage : passages) {
    const Span before{passage.text.begin, std::min(passage.text.end, text.begin)};
    const Span after{std::max(passage.text.begin, text.end), passage.text.end};
    if (!before.is_empty()) left.push_back({before, passage.clause});
    if (!after.is_empty()) left.push_back({after, passage.clause});
  }
  return left;
}

void compare_with_deletion(const std::shared_ptr<const Model>& model, std::int64_t cases) {
  for (std::int64_t n = 0; n < cases; ++n) {
    const planted::Case made = planted::made_case(4 * n);  // those that are left in place
    const Document document = read_question_document({"contract.txt", {}, made.text});
    Asked asked(document, made.question, model, 32);
    const std::vector<TokenId> answer = model->tokenizer().encode(asked.answer.text).ids;
    const double with_all = log_probability(model, asked.prompt, answer, {});
    const std::int32_t planted =
        document.clause_at(find_words(document, made.expected).text.at(0).begin);
    const std::int32_t beside = planted == 0 ? 1 : planted - 1;
    for (const std::int32_t clause : {planted, beside}) {
      const Span text = document.clauses[static_cast<std::size_t>(clause)].text;
      const Marked marked = answering::sentences_within(asked.prompt, {&text, 1});
      const double hidden = log_probability(model, asked.prompt, answer,
                                            answering::hidden_positions(asked.prompt, marked));
      const Prompt cut = answering::compose_prompt(document, without(asked.passages, text),
                                                   made.question, asked.manner, *model);
      print({{"question", made.question},
             {"answer", asked.answer.text},
             {"is_planted", clause == planted},
             {"fall_when_hidden", rounded(with_all - hidden)},
             {"fall_when_deleted", rounded(with_all - log_probability(model, cut, answer, {}))}});
    }
  }
}

int main_of(const std::vector<std::string>& words) {
  const std::string what = words.size() < 2 ? "" : words[1];
  const auto number = [&](std::size_t at, std::int64_t otherwise) {
    return words.size() > at ? std::atoll(words[at].c_str()) : otherwise;
  };
  if (what == "cost" && words.size() == 4) {
    measure_cost(Model::open(words[0]), words[2], words[3]);
  } else if (what == "falls" && words.size() >= 4) {
    measure_falls(Model::open(words[0]), words[2], words[3], number(4, 6));
  } else if (what == "foretell" && words.size() >= 3) {
    foretell(Calibration::of_model(Model::open(words[0])->description()),
             std::span(words).subspan(2));
  } else if (what == "deletion") {
    compare_with_deletion(Model::open(words[0]), number(2, 10));
  } else {
    std::fprintf(stderr,
                 "ablation_bench MODEL cost FILE QUESTION | falls FOLDER|probes FILE [DOCUMENTS] | "
                 "foretell FILE... | deletion [CASES]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace whereof

int main(int count, char** words) {
  try {
    return whereof::main_of({words + 1, words + count});
  } catch (const whereof::Error& error) {
    std::fprintf(stderr, "ablation_bench: %s\n", error.what());
    return 1;
  }
}
