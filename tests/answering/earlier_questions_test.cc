#include "answering/earlier_questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "answering/prompt.h"
#include "model/model_files.h"
#include "model/temporary_file.h"
#include "retrieval/made_document.h"
#include "whereof/error.h"

namespace whereof::answering {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(QuestionsThatCount, AreTheLastThatSayAnything) {
  const std::vector<std::string> asked = {"one", " two\n", "three", " \n", "four"};
  EXPECT_THAT(questions_that_count(asked), ElementsAre("two", "three", "four"));
  EXPECT_THAT(questions_that_count({}), IsEmpty());
}

TEST(QuestionsThatCount, AreWholeAndOfBoundedLength) {
  const std::string long_one(4000, 'x');
  const std::string short_one(96, 'y');
  EXPECT_THAT(questions_that_count(std::vector{long_one, short_one}),
              ElementsAre(long_one, short_one));
  EXPECT_THAT(questions_that_count(std::vector<std::string>{"before", long_one, short_one + "y"}),
              ElementsAre(short_one + "y"))
      << "what stands before one that does not fit is left out too";
  EXPECT_THAT(questions_that_count(std::vector{std::string(5000, 'x')}), IsEmpty());
}

class Earlier : public testing::Test {
 protected:
  Earlier() : folder_(tests::TemporaryFile::unused_path()) {
    fs::create_directory(folder_);
    retrieval::DocumentMaker maker;
    maker.clause("1", "1. The Buyer indemnifies the Seller against claims of third parties.",
                 "Indemnity of the Seller");
    maker.clause("2", "2. The Seller indemnifies the Buyer against claims of third parties.",
                 "Indemnity of the Buyer");
    for (int i = 3; i <= 24; ++i) {
      const std::string number = std::to_string(i);
      maker.clause(number,
                   i == 17 ? "17. This Agreement is governed by the law of Ruritania."
                           : number + ". The Seller delivers part " + std::to_string(100 + i) +
                                 " to the warehouse on day " + number + " of each month.",
                   i == 17 ? "Governing law" : "Part " + std::to_string(100 + i));
    }
    document_ = maker.make();
    library_ = Library::open(folder_ / "library.sqlite");
    library_->add(document_);
  }
  ~Earlier() override {
    library_.reset();
    fs::remove_all(folder_);
  }

  // Labels of the clauses of the best passages.
  std::vector<std::string> found(std::string_view question, const std::vector<std::string>& earlier,
                                 std::int64_t limit = 2) {
    std::vector<std::string> labels;
    for (const Hit& hit : search(*library_, question, earlier, limit, document_.content_hash)) {
      labels.push_back(document_.clauses[static_cast<std::size_t>(hit.where.clause)].label);
    }
    return labels;
  }

  fs::path folder_;
  Document document_;
  std::unique_ptr<Library> library_;
};

constexpr const char* kBefore = "Does the Buyer indemnify the Seller against claims?";
constexpr const char* kFollowUp = "And for the Seller?";

TEST_F(Earlier, QuestionsFindWhatAFollowUpSpeaksOf) {
  EXPECT_THAT(found(kFollowUp, {kBefore}), testing::UnorderedElementsAre("1", "2"));
  std::vector<std::string> alone = found(kFollowUp, {}, 100);
  std::sort(alone.begin(), alone.end());
  const std::vector<std::string> both = found(kFollowUp, {kBefore}, 100);
  EXPECT_EQ(both.size(), alone.size()) << "each passage once";
}

TEST_F(Earlier, QuestionsFindWhatWordsOfTheNextOneDoNot) {
  EXPECT_THAT(found("Why?", {}), IsEmpty());
  EXPECT_THAT(found("Why?", {"Which law governs?"}, 1), ElementsAre("17"));
}

TEST_F(Earlier, QuestionsDoNotOutweighANewOne) {
  EXPECT_EQ(found("Which law governs this Agreement?", {kBefore}, 1),
            std::vector<std::string>{"17"});
}

TEST_F(Earlier, QuestionsAddNothingToOneThatFindsAsMuch) {
  const std::vector<std::string> earlier = {"Which law governs this Agreement?"};
  const std::vector<Hit> alone = library_->search(kBefore, 30, document_.content_hash);
  const std::vector<Hit> hits = search(*library_, kBefore, earlier, 30, document_.content_hash);
  ASSERT_EQ(hits.size(), alone.size());
  for (std::size_t i = 0; i < hits.size(); ++i) EXPECT_EQ(hits[i].score, alone[i].score);
}

TEST_F(Earlier, QuestionsCountTheLessTheLongerAgo) {
  const auto score = [&](const std::vector<std::string>& earlier) {
    return search(*library_, "Why?", earlier, 1, document_.content_hash).front().score;
  };
  const double alone =
      library_->search("Which law governs?", 1, document_.content_hash).front().score;
  EXPECT_DOUBLE_EQ(score({"Which law governs?"}), alone * kMostEarlierShare);
  EXPECT_DOUBLE_EQ(score({"Which law governs?", "Why?"}), alone * kMostEarlierShare / 2);
}

TEST_F(Earlier, NoneChangesNothing) {
  const std::vector<Hit> plain = library_->search(kFollowUp, 30, document_.content_hash);
  const std::vector<Hit> hits =
      search(*library_, kFollowUp, std::vector<std::string>{" "}, 30, document_.content_hash);
  ASSERT_EQ(hits.size(), plain.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    EXPECT_EQ(hits[i].passage, plain[i].passage);
    EXPECT_EQ(hits[i].score, plain[i].score);
  }
}

class EarlierWithAModel : public Earlier {
 protected:
  EarlierWithAModel() : model_(Model::open(tests::model_file(tests::kSmolLm2))) {
    options_.max_answer_tokens = 1;
    options_.machine.flops_per_second = options_.machine.attention_flops_per_second = 1e11;
    options_.machine.bytes_per_second = 1e10;
  }

  std::shared_ptr<const Model> model_;
  AskOptions options_;
};

TEST_F(EarlierWithAModel, QuestionsStandBetweenTheDocumentAndTheQuestion) {
  const std::vector<Passage> all = split_passages(document_);
  Manner manner;
  const Prompt plain = compose_prompt(document_, all, kFollowUp, manner, *model_);
  manner.earlier = {kBefore};
  const Prompt prompt = compose_prompt(document_, all, kFollowUp, manner, *model_);
  EXPECT_EQ(prompt.passages, plain.passages) << "what was read of the document stays";
  EXPECT_EQ(prompt.token_spans(), plain.token_spans());
  EXPECT_GE(shared_prefix(prompt.tokens, plain.tokens), plain.passages.back().end);
  const Prompt other = compose_prompt(document_, all, "N/A", manner, *model_);
  const auto before_question = static_cast<std::size_t>(shared_prefix(prompt.tokens, other.tokens));
  const std::string shared =
      model_->tokenizer().decode(std::span(prompt.tokens).first(before_question));
  EXPECT_THAT(shared, testing::HasSubstr(kBefore))
      << "rows of the question alone come after it: the evidence is of these";
}

TEST_F(EarlierWithAModel, QuestionsBringPassagesToRead) {
  options_.budget_seconds = 0;  // one passage is read
  const Answer alone = ask(document_, *library_, model_, "Why?", options_);
  options_.earlier = {"Which law governs this Agreement?"};
  const Answer answer = ask(document_, *library_, model_, "Why?", options_);
  const auto label_of = [&](const Answer& one) {
    EXPECT_EQ(one.plan.chosen.size(), 1U);
    return document_.clauses[static_cast<std::size_t>(one.plan.chosen.at(0).where.clause)].label;
  };
  EXPECT_EQ(label_of(answer), "17");
  EXPECT_NE(label_of(alone), "17");
}

TEST_F(EarlierWithAModel, QuestionsLeaveTheReadingKept) {
  options_.store = KvStore::open({.folder = folder_ / "kept"});
  const std::int64_t document_tokens = read_ahead(document_, model_, options_).tokens;
  options_.earlier = {kBefore};
  const Answer answer = ask(document_, *library_, model_, kFollowUp, options_);
  EXPECT_EQ(answer.plan.route, Route::whole_document) << answer.plan.reason;
  EXPECT_GT(answer.plan.kept_tokens, document_tokens - 8) << "the heading that follows may differ";
  options_.earlier.clear();
  EXPECT_GT(ask(document_, *library_, model_, "Which law governs?", options_).plan.kept_tokens,
            document_tokens - 8);
}

TEST_F(EarlierWithAModel, QuestionsAreText) {
  options_.earlier = {"\xff"};
  try {
    ask(document_, *library_, model_, kFollowUp, options_);
    FAIL() << "was not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_STREQ(error.what(), "an earlier question is not valid UTF-8");
  }
}

}  // namespace
}  // namespace whereof::answering
