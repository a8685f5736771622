#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "whereof/calibration.h"
#include "whereof/error.h"
#include "whereof/model.h"

namespace whereof {
namespace {

class CalibrationFiles : public testing::Test {
 protected:
  CalibrationFiles()
      : folder_(std::filesystem::path(testing::TempDir()) /
                ("whereof-calibration-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
    setenv("WHEREOF_CALIBRATION", folder_.c_str(), 1);
    model_.name = "Tiny 1";
    model_.path = "/models/tiny.gguf";
    model_.layers = 2;
    model_.query_heads = 3;
  }
  ~CalibrationFiles() override {
    unsetenv("WHEREOF_CALIBRATION");
    std::filesystem::remove_all(folder_);
  }

  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  Calibration load(const std::string& text) {
    return Calibration::load(write("a.calibration", text), model_);
  }
  void expect_refused(const std::string& text, const std::string& message) {
    try {
      load(text);
      ADD_FAILURE() << "taken: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
      EXPECT_THAT(error.what(), testing::HasSubstr(message));
    }
  }

  std::filesystem::path folder_;
  ModelDescription model_;
};

TEST_F(CalibrationFiles, SayWhatWasFittedInLines) {
  const Calibration read = load(
      "# fitted on something\n#\n# AUROC 0.9\n\nmodel Tiny 1\nshape 2 3\n"
      "full_text 0.25\nhead 1 2 0.5  # the best\nhead 0 0 1e-1\n"
      "signal decline_probability logit -1.5 -4 2\nsignal document_mass plain 0.5 0.3 0.1\n"
      "bias 0.25\nsupported_from 0.6\nweak_from 0.2\nalarm sink_mass 0.9\n");
  EXPECT_THAT(read.notes, testing::ElementsAre("fitted on something", "", "AUROC 0.9"));
  EXPECT_TRUE(read.is_fitted());
  EXPECT_TRUE(read.heads.is_fitted());
  EXPECT_EQ(read.heads.source, read.source);
  EXPECT_EQ(read.heads.full_text_weight, 0.25);
  ASSERT_EQ(read.heads.heads.size(), 2U);
  EXPECT_EQ(read.heads.heads[0].layer, 1);
  EXPECT_EQ(read.heads.heads[0].head, 2);
  EXPECT_EQ(read.heads.heads[0].weight, 0.5);
  EXPECT_EQ(read.heads.heads[1].weight, 0.1);
  ASSERT_EQ(read.signals.size(), 2U);
  EXPECT_EQ(read.signals[0].signal.value, &AnswerSignals::decline_probability);
  EXPECT_EQ(read.signals[0].scale, SignalScale::logit);
  EXPECT_EQ(read.signals[0].weight, -1.5);
  EXPECT_EQ(read.signals[0].mean, -4);
  EXPECT_EQ(read.signals[0].deviation, 2);
  EXPECT_EQ(read.bias, 0.25);
  EXPECT_EQ(read.supported_from, 0.6);
  EXPECT_EQ(read.weak_from, 0.2);
  EXPECT_EQ(read.alarm("sink_mass", 0.5), 0.9);
  EXPECT_EQ(read.alarm("entropy", 0.5), 0.5);
}

TEST_F(CalibrationFiles, AreReadAsTheyWereSaved) {
  const std::string text =
      "# a note\n#\nmodel Tiny 1\nshape 2 3\nfull_text 0.25\nhead 1 2 0.5\n"
      "signal decline_probability logit -1.5 -4 2\nsignal best_share plain 0.5 0.3 0.1\n"
      "bias 0.25\nsupported_from 0.6\nweak_from 0.2\nalarm sink_mass 0.9\n";
  const auto saved = folder_ / "new" / "folder" / "b.calibration";
  load(text).save(saved, model_);
  std::ifstream stream(saved);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), text);
  model_.name = "Tiny\nhead 0 0 1 # x";  // a model's name is untrusted
  load(text).save(saved, model_);
  EXPECT_EQ(Calibration::load(saved, model_).heads.heads.size(), 1U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(saved.parent_path()), {}), 1);
}

TEST_F(CalibrationFiles, WhatIsWrongIsNamedWithItsLine) {
  expect_refused("shape 2 3\nhead 2 0 1\n", "line 2: layer 2 head 0; Tiny 1 has 2 layers");
  expect_refused("head 0 3 1\n", "line 1: layer 0 head 3");
  expect_refused("head 0 -1 1\n", "head -1");
  expect_refused("head 0 0 0\n", "weight 0; wanted more than 0");
  expect_refused("head 0 0 nan\n", "line 1: \"head 0 0 nan\"; wanted head LAYER HEAD WEIGHT");
  expect_refused("head 0 0\n", "wanted head LAYER HEAD WEIGHT");
  expect_refused("head 0 0 1 1\n", "wanted head LAYER HEAD WEIGHT");
  expect_refused("shape 2 4\nhead 0 0 1\n", "for 2 layers of 4 heads; Tiny 1 has 2 of 3");
  expect_refused("full_text -1\nhead 0 0 1\n", "line 1: full_text weight -1; wanted 0 .. 100");
  expect_refused("weight 1\n", "\"weight\"; wanted");
  expect_refused("model Tiny 1\n", "no head, signal or alarm");
}

TEST_F(CalibrationFiles, WrongSignalsCutsAndAlarmsAreNamedToo) {
  expect_refused("signal mood plain 1 0 1\n", "line 1: signal \"mood\"");
  expect_refused("signal sink_mass cubic 1 0 1\n", "scale \"cubic\"; wanted plain, log or logit");
  expect_refused("signal sink_mass plain 1 0\n", "wanted signal NAME SCALE WEIGHT MEAN DEVIATION");
  expect_refused("signal sink_mass plain 1 0 0\n", "deviation 0; wanted");
  expect_refused("signal sink_mass plain 1e7 0 1\n", "weight 1e+07; wanted");
  expect_refused("signal sink_mass plain 1 0 1\nsignal sink_mass log 1 0 1\n",
                 "line 2: signal \"sink_mass\" a second time");
  const std::string signal = "signal sink_mass plain 1 0 1\n";
  expect_refused(signal, "line 1: the end, and signals without supported_from and weak_from");
  expect_refused(signal + "supported_from 1.5\n", "line 2: supported_from 1.5; wanted 0 .. 1");
  expect_refused(signal + "weak_from -1\n", "line 2: weak_from -1; wanted 0 .. 1");
  expect_refused(signal + "weak_from 0.6\nsupported_from 0.5\n", "weak_from 0.6 above");
  expect_refused(signal + "bias\n", "\"bias\"; wanted bias VALUE");
  expect_refused("alarm collapse\n", "\"alarm collapse\"; wanted alarm NAME VALUE");
  expect_refused("alarm collapse 1\nalarm collapse 2\n", "alarm \"collapse\" a second time");
}

TEST_F(CalibrationFiles, CutAnywhereTheyAreReadOrRefused) {
  const std::string text =
      "# a note\nmodel Tiny 1\nshape 2 3\nhead 1 2 0.5\nsignal sink_mass log -1.5 -4 2\n"
      "bias 0.25\nsupported_from 0.6\nweak_from 0.2\nalarm sink_mass 0.9\n";
  for (std::size_t length = 0; length < text.size(); ++length) {
    try {
      load(text.substr(0, length));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument) << length;
    }
  }
}

TEST_F(CalibrationFiles, AreFoundByTheFilesNameThenByTheModels) {
  EXPECT_FALSE(Calibration::of_model(model_).is_fitted());
  EXPECT_EQ(Calibration::of_model(model_).source, "not calibrated");
  EXPECT_EQ(Calibration::of_model(model_).heads.source, "all heads alike");
  write("another.calibration", "model Tiny 10\nhead 0 0 1\n");
  EXPECT_FALSE(Calibration::of_model(model_).heads.is_fitted());
  const auto by_model = write("other.calibration", "model Tiny 1  # by name\nhead 0 0 1\n");
  EXPECT_EQ(Calibration::of_model(model_).source, by_model.string());
  const auto by_file = write("tiny.calibration", "head 0 1 1\n");
  EXPECT_EQ(Calibration::of_model(model_).source, by_file.string());
}

TEST_F(CalibrationFiles, TheUsersOwnGoBeforeThoseThatShip) {
  unsetenv("WHEREOF_CALIBRATION");
  const auto own = write("tiny.calibration", "head 0 1 1\n");
  EXPECT_FALSE(Calibration::of_model(model_).heads.is_fitted());
  EXPECT_EQ(Calibration::of_model(model_, folder_).source, own.string());
}

TEST_F(CalibrationFiles, AnAbsentFileIsNotFound) {
  try {
    Calibration::load(folder_ / "none.calibration", model_);
    ADD_FAILURE() << "loaded";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
  }
  try {
    load("head 0 0 1\n").save("/proc/none/a.calibration", model_);
    ADD_FAILURE() << "saved";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input_output);
  }
}

}  // namespace
}  // namespace whereof
