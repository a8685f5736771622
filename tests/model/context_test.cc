// What a Context promises, on SmolLM2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "model/model_files.h"
#include "whereof/error.h"
#include "whereof/model.h"

namespace whereof {
namespace {

using testing::HasSubstr;

// Two runs of llama.cpp that differ in a cache's precision alone have logits 0.18 apart on the
// average of a text with this model (golden/README.md); a few rows may average twice that.
constexpr double kRounding = 0.36;

std::shared_ptr<const Model> smollm() {
  static const auto model = Model::open(tests::model_file(tests::kSmolLm2));
  return model;
}

std::vector<TokenId> text_tokens(std::size_t count) {
  static const std::string kText =
      "The Seller shall indemnify the Buyer against all Losses that arise from a breach of this "
      "Agreement, but such compensation shall not exceed the Purchase Price. Either party may "
      "terminate this Agreement by notice in writing if the other commits a material breach. ";
  std::vector<TokenId> tokens;
  while (tokens.size() < count) {
    const auto ids = smollm()->tokenizer().encode(kText).ids;
    tokens.insert(tokens.end(), ids.begin(), ids.end());
  }
  tokens.resize(count);
  return tokens;
}

std::unique_ptr<Context> context_of(std::int64_t capacity, std::int64_t block = 0,
                                    int threads = 0) {
  ContextOptions options;
  options.capacity_tokens = capacity;
  options.block_tokens = block;
  options.threads = threads;
  return Context::create(smollm(), options);
}

std::vector<float> copy_of(std::span<const float> values) { return {values.begin(), values.end()}; }

double mean_difference(std::span<const float> a, std::span<const float> b) {
  EXPECT_EQ(a.size(), b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(std::abs(a[i] - b[i]));
  return sum / static_cast<double>(a.size());
}

template <typename Call>
std::string error_of(ErrorKind kind, Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error of kind " << name_of(kind);
  return "";
}

TEST(Context, APrefilledRowEqualsItsDecodeStepAtSeveralDepths) {
  const std::vector<TokenId> tokens = text_tokens(400);
  const auto context = context_of(400, 128);
  ReadOptions all;
  all.wants_all_logits = true;
  context->read(tokens, all);
  const std::vector<float> prefilled = copy_of(context->all_logits());
  const auto vocabulary = prefilled.size() / tokens.size();
  const auto row = [&](std::size_t position) {
    return std::span(prefilled).subspan(position * vocabulary, vocabulary);
  };
  // A single row of so small a model may move by more than the average when anything is rounded
  // otherwise, so the depths are judged together.
  const std::vector<std::size_t> depths = {399, 350, 257, 256, 200, 128, 127, 90, 64, 40, 17};
  double same_row = 0;
  double row_before = 0;
  for (const std::size_t depth : depths) {
    context->truncate(static_cast<std::int64_t>(depth));
    context->read(std::span(tokens).subspan(depth, 1));
    same_row += mean_difference(context->logits(), row(depth));
    row_before += mean_difference(context->logits(), row(depth - 1));
  }
  const auto count = static_cast<double>(depths.size());
  EXPECT_LT(same_row / count, kRounding);
  EXPECT_GT(row_before / count, 3 * kRounding) << "the bound would not see displaced rows";
}

TEST(Context, SameBitsForAnyNumberOfThreads) {
  const std::vector<TokenId> tokens = text_tokens(90);
  std::vector<std::vector<float>> results;
  for (const int threads : {1, 2, 0}) {
    const auto context = context_of(128, 0, threads);
    context->read(tokens);
    results.push_back(copy_of(context->logits()));
    context->read(std::span(tokens).first(1));
    results.push_back(copy_of(context->logits()));
  }
  EXPECT_EQ(results[0], results[2]);
  EXPECT_EQ(results[0], results[4]);
  EXPECT_EQ(results[1], results[3]);
  EXPECT_EQ(results[1], results[5]);
}

TEST(Context, TruncatedAndReadAgainGivesTheSameBits) {
  const std::vector<TokenId> tokens = text_tokens(150);
  const auto context = context_of(200, 64);
  context->read(std::span(tokens).first(64));
  context->read(std::span(tokens).subspan(64));
  const std::vector<float> first = copy_of(context->logits());
  context->read(text_tokens(30));
  context->truncate(64);
  EXPECT_EQ(context->length(), 64);
  context->read(std::span(tokens).subspan(64));
  EXPECT_EQ(copy_of(context->logits()), first);
}

TEST(Context, BlockSizeChangesLogitsByRoundingOnly) {
  const std::vector<TokenId> tokens = text_tokens(130);
  const auto small = context_of(130, 16);
  const auto large = context_of(130, 512);
  small->read(tokens);
  large->read(tokens);
  EXPECT_LT(mean_difference(small->logits(), large->logits()), kRounding);
}

TEST(Context, AllLogitsEndWithThoseOfTheLastToken) {
  const std::vector<TokenId> tokens = text_tokens(21);
  const auto context = context_of(64, 8);
  ReadOptions all;
  all.wants_all_logits = true;
  context->read(tokens, all);
  const auto vocabulary = static_cast<std::size_t>(smollm()->description().vocabulary_size);
  ASSERT_EQ(context->all_logits().size(), tokens.size() * vocabulary);
  EXPECT_EQ(copy_of(context->all_logits().last(vocabulary)), copy_of(context->logits()));
}

std::vector<Evidence> evidence_of(const std::vector<TokenId>& tokens, std::int64_t block,
                                  const EvidenceRequest& request) {
  const auto context = context_of(256, block);
  std::vector<Evidence> evidence;
  ReadOptions read;
  read.evidence = &request;
  read.layer_evidence = &evidence;
  context->read(tokens, read);
  EXPECT_EQ(std::ssize(evidence), smollm()->description().layers);
  return evidence;
}

float mass_of_group(const Evidence& e, std::int64_t head, std::int64_t group) {
  const auto cell = static_cast<std::size_t>(e.index(0, head, group));
  const auto spans = static_cast<std::size_t>(e.key_spans);
  const auto begin = e.span_mass.begin() + static_cast<std::ptrdiff_t>(cell * spans);
  return std::accumulate(begin, begin + e.key_spans, e.unassigned_mass[cell]);
}

// Every row's weights sum to one, so a group's span masses sum to its rows.
void expect_whole_mass(const std::vector<Evidence>& layers,
                       const std::vector<std::int64_t>& rows_of_group) {
  for (const Evidence& e : layers) {
    ASSERT_EQ(e.groups, std::ssize(rows_of_group));
    for (std::int64_t group = 0; group < e.groups; ++group) {
      const std::int64_t rows = rows_of_group[static_cast<std::size_t>(group)];
      EXPECT_EQ(e.row_count[static_cast<std::size_t>(group)], rows);
      for (std::int64_t head = 0; head < e.query_heads; ++head) {
        EXPECT_NEAR(mass_of_group(e, head, group) / static_cast<float>(rows), 1, 1e-4);
      }
    }
  }
}

EvidenceRequest request_of(EvidenceRows rows) {
  EvidenceRequest request;
  request.rows = rows;
  request.key_spans = {{1, 40}, {40, 70}, {90, 200}, {230, 250}};  // the last is never visible
  request.top_keys = 3;
  return request;
}

TEST(ContextEvidence, SpanMassesOfSeveralBlocksSumToTheRows) {
  const std::vector<TokenId> tokens = text_tokens(200);
  expect_whole_mass(evidence_of(tokens, 64, request_of(EvidenceRows::all_summed)), {200});
  EvidenceRequest spans = request_of(EvidenceRows::by_query_span);
  spans.query_spans = {{0, 10}, {50, 140}, {150, 151}, {192, 200}};
  expect_whole_mass(evidence_of(tokens, 64, spans), {10, 90, 1, 8});
  EvidenceRequest rows = request_of(EvidenceRows::single);
  rows.query_rows = {0, 63, 64, 150, 199};
  expect_whole_mass(evidence_of(tokens, 64, rows), {1, 1, 1, 1, 1});
}

TEST(ContextEvidence, BlocksPutTogetherEqualOneBlock) {
  const std::vector<TokenId> tokens = text_tokens(200);
  EvidenceRequest request = request_of(EvidenceRows::by_query_span);
  request.query_spans = {{5, 100}, {120, 200}};
  const auto parts = evidence_of(tokens, 48, request);
  const auto whole = evidence_of(tokens, 200, request);
  // Only the first layer has the same inputs to the last bit or so; the others carry the rounding
  // of all layers before.
  const Evidence& a = parts.front();
  const Evidence& b = whole.front();
  const auto expect_near = [](const std::vector<float>& left, const std::vector<float>& right) {
    ASSERT_EQ(left.size(), right.size());
    for (std::size_t i = 0; i < left.size(); ++i) {
      EXPECT_NEAR(left[i], right[i], 1e-4 * (1 + std::abs(static_cast<double>(right[i]))));
    }
  };
  expect_near(a.span_mass, b.span_mass);
  expect_near(a.entropy, b.entropy);
  expect_near(a.sink_mass, b.sink_mass);
  expect_near(a.max_weight, b.max_weight);
  expect_near(a.log_sum_exp, b.log_sum_exp);
  ASSERT_EQ(a.top.size(), b.top.size());
  for (std::size_t i = 0; i < a.top.size(); ++i) {
    EXPECT_NEAR(a.top[i].weight, b.top[i].weight, 1e-4) << i;
    EXPECT_EQ(a.top[i].key, b.top[i].key) << i;
  }
}

TEST(ContextEvidence, AskingForItChangesLogitsByRoundingOnly) {
  const std::vector<TokenId> tokens = text_tokens(100);
  const EvidenceRequest request = request_of(EvidenceRows::all_summed);
  std::vector<Evidence> evidence;
  ReadOptions read;
  read.evidence = &request;
  read.layer_evidence = &evidence;
  const auto with = context_of(128);
  const auto without = context_of(128);
  with->read(tokens, read);
  without->read(tokens);
  EXPECT_LT(mean_difference(with->logits(), without->logits()), kRounding);
}

TEST(ContextErrors, OverTheWindowBeforeAnyWork) {
  const auto context = context_of(64);
  context->read(text_tokens(40));
  const std::string what =
      error_of(ErrorKind::over_window, [&] { context->read(text_tokens(25)); });
  EXPECT_THAT(what, HasSubstr("25"));
  EXPECT_THAT(what, HasSubstr("64"));
  EXPECT_EQ(context->length(), 40);
}

TEST(ContextErrors, CapacityOverTheModelsWindow) {
  const std::string what = error_of(ErrorKind::invalid_argument, [] { context_of(8193); });
  EXPECT_THAT(what, HasSubstr("8193"));
  EXPECT_THAT(what, HasSubstr("8192"));
}

TEST(ContextErrors, NoMemoryNamesTheLargestCapacityThatFits) {
  ContextOptions options;
  options.capacity_tokens = 4096;
  const std::int64_t needed = Context::bytes_needed(*smollm(), options);
  const char* limit = std::getenv("WHEREOF_MEMORY_LIMIT");
  const std::string restored = limit == nullptr ? "" : limit;
  setenv("WHEREOF_MEMORY_LIMIT", std::to_string(needed - 1).c_str(), 1);
  const std::string what =
      error_of(ErrorKind::out_of_memory, [&] { Context::create(smollm(), options); });
  EXPECT_THAT(what, HasSubstr("the largest that fits is 4095 tokens"));
  options.capacity_tokens = 4095;
  EXPECT_NE(Context::create(smollm(), options), nullptr);
  setenv("WHEREOF_MEMORY_LIMIT", restored.c_str(), 1);
}

TEST(ContextErrors, TokensAndRowsOutOfRange) {
  const auto context = context_of(64);
  const TokenId foreign[] = {5, 49152};
  error_of(ErrorKind::invalid_argument, [&] { context->read(foreign); });
  error_of(ErrorKind::invalid_argument, [&] { context->truncate(1); });
  EvidenceRequest request;
  request.rows = EvidenceRows::single;
  request.query_rows = {3, 7};
  std::vector<Evidence> evidence;
  ReadOptions read;
  read.evidence = &request;
  error_of(ErrorKind::invalid_argument, [&] { context->read(text_tokens(8), read); });
  read.layer_evidence = &evidence;
  error_of(ErrorKind::invalid_argument, [&] { context->read(text_tokens(7), read); });
  EXPECT_EQ(context->length(), 0);
  context->read(text_tokens(8), read);
  EXPECT_EQ(context->length(), 8);
}

TEST(Context, StoppedReadingKeepsWholeBlocksAndGoesOn) {
  const std::vector<TokenId> tokens = text_tokens(100);
  const auto context = context_of(128, 32);
  std::stop_source source;
  std::vector<std::int64_t> seen;
  ReadOptions read;
  read.stop = source.get_token();
  read.progress = [&](const Progress& progress) {
    seen.push_back(progress.done);
    EXPECT_EQ(progress.total, 100);
    if (progress.done == 64) source.request_stop();
  };
  error_of(ErrorKind::cancelled, [&] { context->read(tokens, read); });
  EXPECT_EQ(context->length(), 64);
  EXPECT_EQ(seen, (std::vector<std::int64_t>{32, 64}));
  context->read(std::span(tokens).subspan(64));
  const std::vector<float> resumed = copy_of(context->logits());
  context->truncate(0);
  context->read(tokens);
  EXPECT_EQ(copy_of(context->logits()), resumed);
}

}  // namespace
}  // namespace whereof
