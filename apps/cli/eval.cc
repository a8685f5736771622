// whereof eval FOLDER: a question set, in figures.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "document_source.h"
#include "exit_codes.h"
#include "kept_folder.h"
#include "svg_plot.h"
#include "terminal.h"
#include "whereof/error.h"
#include "whereof/evaluation.h"
#include "workspace/kept_store.h"
#include "workspace/library_file.h"
#include "workspace/machine_file.h"
#include "workspace/model_files.h"

namespace whereof::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kCitationsKept = 10;

struct EvalArguments {
  std::string folder;
  std::string documents;
  std::string model = workspace::kDefaultModel;
  std::string library;
  std::int64_t limit = 0;
  bool is_retrieval_only = false;
  bool takes_pdf = false;
  std::string retrieval = "full-text";
  std::string calibration;  // file; empty: the model's own
  std::string masses;
  std::string exported;  // file
  std::string reworded;  // file; empty: questions keep to their words
  AttentionMeasureOptions ranking;
  std::string json;   // file; "-": standard output
  std::string curve;  // file
  std::uint64_t seed = 0;
  std::int64_t together = 16;
  workspace::KeptPlace kept;
  AskOptions options;
};

// A question set with its documents read.
struct Material {
  QuestionSet set;
  std::vector<Document> documents;
  std::int64_t unplaced = 0;  // gold spans that the PDFs do not hold
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
    std::filesystem::path pdf = document.file;
    pdf.replace_extension(".pdf");
    if (arguments.takes_pdf && !document.file.empty() && std::filesystem::exists(pdf)) {
      Document read = read_document(pdf, options);
      material.unplaced += place_gold(material.set, static_cast<std::int32_t>(done - 1),
                                      material.documents.back(), read);
      material.documents.back() = std::move(read);
    }
    library.add(material.documents.back());
  }
  progress.clear();
  return material;
}

ordered_json reword(const EvalArguments& arguments, QuestionSet& set, ProgressLine& progress,
                    std::stop_token stop) {
  const std::shared_ptr<const Model> model = Model::open(workspace::model_file(arguments.model));
  RewordingOptions options;
  options.threads = arguments.options.threads;
  options.progress = progress.callback();
  options.stop = stop;
  const RewordingFigures figures = reword_questions(set, model, arguments.reworded, options);
  progress.clear();
  return {{"reworded_questions", figures.questions},
          {"reworded_words", figures.mean_words},
          {"reworded_prompt_tokens", figures.mean_prompt_tokens},
          {"reworded_reply_tokens", figures.mean_reply_tokens},
          {"reworded_seconds", figures.mean_seconds}};
}

Calibration calibration_for(const EvalArguments& arguments, const Model& model) {
  if (arguments.calibration.empty()) return workspace::calibration_of(model);
  return Calibration::load(arguments.calibration, model.description());
}

std::vector<QuestionOutcome> ask_questions(const Material& material, const QuestionSet& sample,
                                           Library& library, const EvalArguments& arguments,
                                           ProgressLine& progress, std::stop_token stop) {
  const std::shared_ptr<const Model> model = Model::open(workspace::model_file(arguments.model));
  AnswerMeasureOptions options{arguments.options, arguments.together};
  options.asking.machine = workspace::machine_speed(model, options.asking.threads, false);
  options.asking.calibration = calibration_for(arguments, *model);
  options.asking.max_citations = kCitationsKept;
  options.asking.keeps_minor = true;
  options.asking.keeps_masses = !arguments.masses.empty();
  options.asking.store = workspace::kept_store(arguments.kept);
  options.asking.progress = progress.callback();
  options.asking.stop = stop;
  MassFile file(arguments.masses);
  std::vector<QuestionOutcome> outcomes =
      measure_answers(sample, material.documents, library, model, file, options);
  progress.clear();
  return outcomes;
}

// A signal against whether the document answers the question.
template <typename Signal>
std::vector<ScoredLabel> labelled(const std::vector<QuestionOutcome>& outcomes, Signal signal) {
  std::vector<ScoredLabel> scored;
  for (const QuestionOutcome& outcome : outcomes) {
    scored.push_back({signal(outcome), outcome.is_answerable});
  }
  return scored;
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
  const std::shared_ptr<const Model> model = Model::open(workspace::model_file(arguments.model));
  const HeadWeights weights = calibration_for(arguments, *model).heads;
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

ordered_json model_json(const std::vector<QuestionOutcome>& outcomes) {
  std::vector<std::int64_t> hits;
  CitationCounts counts;
  double seconds = 0;
  std::int64_t verdicts[2][3] = {};  // [answerable][verdict]
  for (const QuestionOutcome& outcome : outcomes) {
    if (outcome.is_answerable) hits.push_back(outcome.first_hit);
    counts += outcome.counts;
    seconds += outcome.seconds;
    ++verdicts[outcome.is_answerable ? 1 : 0][static_cast<int>(outcome.verdict)];
  }
  const auto support =
      labelled(outcomes, [](const QuestionOutcome& outcome) { return outcome.support; });
  const double count = outcomes.empty() ? 1 : static_cast<double>(outcomes.size());
  ordered_json json = {{"asked", outcomes.size()},
                       {"asked_answerable", hits.size()},
                       {"first_citation_hit", recall_at(hits, 1)},
                       {"citation_recall_5", recall_at(hits, 5)},
                       {"citation_recall_10", recall_at(hits, 10)},
                       {"citation_mrr", mean_reciprocal_rank(hits)},
                       {"citation_precision", counts.precision()},
                       {"citation_recall", counts.recall()},
                       {"citation_character_precision", counts.character_precision()},
                       {"citation_character_recall", counts.character_recall()},
                       {"abstention_auroc", auroc(support)},
                       {"precision_at_80_recall", precision_at_recall(support, 0.8)},
                       {"seconds_per_question", seconds / count}};
  for (const SignalName& signal : kAnswerSignals) {
    json["auroc_" + std::string(signal.name)] = auroc(labelled(
        outcomes, [&](const QuestionOutcome& outcome) { return outcome.signals.*signal.value; }));
  }
  for (const bool is_answerable : {true, false}) {
    for (const Verdict verdict : {Verdict::supported, Verdict::weak, Verdict::no_basis}) {
      json[std::string(name_of(verdict)) + (is_answerable ? "_answerable" : "_unanswerable")] =
          verdicts[is_answerable ? 1 : 0][static_cast<int>(verdict)];
    }
  }
  return json;
}

ordered_json outcomes_json(const std::vector<QuestionOutcome>& outcomes) {
  ordered_json list = ordered_json::array();
  for (const QuestionOutcome& outcome : outcomes) {
    ordered_json json = {{"document", outcome.document},        {"question", outcome.question},
                         {"answerable", outcome.is_answerable}, {"answer", outcome.answer},
                         {"verdict", name_of(outcome.verdict)}, {"first_hit", outcome.first_hit},
                         {"support", outcome.support},          {"seconds", outcome.seconds}};
    for (const SignalName& signal : kAnswerSignals) {
      json["signals"][std::string(signal.name)] = outcome.signals.*signal.value;
    }
    list.push_back(std::move(json));
  }
  return list;
}

// Risk over coverage: answered from the best supported on, the share of answers that the document
// does not give.
void write_curve(const std::string& name, const std::vector<QuestionOutcome>& outcomes) {
  auto support = labelled(outcomes, [](const QuestionOutcome& outcome) { return outcome.support; });
  const Curve measured{"whereof", risk_by_coverage(support)};
  Plot plot;
  plot.title = "Questions answered that have no answer";
  plot.x.label = "share of questions answered, best supported first";
  plot.y.label = "of these, without an answer";
  plot.curves = {measured};
  std::ofstream file(name, std::ios::binary);
  file << svg_of(plot);
  file.close();
  if (!file) throw Error(ErrorKind::input_output, name + ": cannot be written");
}

void print_figures(const ordered_json& figures) {
  for (const auto& [name, value] : figures.items()) {
    fmt::print("{:<28} {}\n", name,
               value.is_number_float() ? fmt::format("{:.3f}", value.get<double>())
               : value.is_string()     ? value.get<std::string>()
                                       : value.dump());
  }
}

ordered_json settings_json(const EvalArguments& arguments) {
  return {{"pdf", arguments.takes_pdf},
          {"limit", arguments.limit},
          {"seed", arguments.seed},
          {"half", arguments.ranking.half},
          {"longest_characters", arguments.ranking.longest_characters},
          {"together", arguments.together},
          {"budget_seconds", arguments.options.budget_seconds},
          {"max_tokens", arguments.options.max_answer_tokens}};
}

void write_json(const std::string& name, const ordered_json& report) {
  const std::string text =
      report.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  if (name == "-") {
    fmt::print("{}", text);
    return;
  }
  std::ofstream file(name, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(ErrorKind::input_output, name + ": cannot be written");
}

int eval_command(const EvalArguments& arguments, std::stop_token stop) {
  ProgressLine progress;
  const std::unique_ptr<Library> library = workspace::open_library(arguments.library);
  Material material = read_material(arguments, *library, progress, stop);
  ordered_json figures = {{"set", material.set.name}};
  if (!arguments.reworded.empty()) {
    figures.update(reword(arguments, material.set, progress, stop));
  }
  if (arguments.takes_pdf) figures["gold_spans_not_in_pdf"] = material.unplaced;
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
  ordered_json report = {{"program", "whereof " WHEREOF_VERSION}, {"set", material.set.name}};
  if (!arguments.is_retrieval_only) {
    const QuestionSet sample =
        sample_questions(questions_of_half(material.set, material.documents, arguments.ranking.half,
                                           arguments.ranking.longest_characters),
                         arguments.limit, arguments.seed);
    report["model"] = workspace::model_file(arguments.model).stem().string();
    report["settings"] = settings_json(arguments);
    const std::vector<QuestionOutcome> outcomes =
        ask_questions(material, sample, *library, arguments, progress, stop);
    figures.update(model_json(outcomes));
    report["outcomes"] = outcomes_json(outcomes);
    if (!arguments.curve.empty()) write_curve(arguments.curve, outcomes);
  }
  report["figures"] = figures;
  if (arguments.json.empty()) {
    print_figures(figures);
  } else {
    write_json(arguments.json, report);
  }
  return kAnswered;
}

void add_ranking_options(CLI::App& command, EvalArguments& arguments) {
  command
      .add_option("--retrieval", arguments.retrieval,
                  "attention: rank passages by the model's attention too")
      ->check(CLI::IsMember({"full-text", "attention"}))
      ->capture_default_str();
  command.add_option("--calibration", arguments.calibration,
                     "Calibration file instead of the model's own");
  command.add_option("--masses", arguments.masses,
                     "File that keeps what was read and answered, so that a stopped run goes on");
  command.add_option(
      "--export", arguments.exported,
      "Write passages, questions and right passages to this file, for other programs");
  command.add_option(
      "--reword", arguments.reworded,
      "Search with the model's words too, as ask --reword does; this file keeps them, "
      "so that a stopped run goes on");
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
      .add_flag("--alone", arguments.ranking.reads_candidates_alone,
                "Read each question's candidates by themselves, as ask --rank does")
      ->needs("--candidates");
  command
      .add_option("--longest-characters", arguments.ranking.longest_characters,
                  "Leave longer documents out; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      .add_option("--half", arguments.ranking.half,
                  "Only documents of this half, 1 or 2, by a hash of their names; 0: all")
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
  command->add_flag("--pdf", arguments->takes_pdf,
                    "Read NAME.pdf instead of NAME.txt where it is there");
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
  add_kept_options(*command, arguments->kept, true);
  command->add_option("--library", arguments->library, "Library file instead of the user's own");
  command->add_option("--json", arguments->json,
                      "Write model, settings, figures and outcomes to this file; -: print them");
  command->add_option("--curve", arguments->curve, "Draw risk over coverage to this file, as SVG");
  command->add_option("--seed", arguments->seed,
                      "With --limit: another sample for each; 0: the first questions");
  command
      ->add_option("--together", arguments->together,
                   "Most questions about a document that are asked at once")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->footer("\nExample:\n  whereof eval ../shared/corpus/cuad --limit 40\n");
  command->callback([arguments, &chosen] {
    chosen.run = [arguments, &chosen] { return eval_command(*arguments, chosen.stop); };
  });
}

}  // namespace whereof::cli
