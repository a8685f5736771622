#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "whereof/error.h"
#include "whereof/evaluation.h"

namespace whereof {
namespace {

class MassFiles : public testing::Test {
 protected:
  MassFiles()
      : file_(std::filesystem::path(testing::TempDir()) /
              ("whereof-masses-" + std::to_string(::getpid()))) {
    std::filesystem::remove(file_);
  }
  ~MassFiles() override { std::filesystem::remove(file_); }

  static PassageMasses made(float first) {
    PassageMasses masses;
    masses.layers = 1;
    masses.heads = 2;
    masses.passages = 2;
    masses.content_free = {first, 2, 3, 4};
    masses.questions = {{5, 6, 7, 8}, {9, 10, 11, 12}};
    return masses;
  }

  std::filesystem::path file_;
};

TEST_F(MassFiles, KeepWhatWasAdded) {
  {
    MassFile file(file_);
    EXPECT_FALSE(file.find("one"));
    file.add("one", made(1), "{}");
    file.add("two", made(1.5F), R"({"document": "x\ny"})");
    EXPECT_EQ(file.find("one")->content_free[0], 1);
  }
  const MassFile file(file_);
  const auto two = file.find("two");
  ASSERT_TRUE(two);
  EXPECT_EQ(two->heads, 2);
  EXPECT_EQ(two->content_free, made(1.5F).content_free);
  EXPECT_EQ(two->questions, made(1).questions);
  EXPECT_FALSE(file.find("three"));
}

TEST_F(MassFiles, KeepMassesOfAnswersAndDetails) {
  PassageMasses masses = made(1);
  masses.answers = {{13, 14, 15, 16}, {17, 18, 19, 20}};
  MassFile(file_).add("one", masses, R"({"outcomes": [1, 2]})");
  MassFile(file_).add("two", made(2), "{}");
  const MassFile file(file_);
  EXPECT_EQ(file.find("one")->answers, masses.answers);
  EXPECT_EQ(file.details("one"), R"({"outcomes":[1,2]})");
  EXPECT_TRUE(file.find("two")->answers.empty());
  EXPECT_FALSE(file.details("three"));
}

TEST_F(MassFiles, ARecordCutAnywhereIsForgottenAndTheRestKept) {
  MassFile(file_).add("one", made(1), "{}");
  const auto first = std::filesystem::file_size(file_);
  MassFile(file_).add("two", made(2), "{}");
  const auto both = std::filesystem::file_size(file_);
  for (auto size = both - 1; size >= first; --size) {
    std::filesystem::resize_file(file_, size);
    MassFile file(file_);
    EXPECT_TRUE(file.find("one")) << size;
    EXPECT_FALSE(file.find("two")) << size;
    EXPECT_EQ(std::filesystem::file_size(file_), size);  // perhaps another process writes it
    file.add("two", made(2), "{}");
    EXPECT_EQ(std::filesystem::file_size(file_), both);
    EXPECT_TRUE(MassFile(file_).find("two")) << size;
  }
}

TEST_F(MassFiles, WithoutANameNothingIsKept) {
  MassFile file({});
  file.add("one", made(1), "{}");
  EXPECT_FALSE(file.find("one"));
}

TEST_F(MassFiles, AnotherProgramsFileIsLeftAlone) {
  std::ofstream(file_) << "a letter\n";
  EXPECT_THROW(MassFile{file_}, Error);
  EXPECT_EQ(std::filesystem::file_size(file_), 9U);
  std::ofstream(file_)
      << R"({"key": "k", "layers": 1e9, "heads": 1, "passages": 1, "questions": 1})"
      << "\n";
  EXPECT_THROW(MassFile{file_}, Error);
}

}  // namespace
}  // namespace whereof
