#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

class QuestionSetTest : public ::testing::Test {
 protected:
  QuestionSetTest() {
    std::string pattern = ::testing::TempDir() + "whereof-questions-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
    folder_ = pattern;
  }
  ~QuestionSetTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  ErrorKind kind_of_loading() const {
    try {
      load_question_set(folder_);
    } catch (const Error& error) {
      return error.kind();
    }
    ADD_FAILURE() << "the set was loaded";
    return ErrorKind::cancelled;
  }
  std::filesystem::path folder_;
};

TEST_F(QuestionSetTest, LinesOfQuestions) {
  write("questions.jsonl",
        R"({"document":"a","question":"Q1?","answerable":true,"gold_spans":[[3,9]],"category":"C"})"
        "\n\n"
        R"({"document":"b","question":"第二？","answerable":false,"gold_spans":[]})"
        "\n"
        R"({"document":"a","question":"Q3?","answerable":true,"gold_spans":[[1,2],[4,5]]})");
  const QuestionSet set = load_question_set(folder_);
  EXPECT_EQ(set.name, folder_.filename().string());
  ASSERT_EQ(set.documents.size(), 2U);
  EXPECT_EQ(set.documents[1].file, folder_ / "b.txt");
  ASSERT_EQ(set.questions.size(), 3U);
  EXPECT_EQ(set.questions[0].category, "C");
  EXPECT_EQ(set.questions[0].gold, (std::vector<Span>{{3, 9}}));
  EXPECT_EQ(set.questions[1].document, 1);
  EXPECT_FALSE(set.questions[1].is_answerable);
  EXPECT_EQ(set.questions[2].document, 0);
}

TEST_F(QuestionSetTest, HypothesesOfContracts) {
  write("dev.json", R"({
    "labels": {"n1": {"hypothesis": "H1."}, "n2": {"hypothesis": "H2."}},
    "documents": [{"id": 1, "file_name": "x.pdf", "text": "One. Two.", "spans": [[0,4],[5,9]],
      "annotation_sets": [{"annotations": {
        "n1": {"choice": "Entailment", "spans": [1]},
        "n2": {"choice": "NotMentioned", "spans": []}}}]}]})");
  const QuestionSet set = load_question_set(folder_);
  ASSERT_EQ(set.questions.size(), 2U);
  EXPECT_EQ(set.documents[0].text, "One. Two.");
  EXPECT_EQ(set.questions[0].text, "H1.");
  EXPECT_EQ(set.questions[0].gold, (std::vector<Span>{{5, 9}}));
  EXPECT_FALSE(set.questions[1].is_answerable);
}

TEST_F(QuestionSetTest, FaultyFilesAreRefused) {
  EXPECT_EQ(kind_of_loading(), ErrorKind::not_found);
  for (const char* line :
       {"{", "[]", R"({"document":"a"})", "\xFF",
        R"({"document":"../a","question":"Q","answerable":false,"gold_spans":[]})",
        R"({"document":"a","question":"Q","answerable":true,"gold_spans":[]})",
        R"({"document":"a","question":"Q","answerable":true,"gold_spans":[[9,3]]})",
        R"({"document":"a","question":"Q","answerable":true,"gold_spans":[[1]]})",
        R"({"document":"a","question":7,"answerable":false,"gold_spans":[]})"}) {
    write("questions.jsonl", line);
    EXPECT_EQ(kind_of_loading(), ErrorKind::bad_document) << line;
  }
}

TEST_F(QuestionSetTest, SamplesTakeDocumentsInTurn) {
  QuestionSet set;
  set.documents.resize(3);
  for (int i = 0; i < 12; ++i) {
    GoldQuestion question;
    question.document = i / 4;
    question.text = std::to_string(i);
    set.questions.push_back(question);
  }
  const QuestionSet sample = sample_questions(set, 4);
  ASSERT_EQ(sample.questions.size(), 4U);
  EXPECT_EQ(sample.questions[0].text, "0");
  EXPECT_EQ(sample.questions[1].text, "1");
  EXPECT_EQ(sample.questions[2].text, "4");
  EXPECT_EQ(sample.questions[3].text, "8");
  EXPECT_EQ(sample_questions(set, 0).questions.size(), 12U);
  EXPECT_EQ(sample_questions(set, 99).questions.size(), 12U);
}

TEST_F(QuestionSetTest, ASeedGivesItsOwnSampleAndAlwaysTheSame) {
  QuestionSet set;
  set.documents.resize(2);
  for (int i = 0; i < 40; ++i) {
    GoldQuestion question;
    question.document = i / 20;
    question.text = std::to_string(i);
    set.questions.push_back(question);
  }
  const auto texts = [&](std::uint64_t seed) {
    std::string joined;
    for (const GoldQuestion& question : sample_questions(set, 6, seed).questions) {
      joined += question.text + " ";
    }
    return joined;
  };
  EXPECT_EQ(texts(0), "0 1 2 20 21 22 ");
  EXPECT_EQ(texts(7), texts(7));
  EXPECT_NE(texts(7), texts(8));
}

TEST_F(QuestionSetTest, HalvesAreOfDocumentsAndComplete) {
  QuestionSet set;
  std::vector<Document> documents(20);
  set.documents.resize(documents.size());
  for (std::size_t i = 0; i < documents.size(); ++i) {
    documents[i].name = "contract-" + std::to_string(i);
    documents[i].report.characters = i == 3 ? 5000 : 100;
    GoldQuestion question;
    question.document = static_cast<std::int32_t>(i);
    set.questions.insert(set.questions.end(), 2, question);
  }
  const auto first = questions_of_half(set, documents, 1, 0).questions.size();
  const auto second = questions_of_half(set, documents, 2, 0).questions.size();
  EXPECT_GT(first, 0U);
  EXPECT_GT(second, 0U);
  EXPECT_EQ(first + second, 40U);
  EXPECT_EQ(questions_of_half(set, documents, 0, 1000).questions.size(), 38U);
}

}  // namespace
}  // namespace whereof
