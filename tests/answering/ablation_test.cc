// What an answer depends on.
#include "answering/ablation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "model/model_files.h"

namespace whereof::answering {
namespace {

using testing::ElementsAre;
using Marked = std::vector<bool>;

// Two passages: a label of two tokens, two sentences of four and a blank line; a label and one
// sentence.
Prompt two_passages() {
  Prompt prompt;
  prompt.sentences = {{{0, 10}, {7, 11}, 0}, {{10, 20}, {11, 15}, 1}, {{20, 30}, {18, 22}, 2}};
  prompt.passages = {{5, 16}, {16, 23}};
  return prompt;
}

TEST(HiddenPositions, AreThoseOfTheMarkedSentences) {
  EXPECT_THAT(hidden_positions(two_passages(), {false, true, false}), ElementsAre(Span{11, 15}));
  EXPECT_TRUE(hidden_positions(two_passages(), {false, false, false}).empty());
}

TEST(HiddenPositions, TakeTheLabelOfAPassageThatIsAllMarked) {
  EXPECT_THAT(hidden_positions(two_passages(), {false, false, true}), ElementsAre(Span{16, 23}));
  EXPECT_THAT(hidden_positions(two_passages(), {true, true, false}), ElementsAre(Span{5, 16}));
}

TEST(HiddenPositions, HideWhatLiesBetweenMarkedNeighbours) {
  EXPECT_THAT(hidden_positions(two_passages(), {false, true, true}), ElementsAre(Span{11, 23}));
  EXPECT_THAT(hidden_positions(two_passages(), {true, false, true}),
              ElementsAre(Span{7, 11}, Span{16, 23}));
}

TEST(HiddenPositions, OfPassagesOfWhichNothingIsReadAreNone) {
  Prompt prompt = two_passages();
  prompt.passages = {{5, 5}, {5, 16}, {16, 23}};
  EXPECT_THAT(hidden_positions(prompt, {true, true, false}), ElementsAre(Span{5, 16}));
}

TEST(SentencesWithin, AreThoseThatASpanTouches) {
  const std::vector<Span> text = {{5, 6}, {19, 20}};
  EXPECT_EQ(sentences_within(two_passages(), text), (Marked{true, true, false}));
  EXPECT_EQ(sentences_within(two_passages(), {}), (Marked{false, false, false}));
}

class Ablation : public testing::Test {
 protected:
  Ablation() : model_(Model::open(tests::model_file(tests::kSmolLm2))) {}

  std::vector<TokenId> tokens_of(const std::string& text) const {
    return model_->tokenizer().encode(text).ids;
  }

  // The secret is said between two sentences; the answer repeats it.
  void read() {
    document_ = tokens_of("The weather in the harbour was calm all day.");
    const std::vector<TokenId> secret = tokens_of(" The password of the harbour is marmalade.");
    secret_ = {std::ssize(document_), std::ssize(document_) + std::ssize(secret)};
    document_.insert(document_.end(), secret.begin(), secret.end());
    const std::vector<TokenId> rest = tokens_of(" The ships came home in the evening.");
    document_.insert(document_.end(), rest.begin(), rest.end());
    question_ = tokens_of(" The password of the harbour is");
    answer_ = tokens_of(" marmalade");
    ContextOptions options;
    options.capacity_tokens = 256;
    options.branch_tokens = 3 * (64 + kBranchOverheadTokens);
    branch_tokens_ = options.branch_tokens;
    context_ = Context::create(model_, options);
    ReadOptions read;
    read.wants_logits = false;
    context_->read(document_, read);
  }

  std::vector<double> scores(const std::vector<std::vector<Span>>& hidden,
                             std::int64_t branch_tokens) {
    std::vector<double> sums;
    for (const std::vector<double>& of_tokens :
         answer_log_probabilities(*context_,
                                  {.question = question_,
                                  .answer = answer_,
                                  .branch_tokens = branch_tokens,
                                  .stop = stop_.get_token()},
                                  hidden)) {
      EXPECT_EQ(of_tokens.size(), answer_.size());
      sums.push_back(std::accumulate(of_tokens.begin(), of_tokens.end(), 0.0));
    }
    return sums;
  }

  std::shared_ptr<const Model> model_;
  std::vector<TokenId> document_, question_, answer_;
  Span secret_;
  std::int64_t branch_tokens_ = 0;
  std::unique_ptr<Context> context_;
  std::stop_source stop_;
};

TEST_F(Ablation, LetsTheAnswerFallWhereItsSourceIsHidden) {
  read();
  const std::vector<double> found = scores({{}, {secret_}, {{1, 5}}}, branch_tokens_);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_LT(found[0], 0);
  EXPECT_GT(found[0] - found[1], 3) << "the password itself";
  EXPECT_LT(std::abs(found[0] - found[2]), 1) << "the weather";
}

TEST_F(Ablation, IsTheSameForManyTogetherAsForEachAlone) {
  read();
  const std::vector<std::vector<Span>> hidden = {{}, {secret_}, {{1, 5}}, {{2, 4}, secret_}};
  const std::vector<double> together = scores(hidden, branch_tokens_);
  const std::vector<double> alone = scores(hidden, 1);
  ASSERT_EQ(together.size(), alone.size());
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(together[i], alone[i], 0.05) << i;
}

TEST_F(Ablation, OfNoAnswerIsNothing) {
  read();
  answer_.clear();
  EXPECT_THAT(scores({{}, {secret_}}, branch_tokens_), ElementsAre(0, 0));
}

TEST_F(Ablation, StopsWhenAsked) {
  read();
  stop_.request_stop();
  EXPECT_ANY_THROW(scores({{}}, branch_tokens_));
}

}  // namespace
}  // namespace whereof::answering
