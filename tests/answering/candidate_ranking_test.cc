#include "answering/candidate_ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "model/model_files.h"
#include "retrieval/made_document.h"

namespace whereof::answering {
namespace {

constexpr int kClauses = 60;

class Candidates : public testing::Test {
 protected:
  Candidates()
      : file_(std::filesystem::temp_directory_path() /
              ("whereof-candidates-" + std::to_string(getpid()) + ".sqlite")),
        model_(Model::open(tests::model_file(tests::kSmolLm2))) {
    retrieval::DocumentMaker maker;
    for (int i = 1; i <= kClauses; ++i) {
      const std::string number = std::to_string(i);
      maker.clause(number, number + ". The Buyer pays the price of unit " + number + " in euros.",
                   "Price " + number);
    }
    document_ = maker.make();
    passages_ = split_passages(document_);
    library_ = Library::open(file_);
    library_->add(document_);
    options_.max_answer_tokens = 2;
    options_.machine.flops_per_second = options_.machine.attention_flops_per_second = 1e11;
    options_.machine.bytes_per_second = 1e10;
  }
  ~Candidates() override {
    library_.reset();
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }

  std::filesystem::path file_;
  std::shared_ptr<const Model> model_;
  Document document_;
  std::vector<Passage> passages_;
  std::unique_ptr<Library> library_;
  AskOptions options_;
};

TEST_F(Candidates, AreNotRankedWhereFewMatchOrFit) {
  const auto rank = [&](const char* question, std::int64_t most_tokens) {
    return rank_candidates(document_, passages_, *library_, {question, ""}, model_, most_tokens,
                           options_);
  };
  EXPECT_FALSE(rank("a submarine", 4096));
  EXPECT_FALSE(rank("pays the price", 300));
  EXPECT_FALSE(rank("pays the price", 0));
}

TEST_F(Candidates, AreFoundByAddedWordsToo) {
  const auto ranked = rank_candidates(document_, passages_, *library_,
                                      {"a submarine", "pays\nprice\n"}, model_, 4096, options_);
  ASSERT_TRUE(ranked);
  EXPECT_EQ(ranked->order.size(), 30U);
}

TEST_F(Candidates, EachStandsOnceInTheOrder) {
  ASSERT_EQ(passages_.size(), std::size_t{kClauses});
  auto ranked = rank_candidates(document_, passages_, *library_, {"pays the price", ""}, model_,
                                700, options_);
  ASSERT_TRUE(ranked);
  EXPECT_LE(ranked->tokens, 700);
  EXPECT_GE(ranked->order.size(), 10U);
  EXPECT_LE(ranked->order.size(), 30U);
  std::sort(ranked->order.begin(), ranked->order.end());
  EXPECT_EQ(std::adjacent_find(ranked->order.begin(), ranked->order.end()), ranked->order.end());
  EXPECT_LT(ranked->order.back(), passages_.size());
}

TEST_F(Candidates, AskSaysThatItRankedThem) {
  options_.ranks_by_attention = true;
  options_.budget_seconds = cost_of_reading(shape_of(model_->description()), options_.machine, 1000)
                                .causal_prefill_seconds;
  const Answer answer = ask(document_, *library_, model_, "Who pays the price?", options_);
  EXPECT_EQ(answer.plan.route, Route::passages) << answer.plan.reason;
  EXPECT_GE(answer.plan.passages_ranked, 10) << answer.plan.reason;
  EXPECT_THAT(answer.plan.reason, testing::HasSubstr("ranked by attention"));
  EXPECT_LT(answer.plan.passages_read, answer.plan.passages_ranked);
  EXPECT_GT(answer.plan.passages_read, 0);
  EXPECT_LE(answer.plan.ranking_seconds + answer.plan.predicted_seconds, options_.budget_seconds);
}

TEST_F(Candidates, AskSaysWhichWordsItLookedForToo) {
  options_.rewords = true;
  const ModelShape shape = shape_of(model_->description());
  options_.machine.bytes_per_second = 1e12;  // whatever is written costs next to nothing
  options_.budget_seconds = cost_of_reading(shape, options_.machine, 1100).causal_prefill_seconds;
  const Answer answer = ask(document_, *library_, model_, "Who pays the price?", options_);
  EXPECT_EQ(answer.plan.route, Route::passages) << answer.plan.reason;
  ASSERT_FALSE(answer.plan.added_words.empty()) << answer.plan.reason;
  EXPECT_THAT(answer.plan.reason,
              testing::HasSubstr("also looked for: " + answer.plan.added_words.front()));
  EXPECT_GT(answer.plan.rewording_seconds, 0);
  EXPECT_LE(answer.plan.rewording_seconds + answer.plan.predicted_seconds, options_.budget_seconds);

  const Answer named = ask(document_, *library_, model_, "What does clause 3 name?", options_);
  EXPECT_TRUE(named.plan.added_words.empty()) << "for a question that names its clause";

  options_.budget_seconds /= 2;
  const Answer hasty = ask(document_, *library_, model_, "Who pays the price?", options_);
  EXPECT_TRUE(hasty.plan.added_words.empty()) << "in more than a fourth of the time";
  EXPECT_EQ(hasty.plan.rewording_seconds, 0);

  options_.budget_seconds = 1000;
  const Answer whole = ask(document_, *library_, model_, "Who pays the price?", options_);
  EXPECT_EQ(whole.plan.route, Route::whole_document);
  EXPECT_TRUE(whole.plan.added_words.empty()) << "where nothing is searched for";
}

TEST_F(Candidates, AskOfTheLibraryLooksForThemToo) {
  options_.rewords = true;
  const LibraryAnswer result = ask_library(*library_, model_, "Who pays the price?", options_);
  const RoutePlan& plan = result.answer.plan;
  ASSERT_FALSE(plan.added_words.empty());
  EXPECT_THAT(plan.reason, testing::HasSubstr("also looked for: "));
  options_.rewords = false;
  const LibraryAnswer plain = ask_library(*library_, model_, "Who pays the price?", options_);
  EXPECT_EQ(result.answer.signals.full_text_score, plain.answer.signals.full_text_score);
}

TEST_F(Candidates, AreNotRankedWhereTheQuestionNamesClauses) {
  options_.ranks_by_attention = true;
  options_.budget_seconds = cost_of_reading(shape_of(model_->description()), options_.machine, 1000)
                                .causal_prefill_seconds;
  const Answer answer =
      ask(document_, *library_, model_, "What price does clause 3 name?", options_);
  EXPECT_EQ(answer.plan.passages_ranked, 0) << answer.plan.reason;
}

}  // namespace
}  // namespace whereof::answering
