// Branches: each as if it went on alone, hidden spans unseen, the context itself untouched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "model/model_files.h"
#include "whereof/error.h"
#include "whereof/model.h"

namespace whereof {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Model> smollm() {
  static const auto model = Model::open(tests::model_file(tests::kSmolLm2));
  return model;
}

std::vector<TokenId> tokens_of(const std::string& text) {
  return smollm()->tokenizer().encode(text).ids;
}

std::vector<TokenId> long_text(std::size_t count) {
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; tokens.size() < count; ++i) {
    const auto some = tokens_of("Clause " + std::to_string(i) +
                                ". The Seller shall pay the Buyer for each breach. ");
    tokens.insert(tokens.end(), some.begin(), some.end());
  }
  tokens.resize(count);
  return tokens;
}

std::unique_ptr<Context> context_with(std::span<const TokenId> tokens, std::int64_t branch_tokens,
                                      std::int64_t block = 0) {
  ContextOptions options;
  options.capacity_tokens = 1024;
  options.branch_tokens = branch_tokens;
  options.block_tokens = block;
  auto context = Context::create(smollm(), options);
  if (!tokens.empty()) context->read(tokens);
  return context;
}

double mean_difference(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(double(a[i]) - double(b[i]));
  return sum / static_cast<double>(a.size());
}

// What rounding makes of a logit of this model, as in context_test.cc.
constexpr double kRounding = 0.36;

TEST(Branches, EachGoesOnAsIfAlone) {
  for (const std::size_t trunk : {256U, 300U}) {  // a whole page, and a part of the next
    const std::vector<TokenId> text = long_text(trunk);
    const std::vector<std::vector<TokenId>> questions = {
        tokens_of("Who pays whom for a breach?"), tokens_of("Quid?"),
        tokens_of("Name the clause, its number and the parties that it binds, please.")};
    const auto context = context_with(text, 3 * (64 + kBranchOverheadTokens));
    std::vector<BranchRead> reads;
    for (const auto& question : questions) {
      const std::int64_t branch = context->open_branch({.room_tokens = 64, .hidden = {}});
      reads.push_back({.branch = branch, .tokens = question});
    }
    context->read_branches(reads);
    // A single row of so small a model may move by more than the average when anything is rounded
    // otherwise (few rows are multiplied in 8 bits, many in bf16), so they are judged together.
    const auto alone = context_with(text, 0);
    double same = 0;
    double others = 0;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      alone->truncate(static_cast<std::int64_t>(trunk));
      alone->read(questions[i]);
      for (std::size_t j = 0; j < questions.size(); ++j) {
        const double difference =
            mean_difference(context->branch_logits(reads[j].branch), alone->logits());
        (i == j ? same : others) += difference;
      }
    }
    EXPECT_LT(same / 3, kRounding) << "trunk " << trunk;
    EXPECT_GT(others / 6, 3 * kRounding) << "the bound would not see the wrong branch";
    const TokenId next = 500;
    std::vector<BranchRead> steps;
    for (const BranchRead& read : reads) {
      steps.push_back({.branch = read.branch, .tokens = {&next, 1}});
    }
    context->read_branches(steps);
    // One step further, one token a branch, all together.
    alone->read({&next, 1});
    EXPECT_LT(mean_difference(context->branch_logits(2), alone->logits()), 2 * kRounding);
    context->close_branches();
    EXPECT_EQ(context->length(), static_cast<std::int64_t>(trunk));
    alone->truncate(static_cast<std::int64_t>(trunk));
    context->read({&next, 1});
    alone->read({&next, 1});
    EXPECT_EQ(mean_difference(context->logits(), alone->logits()), 0) << "trunk " << trunk;
  }
}

TEST(Branches, LongReadsAreCutIntoBlocksTogether) {
  const std::vector<TokenId> text = long_text(100);
  const std::vector<TokenId> more = long_text(150);
  const auto context = context_with(text, 2 * (200 + kBranchOverheadTokens), 64);
  std::vector<BranchRead> reads;
  for (int i = 0; i < 2; ++i) {
    const std::int64_t branch = context->open_branch({.room_tokens = 200, .hidden = {}});
    reads.push_back({.branch = branch, .tokens = more});
  }
  context->read_branches(reads);
  const auto alone = context_with(text, 0);
  alone->read(more);
  for (const std::int64_t branch : {0, 1}) {
    EXPECT_LT(mean_difference(context->branch_logits(branch), alone->logits()), kRounding);
  }
}

TEST(Branches, EvidenceIsThatOfReadingAlone) {
  const std::vector<TokenId> text = long_text(300);
  const std::vector<TokenId> question = tokens_of("Who pays whom for a breach?");
  EvidenceRequest request;
  request.key_spans = {{1, 100}, {100, 200}, {200, 300}};
  std::vector<Evidence> alone_evidence;
  const auto alone = context_with(text, 0);
  ReadOptions read;
  read.evidence = &request;
  read.layer_evidence = &alone_evidence;
  alone->read(question, read);
  const auto context = context_with(text, 64 + kBranchOverheadTokens);
  const std::int64_t branch = context->open_branch({.room_tokens = 64, .hidden = {}});
  std::vector<Evidence> evidence;
  const BranchRead branch_read{
      .branch = branch, .tokens = question, .evidence = &request, .layer_evidence = &evidence};
  context->read_branches({&branch_read, 1});
  ASSERT_EQ(evidence.size(), alone_evidence.size());
  for (std::size_t layer = 0; layer < evidence.size(); ++layer) {
    for (std::size_t i = 0; i < evidence[layer].span_mass.size(); ++i) {
      EXPECT_NEAR(evidence[layer].span_mass[i], alone_evidence[layer].span_mass[i], 0.5)
          << "layer " << layer << ", sum over " << question.size() << " rows";
    }
  }
}

// Ablation: the answer's probability falls where the clause that holds it is hidden, and only
// there.
TEST(Branches, HidingTheClauseThatAnAnswerComesFromMakesItLessLikely) {
  const std::string start = "The agreement.\n1. Law. This agreement is governed by English law.\n";
  const std::string clause = "2. Term. The term of this agreement is 731 days.\n";
  const std::string end = "3. Costs. Each party bears its own costs.\n";
  const auto first = static_cast<std::int64_t>(tokens_of(start).size());
  std::vector<TokenId> text = tokens_of(start);
  for (const std::string& part : {clause, end}) {
    const auto some = tokens_of(part);
    text.insert(text.end(), some.begin(), some.end());
  }
  const Span its{first, first + static_cast<std::int64_t>(tokens_of(clause).size())};
  const Span other{its.end, static_cast<std::int64_t>(text.size())};
  const std::vector<TokenId> answer =
      tokens_of("\nQuestion: How long is the term? Answer: The term of this agreement is 731 days");
  const auto context = context_with(text, 3 * (64 + kBranchOverheadTokens));
  std::vector<BranchRead> reads;
  std::vector<std::vector<double>> log_probabilities(3);
  std::vector<std::vector<Span>> hidden = {{}, {its}, {other}};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t branch = context->open_branch({.room_tokens = 64, .hidden = hidden[i]});
    reads.push_back(
        {.branch = branch, .tokens = answer, .log_probabilities = &log_probabilities[i]});
  }
  context->read_branches(reads);
  std::vector<double> totals;
  for (const auto& each : log_probabilities) {
    ASSERT_EQ(each.size(), answer.size() - 1);
    totals.push_back(std::accumulate(each.end() - 6, each.end(), 0.0));
    for (const double logarithm : each) EXPECT_LE(logarithm, 0);
  }
  EXPECT_LT(totals[1], totals[0] - 3) << "without the clause";
  EXPECT_GT(totals[2], totals[0] - 1.5) << "without another";
}

TEST(Branches, LogProbabilitiesAreThoseOfTheLogits) {
  const std::vector<TokenId> text = long_text(40);
  const std::vector<TokenId> more = tokens_of(" The Buyer shall pay nothing at all to anyone.");
  const auto context = context_with(text, 64 + kBranchOverheadTokens);
  context->open_branch({.room_tokens = 64, .hidden = {}});
  std::vector<double> log_probabilities;
  const BranchRead read{.branch = 0, .tokens = more, .log_probabilities = &log_probabilities};
  context->read_branches({&read, 1});
  const auto alone = context_with(text, 0);
  ReadOptions all;
  all.wants_all_logits = true;
  alone->read(more, all);
  const std::size_t vocabulary = alone->all_logits().size() / more.size();
  double difference = 0;
  for (std::size_t i = 0; i + 1 < more.size(); ++i) {
    const auto logits = alone->all_logits().subspan(i * vocabulary, vocabulary);
    double sum = 0;
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit));
    const double wanted =
        static_cast<double>(logits[static_cast<std::size_t>(more[i + 1])]) - std::log(sum);
    difference += std::abs(log_probabilities[i] - wanted);
  }
  EXPECT_LT(difference / static_cast<double>(more.size()), kRounding);
}

TEST(Branches, LogProbabilitiesFromATokenOnAreTheLastOfAllOfThem) {
  const std::vector<TokenId> text = long_text(40);
  const std::vector<TokenId> more = tokens_of(" The Buyer shall pay nothing at all to anyone.");
  const auto context = context_with(text, 2 * (64 + kBranchOverheadTokens));
  std::vector<std::vector<double>> found(2);
  std::vector<BranchRead> reads;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t branch = context->open_branch({.room_tokens = 64, .hidden = {}});
    reads.push_back({.branch = branch, .tokens = more, .log_probabilities = &found[i]});
  }
  reads[1].log_probabilities_from = 4;
  reads[1].wants_logits = false;
  context->read_branches(reads);
  ASSERT_EQ(found[0].size(), more.size() - 1);
  const std::vector<double> last(found[0].begin() + 3, found[0].end());
  EXPECT_EQ(found[1], last);
  EXPECT_FALSE(context->branch_logits(0).empty());
  EXPECT_TRUE(context->branch_logits(1).empty());

  reads[1].log_probabilities_from = std::ssize(more) + 1;
  context->close_branches();
  for (int i = 0; i < 2; ++i) context->open_branch({.room_tokens = 64, .hidden = {}});
  context->read_branches(reads);
  EXPECT_TRUE(found[1].empty());
}

TEST(Branches, LogProbabilitiesAreTheSameBitsInAnyCompany) {
  const std::vector<TokenId> text = long_text(40);
  const std::vector<TokenId> more = tokens_of(" The Buyer shall pay nothing at all to anyone.");
  const auto found_with = [&](std::size_t branches) {
    const auto context =
        context_with(text, static_cast<std::int64_t>(branches) * (64 + kBranchOverheadTokens));
    std::vector<std::vector<double>> found(branches);
    std::vector<BranchRead> reads;
    for (std::vector<double>& of_branch : found) {
      const std::int64_t branch = context->open_branch({.room_tokens = 64, .hidden = {}});
      reads.push_back({.branch = branch, .tokens = more, .log_probabilities = &of_branch});
    }
    context->read_branches(reads);
    return found;
  };
  const std::vector<double> alone = found_with(1).front();
  for (const std::vector<double>& one : found_with(3)) EXPECT_EQ(one, alone);
}

TEST(Branches, WrongUseIsNamed) {
  const auto context = context_with(long_text(300), 100 + kBranchOverheadTokens);
  const auto message = [&](const auto& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto open = [&](std::int64_t room, std::vector<Span> hidden) {
    return message([&] { context->open_branch({.room_tokens = room, .hidden = hidden}); });
  };
  EXPECT_THAT(open(0, {}), HasSubstr("room_tokens is 0"));
  EXPECT_THAT(open(900, {}), HasSubstr("room_tokens is 900; wanted 1 to 724"));
  EXPECT_THAT(open(10, {{5, 5}}), HasSubstr("hidden spans"));
  EXPECT_THAT(open(10, {{5, 8}, {7, 9}}), HasSubstr("hidden spans"));
  EXPECT_THAT(open(10, {{200, 301}}), HasSubstr("300 tokens read"));
  EXPECT_EQ(open(100, {}), "");
  EXPECT_THAT(open(700, {}), HasSubstr("does not fit the branch_tokens"));
  EXPECT_THAT(message([&] { context->truncate(0); }), HasSubstr("close_branches first"));
  EXPECT_THAT(message([&] { context->read(long_text(1)); }), HasSubstr("branches are open"));
  EXPECT_THAT(message([&] { context->branch_logits(1); }), HasSubstr("branch 1 is not open"));
  const auto tokens = long_text(101);
  const std::vector<BranchRead> too_long = {{.branch = 0, .tokens = tokens}};
  EXPECT_THAT(message([&] { context->read_branches(too_long); }),
              HasSubstr("101 tokens do not fit branch 0, which has room for 100 more"));
  const std::vector<BranchRead> twice = {{.branch = 0, .tokens = {}}, {.branch = 0, .tokens = {}}};
  EXPECT_THAT(message([&] { context->read_branches(twice); }), HasSubstr("named twice"));
  context->close_branches();
  EXPECT_EQ(message([&] { context->truncate(0); }), "");
  EXPECT_THAT(message([&] { Context::create(smollm(), {.branch_tokens = -1}); }),
              HasSubstr("branch_tokens is -1"));
}

}  // namespace
}  // namespace whereof
