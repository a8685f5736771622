// whereof eval FOLDER: a question set, in figures.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "document_source.h"
#include "exit_codes.h"
#include "machine_file.h"
#include "model_files.h"
#include "terminal.h"
#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kCitationsKept = 10;

struct EvalArguments {
  std::string folder;
  std::string documents;
  std::string model = kDefaultModel;
  std::string library;
  std::int64_t limit = 0;
  bool is_retrieval_only = false;
  std::string retrieval = "full-text";
  std::string heads;  // file; empty: the model's own
  std::string masses;
  std::string exported;  // file
  AttentionMeasureOptions ranking;
  bool is_json = false;
  AskOptions options;
};

// A question set with its documents read.
struct Material {
  QuestionSet set;
  std::vector<Document> documents;
};

// What one question with the model gave.
struct Outcome {
  std::string document;
  std::string question;
  std::string answer;
  bool is_answerable = false;
  Verdict verdict = Verdict::no_basis;
  std::int64_t first_hit = 0;  // place of the first cited passage that is right; 0: none
  CitationCounts counts;
  double decline_probability = 0;
  double document_mass = 0;
  double max_document_weight = 0;
  double seconds = 0;
};

Material read_material(const EvalArguments& arguments, Library& library, ProgressLine& progress,
                       std::stop_token stop) {
  Material material;
  material.set = load_question_set(arguments.folder, arguments.documents);
  ReadDocumentOptions options;
  options.stop = stop;
  std::int64_t done = 0;
  for (const QuestionDocument& document : material.set.documents) {
    progress.show({"reading documents", "documents", done++,
                   static_cast<std::int64_t>(material.set.documents.size())});
    material.documents.push_back(read_question_document(document, options));
    library.add(material.documents.back());
  }
  progress.clear();
  return material;
}

// The passages that hold the quotations, best citation first.
std::vector<Span> cited_passages(const Answer& answer, const Document& document,
                                 std::span<const Passage> passages) {
  std::vector<Span> cited;
  for (const Citation& citation : answer.citations) {
    for (const Passage& passage : passages) {
      if (passage.text.contains(citation.quotation.begin)) {
        cited.push_back(source_span(document, passage.text));
        break;
      }
    }
  }
  return cited;
}

HeadWeights head_weights(const EvalArguments& arguments, const Model& model) {
  if (arguments.heads.empty()) return HeadWeights::of_model(model.description());
  return HeadWeights::load(arguments.heads, model.description());
}

Outcome ask_question(const GoldQuestion& question, const Document& document, Library& library,
                     const std::shared_ptr<const Model>& model, const AskOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const Answer answer = ask(document, library, model, question.text, options);
  Outcome outcome;
  outcome.document = document.name;
  outcome.question = question.text;
  outcome.answer = answer.text;
  outcome.is_answerable = question.is_answerable;
  outcome.verdict = answer.verdict;
  const std::vector<Passage> passages = split_passages(document);
  const std::vector<Span> ranked = cited_passages(answer, document, passages);
  outcome.first_hit = first_hit(ranked, question.gold);
  if (question.is_answerable && answer.verdict != Verdict::no_basis) {
    std::vector<Span> quoted;
    for (const Citation& citation : answer.citations) {
      if (quoted.size() == 3) break;  // what a reader looks at first
      quoted.push_back(source_span(document, citation.quotation));
    }
    outcome.counts = compare_citations(quoted, question.gold);
  }
  outcome.decline_probability = answer.decline_probability;
  outcome.document_mass = answer.document_mass;
  outcome.max_document_weight = answer.max_document_weight;
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

std::vector<Outcome> ask_all(const Material& material, const QuestionSet& sample, Library& library,
                             const EvalArguments& arguments, ProgressLine& progress,
                             std::stop_token stop) {
  const std::shared_ptr<const Model> model = Model::open(model_file(arguments.model));
  AskOptions options = arguments.options;
  options.machine = machine_speed(model, options.threads, false);
  options.heads = head_weights(arguments, *model);
  options.max_citations = kCitationsKept;
  options.stop = stop;
  std::vector<Outcome> outcomes;
  for (const GoldQuestion& question : sample.questions) {
    progress.show({"asking", "questions", static_cast<std::int64_t>(outcomes.size()),
                   static_cast<std::int64_t>(sample.questions.size())});
    const Document& document = material.documents[static_cast<std::size_t>(question.document)];
    outcomes.push_back(ask_question(question, document, library, model, options));
  }
  progress.clear();
  return outcomes;
}

// AUROC of a signal that should be larger where the document answers the question.
template <typename Signal>
double auroc_of(const std::vector<Outcome>& outcomes, Signal signal) {
  std::vector<ScoredLabel> scored;
  for (const Outcome& outcome : outcomes) {
    scored.push_back({signal(outcome), outcome.is_answerable});
  }
  return auroc(scored);
}

ordered_json retrieval_json(const RetrievalFigures& figures) {
  return {{"documents", figures.documents},
          {"questions", figures.answerable + figures.unanswerable},
          {"answerable", figures.answerable},
          {"retrieval_recall_1", figures.recall_at_1},
          {"retrieval_recall_5", figures.recall_at_5},
          {"retrieval_recall_10", figures.recall_at_10},
          {"retrieval_mrr", figures.mean_reciprocal_rank},
          {"retrieval_auroc", figures.best_score_auroc}};
}

void add_ranking(ordered_json& json, const std::string& name, const RankingFigures& figures) {
  json[name + "_recall_1"] = figures.recall_at_1;
  json[name + "_recall_5"] = figures.recall_at_5;
  json[name + "_recall_10"] = figures.recall_at_10;
  json[name + "_recall_30"] = figures.recall_at_30;
  json[name + "_mrr"] = figures.mean_reciprocal_rank;
}

// Passages ranked by attention, beside full text on the same documents.
ordered_json ranking_json(const EvalArguments& arguments, const Material& material,
                          Library& library, ProgressLine& progress, std::stop_token stop) {
  const std::shared_ptr<const Model> model = Model::open(model_file(arguments.model));
  const HeadWeights weights = head_weights(arguments, *model);
  AttentionMeasureOptions options = arguments.ranking;
  options.reading.threads = arguments.options.threads;
  options.reading.progress = progress.callback();
  options.reading.stop = stop;
  MassFile file(arguments.masses);
  const AttentionFigures figures = measure_attention_ranking(
      material.set, material.documents, library, model, weights, file, options);
  progress.clear();
  ordered_json json = {{"ranking_model", model->description().name},
                       {"ranking_heads", weights.source},
                       {"ranked_documents", figures.documents},
                       {"ranked_questions", figures.questions}};
  add_ranking(json, "full_text", figures.full_text);
  add_ranking(json, "attention", figures.attention);
  add_ranking(json, "both", figures.both);
  return json;
}

// Whether what is read holds all that a question needs, in rooms of about 1,000 to 4,000 tokens.
void add_closure(ordered_json& figures, const Material& material, Library& library) {
  for (const std::int64_t room : {4'000, 8'000, 16'000}) {
    const ClosureFigures closure = measure_closure(material.set, material.documents, library, room);
    if (closure.questions == 0) return;
    const std::string name = "holds_all_in_" + std::to_string(room) + "_characters";
    figures[name] = closure.holds_all;
    figures[name + "_without_closure"] = closure.holds_all_without;
    if (room == 8'000) figures["not_held_in_8000_characters"] = closure.missed;
  }
}

ordered_json model_json(const std::vector<Outcome>& outcomes) {
  std::vector<std::int64_t> hits;
  std::vector<ScoredLabel> signal;
  CitationCounts counts;
  double seconds = 0;
  std::int64_t answered[2][3] = {};  // [answerable][verdict]
  for (const Outcome& outcome : outcomes) {
    if (outcome.is_answerable) hits.push_back(outcome.first_hit);
    signal.push_back({1 - outcome.decline_probability, outcome.is_answerable});
    counts += outcome.counts;
    seconds += outcome.seconds;
    ++answered[outcome.is_answerable ? 1 : 0][static_cast<int>(outcome.verdict)];
  }
  const auto verdicts = [&](int answerable) {
    return ordered_json{{"supported", answered[answerable][0]},
                        {"weak", answered[answerable][1]},
                        {"no_basis", answered[answerable][2]}};
  };
  const double count = outcomes.empty() ? 1 : static_cast<double>(outcomes.size());
  return {{"asked", outcomes.size()},
          {"asked_answerable", hits.size()},
          {"first_citation_hit", recall_at(hits, 1)},
          {"citation_recall_5", recall_at(hits, 5)},
          {"citation_recall_10", recall_at(hits, 10)},
          {"citation_mrr", mean_reciprocal_rank(hits)},
          {"citation_precision", counts.precision()},
          {"citation_recall", counts.recall()},
          {"citation_character_precision", counts.character_precision()},
          {"citation_character_recall", counts.character_recall()},
          {"abstention_auroc", auroc(signal)},
          {"precision_at_80_recall", precision_at_recall(signal, 0.8)},
          {"auroc_document_mass",
           auroc_of(outcomes, [](const Outcome& outcome) { return outcome.document_mass; })},
          {"auroc_max_document_weight",
           auroc_of(outcomes, [](const Outcome& outcome) { return outcome.max_document_weight; })},
          {"verdicts_answerable", verdicts(1)},
          {"verdicts_unanswerable", verdicts(0)},
          {"seconds_per_question", seconds / count}};
}

ordered_json outcomes_json(const std::vector<Outcome>& outcomes) {
  ordered_json list = ordered_json::array();
  for (const Outcome& outcome : outcomes) {
    list.push_back({{"document", outcome.document},
                    {"question", outcome.question},
                    {"answerable", outcome.is_answerable},
                    {"answer", outcome.answer},
                    {"verdict", name_of(outcome.verdict)},
                    {"first_hit", outcome.first_hit},
                    {"decline_probability", outcome.decline_probability},
                    {"document_mass", outcome.document_mass},
                    {"max_document_weight", outcome.max_document_weight},
                    {"seconds", outcome.seconds}});
  }
  return list;
}

void print_figures(const ordered_json& figures) {
  for (const auto& [name, value] : figures.items()) {
    fmt::print("{:<28} {}\n", name,
               value.is_number_float() ? fmt::format("{:.3f}", value.get<double>())
               : value.is_string()     ? value.get<std::string>()
                                       : value.dump());
  }
}

int eval_command(const EvalArguments& arguments, std::stop_token stop) {
  ProgressLine progress;
  const std::unique_ptr<Library> library = open_library(arguments.library);
  const Material material = read_material(arguments, *library, progress, stop);
  ordered_json figures = {{"set", material.set.name}};
  figures.update(retrieval_json(measure_retrieval(material.set, material.documents, *library)));
  if (!arguments.exported.empty()) {
    std::ofstream file(arguments.exported, std::ios::binary);
    export_passages(material.set, material.documents, *library, file);
    file.close();
    if (!file) throw Error(ErrorKind::input_output, arguments.exported + ": cannot be written");
  }
  if (arguments.retrieval == "attention") {
    figures.update(ranking_json(arguments, material, *library, progress, stop));
  }
  add_closure(figures, material, *library);
  if (!arguments.is_retrieval_only) {
    const QuestionSet sample = sample_questions(material.set, arguments.limit);
    figures["model"] = model_file(arguments.model).stem().string();
    figures["budget_seconds"] = arguments.options.budget_seconds;
    const std::vector<Outcome> outcomes =
        ask_all(material, sample, *library, arguments, progress, stop);
    figures.update(model_json(outcomes));
    if (arguments.is_json) figures["outcomes"] = outcomes_json(outcomes);
  }
  if (arguments.is_json) {
    fmt::print("{}\n", figures.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    print_figures(figures);
  }
  return kAnswered;
}

void add_ranking_options(CLI::App& command, EvalArguments& arguments) {
  command
      .add_option("--retrieval", arguments.retrieval,
                  "attention: rank passages by the model's attention too")
      ->check(CLI::IsMember({"full-text", "attention"}))
      ->capture_default_str();
  command.add_option("--heads", arguments.heads, "File of head weights instead of the model's own");
  command.add_option("--masses", arguments.masses,
                     "File that keeps what was read for the ranking, document by document");
  command.add_option(
      "--export", arguments.exported,
      "Write passages, questions and right passages to this file, for other programs");
  command
      .add_option("--window-tokens", arguments.ranking.reading.window_tokens,
                  "Longest piece of a document that is read in one window")
      ->check(CLI::Range(std::int64_t{64}, std::int64_t{1} << 20))
      ->capture_default_str();
  command
      .add_option("--candidates", arguments.ranking.candidates,
                  "Passages by full text that are ranked anew; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      .add_option("--longest-characters", arguments.ranking.longest_characters,
                  "Rank no passages of longer documents; 0: of all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      .add_option("--half", arguments.ranking.half,
                  "Rank in every other document: 1 from the first on, 2 the others, 0 all")
      ->check(CLI::Range(0, 2))
      ->capture_default_str();
}

}  // namespace

void add_eval(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<EvalArguments>();
  CLI::App* command = program.add_subcommand(
      "eval", "Measure retrieval, citations and verdicts on a question set with gold spans");
  arguments->options.max_answer_tokens = 48;
  command
      ->add_option("FOLDER", arguments->folder,
                   "questions.jsonl with its documents, or ContractNLI's dev.json")
      ->required();
  command->add_option("--documents", arguments->documents,
                      "Folder of the documents where they do not lie beside the questions");
  command
      ->add_option("--limit", arguments->limit,
                   "Ask the model this many questions, spread over the documents; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_flag("--retrieval-only", arguments->is_retrieval_only, "Do not ask the model");
  add_ranking_options(*command, *arguments);
  command->add_option("--model", arguments->model, "Name of a fetched model, or a GGUF file")
      ->capture_default_str();
  command
      ->add_option("--budget-seconds", arguments->options.budget_seconds,
                   "Time allowed for reading, a question")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_flag("--rank", arguments->options.ranks_by_attention,
                    "Ask as whereof ask --rank does");
  command->add_option("--max-tokens", arguments->options.max_answer_tokens, "Longest answer")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 20))
      ->capture_default_str();
  command->add_option("--threads", arguments->options.threads, "0: all processors")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_option("--library", arguments->library, "Library file instead of the user's own");
  command->add_flag("--json", arguments->is_json, "As JSON");
  command->footer("\nExample:\n  whereof eval ../shared/corpus/cuad --limit 40\n");
  command->callback([arguments, &chosen] {
    chosen.run = [arguments, &chosen] { return eval_command(*arguments, chosen.stop); };
  });
}

}  // namespace whereof::cli
