// Which heads' masses foretell what an answer depends on.
//
// What an answer depends on is measured by hiding clauses (whereof/ablation.h), which costs a pass
// a clause. From such measurements heads are weighted whose masses say beforehand which clauses
// those will be, after AT2 (Cohen-Wang et al. 2025, arXiv 2504.13752). With share(r, h, c) the lift
// of clause c by head h over the content-free rows, as a part of the head's mass on the document
// (whereof/passage_ranking.h), r the rows of the question or of the answer:
//
//     foretold(c) = sum over r, h of w(r, h) share(r, h, c),   w >= 0
//
// and what is made small is the mean over answers of the mean over clauses of
//
//     (foretold(c) - asinh(fall(c) / unit))^2,  both less their mean over the answer's clauses,
//
// with an L1 penalty, so that few heads are left, and an L2 one; by coordinate descent, each head
// in its own unit. asinh keeps the order of falls and lets neither the one large fall of an answer
// nor the noise of all others weigh too much. Pure but for the records; the same bits every time.
#ifndef WHEREOF_DEPENDENCE_FIT_H_
#define WHEREOF_DEPENDENCE_FIT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "whereof/answer.h"
#include "whereof/calibration.h"
#include "whereof/evaluation.h"
#include "whereof/passage_ranking.h"

namespace whereof {

struct DependenceMeasureOptions {
  AskOptions asking;
  std::int64_t together = 6;   // most questions of a document that are asked together
  std::int64_t documents = 0;  // the shortest ones of each half; 0: all
};

// Asks the questions of the set that have an answer, of the shortest documents first, and hides
// each clause from each answer. A record of the file is one of questions asked together; its masses
// are on clauses. What the file holds is not asked again, so that a stopped run goes on. Throws
// what Context and MassFile throw; Error(over_window) for a document that is longer than the
// window.
void measure_dependence(const QuestionSet& set, std::span<const Document> documents,
                        const std::shared_ptr<const Model>& model, MassFile& file,
                        const DependenceMeasureOptions& options);

// An answer with what hiding each clause did to it.
struct DependenceExample {
  std::string set;
  std::int64_t half = 1;                        // 1 or 2, half_of() the document
  std::shared_ptr<const PassageMasses> masses;  // on clauses
  std::size_t question = 0;                     // which of theirs
  std::vector<double> falls;                    // [clauses], nats
  std::vector<double> part_falls;               // of every other token of the answer alone
};

struct DependenceExamples {
  std::int64_t layers = 0;
  std::int64_t heads = 0;  // of a layer
  std::vector<DependenceExample> all;

  // All answers of a file of measure_dependence() that do not decline ("Not stated" depends on
  // nothing) and have at least two tokens and three clauses. Throws Error(invalid_argument) for
  // another number of heads than before, or a record that contradicts itself; what MassFile throws.
  void add(const std::string& set, const MassFile& file);
};

// Of the rows of the question and of the answer, each in a row's unit; more than 0.
struct DependenceWeights {
  std::vector<HeadWeight> question;
  std::vector<HeadWeight> answer;

  bool is_fitted() const noexcept { return !question.empty() || !answer.empty(); }
};

struct DependenceFitOptions {
  std::int64_t half = 1;   // that is fitted on
  double fall_unit = 0.1;  // nats
  double l1 = 0.01;
  double l2 = 0.03;
};

// Empty where the half has no answer.
DependenceWeights fit_dependence(const DependenceExamples& examples,
                                 const DependenceFitOptions& options);

// foretold(c) for one answer; [clauses]. Error(invalid_argument) for a head that the masses do not
// have.
std::vector<double> foretold_falls(const PassageMasses& masses, std::size_t question,
                                   const DependenceWeights& weights);

// Spearman's correlation over the clauses of an answer, mean over answers.
struct DependenceFigures {
  std::string set;
  std::int64_t half = 0;
  std::int64_t answers = 0;
  // Of falls with: foretold ones, the scores of the heads that find passages, all heads alike (rows
  // of question and answer summed).
  double foretold = 0;
  double finding = 0;
  double alike = 0;
  // Of the falls of every other token with those of the rest: how far falls agree with themselves.
  double halves = 0;
  // The same over clauses that move the answer by at least kNoticeableFall, where there are three.
  std::int64_t noticeable_answers = 0;
  double noticeable_foretold = 0;
  double noticeable_finding = 0;
  // Answers with a clear fall; of these, how often the clause of the largest fall comes first.
  std::int64_t clear_answers = 0;
  double first_foretold = 0;
  double first_finding = 0;
};
constexpr double kNoticeableFall = 0.1;  // nats

// For each set and half. finding: the heads that find passages.
std::vector<DependenceFigures> dependence_figures(const DependenceExamples& examples,
                                                  const HeadWeights& finding,
                                                  const DependenceWeights& weights);

}  // namespace whereof

#endif  // WHEREOF_DEPENDENCE_FIT_H_
