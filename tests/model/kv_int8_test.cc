// Keys and values of i8: close to those of bf16, half of the bytes, and kept, stacked, branched and
// checked as those are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "model/model_files.h"
#include "whereof/error.h"
#include "whereof/kv_store.h"
#include "whereof/model.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::shared_ptr<const Model> smollm() {
  static const auto model = Model::open(tests::model_file(tests::kSmolLm2));
  return model;
}

std::vector<TokenId> text_tokens(std::size_t count) {
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; tokens.size() < count; ++i) {
    const auto some = smollm()->tokenizer().encode(
        "Clause " + std::to_string(i) + ". The Seller shall pay the Buyer for each breach of it. ");
    tokens.insert(tokens.end(), some.ids.begin(), some.ids.end());
  }
  tokens.resize(count);
  return tokens;
}

ContextOptions options_of(ElementType kv_type, std::int64_t capacity = 1024) {
  ContextOptions options;
  options.capacity_tokens = capacity;
  options.kv_type = kv_type;
  return options;
}

// [tokens, vocabulary]
std::vector<float> all_logits(std::span<const TokenId> tokens, ElementType kv_type) {
  const auto context = Context::create(smollm(), options_of(kv_type));
  ReadOptions read;
  read.wants_all_logits = true;
  context->read(tokens, read);
  return {context->all_logits().begin(), context->all_logits().end()};
}

double mean_difference(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(double(a[i]) - double(b[i]));
  return sum / static_cast<double>(a.size());
}

ReadOptions keeping_in(KeptReading* kept) {
  ReadOptions options;
  options.wants_logits = false;
  options.kept = kept;
  return options;
}

class KvInt8 : public testing::Test {
 protected:
  KvInt8() {
    std::string pattern = (fs::temp_directory_path() / "whereof-int8-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~KvInt8() override { fs::remove_all(folder_); }

  std::unique_ptr<KeptReading> reading(ElementType kv_type, const std::string& key = "one") const {
    return KvStore::open({.folder = folder_})->reading(*smollm(), key, key, kv_type);
  }

  fs::path folder_;
};

// The bar is what rounding of activations alone makes of this model's logits (context_test.cc).
TEST_F(KvInt8, LogitsMoveByLessThanTheModelsOwnRounding) {
  const auto tokens = text_tokens(300);
  const auto exact = all_logits(tokens, ElementType::bf16);
  const auto rounded = all_logits(tokens, ElementType::i8);
  EXPECT_NE(rounded, exact) << "another cache";
  EXPECT_LT(mean_difference(rounded, exact), 0.36);
  const std::size_t vocabulary = exact.size() / tokens.size();
  std::size_t same_top = 0;
  for (std::size_t at = 0; at < exact.size(); at += vocabulary) {
    const auto top = [&](const std::vector<float>& logits) {
      const auto* row = logits.data() + at;
      return std::max_element(row, row + vocabulary) - row;
    };
    same_top += top(exact) == top(rounded) ? 1U : 0U;
  }
  EXPECT_GE(same_top, tokens.size() * 95 / 100);
}

TEST_F(KvInt8, TakesAboutHalfOfTheBytes) {
  const auto bytes = [](ElementType type) {
    return static_cast<double>(Context::bytes_needed(*smollm(), options_of(type, 8192)) -
                               Context::bytes_needed(*smollm(), options_of(type, 4096)));
  };
  // 64 elements and a scale: 68 bytes for 128; the rest of a token is its rotations, 256 bytes.
  const double elements = 2.0 * 30 * 3 * 4096;
  EXPECT_EQ(bytes(ElementType::bf16) - bytes(ElementType::i8), elements * (128 - 68));
}

TEST_F(KvInt8, IsKeptBitForBitAndApartFromBf16) {
  const auto tokens = text_tokens(300);
  const TokenId next = 500;
  std::vector<std::vector<float>> logits;
  for (int round = 0; round < 2; ++round) {
    const auto kept = reading(ElementType::i8);
    EXPECT_EQ(kept->matching(tokens), round == 0 ? 0 : 300);
    const auto context = Context::create(smollm(), options_of(ElementType::i8));
    context->read(tokens, keeping_in(kept.get()));
    context->read({&next, 1});
    logits.emplace_back(context->logits().begin(), context->logits().end());
  }
  EXPECT_EQ(logits[0], logits[1]);
  EXPECT_EQ(reading(ElementType::bf16)->length(), 0);
  const auto of_bf16 = Context::create(smollm(), options_of(ElementType::bf16));
  of_bf16->read(tokens, keeping_in(reading(ElementType::bf16).get()));
  const auto readings = KvStore::open({.folder = folder_})->list();
  ASSERT_EQ(readings.size(), 2U);
  const auto [smaller, larger] = std::minmax(readings[0].bytes, readings[1].bytes);
  EXPECT_NEAR(static_cast<double>(smaller) / static_cast<double>(larger), 68.0 / 128, 0.01);
}

TEST_F(KvInt8, AReadingOfTheOtherTypeIsRefused) {
  const auto tokens = text_tokens(10);
  const auto context = Context::create(smollm(), options_of(ElementType::i8));
  const auto kept = reading(ElementType::bf16);
  try {
    context->read(tokens, keeping_in(kept.get()));
    ADD_FAILURE() << "it was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_THAT(error.what(), HasSubstr("kv_type"));
  }
  EXPECT_THROW(context->append_kept(*kept, tokens), Error);
  EXPECT_THROW(Context::create(smollm(), options_of(ElementType::f32)), Error);
  EXPECT_THROW(reading(ElementType::f16), Error);
}

TEST_F(KvInt8, IsStackedBranchedAndChecked) {
  const auto tokens = text_tokens(300);
  const auto alone = Context::create(smollm(), options_of(ElementType::i8));
  alone->read(tokens, keeping_in(reading(ElementType::i8).get()));
  const TokenId question = 500;
  alone->read({&question, 1});
  ContextOptions options = options_of(ElementType::i8);
  options.branch_tokens = 1 + kBranchOverheadTokens;
  const auto both = Context::create(smollm(), options);
  both->read(std::span(tokens).subspan(100, 200));
  EXPECT_EQ(both->append_kept(*reading(ElementType::i8), tokens), 300);
  const PositionCheck check = both->check_positions(6);
  EXPECT_TRUE(check.holds) << check.alarm;
  const std::int64_t branch = both->open_branch({.room_tokens = 1, .hidden = {{0, 200}}});
  const BranchRead read{.branch = branch, .tokens = {&question, 1}};
  both->read_branches({&read, 1});
  EXPECT_LT(mean_difference(both->branch_logits(branch), alone->logits()), 0.36)
      << "rounding, as in context_test.cc";
}

TEST_F(KvInt8, TheCheckLeavesEveryBitAsItIs) {
  const auto tokens = text_tokens(200);
  const TokenId next = 500;
  std::vector<std::vector<float>> logits;
  for (const std::int64_t depths : {0, 4}) {
    const auto context = Context::create(smollm(), options_of(ElementType::i8));
    context->read(tokens);
    EXPECT_TRUE(context->check_positions(depths).holds);
    context->read({&next, 1});
    logits.emplace_back(context->logits().begin(), context->logits().end());
  }
  EXPECT_EQ(logits[0], logits[1]);
}

TEST_F(KvInt8, FaultsOfPositionAreCaught) {
  const auto tokens = text_tokens(300);
  for (const InjectedFault fault :
       {InjectedFault::decode_at_position_zero, InjectedFault::decode_one_position_late,
        InjectedFault::left_padding, InjectedFault::shifted_cache}) {
    ContextOptions options = options_of(ElementType::i8);
    options.fault = fault;
    const auto context = Context::create(smollm(), options);
    context->read(tokens);
    EXPECT_FALSE(context->check_positions(2).holds) << name_of(fault);
  }
}

}  // namespace
}  // namespace whereof
