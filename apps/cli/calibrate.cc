// whereof calibrate MODEL: which heads find what is asked for, and what signals say of an answer.
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "commands.h"
#include "exit_codes.h"
#include "terminal.h"
#include "whereof/calibration_fit.h"
#include "whereof/error.h"
#include "whereof/probes.h"
#include "workspace/machine_file.h"
#include "workspace/model_files.h"

namespace whereof::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kNoBudget = 1e6;  // seconds: documents are read whole where the window holds them
constexpr std::int64_t kFittedHalf = 1;

struct CalibrateArguments {
  std::string model;
  std::vector<std::string> sets;     // folders
  std::vector<std::string> records;  // files
  ProbeOptions probes;
  bool wants_probes = true;
  std::int64_t longest_characters = 30'000;
  std::int64_t together = 16;
  std::string kept;    // folder
  std::string output;  // file
  AskOptions asking;
};

// A library that nobody else sees, for full-text scores; gone with the object.
class PassingLibrary {
 public:
  PassingLibrary() {
    std::string pattern = (fs::temp_directory_path() / "whereof-calibrate-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw Error(ErrorKind::input_output, pattern + ": cannot be made");
    }
    folder_ = pattern;
    library_ = Library::open(folder_ / "library.db");
  }
  ~PassingLibrary() {
    library_.reset();
    std::error_code ignored;  // a file left in the temporary folder harms nobody
    fs::remove_all(folder_, ignored);
  }
  PassingLibrary(const PassingLibrary&) = delete;
  PassingLibrary& operator=(const PassingLibrary&) = delete;
  Library& operator*() { return *library_; }

 private:
  fs::path folder_;
  std::unique_ptr<Library> library_;
};

// Where the records of a set are kept until the calibration is written, so that a stopped run goes
// on.
fs::path records_of(const CalibrateArguments& arguments, const Model& model,
                    const std::string& set) {
  const std::string folder =
      arguments.kept.empty() ? workspace::own_calibrations().string() : arguments.kept;
  if (folder.empty()) {
    throw Error(ErrorKind::invalid_argument,
                "neither XDG_CACHE_HOME nor HOME is set; give a folder for records with --kept");
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(ErrorKind::input_output, folder + ": " + error.message());
  return fs::path(folder) / (model.description().path.stem().string() + "-" + set + ".masses");
}

// Asks the model all questions of a set.
void ask_set(const CalibrateArguments& arguments, const QuestionSet& whole,
             const std::shared_ptr<const Model>& model, const fs::path& records,
             ProgressLine& progress, std::stop_token stop) {
  PassingLibrary library;
  std::vector<Document> documents;
  ReadDocumentOptions reading;
  reading.stop = stop;
  for (const QuestionDocument& document : whole.documents) {
    progress.show(
        {"reading " + whole.name, "documents", std::ssize(documents), std::ssize(whole.documents)});
    documents.push_back(read_question_document(document, reading));
    (*library).add(documents.back());
  }
  const QuestionSet set = questions_of_half(whole, documents, 0, arguments.longest_characters);
  AnswerMeasureOptions options{arguments.asking, arguments.together};
  options.asking.budget_seconds = kNoBudget;
  options.asking.machine = workspace::machine_speed(model, options.asking.threads, false);
  options.asking.keeps_masses = true;
  options.asking.progress = progress.callback();
  options.asking.stop = stop;
  MassFile file(records);
  measure_answers(set, documents, *library, model, file, options);
  progress.clear();
}

std::string ranking_line(const char* name, const RankingFigures& figures) {
  return fmt::format("  {:<22} {:.3f} / {:.3f} / {:.3f}   MRR {:.3f}", name, figures.recall_at_1,
                     figures.recall_at_5, figures.recall_at_10, figures.mean_reciprocal_rank);
}

std::vector<std::string> lines_of(const CalibrationFigures& figures, const Calibration& fitted) {
  std::vector<std::string> lines;
  if (figures.ranked > 0) {
    lines.push_back(fmt::format("{}: {} questions with an answer, recall at 1 / 5 / 10",
                                figures.set, figures.ranked));
    lines.push_back(ranking_line("full text", figures.full_text));
    lines.push_back(ranking_line("all heads alike", figures.alike));
    if (fitted.heads.is_fitted()) {
      lines.push_back(ranking_line("chosen heads", figures.attention));
      lines.push_back(ranking_line("both", figures.both));
    }
  }
  if (fitted.is_fitted() && figures.judged > 0) {
    lines.push_back(fmt::format("{}: {} questions asked, {} of them with an answer", figures.set,
                                figures.judged, figures.answerable));
    lines.push_back(fmt::format(
        "  answerable or not: AUROC {:.3f} (declining alone {:.3f}), precision at 80 % "
        "recall {:.2f}",
        figures.abstention_auroc, figures.decline_auroc, figures.precision_at_80_recall));
    lines.push_back(fmt::format(
        "  supported: precision {:.2f}, recall {:.2f}; weak or supported: {:.2f}, {:.2f}",
        figures.supported_precision, figures.supported_recall, figures.weak_precision,
        figures.weak_recall));
  }
  return lines;
}

// Whether the chosen heads rank better than all heads alike on what they were not fitted on.
bool are_heads_better(const std::vector<CalibrationFigures>& all) {
  double gain = 0;
  for (const CalibrationFigures& figures : all) {
    if (figures.half == kFittedHalf) continue;
    gain += figures.attention.mean_reciprocal_rank - figures.alike.mean_reciprocal_rank;
  }
  return gain > 0;
}

// Whether the signals together tell what has an answer better than declining alone does, on what
// they were not fitted on: plain rules are made from that.
bool is_verdict_better(const std::vector<CalibrationFigures>& all) {
  double gain = 0;
  for (const CalibrationFigures& figures : all) {
    if (figures.half == kFittedHalf) continue;
    gain += figures.abstention_auroc - figures.decline_auroc;
  }
  return gain > 0;
}

Calibration fitted_to(const CalibrationExamples& examples, const ModelDescription& model) {
  FitOptions options;
  options.half = kFittedHalf;
  HeadWeights heads = fit_heads(examples, options);
  Calibration calibration = fit_calibration(examples, heads, options);
  std::vector<CalibrationFigures> all = measure_calibration(examples, calibration);
  std::vector<std::string> without;
  if (heads.is_fitted() && !are_heads_better(all)) {
    without.emplace_back("no heads: chosen ones rank no better than all alike on the other half");
    calibration = fit_calibration(examples, HeadWeights(), options);
    calibration.heads.source = "all heads alike";
    all = measure_calibration(examples, calibration);
  }
  if (calibration.is_fitted() && !is_verdict_better(all)) {
    without.emplace_back(
        "no verdict: fitted signals tell no better than declining alone on the other half");
    calibration.signals.clear();
  }
  std::vector<std::string>& notes = calibration.notes;
  notes = {"Calibration of " + shown(model.name) + ", by whereof calibrate.",
           "Fitted on the documents of one half of each set; these figures are of the other half."};
  notes.insert(notes.end(), without.begin(), without.end());
  for (const CalibrationFigures& figures : all) {
    const std::vector<std::string> lines = lines_of(figures, calibration);
    if (figures.half != kFittedHalf) notes.insert(notes.end(), lines.begin(), lines.end());
    const char* kind = figures.half == kFittedHalf ? "fitted on" : "held out";
    if (!lines.empty()) fmt::print("{}\n  {}\n", kind, fmt::join(lines, "\n  "));
  }
  return calibration;
}

int calibrate_command(CalibrateArguments& arguments, std::stop_token stop) {
  ProgressLine progress;
  const std::shared_ptr<const Model> model = Model::open(workspace::model_file(arguments.model));
  std::vector<QuestionSet> sets;
  for (const std::string& folder : arguments.sets) sets.push_back(load_question_set(folder));
  if (arguments.wants_probes && arguments.records.empty()) {
    sets.push_back(make_probes(arguments.probes));
  }
  CalibrationExamples examples;
  std::vector<fs::path> made;
  for (const QuestionSet& set : sets) {
    made.push_back(records_of(arguments, *model, set.name));
    ask_set(arguments, set, model, made.back(), progress, stop);
    examples.add(set.name, MassFile(made.back()));
  }
  for (const std::string& file : arguments.records) {
    if (!fs::exists(file)) throw Error(ErrorKind::not_found, file + ": no such file");
    examples.add(fs::path(file).stem().string(), MassFile(file));
  }
  const ModelDescription& description = model->description();
  if (examples.layers != description.layers || examples.heads != description.query_heads) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("records of {} layers of {} heads; {} has {} of {}", examples.layers,
                    examples.heads, description.name, description.layers, description.query_heads));
  }
  Calibration calibration = fitted_to(examples, description);
  calibration.alarms = workspace::calibration_of(*model).alarms;  // which bench/clean_runs.py takes
  if (!calibration.heads.is_fitted() && !calibration.is_fitted()) {
    fmt::print(stderr, "whereof: nothing could be fitted, and nothing was written\n");
    return kFailed;
  }
  const fs::path output =
      arguments.output.empty()
          ? workspace::own_calibrations() / (description.path.stem().string() + ".calibration")
          : fs::path(arguments.output);
  calibration.save(output, description);
  fmt::print("written: {}\n", output.string());
  std::error_code ignored;  // records that stay take space, no more
  if (arguments.kept.empty()) {
    for (const fs::path& file : made) fs::remove(file, ignored);
  }
  return kAnswered;
}

}  // namespace

void add_calibrate(CLI::App& program, Chosen& chosen) {
  auto arguments = std::make_shared<CalibrateArguments>();
  arguments->asking.max_answer_tokens = 24;
  CLI::App* command = program.add_subcommand(
      "calibrate", "Find the heads of a model that carry evidence, and fit its verdicts");
  command->add_option("MODEL", arguments->model, "Name of a fetched model, or a GGUF file")
      ->required();
  command->add_option("--set", arguments->sets,
                      "Folder with questions.jsonl and documents, beside the probes");
  command->add_option("--records", arguments->records,
                      "File that whereof eval --masses or --kept here has kept, instead of asking");
  command->add_flag("!--no-probes", arguments->wants_probes, "Without the documents made for this");
  command
      ->add_option("--probe-rounds", arguments->probes.rounds,
                   "Made documents of each length and language")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--probe-facts", arguments->probes.planted, "Facts that each of them holds")
      ->check(CLI::Range(1, 11))
      ->capture_default_str();
  command->add_option("--probe-tokens", arguments->probes.lengths_tokens, "Their lengths, about")
      ->check(CLI::Range(100, 1 << 20))
      ->capture_default_str();
  command
      ->add_option("--longest-characters", arguments->longest_characters,
                   "Leave out longer documents of sets; 0: none")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_option("--kept", arguments->kept,
                      "Folder where what was measured stays, for --records");
  command->add_option("--output", arguments->output,
                      "Calibration file instead of the user's own for this model");
  command->add_option("--max-tokens", arguments->asking.max_answer_tokens, "Longest answer")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--threads", arguments->asking.threads, "0: all processors")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->footer(
      "\nA stopped run goes on where it was. The user's own calibration goes before the shipped "
      "one."
      "\n\nExample:\n  whereof calibrate smollm2 --set ../shared/corpus/cuad\n");
  command->callback([arguments, &chosen] {
    chosen.run = [arguments, &chosen] { return calibrate_command(*arguments, chosen.stop); };
  });
}

}  // namespace whereof::cli
