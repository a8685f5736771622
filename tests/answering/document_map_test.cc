#include "whereof/document_map.h"

#include <gtest/gtest.h>

#include <numeric>

#include "answering/prompt.h"
#include "model/model_files.h"
#include "retrieval/made_document.h"
#include "whereof/error.h"
#include "whereof/retrieval.h"

namespace whereof {
namespace {

Document three_clauses() {
  retrieval::DocumentMaker maker;
  maker.clause("1", "1. \"Losses\" means damages, costs and lost profits of any kind.", "Losses");
  maker.clause("2", "2. The Supplier delivers the goods on Mondays. He asks for a receipt.",
               "Delivery");
  maker.clause("3", "3. The Supplier pays the Buyer all Losses that late delivery causes.",
               "Compensation");
  Document document = maker.make();
  document.name = "supply.txt";
  return document;
}

class DocumentMapOf : public testing::Test {
 protected:
  const std::shared_ptr<const Model> model_ = Model::open(tests::model_file(tests::kSmolLm2));
};

TEST_F(DocumentMapOf, SharesAreThoseOfTheSingleRows) {
  const Document document = three_clauses();
  const DocumentMap map = document_map(document, model_);
  ASSERT_EQ(map.units.size(), 3U);
  const answering::Manner manner{answering::Language::english, true};
  const answering::Prompt prompt = answering::compose_prompt(
      document, split_passages(document),
      answering::phrases_in(answering::Language::english).content_free, manner, *model_);
  // The same from each row of the third clause by itself.
  EvidenceRequest request;
  request.rows = EvidenceRows::single;
  for (const answering::ReadSentence& sentence : prompt.sentences) {
    request.key_spans.push_back(sentence.tokens);
    if (sentence.clause != map.units[2].clause) continue;
    for (std::int64_t row = sentence.tokens.begin; row < sentence.tokens.end; ++row) {
      request.query_rows.push_back(row);
    }
  }
  const auto context = Context::create(model_, {.capacity_tokens = std::ssize(prompt.tokens)});
  std::vector<Evidence> layers;
  ReadOptions read;
  read.evidence = &request;
  read.layer_evidence = &layers;
  context->read(prompt.tokens, read);
  std::vector<double> weight(2, 0);
  const std::size_t spans = request.key_spans.size();
  for (const Evidence& layer : layers) {
    for (std::size_t i = 0; i < layer.span_mass.size(); ++i) {
      const std::int32_t clause = prompt.sentences[i % spans].clause;
      for (std::size_t unit = 0; unit < 2; ++unit) {
        if (clause == map.units[unit].clause) weight[unit] += double{layer.span_mass[i]};
      }
    }
  }
  ASSERT_EQ(map.shares[2].size(), 2U);
  EXPECT_NEAR(map.shares[2][0], weight[0] / (weight[0] + weight[1]), 2e-3);
  EXPECT_NEAR(map.lifts[2][0],
              map.shares[2][0] * static_cast<double>(map.units[0].tokens + map.units[1].tokens) /
                  static_cast<double>(map.units[0].tokens),
              1e-9);
  EXPECT_TRUE(map.shares[0].empty());
  EXPECT_DOUBLE_EQ(map.shares[1][0], 1);
}

TEST_F(DocumentMapOf, ManyClausesArePutTogetherUnderThoseAboveThem) {
  retrieval::DocumentMaker maker;
  for (int part = 1; part <= 3; ++part) {
    const std::string number = std::to_string(part);
    maker.open(number, "Part").line(number + ". This part has forty clauses.");
    for (int i = 1; i <= 40; ++i) {
      const std::string below = number + "." + std::to_string(i);
      maker.clause(below, below + " Here is one more.");
    }
    maker.close();
  }
  const DocumentMap map = document_map(maker.make(), model_);
  ASSERT_EQ(map.units.size(), 3U);
  for (std::size_t row = 1; row < 3; ++row) {
    EXPECT_NEAR(std::accumulate(map.shares[row].begin(), map.shares[row].end(), 0.0), 1, 1e-9);
  }
  EXPECT_LT(map.units[0].text.end, map.units[1].text.begin);
}

TEST_F(DocumentMapOf, OnlyTheChosenHeadsCount) {
  const Document document = three_clauses();
  DocumentMapOptions options;
  options.heads.heads = {{.layer = 5, .head = 3, .weight = 2}};
  const DocumentMap one = document_map(document, model_, options);
  options.heads.heads[0].weight = 7;
  EXPECT_EQ(document_map(document, model_, options).shares, one.shares);
  EXPECT_NE(document_map(document, model_).shares, one.shares);
  options.heads.heads[0].layer = 500;
  EXPECT_THROW(document_map(document, model_, options), Error);
}

TEST_F(DocumentMapOf, ADocumentLongerThanTheWindowIsAnErrorWithBothNumbers) {
  retrieval::DocumentMaker maker;
  std::string text = "1. ";
  for (int i = 0; i < 2000; ++i) text += "The Supplier delivers the goods. ";
  maker.clause("1", text, "Delivery");
  try {
    document_map(maker.make(), model_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("8192"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace whereof
