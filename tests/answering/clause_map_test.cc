#include "whereof/clause_map.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <numeric>

#include "model/model_files.h"
#include "retrieval/made_document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

Document two_clauses() {
  retrieval::DocumentMaker maker;
  maker.clause("1", "1. The Supplier delivers the goods on Mondays. He asks for a receipt.",
               "Delivery");
  maker.clause("2", "2. This Agreement is governed by the law of Ruritania.", "Governing law");
  Document document = maker.make();
  document.name = "supply.txt";
  return document;
}

// One layer of two heads; three sentences, of which the first two are clause 1's.
Answer made_answer() {
  AnswerMasses masses;
  masses.layers = 1;
  masses.heads = 2;
  masses.sentences = {{0, 46}, {47, 69}, {70, 124}};
  masses.content_free = std::make_shared<const std::vector<float>>(
      std::vector<float>{0.1F, 0.1F, 0.1F, 0.1F, 0.1F, 0.1F});
  masses.question = {0.1F, 0.1F, 0.4F, 0.2F, 0.1F, 0.0F};
  masses.answer = {0.0F, 0.3F, 0.3F, 0.1F, 0.1F, 0.1F};
  masses.question_scores = {0, 0.5, 1.5};
  masses.answer_scores = {0, 2, 2};
  masses.answer_sentences = {{1, 2, 1}, {}, {0, 0, 0}};
  Answer answer;
  answer.masses = std::make_shared<const AnswerMasses>(std::move(masses));
  answer.layers = {{.entropy_share = 0.25, .sink_mass = 0.5}};
  return answer;
}

TEST(ClauseMap, IsWhatTheFormulaSays) {
  const ClauseMap map = clause_map(made_answer(), two_clauses());
  ASSERT_EQ(map.columns.size(), 2U);
  EXPECT_EQ(map.columns[0].clause, 0);
  EXPECT_EQ(map.columns[0].text, (Span{0, 69}));
  EXPECT_EQ(map.columns[1].clause, 1);
  ASSERT_EQ(map.rows.size(), 4U);
  EXPECT_EQ(map.rows[0].name, "question");
  EXPECT_NEAR(map.rows[0].shares[1], 0.75, 1e-12);
  EXPECT_EQ(map.rows[1].name, "answer");
  EXPECT_NEAR(map.rows[1].shares[0], 0.5, 1e-12);
  EXPECT_EQ(map.rows[2].name, "sentence 1");
  EXPECT_NEAR(map.rows[2].shares[0], 0.75, 1e-12);
  EXPECT_EQ(map.rows[3].name, "sentence 3") << "sentences without scores have no row";
  EXPECT_EQ(map.rows[3].shares, std::vector<double>(2, 0));
  ASSERT_EQ(map.layers.size(), 1U);
  EXPECT_NEAR(map.layers[0].shares[0], 0.5, 1e-6);
  EXPECT_EQ(map.layers[0].entropy_share, 0.25);
  EXPECT_EQ(map.layers[0].sink_mass, 0.5);
}

TEST(ClauseMap, ASentenceWithTheHeadingAboveItIsOfItsOwnClause) {
  retrieval::DocumentMaker maker;
  maker.open("3", "Law").line("3. Law");
  maker.clause("3.1", "3.1 The law of Ruritania governs.").close();
  const Document document = maker.make();
  Answer answer = made_answer();
  AnswerMasses masses = *answer.masses;
  const auto size = static_cast<std::int64_t>(document.text.size()) - 1;
  masses.sentences = {{0, size}, {size, size}, {size, size}};
  answer.masses = std::make_shared<const AnswerMasses>(masses);
  const ClauseMap map = clause_map(answer, document);
  EXPECT_EQ(document.clauses[static_cast<std::size_t>(map.columns[0].clause)].label, "3.1");
}

TEST(ClauseMap, OfAnExtractHasTheQuestionAlone) {
  Answer answer = made_answer();
  AnswerMasses masses = *answer.masses;
  masses.answer.clear();
  masses.answer_sentences.clear();
  answer.masses = std::make_shared<const AnswerMasses>(masses);
  const ClauseMap map = clause_map(answer, two_clauses());
  ASSERT_EQ(map.rows.size(), 1U);
  EXPECT_NEAR(map.layers[0].shares[0], 0.1 / 0.4, 1e-6);
}

TEST(ClauseMap, RefusesWhatDoesNotFit) {
  EXPECT_THROW(clause_map({}, two_clauses()), Error);
  Answer answer = made_answer();
  AnswerMasses masses = *answer.masses;
  masses.question.pop_back();
  answer.masses = std::make_shared<const AnswerMasses>(masses);
  EXPECT_THROW(clause_map(answer, two_clauses()), Error);
  masses = *made_answer().masses;
  masses.answer_scores.push_back(1);
  answer.masses = std::make_shared<const AnswerMasses>(masses);
  EXPECT_THROW(clause_map(answer, two_clauses()), Error);
}

// What a model did: shares are shares, and those of a sentence are what its citations say.
TEST(ClauseMap, OfAModelsAnswerAgreesWithItsCitations) {
  const std::shared_ptr<const Model> model = Model::open(tests::model_file(tests::kSmolLm2));
  const Document document = two_clauses();
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / ("whereof-map-" + std::to_string(::getpid()));
  const std::unique_ptr<Library> library = Library::open(file);
  library->add(document);
  AskOptions options;
  options.keeps_masses = true;
  options.max_answer_tokens = 12;
  options.calibration = Calibration::of_model(model->description());
  options.machine.flops_per_second = options.machine.attention_flops_per_second = 1e11;
  options.machine.bytes_per_second = 1e10;
  for (const bool is_extract : {false, true}) {
    options.is_extract = is_extract;
    const Answer answer = ask(document, *library, model, "Which law governs?", options);
    const ClauseMap map = clause_map(answer, document);
    EXPECT_EQ(map.columns.size(), 2U);
    EXPECT_EQ(std::ssize(map.layers), model->description().layers);
    EXPECT_EQ(map.rows.size(), is_extract ? 1U : 2U + answer.sentences.size());
    for (const ClauseMap::Row& row : map.rows) {
      const double sum = std::accumulate(row.shares.begin(), row.shares.end(), 0.0);
      EXPECT_TRUE(std::abs(sum - 1) < 1e-9 || sum == 0) << row.name << " " << sum;
    }
    for (const ClauseMap::Layer& layer : map.layers) EXPECT_GT(layer.entropy_share, 0);
    for (std::size_t s = 0; s < answer.sentences.size(); ++s) {
      for (const Citation& citation : answer.sentences[s].citations) {
        for (std::size_t c = 0; c < map.columns.size(); ++c) {
          if (map.columns[c].clause != citation.clause) continue;
          EXPECT_NEAR(map.rows[2 + s].shares[c], citation.share, 1e-9);
        }
      }
    }
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace whereof
