// Masses of windows, with a real model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/model_files.h"
#include "retrieval/made_document.h"
#include "whereof/error.h"
#include "whereof/passage_ranking.h"

namespace whereof {
namespace {

class PassageMass : public testing::Test {
 protected:
  PassageMass() : model_(Model::open(tests::model_file(tests::kSmolLm2))) {
    document_ = retrieval::DocumentMaker()
                    .clause("1", "1. This Agreement runs for five years.", "Term")
                    .clause("2", "2. The Buyer pays 40 euros for each unit.", "Price")
                    .clause("3", "3. Notices are sent by registered mail.", "Notices")
                    .make();
    for (const Clause& clause : document_.clauses) {
      passages_.push_back({clause.text, static_cast<std::int32_t>(passages_.size())});
    }
  }

  PassageMasses read(std::span<const std::string> questions, std::int64_t window_tokens) {
    PassageMassOptions options;
    options.window_tokens = window_tokens;
    return read_passage_masses(document_, passages_, questions, model_, options);
  }

  std::shared_ptr<const Model> model_;
  Document document_;
  std::vector<Passage> passages_;
};

TEST_F(PassageMass, OfEachHeadLieWithinOneWeight) {
  const std::vector<std::string> questions = {"What does a unit cost?", "How are notices sent?"};
  const PassageMasses masses = read(questions, 8192);
  EXPECT_EQ(masses.layers, model_->description().layers);
  EXPECT_EQ(masses.heads, model_->description().query_heads);
  ASSERT_EQ(masses.passages, 3);
  ASSERT_EQ(masses.questions.size(), 2U);
  for (const auto& table : {masses.content_free, masses.questions[0], masses.questions[1]}) {
    ASSERT_EQ(std::ssize(table), masses.layers * masses.heads * 3);
    for (std::size_t row = 0; row < table.size(); row += 3) {
      const float sum = table[row] + table[row + 1] + table[row + 2];
      EXPECT_GT(table[row], 0);
      EXPECT_GT(sum, 0);
      EXPECT_LE(sum, 1.0001F);
    }
  }
}

TEST_F(PassageMass, DoNotDependOnTheQuestionsBesideThem) {
  std::vector<std::string> questions(20, "How are notices sent?");  // more than branches at once
  questions.back() = "What does a unit cost?";
  const PassageMasses many = read(questions, 8192);
  const PassageMasses one = read(std::span(questions).last(1), 8192);
  const PassageMasses other = read(std::span(questions).first(1), 8192);
  for (std::size_t i = 0; i < one.questions[0].size(); ++i) {
    EXPECT_NEAR(many.questions[19][i], one.questions[0][i], 2e-3);
    EXPECT_NEAR(many.questions[0][i], other.questions[0][i], 2e-3);
  }
  EXPECT_NE(many.questions[0], many.questions[19]);
}

TEST_F(PassageMass, AWindowIsReadAsIfItStoodAlone) {
  const std::vector<std::string> questions = {"What does a unit cost?"};
  const PassageMasses apart = read(questions, 1);  // each passage in a window of its own
  for (std::size_t p = 0; p < passages_.size(); ++p) {
    PassageMassOptions options;
    const PassageMasses alone = read_passage_masses(document_, std::span(passages_).subspan(p, 1),
                                                    questions, model_, options);
    for (std::size_t row = 0; row < alone.questions[0].size(); ++row) {
      EXPECT_EQ(apart.questions[0][row * 3 + p], alone.questions[0][row]);
    }
  }
}

TEST_F(PassageMass, NoQuestionsNeedNoReading) {
  const PassageMasses masses = read({}, 8192);
  EXPECT_EQ(masses.passages, 3);
  EXPECT_TRUE(masses.questions.empty());
}

TEST_F(PassageMass, AStopIsHeard) {
  std::stop_source stop;
  stop.request_stop();
  PassageMassOptions options;
  options.stop = stop.get_token();
  const std::vector<std::string> questions = {"What does a unit cost?"};
  EXPECT_THROW(read_passage_masses(document_, passages_, questions, model_, options), Error);
}

}  // namespace
}  // namespace whereof
