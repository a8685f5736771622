#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "whereof/error.h"
#include "whereof/head_weights.h"
#include "whereof/model.h"

namespace whereof {
namespace {

class HeadFiles : public testing::Test {
 protected:
  HeadFiles()
      : folder_(std::filesystem::path(testing::TempDir()) /
                ("whereof-heads-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    setenv("WHEREOF_HEADS", folder_.c_str(), 1);
    model_.name = "Tiny 1";
    model_.path = "/models/tiny.gguf";
    model_.layers = 2;
    model_.query_heads = 3;
  }
  ~HeadFiles() override {
    unsetenv("WHEREOF_HEADS");
    std::filesystem::remove_all(folder_);
  }

  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  void expect_refused(const std::string& text, const std::string& message) {
    try {
      HeadWeights::load(write("bad.heads", text), model_);
      ADD_FAILURE() << "taken: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
      EXPECT_THAT(error.what(), testing::HasSubstr(message));
    }
  }

  std::filesystem::path folder_;
  ModelDescription model_;
};

TEST_F(HeadFiles, SayWeightsInLines) {
  const auto file = write("a.heads",
                          "# fitted on something\n\nmodel Tiny 1\nshape 2 3\n"
                          "full_text 0.25\nhead 1 2 0.5  # the best\nhead 0 0 1e-1\n");
  const HeadWeights weights = HeadWeights::load(file, model_);
  EXPECT_TRUE(weights.is_fitted());
  EXPECT_EQ(weights.full_text_weight, 0.25);
  ASSERT_EQ(weights.heads.size(), 2U);
  EXPECT_EQ(weights.heads[0].layer, 1);
  EXPECT_EQ(weights.heads[0].head, 2);
  EXPECT_EQ(weights.heads[0].weight, 0.5);
  EXPECT_EQ(weights.heads[1].weight, 0.1);
}

TEST_F(HeadFiles, WhatIsWrongIsNamedWithItsLine) {
  expect_refused("shape 2 3\nhead 2 0 1\n", "line 2: layer 2 head 0; Tiny 1 has 2 layers");
  expect_refused("head 0 3 1\n", "line 1: layer 0 head 3");
  expect_refused("head 0 -1 1\n", "head -1");
  expect_refused("head 0 0 0\n", "a weight outside");
  expect_refused("head 0 0 nan\n", "line 1");
  expect_refused("head 0 0\n", "wanted head LAYER HEAD WEIGHT");
  expect_refused("head 0 0 1 1\n", "wanted head LAYER HEAD WEIGHT");
  expect_refused("shape 2 4\nhead 0 0 1\n", "for 2 layers of 4 heads; Tiny 1 has 2 of 3");
  expect_refused("full_text -1\nhead 0 0 1\n", "a full_text weight");
  expect_refused("weight 1\n", "\"weight\"; wanted");
  expect_refused("model Tiny 1\n", "names no head");
}

TEST_F(HeadFiles, AreFoundByTheFilesNameThenByTheModels) {
  EXPECT_FALSE(HeadWeights::of_model(model_).is_fitted());
  EXPECT_EQ(HeadWeights::of_model(model_).source, "all heads alike");
  write("another.heads", "model Tiny 10\nhead 0 0 1\n");
  EXPECT_FALSE(HeadWeights::of_model(model_).is_fitted());
  const auto by_model = write("other.heads", "model Tiny 1  # by name\nhead 0 0 1\n");
  EXPECT_EQ(HeadWeights::of_model(model_).source, by_model.string());
  const auto by_file = write("tiny.heads", "head 0 1 1\n");
  EXPECT_EQ(HeadWeights::of_model(model_).source, by_file.string());
}

TEST_F(HeadFiles, AnAbsentFileIsNotFound) {
  try {
    HeadWeights::load(folder_ / "none.heads", model_);
    ADD_FAILURE() << "loaded";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
  }
}

}  // namespace
}  // namespace whereof
