// A question about a document, answered with the clauses that the answer was read from.
#ifndef WHEREOF_ANSWER_H_
#define WHEREOF_ANSWER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/ablation.h"
#include "whereof/alarm.h"
#include "whereof/answer_signals.h"
#include "whereof/budget.h"
#include "whereof/calibration.h"
#include "whereof/diagnosis.h"
#include "whereof/document.h"
#include "whereof/kv_store.h"
#include "whereof/model.h"
#include "whereof/passage_choice.h"
#include "whereof/progress.h"
#include "whereof/retrieval.h"
#include "whereof/verdict.h"

namespace whereof {

enum class Route {
  whole_document,  // every clause was read
  passages,        // those that are named or found, and what they lean on, in document order
  // The same of a document longer than the model's window, but as they were read with all that
  // stands before them in one of the windows that the document was read in.
  hybrid,
};
std::string_view name_of(Route route) noexcept;

// Why this route, in figures.
struct RoutePlan {
  Route route = Route::whole_document;
  std::int64_t document_tokens = 0;
  std::int64_t prompt_tokens = 0;  // of the prompt that was read
  std::int64_t kept_tokens = 0;    // of these, kept from an earlier reading or taken from windows
  std::int64_t windows = 0;        // hybrid: that the passages are taken from
  std::int64_t window_tokens_read = 0;  // hybrid: of these windows, not kept before
  std::int64_t window_tokens = 0;
  std::int64_t passages_read = 0;
  std::int64_t passages_in_document = 0;
  std::int64_t passages_ranked = 0;  // candidates that were read once more, to be ranked
  double whole_seconds = 0;          // predicted for the whole document
  double predicted_seconds = 0;      // predicted for the prompt of the chosen route
  double ranking_seconds = 0;        // predicted for the candidates that were ranked before
  // The model's other words for the question that were looked for (whereof/rewording.h), and what
  // asking for them costs by prediction.
  std::vector<std::string> added_words;
  double rewording_seconds = 0;
  double budget_seconds = 0;
  std::string reason;  // one line
  // Route::passages of one document: what is read and why, in document order.
  std::vector<ChosenPassage> chosen;
};
// Tokens that are computed before the answer.
inline std::int64_t computed_tokens(const RoutePlan& plan) noexcept {
  return plan.prompt_tokens - plan.kept_tokens + plan.window_tokens_read;
}

// A clause that the answer was read from.
struct Citation {
  std::int32_t document = 0;  // index into LibraryAnswer::documents; 0 for a single document
  std::string document_name;  // empty for a single document
  std::int32_t clause = -1;   // index into Document::clauses; -1: of none
  std::string label;          // Clause::label; empty before the first and of none
  std::string heading;
  std::int32_t page = 0;       // index into Document::pages, of the quotation
  std::string page_label;      // empty where the format has no pages
  Span quotation;              // bytes of Document::text
  std::string quotation_text;  // exactly Document::slice(quotation)
  double share = 0;            // of the evidence mass on the document, 0 .. 1
  double lift = 0;             // share over the share that its length alone would get
  // It has little evidence beside the first one, no figure of the answer that those before it lack,
  // and the question does not name its clause: given only to those who want it, or verify.
  bool is_minor = false;
  // When the cited clause is hidden (of no clause: the quotation); with AskOptions::verifies.
  std::optional<AblationEffect> ablation;
  // Extracts: the passage that the quotation lies in, likewise; else empty.
  Span passage;
  std::string passage_text;
};

// A sentence of an answer, with what it was read from.
struct AnswerSentence {
  Span text;                        // bytes of Answer::text
  std::vector<Citation> citations;  // largest share first, of this sentence's evidence
};

// The mean weight of rows on each sentence that was read, head by head.
struct AnswerMasses {
  std::int64_t layers = 0;
  std::int64_t heads = 0;       // of a layer
  std::vector<Span> sentences;  // bytes of Document::text, ascending
  // [layers, heads, sentences] each; answer: empty for an answer of no tokens.
  std::shared_ptr<const std::vector<float>> content_free;
  std::vector<float> question;
  std::vector<float> answer;
  // What citations are made from: of these rows, the masses of the calibration's heads less the
  // content-free ones, never below zero; [sentences] each.
  std::vector<double> question_scores;
  std::vector<double> answer_scores;
  // Of the rows of each sentence of the answer; empty for those past the first 64.
  std::vector<std::vector<double>> answer_sentences;
};

struct Answer {
  std::string question;
  std::string language;     // of the question: "en" or "zh"
  bool is_extract = false;  // AskOptions::is_extract: the citations alone
  std::string text;         // what the model said, also when it is withheld
  Verdict verdict = Verdict::no_basis;
  std::vector<std::string> reasons;  // of the verdict, one line each
  std::vector<VerdictSignal> verdict_signals;
  // Of the whole answer, the largest share first, but that a clause with figures of the answer
  // comes before one of about its share without them. Extracts: the best passage first.
  std::vector<Citation> citations;
  // Of the text, in order; those past the first 64 have no citations of their own. Empty for an
  // extract.
  std::vector<AnswerSentence> sentences;
  RoutePlan plan;
  AnswerSignals signals;
  std::vector<LayerFigures> layers;            // [layers] of the model
  std::vector<Alarm> alarms;                   // of the document first
  double uniform_threshold = 0;                // 2 / T
  std::shared_ptr<const AnswerMasses> masses;  // null but for AskOptions::keeps_masses
  double prefill_seconds = 0;
  double decode_seconds = 0;
  std::int64_t answer_tokens = 0;
  bool is_truncated = false;                 // ended by max_answer_tokens
  std::optional<ClauseDiagnosis> diagnosis;  // of AskOptions::expected
  std::string keeping_trouble;  // KeptReading::trouble, when the store could not keep the reading
};

struct AskOptions {
  double budget_seconds = 60;  // for reading the prompt
  // Where passages are read: whether the candidates of full text are read first and ranked by
  // attention, for up to two thirds of budget_seconds, and the best of them in what is left.
  bool ranks_by_attention = false;
  // Where passages are searched for: whether the model is asked for other words for the question
  // first, which full text looks for too; not where that would take more than a fourth of
  // budget_seconds, or where the question names clauses.
  bool rewords = false;
  std::int64_t max_answer_tokens = 256;
  std::int64_t max_citations = 5;
  // Whether citations that are minor are given too: for rankings. Where the answer is verified they
  // always are, each with what hiding it does.
  bool keeps_minor = false;
  // Whether each cited clause is hidden in turn and the answer scored again (whereof/ablation.h).
  bool verifies = false;
  // What the answer should rest on: each answer is then verified, and says why it does not. For one
  // document only.
  std::optional<ExpectedText> expected;
  // Bytes of Document::text whose sentences are hidden: they are read, but neither the question nor
  // the answer sees them. For one document only.
  std::vector<Span> hidden;
  // Content hashes of the documents that ask_library reads; empty: all that the library holds.
  std::vector<std::string> documents;
  // What was asked before, oldest first, so that the question may refer to it ("And for the
  // Seller?"): the last three, of together at most 4,096 bytes, search with it, the more the fewer
  // words it has of its own, and are read between the document and the question. What was answered
  // is not: an answer is no source. Evidence and verdict are of the question's own words and rows.
  std::vector<std::string> earlier;
  // No answer is written: the passages are cited that the question's rows and full text find, with
  // a verdict on them.
  bool is_extract = false;
  SamplerOptions sampler;
  int threads = 0;
  // What computes the tokens, together with those of other calls (ContextOptions::shared_steps); of
  // the same model; null: this call alone.
  std::shared_ptr<SharedSteps> shared_steps = nullptr;
  Calibration calibration;                        // of the model; not calibrated: the plain rules
  bool keeps_masses = false;                      // Answer::masses
  MachineSpeed machine;                           // measured speeds of this machine with this model
  std::function<void(const RoutePlan&)> on_plan;  // before the prompt is read
  std::function<void(std::string_view)> on_text;  // whole UTF-8 characters, as they come
  // Where the reading of a whole document is kept and taken from; null: nowhere.
  std::shared_ptr<KvStore> store;
  ElementType kv_type = ElementType::bf16;    // ContextOptions::kv_type
  InjectedFault fault = InjectedFault::none;  // for tests: the answer is then refused
  ProgressCallback progress;
  std::stop_token stop;
};

// Plans, retrieves, reads, answers, measures. The library must hold the document (for its index).
// Throws what Model, Context and Library throw; Error(failed_check) when keys do not stand where
// they belong (Context::check_positions); Error(over_window) when the question alone fills the
// window; Error(invalid_argument) for an empty question.
Answer ask(const Document& document, Library& library, std::shared_ptr<const Model> model,
           std::string_view question, const AskOptions& options);

// The same for several questions: those for which the whole document is read run together over one
// reading. on_text is called for a single question only. Answers in the order of the questions.
std::vector<Answer> ask_all(const Document& document, Library& library,
                            std::shared_ptr<const Model> model,
                            std::span<const std::string> questions, const AskOptions& options);

// An answer read from passages of several documents.
struct LibraryAnswer {
  Answer answer;                    // citations name their documents
  std::vector<Document> documents;  // that passages were read from, the best hit's first
  // What is read of each and why, in document order; [documents]. RoutePlan::chosen is empty.
  std::vector<std::vector<ChosenPassage>> chosen;
  std::vector<std::string> outdated;  // names of documents that were left out, see FileState
};

// A question to all documents of the library: the best passages over all of them, from at most 12
// documents, with what these passages lean on. Throws as ask does; Error(not_found) when the
// library holds no word of the question.
LibraryAnswer ask_library(Library& library, std::shared_ptr<const Model> model,
                          std::string_view question, const AskOptions& options);

struct ReadAhead {
  std::int64_t tokens = 0;  // of the document as a question puts it to the model, all windows
  std::int64_t windows = 1;
  std::int64_t kept_before = 0;  // of these, kept already
  double seconds = 0;
  std::string trouble;  // KeptReading::trouble
};

// Reads the whole document into the store, so that questions in its language find it there; in
// several windows where it is longer than the model's, which are then kept apart. Of options only
// threads, shared_steps, store (not null), kv_type, fault, progress and stop are looked at.
// Error(over_window) for a passage that is longer than the window. Error(cancelled) when stopped:
// what was read is kept up to the last whole block.
ReadAhead read_ahead(const Document& document, std::shared_ptr<const Model> model,
                     const AskOptions& options);

// The shape of a model for budget.h.
ModelShape shape_of(const ModelDescription& description);

// Speeds of this machine with this model, by two measurements of about a second together. name is
// "this machine"; bytes_per_second is what decoding reaches. Throws as Context does.
MachineSpeed measure_machine(const std::shared_ptr<const Model>& model, int threads = 0);

}  // namespace whereof

#endif  // WHEREOF_ANSWER_H_
