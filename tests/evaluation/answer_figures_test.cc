// A made question set asked with SmolLM2: what is kept is what was answered, and is taken again.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "model/model_files.h"
#include "retrieval/made_document.h"
#include "whereof/calibration_fit.h"
#include "whereof/error.h"
#include "whereof/evaluation.h"
#include "whereof/passage_ranking.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;

class AnswerFigures : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    model_ = new std::shared_ptr<const Model>(Model::open(tests::model_file(tests::kSmolLm2)));
  }
  static void TearDownTestSuite() { delete model_; }

  AnswerFigures()
      : folder_(fs::path(testing::TempDir()) / ("whereof-asked-" + std::to_string(::getpid()))) {
    fs::create_directory(folder_);
    library_ = Library::open(folder_ / "library.sqlite");
    for (const char* law : {"Ruritania", "Zenda"}) {
      retrieval::DocumentMaker maker;
      maker.clause("1", "1. The Supplier delivers the goods on Mondays.", "Delivery");
      maker.clause("2", std::string("2. This Agreement is governed by the law of ") + law + ".",
                   "Governing law");
      documents_.push_back(maker.make());
      documents_.back().name = law;
      library_->add(documents_.back());
      set_.documents.push_back({law, {}, documents_.back().text});
      const auto document = static_cast<std::int32_t>(documents_.size()) - 1;
      set_.questions.push_back({document, "law", "Which law governs?", true, {{50, 90}}, {}});
      set_.questions.push_back({document, "cap", "What is the cap on liability?", false, {}, {}});
    }
    options_.asking.max_answer_tokens = 4;
    options_.asking.keeps_masses = true;
    options_.asking.machine.flops_per_second = 1e11;
    options_.asking.machine.attention_flops_per_second = 1e11;
    options_.asking.machine.bytes_per_second = 1e10;
  }
  ~AnswerFigures() override {
    library_.reset();
    fs::remove_all(folder_);
  }

  std::vector<QuestionOutcome> run() {
    MassFile file(masses());
    return measure_answers(set_, documents_, *library_, *model_, file, options_);
  }
  fs::path masses() const { return folder_ / "masses"; }

  static std::shared_ptr<const Model>* model_;
  fs::path folder_;
  std::unique_ptr<Library> library_;
  QuestionSet set_;
  std::vector<Document> documents_;
  AnswerMeasureOptions options_;
};
std::shared_ptr<const Model>* AnswerFigures::model_ = nullptr;

TEST_F(AnswerFigures, AreMeasuredOnceAndThenTakenFromTheFile) {
  const std::vector<QuestionOutcome> asked = run();
  const auto size = fs::file_size(masses());
  ASSERT_EQ(asked.size(), 4U);
  for (const QuestionOutcome& outcome : asked) {
    EXPECT_GT(outcome.signals.max_document_weight, 0);
    EXPECT_LT(outcome.signals.mean_log_probability, 0);
    EXPECT_GT(outcome.signals.entropy_share, 0);
    EXPECT_LT(outcome.signals.entropy_share, 1);
    EXPECT_GT(outcome.signals.lookback_ratio, 0);
    EXPECT_LT(outcome.signals.lookback_ratio, 1);
    EXPECT_GT(outcome.seconds, 0);
  }
  const std::vector<QuestionOutcome> again = run();
  EXPECT_EQ(fs::file_size(masses()), size) << "asked again";
  ASSERT_EQ(again.size(), asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_EQ(again[i].document, asked[i].document);
    EXPECT_EQ(again[i].answer, asked[i].answer);
    EXPECT_EQ(again[i].is_answerable, asked[i].is_answerable);
    EXPECT_EQ(again[i].verdict, asked[i].verdict);
    EXPECT_EQ(again[i].seconds, asked[i].seconds);
    for (const SignalName& signal : kAnswerSignals) {
      EXPECT_EQ(again[i].signals.*signal.value, asked[i].signals.*signal.value) << signal.name;
    }
  }
}

TEST_F(AnswerFigures, QuestionsTogetherAreAnsweredAsAlone) {
  const std::vector<QuestionOutcome> together = run();
  options_.together = 1;
  const std::vector<QuestionOutcome> alone = run();
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(alone[i].question, together[i].question);
    EXPECT_EQ(alone[i].answer, together[i].answer);
  }
}

TEST_F(AnswerFigures, AnotherSettingIsAskedAnew) {
  run();
  const auto size = fs::file_size(masses());
  options_.asking.max_answer_tokens = 3;
  run();
  EXPECT_GT(fs::file_size(masses()), size);
}

// Of a document of more passages than full text would rank for citations alone.
TEST_F(AnswerFigures, FullTextIsStandardisedOverAllPassagesAsInTheFit) {
  retrieval::DocumentMaker maker;
  for (int clause = 1; clause <= 40; ++clause) {
    std::string text = std::to_string(clause) + ". Goods";
    for (int i = 0; i < clause % 7; ++i) text += " under law";
    maker.clause(std::to_string(clause), text + ".", "");
  }
  documents_ = {maker.make()};
  library_->add(documents_[0]);
  set_.documents = {{"Many", {}, documents_[0].text}};
  set_.questions = {{0, "law", "Which law governs the goods?", true, {{0, 9}}, {}}};
  const double found = run().at(0).signals.words_at_best;
  CalibrationExamples examples;
  examples.add("made", MassFile(masses()));
  const std::vector<double>& words = examples.all.at(0).words;
  ASSERT_EQ(words.size(), 40U);
  bool is_one_of_them = false;
  for (std::size_t p = 0; p < words.size(); ++p) {
    std::vector<double> attention(words.size(), 0);
    attention[p] = 1;
    is_one_of_them |= std::abs(words_at_best(attention, words) - found) < 1e-9;
  }
  EXPECT_TRUE(is_one_of_them) << found;
}

TEST_F(AnswerFigures, CountsThatDifferAreRefused) {
  documents_.pop_back();
  EXPECT_THROW(run(), Error);
}

}  // namespace
}  // namespace whereof
