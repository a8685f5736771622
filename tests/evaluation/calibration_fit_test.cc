// Made tables whose right heads and weights are known.
#include "whereof/calibration_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "whereof/error.h"

namespace whereof {
namespace {

constexpr std::int64_t kLayers = 3;
constexpr std::int64_t kHeads = 4;
constexpr std::size_t kPassages = 12;

PassageMasses empty_masses(std::int64_t layers, std::int64_t heads, std::int64_t passages) {
  PassageMasses masses;
  masses.layers = layers;
  masses.heads = heads;
  masses.passages = passages;
  return masses;
}

// Every head puts chance weights on passages; the planted ones more on the right one.
class Made {
 public:
  explicit Made(unsigned seed) : chance_(seed) {
    examples_.layers = kLayers;
    examples_.heads = kHeads;
    examples_.sets = {"one", "two"};
  }

  double uniform() { return static_cast<double>(chance_() % 10'000) / 10'000; }
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

  CalibrationExample& add(std::size_t set, std::int64_t half) {
    CalibrationExample& example = examples_.all.emplace_back();
    example.set = set;
    example.half = half;
    return example;
  }

  void add_ranked(std::size_t set, std::int64_t half,
                  const std::vector<std::pair<std::int64_t, float>>& planted) {
    PassageMasses masses = empty_masses(kLayers, kHeads, kPassages);
    const auto cells = static_cast<std::size_t>(kLayers * kHeads) * kPassages;
    masses.content_free.assign(cells, 0.01F);
    std::vector<float>& question = masses.questions.emplace_back(cells);
    for (float& mass : question) mass = static_cast<float>(0.01 + 0.03 * uniform());
    const std::size_t gold = chance_() % kPassages;
    for (const auto& [row, strength] : planted) {
      question[static_cast<std::size_t>(row) * kPassages + gold] +=
          strength * static_cast<float>(uniform());
    }
    CalibrationExample& example = add(set, half);
    example.masses = std::make_shared<const PassageMasses>(std::move(masses));
    example.gold = {gold};
    for (std::size_t p = 0; p < kPassages; ++p) example.words.push_back(uniform());
    example.is_answerable = true;
  }

  CalibrationExamples& examples() { return examples_; }

 private:
  std::mt19937 chance_;
  CalibrationExamples examples_;
};

TEST(FitHeads, FindsThePlantedOnesAndLeavesTheOthers) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    Made made(seed);
    for (int i = 0; i < 120; ++i) {
      made.add_ranked(static_cast<std::size_t>(i % 2), i % 4 < 2 ? 1 : 2,
                      {{5, 0.06F}, {10, 0.04F}});
    }
    const HeadWeights heads = fit_heads(made.examples(), FitOptions());
    ASSERT_GE(heads.heads.size(), 2U) << seed;
    double planted = 0;
    double all = 0;
    for (const HeadWeight& head : heads.heads) {
      const std::int64_t row = head.layer * kHeads + head.head;
      all += head.weight;
      if (row == 5 || row == 10) planted += head.weight;
    }
    EXPECT_GT(planted / all, 0.6) << seed;
    const auto figures =
        measure_calibration(made.examples(), fit_calibration(made.examples(), heads, {}));
    ASSERT_EQ(figures.size(), 4U);
    for (const CalibrationFigures& each : figures) {
      EXPECT_EQ(each.ranked, 30);
      EXPECT_GT(each.attention.mean_reciprocal_rank, each.alike.mean_reciprocal_rank);
      EXPECT_GT(each.attention.mean_reciprocal_rank, each.full_text.mean_reciprocal_rank);
    }
  }
}

TEST(FitHeads, GivesTheSameBitsEveryTimeAndNothingForNothing) {
  Made made(4);
  for (int i = 0; i < 20; ++i) made.add_ranked(0, 1, {{2, 0.2F}});
  const HeadWeights once = fit_heads(made.examples(), FitOptions());
  const HeadWeights again = fit_heads(made.examples(), FitOptions());
  ASSERT_EQ(once.heads.size(), again.heads.size());
  for (std::size_t i = 0; i < once.heads.size(); ++i) {
    EXPECT_EQ(once.heads[i].weight, again.heads[i].weight);
  }
  FitOptions other;
  other.half = 2;
  EXPECT_FALSE(fit_heads(made.examples(), other).is_fitted());
}

// Signals are normal, and the odds of an answer a known sum of two of them.
void add_judged(Made& made, int count) {
  for (int i = 0; i < count; ++i) {
    CalibrationExample& example =
        made.add(static_cast<std::size_t>(i % 2), (i / 2) % 2 == 0 ? 1 : 2);
    example.was_asked = true;
    example.signals.mean_log_probability = -0.5 + 0.1 * made.normal();
    example.signals.full_text_score = 4 + 0.5 * made.normal();
    example.signals.statement = made.uniform() < 0.5 ? 1 : 0;
    const double odds = 0.5 + 1.5 * (example.signals.mean_log_probability + 0.5) / 0.1 -
                        0.8 * (example.signals.full_text_score - 4) / 0.5;
    example.is_answerable = made.uniform() < 1 / (1 + std::exp(-odds));
  }
}

TEST(FitSignals, FindsTheWeightsThatTheOddsWereMadeWith) {
  Made made(5);
  add_judged(made, 8000);
  FitOptions options;
  options.signal_l2 = 1e-4;
  const Calibration calibration = fit_calibration(made.examples(), HeadWeights(), options);
  ASSERT_TRUE(calibration.is_fitted());
  for (const SignalWeight& signal : calibration.signals) {
    const double wanted = signal.signal.name == "mean_log_probability" ? 1.5
                          : signal.signal.name == "full_text_score"    ? -0.8
                                                                       : 0;
    EXPECT_NEAR(signal.weight, wanted, 0.12) << signal.signal.name;
  }
  EXPECT_EQ(calibration.signals.size(), 3U);  // those that never move are left out
  EXPECT_NEAR(calibration.bias, 0.5, 0.1);
}

// The passage that the planted head ranks first has the words of the question where there is an
// answer, and else another one has them.
TEST(FitSignals, HearWhetherWordsAndHeadsAgree) {
  Made made(9);
  for (int i = 0; i < 200; ++i) {
    made.add_ranked(0, 1, {{3, 0.9F}});
    CalibrationExample& example = made.examples().all.back();
    example.was_asked = true;
    example.is_answerable = i % 2 == 0;
    const std::size_t attended = example.gold.front();
    example.words.assign(kPassages, 0);
    example.words[example.is_answerable ? attended : (attended + 1) % kPassages] = 3;
  }
  HeadWeights heads;
  heads.heads = {{0, 3, 1}};
  const Calibration calibration = fit_calibration(made.examples(), heads, FitOptions());
  ASSERT_EQ(calibration.signals.size(), 1U);
  EXPECT_EQ(calibration.signals[0].signal.name, "words_at_best");
  EXPECT_GT(calibration.signals[0].weight, 1);
  EXPECT_GT(measure_calibration(made.examples(), calibration).front().abstention_auroc, 0.9);
}

TEST(FitSignals, CutsLoseFewAnswersAndKeepWhatIsPrecise) {
  Made made(6);
  add_judged(made, 4000);
  const FitOptions options;
  const Calibration calibration = fit_calibration(made.examples(), HeadWeights(), options);
  EXPECT_LT(calibration.weak_from, calibration.supported_from);
  for (const CalibrationFigures& figures : measure_calibration(made.examples(), calibration)) {
    EXPECT_EQ(figures.judged, 1000);
    EXPECT_GT(figures.abstention_auroc, 0.8);
    EXPECT_NEAR(figures.weak_recall, 1 - options.answerable_lost, 0.03);
    EXPECT_NEAR(figures.supported_precision, options.supported_precision, 0.05);
  }
}

TEST(FitSignals, WithoutQuestionsOfBothKindsThereIsNothingToFit) {
  Made made(7);
  for (int i = 0; i < 10; ++i) {
    CalibrationExample& example = made.add(0, 1);
    example.was_asked = true;
    example.is_answerable = true;
    example.signals.full_text_score = made.uniform();
  }
  EXPECT_FALSE(fit_calibration(made.examples(), HeadWeights(), FitOptions()).is_fitted());
}

TEST(FitSignals, SeparableQuestionsStayFinite) {
  Made made(8);
  for (int i = 0; i < 100; ++i) {
    CalibrationExample& example = made.add(0, 1);
    example.was_asked = true;
    example.is_answerable = i % 2 == 0;
    example.signals.full_text_score = example.is_answerable ? 0.9 : 0.1;
  }
  const Calibration calibration = fit_calibration(made.examples(), HeadWeights(), FitOptions());
  ASSERT_EQ(calibration.signals.size(), 1U);
  EXPECT_LT(calibration.signals[0].weight, 10);
  EXPECT_GT(calibration.signals[0].weight, 1);
}

TEST(ScoreSignals, AreThoseOfTheChosenHeads) {
  PassageMasses masses = empty_masses(1, 2, 2);
  masses.content_free = {0.1F, 0.1F, 0.0F, 0.0F};
  masses.questions = {{0.3F, 0.1F, 0.0F, 0.5F}};
  masses.answers = {{0.1F, 0.4F, 0.0F, 0.0F}};
  HeadWeights heads;
  heads.heads = {{0, 0, 2}};
  AnswerSignals signals;
  score_signals(masses, 0, heads, signals);
  EXPECT_NEAR(signals.question_score, 2 * 0.2 / 0.4, 1e-6);
  EXPECT_NEAR(signals.best_passage_score, 2 * 0.3 / 0.5, 1e-6);  // the answer's, on the second
  EXPECT_NEAR(signals.best_share, 1.2 / 2.2, 1e-6);
}

class RecordFiles : public testing::Test {
 protected:
  RecordFiles()
      : file_(std::filesystem::path(testing::TempDir()) /
              ("whereof-records-" + std::to_string(::getpid()))) {
    std::filesystem::remove(file_);
  }
  ~RecordFiles() override { std::filesystem::remove(file_); }

  static PassageMasses made() {
    PassageMasses masses = empty_masses(1, 2, 2);
    masses.content_free = {1, 2, 3, 4};
    masses.questions = {{5, 6, 7, 8}, {9, 10, 11, 12}};
    return masses;
  }
  void expect_refused(const std::string& details, const std::string& message) {
    std::filesystem::remove(file_);
    MassFile(file_).add("key", made(), details);
    CalibrationExamples examples;
    try {
      examples.add("set", MassFile(file_));
      ADD_FAILURE() << "taken: " << details;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
      EXPECT_THAT(error.what(), testing::HasSubstr(message));
    }
  }

  std::filesystem::path file_;
};

TEST_F(RecordFiles, BecomeExamples) {
  MassFile(file_).add("ranked", made(),
                      R"({"document": "a", "gold": [[1], [0]], "full_text": [[0, 1], [2, 0]]})");
  MassFile(file_).add("asked", made(), R"({"document": "b", "gold": [[1, 0], []],
      "full_text": [[0, 1], [2, 0]],
      "outcomes": [{"answerable": true, "signals": {"sink_mass": 0.5}},
                   {"answerable": false, "signals": {"of_later": 1}}]})");
  CalibrationExamples examples;
  examples.add("set", MassFile(file_));
  EXPECT_EQ(examples.layers, 1);
  EXPECT_EQ(examples.heads, 2);
  ASSERT_EQ(examples.all.size(), 4U);
  EXPECT_FALSE(examples.all[0].was_asked);
  EXPECT_TRUE(examples.all[2].was_asked);
  EXPECT_THAT(examples.all[2].gold, testing::ElementsAre(0U, 1U));
  EXPECT_EQ(examples.all[2].signals.sink_mass, 0.5);
  EXPECT_FALSE(examples.all[3].is_answerable);
  EXPECT_EQ(examples.all[3].masses->questions[examples.all[3].question][0], 9);
}

TEST_F(RecordFiles, ThatContradictThemselvesAreRefused) {
  expect_refused(R"({"gold": [[1], [0]], "full_text": [[0, 1], [2, 0]]})", "set: record key:");
  expect_refused(R"({"document": "a", "gold": [[1]], "full_text": [[0, 1], [2, 0]]})", "key");
  expect_refused(R"({"document": "a", "gold": [[2], [0]], "full_text": [[0, 1], [2, 0]]})",
                 "another number of passages than 2");
  expect_refused(R"({"document": "a", "gold": [[1], [-1]], "full_text": [[0, 1], [2, 0]]})",
                 "another number of passages than 2");
  expect_refused(R"({"document": "a", "gold": [[1], [0]], "full_text": [[0, 1], [2]]})", "than 2");
  expect_refused(R"({"document": "a", "gold": [[1], [0]], "full_text": [[0, 1], [2, 0]],
      "outcomes": [{"signals": {}}]})",
                 "answerable");
}

TEST_F(RecordFiles, OfAnotherModelAreRefused) {
  MassFile(file_).add("key", made(),
                      R"({"document": "a", "gold": [[1], [0]], "full_text": [[0, 1], [2, 0]]})");
  CalibrationExamples examples;
  examples.layers = 4;
  examples.heads = 2;
  EXPECT_THROW(examples.add("set", MassFile(file_)), Error);
}

}  // namespace
}  // namespace whereof
