// Faults of position, injected into a real model: each is found and named, and a clean reading
// raises no alarm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "model/model_files.h"
#include "model/temporary_file.h"
#include "whereof/error.h"
#include "whereof/gguf.h"
#include "whereof/model.h"

namespace whereof {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Model> model_of(const char* name) {
  return Model::open(tests::model_file(name));
}

std::shared_ptr<const Model> smollm() {
  static const auto model = model_of(tests::kSmolLm2);
  return model;
}

std::vector<TokenId> text_tokens(const Model& model, std::size_t count) {
  const std::string text =
      "The Seller shall indemnify the Buyer against all Losses that arise from a breach of this "
      "Agreement, but such compensation shall not exceed the Purchase Price. ";
  std::vector<TokenId> tokens;
  while (tokens.size() < count) {
    const auto ids = model.tokenizer().encode(text + std::to_string(tokens.size())).ids;
    tokens.insert(tokens.end(), ids.begin(), ids.end());
  }
  tokens.resize(count);
  return tokens;
}

PositionCheck check_with(InjectedFault fault, std::size_t tokens, std::int64_t capacity,
                         std::int64_t count = 4) {
  ContextOptions options;
  options.capacity_tokens = capacity;
  options.fault = fault;
  const auto context = Context::create(smollm(), options);
  ReadOptions read;
  read.wants_logits = false;
  context->read(text_tokens(*smollm(), tokens), read);
  return context->check_positions(count);
}

TEST(PositionCheck, HoldsAtAllDepthsOfTheWindow) {
  const PositionCheck check = check_with(InjectedFault::none, 1200, 8192, 8);
  EXPECT_TRUE(check.holds) << check.alarm;
  EXPECT_EQ(check.alarm, "");
  EXPECT_EQ(check.recognised, InjectedFault::none);
  EXPECT_EQ(check.positions, 8);
  EXPECT_LT(check.key_difference, 0.03);
  EXPECT_LT(check.decoded_difference, 0.25);
  RecordProperty("key_difference", std::to_string(check.key_difference));
  RecordProperty("decoded_difference", std::to_string(check.decoded_difference));
}

TEST(PositionCheck, HoldsForQwen) {
  const auto model = model_of(tests::kQwenSmall);
  const auto context = Context::create(model, {.capacity_tokens = 600});
  context->read(text_tokens(*model, 500));
  const PositionCheck check = context->check_positions();
  EXPECT_TRUE(check.holds) << check.alarm;
  EXPECT_LT(check.key_difference, 0.03);
}

TEST(PositionCheck, LeavesWhatWasReadAsItIs) {
  const auto tokens = text_tokens(*smollm(), 300);
  std::vector<std::vector<float>> logits;
  for (const std::int64_t count : {0, 5}) {
    const auto context = Context::create(smollm(), {.capacity_tokens = 400});
    context->read(tokens);
    EXPECT_TRUE(context->check_positions(count).holds);
    EXPECT_EQ(context->length(), 300);
    context->read(std::span(tokens).first(1));
    logits.emplace_back(context->logits().begin(), context->logits().end());
  }
  EXPECT_EQ(logits[0], logits[1]);
}

TEST(PositionCheck, AnEmptyContextHolds) {
  const auto context = Context::create(smollm(), {.capacity_tokens = 100});
  EXPECT_TRUE(context->check_positions().holds);
  EXPECT_THROW(context->check_positions(-1), Error);
}

TEST(PositionCheck, ARotaryTableThatIsTooShort) {
  const PositionCheck check = check_with(InjectedFault::rotary_table_too_short, 100, 512);
  EXPECT_FALSE(check.holds);
  EXPECT_EQ(check.alarm, "the rotary table covers 256 of 512 positions");
  EXPECT_EQ(check.recognised, InjectedFault::rotary_table_too_short);
  EXPECT_GT(check_with(InjectedFault::rotary_table_too_short, 400, 512).key_difference, 0.3);
}

TEST(PositionCheck, EveryDecodeStepAtPositionZero) {
  const PositionCheck check = check_with(InjectedFault::decode_at_position_zero, 200, 256);
  EXPECT_FALSE(check.holds);
  EXPECT_THAT(check.alarm, HasSubstr("the key of a decoded token of position"));
  EXPECT_THAT(check.alarm, HasSubstr("stands at position 0 "));
  EXPECT_EQ(check.recognised, InjectedFault::decode_at_position_zero);
}

TEST(PositionCheck, AnOffsetTakenAfterTheAppend) {
  const PositionCheck check = check_with(InjectedFault::decode_one_position_late, 200, 256, 1);
  EXPECT_FALSE(check.holds);
  EXPECT_THAT(check.alarm,
              HasSubstr("the key of a decoded token of position 199 stands at position 200 "));
  EXPECT_EQ(check.recognised, InjectedFault::decode_one_position_late);
}

TEST(PositionCheck, PositionsInHalfPrecisionPast2048) {
  EXPECT_TRUE(check_with(InjectedFault::positions_in_half_precision, 500, 4096).holds);
  const PositionCheck check = check_with(InjectedFault::positions_in_half_precision, 2060, 4096, 1);
  EXPECT_FALSE(check.holds);
  EXPECT_THAT(check.alarm,
              testing::ContainsRegex("the cache of position 2059 stands at position 20(58|60) "));
  EXPECT_EQ(check.recognised, InjectedFault::positions_in_half_precision);
}

TEST(PositionCheck, LeftPadding) {
  const PositionCheck check = check_with(InjectedFault::left_padding, 200, 256, 1);
  EXPECT_FALSE(check.holds);
  EXPECT_THAT(check.alarm,
              HasSubstr("the key in the cache of position 199 stands at position 207 "));
  EXPECT_EQ(check.recognised, InjectedFault::left_padding);
}

TEST(PositionCheck, AShiftedCache) {
  const PositionCheck check = check_with(InjectedFault::shifted_cache, 200, 256);
  EXPECT_FALSE(check.holds);
  EXPECT_THAT(check.alarm, HasSubstr("the key in the cache of position"));
  EXPECT_EQ(check.recognised, InjectedFault::shifted_cache);
}

TEST(PositionCheck, AnOffsetThatRestartsAtDepth) {
  EXPECT_TRUE(check_with(InjectedFault::offset_restarts_at_depth, 250, 512).holds);
  const PositionCheck check = check_with(InjectedFault::offset_restarts_at_depth, 400, 512);
  EXPECT_FALSE(check.holds);
  EXPECT_THAT(check.alarm,
              HasSubstr("the key in the cache of position 299 stands at position 43 "));
  EXPECT_EQ(check.recognised, InjectedFault::offset_restarts_at_depth);
}

// A tiny model whose first layer's keys have a large bias on the pair of each head that rotates
// slowest, as Qwen 1.5B has: keys of all tokens and positions are nearly alike.
class BiasedKeys : public testing::Test {
 protected:
  static constexpr float kBias = 150;

  BiasedKeys() : path_(tests::TemporaryFile::unused_path()) {
    const std::filesystem::path tiny =
        WHEREOF_SOURCE_DIR "/tests/model/golden/families/qwen2_yarn.gguf";
    std::filesystem::copy_file(tiny, path_);
    const auto gguf = GgufFile::open(tiny);
    const std::span<const std::byte> bias = gguf->find_tensor("blk.0.attn_k.bias")->data;
    std::vector<float> values(bias.size() / sizeof(float));
    std::memcpy(values.data(), bias.data(), bias.size());
    const auto head = static_cast<std::size_t>(Model::open(tiny)->description().head_dim);
    for (std::size_t i = head - 1; i < values.size(); i += head) values[i] += kBias;
    std::fstream stream(path_, std::ios::in | std::ios::out | std::ios::binary);
    std::string bytes(std::istreambuf_iterator<char>(stream), {});
    const auto* first = reinterpret_cast<const char*>(bias.data());
    stream.seekp(static_cast<std::streamoff>(bytes.find(std::string(first, bias.size()))));
    stream.write(reinterpret_cast<const char*>(values.data()),
                 static_cast<std::streamsize>(bias.size()));
    if (!stream.flush()) throw std::runtime_error("cannot write " + path_.string());
  }
  ~BiasedKeys() override { std::filesystem::remove(path_); }

  PositionCheck check_with(InjectedFault fault, ElementType kv_type = ElementType::bf16) const {
    const auto model = Model::open(path_);
    ContextOptions options;
    options.capacity_tokens = 256;
    options.fault = fault;
    options.kv_type = kv_type;
    const auto context = Context::create(model, options);
    std::vector<TokenId> tokens;
    for (int i = 0; i < 200; ++i) tokens.push_back(static_cast<TokenId>(10 + 7 * i % 250));
    context->read(tokens);
    return context->check_positions(4);
  }

 private:
  std::filesystem::path path_;
};

TEST_F(BiasedKeys, FaultsArePlainThoughAllKeysAreNearlyAlike) {
  for (const InjectedFault fault :
       {InjectedFault::left_padding, InjectedFault::decode_one_position_late}) {
    const PositionCheck check = check_with(fault);
    EXPECT_FALSE(check.holds) << name_of(fault);
    EXPECT_LT(check.key_difference, 0.12) << name_of(fault);
    EXPECT_EQ(name_of(check.recognised), name_of(fault)) << check.alarm;
  }
}

TEST_F(BiasedKeys, ACleanReadingHolds) {
  for (const ElementType type : {ElementType::bf16, ElementType::i8}) {
    const PositionCheck check = check_with(InjectedFault::none, type);
    EXPECT_TRUE(check.holds) << check.alarm;
  }
}

TEST(PositionCheck, EveryFaultHasAName) {
  EXPECT_EQ(name_of(InjectedFault::none), "none");
  EXPECT_EQ(name_of(InjectedFault::shifted_cache), "shifted_cache");
}

}  // namespace
}  // namespace whereof
