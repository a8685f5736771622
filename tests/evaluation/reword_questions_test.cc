#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/model_files.h"
#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

class RewordQuestions : public testing::Test {
 protected:
  RewordQuestions()
      : model_(Model::open(tests::model_file(tests::kSmolLm2))),
        file_(std::filesystem::path(testing::TempDir()) /
              ("whereof-rewordings-" + std::to_string(::getpid()))) {
    std::filesystem::remove(file_);
    for (const char* text : {"Who pays?", "When does it end?", "Who pays?"}) {
      set_.questions.emplace_back().text = text;
    }
  }
  ~RewordQuestions() override { std::filesystem::remove(file_); }

  RewordingFigures reword() { return reword_questions(set_, model_, file_, {}); }
  std::string kept() const {
    std::ifstream stream(file_, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  void keep(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }
  std::string line(const std::string& model, const std::string& question,
                   const std::string& word) const {
    return R"({"model":")" + model + R"(","question":")" + question + R"(","words":[")" + word +
           R"("],"prompt_tokens":9,"reply_tokens":3,"seconds":0.5})" + "\n";
  }

  std::shared_ptr<const Model> model_;
  std::filesystem::path file_;
  QuestionSet set_;
};

TEST_F(RewordQuestions, AsksOnceAndKeepsWhatItGot) {
  const RewordingFigures first = reword();
  EXPECT_EQ(first.questions, 2);
  EXPECT_GT(first.mean_prompt_tokens, 0);
  EXPECT_FALSE(set_.questions[0].more_words.empty());
  EXPECT_EQ(set_.questions[0].more_words, set_.questions[2].more_words);
  const std::string file = kept();
  const std::string words = set_.questions[1].more_words;
  set_.questions[1].more_words.clear();
  const RewordingFigures again = reword();
  EXPECT_EQ(again.mean_seconds, first.mean_seconds) << "they were asked for again";
  EXPECT_EQ(set_.questions[1].more_words, words);
  EXPECT_EQ(kept(), file);
}

TEST_F(RewordQuestions, GoesOnAfterAnUnfinishedLine) {
  const std::string name = model_->description().name;
  const std::string whole = line(name, "Who pays?", "debtor");
  keep(whole + R"({"model":")");
  reword();
  EXPECT_EQ(set_.questions[0].more_words, "debtor\n");
  EXPECT_FALSE(set_.questions[1].more_words.empty());
  EXPECT_EQ(kept().substr(0, whole.size()), whole);
  const RewordingFigures again = reword();  // what was put after it can be read
  EXPECT_EQ(again.questions, 2);
  EXPECT_EQ(set_.questions[0].more_words, "debtor\n");
}

TEST_F(RewordQuestions, TakesNoWordsOfAnotherModel) {
  keep(line("another", "Who pays?", "debtor"));
  reword();
  EXPECT_NE(set_.questions[0].more_words, "debtor\n");
}

TEST_F(RewordQuestions, RefusesAFileOfSomethingElse) {
  for (const char* text :
       {"questions\n", "{}\n", "[1]\n", "\n", "{\"model\":1,\"question\":\"\",\"words\":[]}\n"}) {
    keep(text);
    try {
      reword();
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input_output);
      EXPECT_THAT(error.what(), testing::HasSubstr("line 1"));
    }
    EXPECT_EQ(kept(), text) << "was written over";
  }
}

}  // namespace
}  // namespace whereof
