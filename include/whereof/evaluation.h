// How well does it work? Question sets with gold spans, and the figures that are taken over them.
//
// A hit is a passage (of at most 800 characters, see split_passages) that overlaps a gold span of
// the question: nothing is won with long passages. Questions without an answer count in AUROC only.
#ifndef WHEREOF_EVALUATION_H_
#define WHEREOF_EVALUATION_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "whereof/answer.h"
#include "whereof/document.h"
#include "whereof/passage_ranking.h"
#include "whereof/retrieval.h"
#include "whereof/rewording.h"
#include "whereof/span.h"

namespace whereof {

// A document of a set: a file beside the questions, or text inside their file.
struct QuestionDocument {
  std::string name;
  std::filesystem::path file;  // empty where the text is given
  std::string text;            // UTF-8; empty where there is a file
};

struct GoldQuestion {
  std::int32_t document = 0;  // index into QuestionSet::documents
  std::string category;       // may be empty
  std::string text;
  bool is_answerable = false;
  std::vector<Span> gold;  // code points of the source text; empty when not answerable
  // What the gold leans on and a reader must see beside it: definitions, clauses referred to.
  std::vector<Span> needed;
  std::string more_words = {};  // searched_words() of its rewording; empty: none was made
};

struct QuestionSet {
  std::string name;  // the folder's
  std::vector<QuestionDocument> documents;
  std::vector<GoldQuestion> questions;
};

// Reads a folder that holds questions.jsonl (one object a line: document, question, answerable,
// gold_spans, optional category and needed_spans) with NAME.txt for each document beside it or in
// the folder documents where that is not empty, or dev.json in the form
// of ContractNLI (hypotheses are the questions; Entailment and Contradiction are answerable, their
// evidence spans the gold). Documents and questions keep their order in the file.
// Throws Error: not_found, input_output, bad_document (the line and what is wrong with it).
QuestionSet load_question_set(const std::filesystem::path& folder,
                              const std::filesystem::path& documents = {});

// A sample of limit questions that sees many documents: taken round by round, one of each document,
// kept in their order. limit <= 0: all. Pure.
// With a seed other than 0 the questions of each document are shuffled before, always alike.
QuestionSet sample_questions(const QuestionSet& set, std::int64_t limit, std::uint64_t seed = 0);

// 1 or 2, by a hash of the document's name: what is fitted on one half is measured on the other.
std::int64_t half_of(std::string_view document_name);

// The questions about documents of one half and of at most so many characters (0: any).
QuestionSet questions_of_half(const QuestionSet& set, std::span<const Document> documents,
                              std::int64_t half, std::int64_t longest_characters);

// Reads a document of a set with read_document; text inside a question file goes through a
// temporary file. Throws what read_document throws.
Document read_question_document(const QuestionDocument& document,
                                const ReadDocumentOptions& options = {});

// Puts the gold and needed spans of a document, code points of a text file, where they stand in the
// same contract as a PDF: bytes of its text. Returns how many were not found there; these are taken
// out, so that they count as missed.
std::int64_t place_gold(QuestionSet& set, std::int32_t document, const Document& text_file,
                        const Document& pdf);

// The source positions (code points) of a span of the text; the span itself, bytes of the text,
// where the source of the format is no text.
Span source_span(const Document& document, Span text_bytes);

// Metrics; pure functions, 0 for empty input.

// Place of the first span that overlaps a gold span, counted from 1; 0 when none does.
std::int64_t first_hit(std::span<const Span> ranked, std::span<const Span> gold);
// Share of first hits that are in 1 .. k.
double recall_at(std::span<const std::int64_t> first_hits, std::int64_t k);
double mean_reciprocal_rank(std::span<const std::int64_t> first_hits);

struct RankingFigures {
  double recall_at_1 = 0;
  double recall_at_5 = 0;
  double recall_at_10 = 0;
  double recall_at_30 = 0;
  double mean_reciprocal_rank = 0;
};
RankingFigures ranking_figures(std::span<const std::int64_t> first_hits);

struct ScoredLabel {
  double score = 0;
  bool is_positive = false;
};
// Probability that a positive scores above a negative; ties count half. 0.5 without both kinds.
double auroc(std::span<const ScoredLabel> scored);
// Spearman: the correlation of ranks, equal values sharing their mean rank; -1 .. 1, 0 where one
// side is all equal. Error(invalid_argument) for counts that differ.
double rank_correlation(std::span<const double> one, std::span<const double> other);
// The best precision of any threshold that finds at least this share of the positives.
double precision_at_recall(std::span<const ScoredLabel> scored, double recall);

// (coverage, risk) for 1, 2, ... items, the largest score first: the share of all items taken, and
// of these the share of negatives. Ties are taken together.
std::vector<std::pair<double, double>> risk_by_coverage(std::span<const ScoredLabel> scored);

// Of cited against gold spans; add up over questions, then divide.
struct CitationCounts {
  std::int64_t cited = 0;
  std::int64_t cited_right = 0;  // cited spans that overlap a gold span
  std::int64_t gold = 0;
  std::int64_t gold_found = 0;  // gold spans that a cited span overlaps
  std::int64_t cited_characters = 0;
  std::int64_t gold_characters = 0;
  std::int64_t shared_characters = 0;

  CitationCounts& operator+=(const CitationCounts& other);
  double precision() const;
  double recall() const;
  double character_precision() const;
  double character_recall() const;
};
CitationCounts compare_citations(std::span<const Span> cited, std::span<const Span> gold);

struct RewordingFigures {
  std::int64_t questions = 0;  // distinct ones that were put to the model, now or before
  double mean_words = 0;
  double mean_prompt_tokens = 0;
  double mean_reply_tokens = 0;
  double mean_seconds = 0;
};
// Gives each question the model's other words for it (whereof/rewording.h), a question that stands
// several times in the set once. A line of JSON for each stands in the file, or is put there, so
// that a stopped run goes on; an empty name: nothing is kept. Throws what reword() throws;
// Error(input_output) for a file that cannot be read or written or holds something else.
RewordingFigures reword_questions(QuestionSet& set, const std::shared_ptr<const Model>& model,
                                  const std::filesystem::path& file,
                                  const RewordingOptions& options);

// What full text alone achieves, or with the questions' more_words.
struct RetrievalFigures {
  std::int64_t documents = 0;
  std::int64_t answerable = 0;
  std::int64_t unanswerable = 0;
  double recall_at_1 = 0;
  double recall_at_5 = 0;
  double recall_at_10 = 0;
  double mean_reciprocal_rank = 0;
  double best_score_auroc = 0;     // of the best passage's score: answerable or not
  double covered_score_auroc = 0;  // of the largest score times coverage
};
// Searches each question in its document. library holds documents[i], read from set.documents[i].
// Throws what Library throws; Error(invalid_argument) when the counts differ.
RetrievalFigures measure_retrieval(const QuestionSet& set, std::span<const Document> documents,
                                   Library& library);

// Masses of a question set's documents, kept in a file, so that they are read once and a
// calibration is fitted without the model. Each record stands at its end or not at all.
class MassFile {
 public:
  // Makes no file yet; with an empty name nothing is kept. A record that is not whole is passed
  // over, and cut away by add(). Throws Error(input_output) for a file that holds something else.
  explicit MassFile(std::filesystem::path file);

  std::vector<std::string> keys() const;  // in the order of the file
  std::optional<PassageMasses> find(const std::string& key) const;
  // The JSON object that was added with them.
  std::optional<std::string> details(const std::string& key) const;
  // details: a JSON object for those who read the file.
  void add(const std::string& key, const PassageMasses& masses, const std::string& details);

 private:
  std::string header_line(std::ifstream& stream, std::int64_t place) const;
  void cut_away_unfinished() const;

  std::filesystem::path file_;
  std::int64_t whole_bytes_ = 0;                // of whole records
  std::map<std::string, std::int64_t> places_;  // of each key's record
};

struct CitedSpan {
  Span source;  // source_span() of the quotation
  double share = 0;
  bool is_minor = false;  // Citation::is_minor: in the ranking, not among what is shown
};

// What one question with the model gave.
struct QuestionOutcome {
  std::string document;
  std::string category;
  std::string question;
  std::string answer;
  bool is_answerable = false;
  Verdict verdict = Verdict::no_basis;
  std::int64_t first_hit = 0;    // place of the first cited passage that is right; 0: none
  std::vector<CitedSpan> cited;  // best first
  // Of the quotations that a reader is shown, where an answerable question was answered.
  CitationCounts counts;
  AnswerSignals signals;
  // support_probability() of a calibrated model, else the probability that it does not decline.
  double support = 0;
  double seconds = 0;  // its share of the time of the questions that were asked together
};

struct AnswerMeasureOptions {
  AskOptions asking;
  std::int64_t together = 16;  // most questions of a document that are asked together
};

// Asks the model all questions of the set, document by document, the shortest first. Outcomes, with
// the masses of question and answer rows on passages, are taken from the file or put there, so that
// a stopped run goes on. Throws what ask_all throws.
std::vector<QuestionOutcome> measure_answers(const QuestionSet& set,
                                             std::span<const Document> documents, Library& library,
                                             const std::shared_ptr<const Model>& model,
                                             MassFile& file, const AnswerMeasureOptions& options);

// The same questions ranked three ways.
struct AttentionFigures {
  std::int64_t documents = 0;
  std::int64_t questions = 0;  // with an answer
  RankingFigures full_text;
  RankingFigures attention;
  RankingFigures both;
};

struct AttentionMeasureOptions {
  PassageMassOptions reading;
  std::int64_t candidates = 0;  // so many best by full text are ranked anew; 0: all
  // Each question is read over its candidates alone, as ask ranks them, not over the document.
  bool reads_candidates_alone = false;
  std::int64_t longest_characters = 0;  // longer documents are left out; 0: none is
  std::int64_t half = 0;                // half_of() the documents; 0: all
};

// Ranks the passages of each question's document by attention. The masses of a document are taken
// from the file, or read and put there; shortest documents first. Throws what read_passage_masses
// and Library throw.
AttentionFigures measure_attention_ranking(const QuestionSet& set,
                                           std::span<const Document> documents, Library& library,
                                           const std::shared_ptr<const Model>& model,
                                           const HeadWeights& weights, MassFile& file,
                                           const AttentionMeasureOptions& options);

// For other programs that rank passages (bench/dense_retrieval.py): a line of JSON a document, with
// the texts of passages and of the questions it answers, the indices of right passages and the
// full-text scores. Throws what Library throws.
void export_passages(const QuestionSet& set, std::span<const Document> documents, Library& library,
                     std::ostream& out);

// How often what is read holds all that a question needs, its gold spans and needed spans, when no
// more than so many characters are read: with what the found passages lean on, and without.
struct ClosureFigures {
  std::int64_t questions = 0;  // of those with needed spans
  std::int64_t room_characters = 0;
  double holds_all = 0;             // share of them, by choose_passages
  double holds_all_without = 0;     // the same where found passages fill the room alone
  std::vector<std::string> missed;  // the questions that were not held in the first way
};
// As measure_retrieval.
ClosureFigures measure_closure(const QuestionSet& set, std::span<const Document> documents,
                               Library& library, std::int64_t room_characters);

}  // namespace whereof

#endif  // WHEREOF_EVALUATION_H_
