// Made masses and falls whose right heads are known.
#include "whereof/dependence_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "whereof/error.h"

namespace whereof {
namespace {

constexpr std::int64_t kLayers = 3;
constexpr std::int64_t kHeads = 4;
constexpr std::size_t kClauses = 10;
constexpr std::int64_t kQuestionRow = 5;  // layer 1, head 1: of the question's rows
constexpr std::int64_t kAnswerRow = 10;   // layer 2, head 2: of the answer's

// Every head lays chance masses on clauses; a clause's fall is what the two planted ones lay on it,
// and some chance.
class Made {
 public:
  explicit Made(unsigned seed) : chance_(seed) {
    examples_.layers = kLayers;
    examples_.heads = kHeads;
  }

  double uniform() { return static_cast<double>(chance_() % 10'000) / 10'000; }

  PassageMasses masses() {
    const auto cells = static_cast<std::size_t>(kLayers * kHeads) * kClauses;
    PassageMasses masses;
    masses.layers = kLayers;
    masses.heads = kHeads;
    masses.passages = kClauses;
    masses.content_free.assign(cells, 0.01F);
    for (auto* tables : {&masses.questions, &masses.answers}) {
      std::vector<float>& table = tables->emplace_back(cells);
      for (float& mass : table) mass = static_cast<float>(0.01 + 0.03 * uniform());
    }
    return masses;
  }

  void add(std::int64_t half) {
    DependenceExample& example = examples_.all.emplace_back();
    example.set = "made";
    example.half = half;
    const PassageMasses made = masses();
    for (std::size_t c = 0; c < kClauses; ++c) {
      const double planted = static_cast<double>(
          made.questions[0][static_cast<std::size_t>(kQuestionRow) * kClauses + c] +
          made.answers[0][static_cast<std::size_t>(kAnswerRow) * kClauses + c]);
      example.falls.push_back(100 * (planted - 0.02) + 0.3 * uniform());
      example.part_falls.push_back(example.falls.back() / 2);
    }
    example.masses = std::make_shared<const PassageMasses>(made);
  }

  const DependenceExamples& examples() const { return examples_; }

 private:
  std::mt19937 chance_;
  DependenceExamples examples_;
};

double part_of(const std::vector<HeadWeight>& heads, std::int64_t row) {
  double part = 0;
  double all = 0;
  for (const HeadWeight& head : heads) {
    all += head.weight;
    if (head.layer * kHeads + head.head == row) part += head.weight;
  }
  return all > 0 ? part / all : 0;
}

TEST(FitDependence, FindsThePlantedHeadsOfBothRows) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    Made made(seed);
    for (int i = 0; i < 80; ++i) made.add(1 + i % 2);
    const DependenceWeights weights = fit_dependence(made.examples(), DependenceFitOptions());
    EXPECT_GT(part_of(weights.question, kQuestionRow), 0.6) << seed;
    EXPECT_GT(part_of(weights.answer, kAnswerRow), 0.6) << seed;
    const std::vector<DependenceFigures> figures =
        dependence_figures(made.examples(), HeadWeights(), weights);
    ASSERT_EQ(figures.size(), 2U);
    for (const DependenceFigures& of_half : figures) {
      EXPECT_EQ(of_half.answers, 40);
      EXPECT_GT(of_half.foretold, 0.8) << seed << " half " << of_half.half;
      EXPECT_GT(of_half.foretold, of_half.alike + 0.3);
      EXPECT_NEAR(of_half.halves, 1, 1e-9);
    }
  }
}

TEST(FitDependence, GivesTheSameBitsEveryTimeAndNothingForNothing) {
  Made made(4);
  for (int i = 0; i < 20; ++i) made.add(1);
  const DependenceWeights once = fit_dependence(made.examples(), DependenceFitOptions());
  const DependenceWeights again = fit_dependence(made.examples(), DependenceFitOptions());
  ASSERT_EQ(once.question.size(), again.question.size());
  for (std::size_t i = 0; i < once.question.size(); ++i) {
    EXPECT_EQ(once.question[i].weight, again.question[i].weight);
  }
  DependenceFitOptions other;
  other.half = 2;
  EXPECT_FALSE(fit_dependence(made.examples(), other).is_fitted());
}

TEST(ForetoldFalls, AreTheWeightedSharesOfBothRows) {
  PassageMasses masses;
  masses.layers = 1;
  masses.heads = 2;
  masses.passages = 2;
  masses.content_free = {0.1F, 0.1F, 0.0F, 0.0F};
  masses.questions = {{0.3F, 0.1F, 0.0F, 0.5F}};
  masses.answers = {{0.0F, 0.4F, 0.2F, 0.2F}};
  DependenceWeights weights;
  weights.question = {{0, 0, 2.0}};
  EXPECT_THAT(foretold_falls(masses, 0, weights),
              testing::ElementsAre(testing::DoubleNear(1.0, 1e-6), 0));
  weights.answer = {{0, 1, 4.0}};
  EXPECT_THAT(foretold_falls(masses, 0, weights),
              testing::ElementsAre(testing::DoubleNear(3.0, 1e-6), testing::DoubleNear(2.0, 1e-6)));
  weights.answer = {{1, 0, 4.0}};
  EXPECT_THROW(foretold_falls(masses, 0, weights), Error);
}

class DependenceRecords : public testing::Test {
 protected:
  DependenceRecords()
      : file_(std::filesystem::path(testing::TempDir()) /
              ("whereof-falls-" + std::to_string(::getpid()) + ".masses")) {
    std::filesystem::remove(file_);
  }
  ~DependenceRecords() override { std::filesystem::remove(file_); }

  // A record of one answer to a document.
  void add(const std::string& key, const std::string& falls, const std::string& part_falls,
           int tokens, const std::string& answer = "Thirty days.") {
    Made made(9);
    MassFile(file_).add(key, made.masses(),
                        R"({"document":"a","outcomes":[{"answer":")" + answer +
                            R"(","answer_tokens":)" + std::to_string(tokens) + R"(,"falls":)" +
                            falls + R"(,"falls_of_every_other_token":)" + part_falls + "}]}");
  }

  std::filesystem::path file_;
};

TEST_F(DependenceRecords, AreTakenAndThoseThatContradictThemselvesRefused) {
  const std::string ten = "[1,2,3,4,5,6,7,8,9,10]";
  add("first", ten, ten, 5);
  add("a short answer", ten, ten, 1);
  add("a declined one", ten, ten, 5, "Not stated.");
  DependenceExamples examples;
  examples.add("set", MassFile(file_));
  ASSERT_EQ(examples.all.size(), 1U);
  EXPECT_EQ(examples.all[0].falls.size(), 10U);
  EXPECT_EQ(examples.all[0].half, half_of("a"));
  EXPECT_EQ(examples.heads, kHeads);
  add("second", "[1,2]", "[1,2]", 5);
  try {
    DependenceExamples others;
    others.add("set", MassFile(file_));
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_THAT(error.what(), testing::HasSubstr("record second"));
  }
}

}  // namespace
}  // namespace whereof
