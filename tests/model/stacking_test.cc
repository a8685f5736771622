// Parts of what was read elsewhere, moved into another context.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "model/model_files.h"
#include "whereof/error.h"
#include "whereof/kv_store.h"
#include "whereof/model.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const Model> smollm() {
  static const auto model = Model::open(tests::model_file(tests::kSmolLm2));
  return model;
}

std::vector<TokenId> some_tokens(std::int64_t count, TokenId first = 1000) {
  std::vector<TokenId> tokens;
  for (std::int64_t i = 0; i < count; ++i) {
    tokens.push_back(first + static_cast<TokenId>(i * 37 % 5000));
  }
  return tokens;
}

std::unique_ptr<Context> empty_context(ElementType kv_type, std::int64_t capacity = 1024) {
  ContextOptions options;
  options.capacity_tokens = capacity;
  options.branch_tokens = 1 + kBranchOverheadTokens;
  options.kv_type = kv_type;
  return Context::create(smollm(), options);
}

// Of one more token that sees all but what is hidden.
std::vector<float> logits_of_question(Context& context, std::vector<Span> hidden = {}) {
  const TokenId question = 500;
  const std::int64_t branch = context.open_branch({.room_tokens = 1, .hidden = std::move(hidden)});
  const BranchRead read{.branch = branch, .tokens = {&question, 1}};
  context.read_branches({&read, 1});
  const std::span<const float> logits = context.branch_logits(branch);
  std::vector<float> result(logits.begin(), logits.end());
  context.close_branches();
  return result;
}

double mean_difference(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(double(a[i]) - double(b[i]));
  return sum / static_cast<double>(a.size());
}

class Stacking : public testing::TestWithParam<ElementType> {
 protected:
  Stacking() {
    std::string pattern = (fs::temp_directory_path() / "whereof-stack-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    store_ = KvStore::open({.folder = folder_});
  }
  ~Stacking() override { fs::remove_all(folder_); }

  std::unique_ptr<KeptReading> reading() const {
    return store_->reading(*smollm(), "text", "text", GetParam());
  }
  // Read whole, and kept.
  std::unique_ptr<Context> context_of(std::span<const TokenId> tokens) const {
    auto context = empty_context(GetParam());
    const auto kept = reading();
    ReadOptions read;
    read.wants_logits = false;
    read.kept = kept.get();
    context->read(tokens, read);
    return context;
  }

  fs::path folder_;
  std::shared_ptr<KvStore> store_;
};

// Nothing is rotated, so nothing is rounded: the same bits as what hides the rest.
TEST_P(Stacking, PartsThatStayWhereTheyAreKeepTheirBits) {
  const auto tokens = some_tokens(600);
  const auto source = context_of(tokens);
  const auto wanted = logits_of_question(*source, {{100, 300}});
  const auto copied = empty_context(GetParam());
  copied->append_part_of(*source, {0, 100});
  copied->read(some_tokens(200, 7000));
  copied->append_part_of(*source, {300, 600});
  EXPECT_EQ(copied->length(), 600);
  EXPECT_EQ(logits_of_question(*copied, {{100, 300}}), wanted);
  const auto loaded = empty_context(GetParam());
  EXPECT_EQ(loaded->append_kept(*reading(), tokens, Span{0, 100}), 100);
  loaded->read(some_tokens(200, 7000));
  EXPECT_EQ(loaded->append_kept(*reading(), tokens, Span{300, 600}), 300);
  EXPECT_EQ(logits_of_question(*loaded, {{100, 300}}), wanted);
}

// The whole text, 200 positions on: what is asked of it alone is answered as before.
TEST_P(Stacking, MovedPartsSayWhatTheySaid) {
  const auto tokens = some_tokens(300);
  const auto source = context_of(tokens);
  const auto wanted = logits_of_question(*source);
  for (const bool from_file : {false, true}) {
    const auto moved = empty_context(GetParam());
    moved->read(some_tokens(200, 7000));
    for (const Span part : {Span{0, 120}, Span{120, 300}}) {
      if (from_file) {
        EXPECT_EQ(moved->append_kept(*reading(), tokens, part), part.length());
      } else {
        moved->append_part_of(*source, part);
      }
    }
    EXPECT_LT(mean_difference(logits_of_question(*moved, {{0, 200}}), wanted), 0.36)
        << "rounding, as in context_test.cc";
    const PositionCheck check = moved->check_positions(6);
    EXPECT_TRUE(check.holds) << check.alarm;
  }
}

TEST_P(Stacking, ADamagedBlockShowsAndNothingOfItIsUsed) {
  const auto tokens = some_tokens(600);
  context_of(tokens);
  const auto kept = reading();
  const fs::path file = store_->list().at(0).file;
  fs::resize_file(file, fs::file_size(file) / 2);
  const auto context = empty_context(GetParam());
  EXPECT_EQ(context->append_kept(*kept, tokens, Span{300, 600}), 0);
  EXPECT_EQ(context->append_kept(*kept, tokens, Span{100, 600}), 156) << "of the first block";
  EXPECT_EQ(context->length(), 156);
}

TEST_P(Stacking, WrongPartsAndContextsAreRefused) {
  const auto tokens = some_tokens(300);
  const auto source = context_of(tokens);
  const auto context = empty_context(GetParam(), 200);
  for (const Span part : {Span{-1, 5}, Span{5, 4}, Span{0, 301}}) {
    EXPECT_THROW(context->append_part_of(*source, part), Error);
    EXPECT_THROW(context->append_kept(*reading(), tokens, part), Error);
  }
  EXPECT_THROW(context->append_part_of(*source, {0, 201}), Error) << "over the capacity";
  EXPECT_THROW(context->append_kept(*reading(), tokens, Span{0, 201}), Error);
  EXPECT_THROW(context->append_part_of(*context, {0, 0}), Error);
  const auto other =
      empty_context(GetParam() == ElementType::i8 ? ElementType::bf16 : ElementType::i8);
  EXPECT_THROW(other->append_part_of(*source, {0, 10}), Error);
  EXPECT_EQ(context->length(), 0);
  context->append_part_of(*source, {40, 40});
  EXPECT_EQ(context->length(), 0);
}

INSTANTIATE_TEST_SUITE_P(Types, Stacking, testing::Values(ElementType::bf16, ElementType::i8),
                         [](const auto& type) { return std::string(name_of(type.param)); });

}  // namespace
}  // namespace whereof
