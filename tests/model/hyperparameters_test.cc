// Model files whose metadata and tensors contradict each other, or that are not supported.
#include "model/hyperparameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/gguf_writer.h"
#include "model/temporary_file.h"
#include "model/transformer_weights.h"
#include "whereof/error.h"

namespace whereof::model {
namespace {

using testing::HasSubstr;
using tests::GgufWriter;
using tests::TemporaryFile;

constexpr std::uint32_t kF32 = 0;

// A llama of one layer: width 64, four query heads, two kv heads, feed-forward 96.
GgufWriter metadata(const std::string& architecture = "llama", std::uint32_t heads = 4,
                    std::uint32_t kv_heads = 2) {
  GgufWriter writer;
  const std::string prefix = architecture + ".";
  writer.string("general.architecture", architecture)
      .uint32(prefix + "block_count", 1)
      .uint32(prefix + "context_length", 128)
      .uint32(prefix + "embedding_length", 64)
      .uint32(prefix + "feed_forward_length", 96)
      .uint32(prefix + "attention.head_count", heads)
      .uint32(prefix + "attention.head_count_kv", kv_heads)
      .number(prefix + "attention.layer_norm_rms_epsilon", 6, 1e-6F);
  return writer;
}

void add_tensors(GgufWriter& writer, const std::string& without = "",
                 const std::string& misshapen = "") {
  const auto add = [&](const std::string& name, std::vector<std::uint64_t> shape) {
    if (name == without) return;
    if (name == misshapen) shape.back() += 1;
    std::uint64_t elements = 1;
    for (const std::uint64_t size : shape) elements *= size;
    writer.tensor(name, shape, kF32, elements * 4);
  };
  add("token_embd.weight", {64, 10});
  add("output_norm.weight", {64});
  add("blk.0.attn_norm.weight", {64});
  add("blk.0.ffn_norm.weight", {64});
  add("blk.0.attn_q.weight", {64, 64});
  add("blk.0.attn_k.weight", {64, 32});
  add("blk.0.attn_v.weight", {64, 32});
  add("blk.0.attn_output.weight", {64, 64});
  add("blk.0.ffn_gate.weight", {64, 96});
  add("blk.0.ffn_up.weight", {64, 96});
  add("blk.0.ffn_down.weight", {96, 64});
}

std::string error_of(ErrorKind kind, const GgufWriter& writer) {
  const TemporaryFile file(writer.bytes());
  const auto gguf = GgufFile::open(file.path());
  try {
    find_weights(*gguf, read_hyperparameters(*gguf));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(Hyperparameters, AWholeModelIsAccepted) {
  GgufWriter writer = metadata();
  add_tensors(writer);
  const TemporaryFile file(writer.bytes());
  const auto gguf = GgufFile::open(file.path());
  const Hyperparameters h = read_hyperparameters(*gguf);
  EXPECT_EQ(h.head_dim, 16);
  EXPECT_EQ(h.rotary_dim, 16);
  EXPECT_EQ(h.rope_base, 10000);
  EXPECT_EQ(h.kv_width(), 32);
  const TransformerWeights weights = find_weights(*gguf, h);
  EXPECT_EQ(weights.vocabulary_size, 10);
  EXPECT_EQ(weights.head.data, weights.embedding.data) << "without output.weight the head is tied";
}

TEST(Hyperparameters, UnsupportedThingsAreNamed) {
  EXPECT_THAT(error_of(ErrorKind::unsupported, metadata("mamba")), HasSubstr("\"mamba\""));
  EXPECT_THAT(
      error_of(ErrorKind::unsupported, metadata().string("llama.rope.scaling.type", "dynamic")),
      HasSubstr("\"dynamic\""));
  EXPECT_THAT(error_of(ErrorKind::unsupported, metadata().uint32("llama.expert_count", 8)),
              HasSubstr("expert_count is 8"));
  EXPECT_THAT(error_of(ErrorKind::unsupported,
                       metadata("qwen2").uint32("qwen2.attention.sliding_window", 64)),
              HasSubstr("qwen2.attention.sliding_window is 64"));
  GgufWriter biased = metadata();
  add_tensors(biased);
  biased.tensor("blk.0.attn_q.bias", {64}, kF32, 256);
  EXPECT_THAT(error_of(ErrorKind::unsupported, biased), HasSubstr("tensor blk.0.attn_q.bias"));
}

Hyperparameters hyperparameters_of(const GgufWriter& writer) {
  const TemporaryFile file(writer.bytes());
  return read_hyperparameters(*GgufFile::open(file.path()));
}

TEST(Hyperparameters, WindowsAreThoseOfTheFileOrTheFamily) {
  const auto with_layers = [](const std::string& architecture, std::uint32_t layers) {
    GgufWriter writer;
    const std::string prefix = architecture + ".";
    writer.string("general.architecture", architecture)
        .uint32(prefix + "block_count", layers)
        .uint32(prefix + "context_length", 8192)
        .uint32(prefix + "embedding_length", 64)
        .uint32(prefix + "feed_forward_length", 96)
        .uint32(prefix + "attention.head_count", 4)
        .number(prefix + "attention.layer_norm_rms_epsilon", 6, 1e-6F);
    return writer;
  };
  using Layers = std::vector<bool>;
  Hyperparameters h = hyperparameters_of(with_layers("gemma2", 3));
  EXPECT_EQ(h.has_window, (Layers{true, false, true}));
  EXPECT_EQ(h.attention_window, 4096);
  EXPECT_EQ(h.score_soft_cap, 50);
  EXPECT_EQ(h.logit_soft_cap, 30);
  EXPECT_EQ(h.embedding_scale, 8);
  EXPECT_EQ(h.score_scale, 0.25F);
  EXPECT_EQ(h.window_rope_base, h.rope_base);
  GgufWriter gemma3 = with_layers("gemma3", 7);
  EXPECT_EQ(hyperparameters_of(gemma3).has_window, Layers(7)) << "the file names no window";
  gemma3.uint32("gemma3.attention.sliding_window", 512)
      .number("gemma3.rope.freq_base", 6, 1e6F)
      .uint32("gemma3.attention.key_length", 64)
      .uint32("gemma3.attention.value_length", 64);
  h = hyperparameters_of(gemma3);
  EXPECT_EQ(h.has_window, (Layers{true, true, true, true, true, false, true}));
  EXPECT_EQ(h.score_soft_cap, 0);
  EXPECT_EQ(h.rope_base, 1e6);
  EXPECT_EQ(h.window_rope_base, 10000);
  EXPECT_EQ(h.score_scale, 0.125F);
  gemma3.uint32("gemma3.attention.sliding_window_pattern", 3);
  EXPECT_EQ(hyperparameters_of(gemma3).has_window,
            (Layers{true, true, false, true, true, false, true}));
  GgufWriter mistral = with_layers("llama", 2);
  EXPECT_EQ(hyperparameters_of(mistral).has_window, Layers(2));
  mistral.uint32("llama.attention.sliding_window", 4096);
  EXPECT_EQ(hyperparameters_of(mistral).has_window, Layers(2, true));
  GgufWriter short_pattern = with_layers("gemma2", 3);
  short_pattern.numbers("gemma2.attention.sliding_window_pattern", 7,
                        std::vector<std::uint8_t>{1, 0});
  EXPECT_THAT(error_of(ErrorKind::bad_model, short_pattern),
              HasSubstr("sliding_window_pattern has 2 entries, wanted 3"));
}

TEST(Hyperparameters, TheLargestGemmasScaleScoresByWidth) {
  for (const auto& [architecture, layers] :
       {std::pair<std::string, std::uint32_t>{"gemma2", 46}, {"gemma3", 62}}) {
    GgufWriter writer = metadata(architecture);
    writer.uint32(architecture + ".attention.key_length", 64)
        .uint32(architecture + ".attention.value_length", 64);
    EXPECT_EQ(hyperparameters_of(writer).score_scale, 0.125F);
    GgufWriter largest;
    const std::string prefix = architecture + ".";
    largest.string("general.architecture", architecture)
        .uint32(prefix + "block_count", layers)
        .uint32(prefix + "context_length", 128)
        .uint32(prefix + "embedding_length", 64)
        .uint32(prefix + "feed_forward_length", 96)
        .uint32(prefix + "attention.head_count", 4)
        .uint32(prefix + "attention.key_length", 64)
        .uint32(prefix + "attention.value_length", 64)
        .number(prefix + "attention.layer_norm_rms_epsilon", 6, 1e-6F);
    EXPECT_EQ(hyperparameters_of(largest).score_scale, 0.25F) << architecture;
  }
}

TEST(Hyperparameters, KeysOutOfRangeAreNamed) {
  EXPECT_THAT(error_of(ErrorKind::bad_model, GgufWriter().uint32("x", 1)),
              HasSubstr("general.architecture is missing"));
  EXPECT_THAT(error_of(ErrorKind::bad_model, GgufWriter().string("general.architecture", "llama")),
              HasSubstr("llama.block_count is missing"));
  EXPECT_THAT(error_of(ErrorKind::bad_model, metadata("llama", 0)),
              HasSubstr("llama.attention.head_count is 0"));
  EXPECT_THAT(error_of(ErrorKind::bad_model, metadata("llama", 4, 3)),
              HasSubstr("wanted a multiple of head_count_kv, 3"));
  EXPECT_THAT(error_of(ErrorKind::bad_model, metadata().uint32("llama.rope.dimension_count", 18)),
              HasSubstr("rope.dimension_count is 18"));
}

TEST(TransformerWeights, TensorsThatAreMissingOrMisshapenAreNamed) {
  for (const std::string name :
       {"token_embd.weight", "output_norm.weight", "blk.0.attn_norm.weight", "blk.0.attn_k.weight",
        "blk.0.attn_output.weight", "blk.0.ffn_down.weight"}) {
    GgufWriter missing = metadata();
    add_tensors(missing, name);
    EXPECT_THAT(error_of(ErrorKind::bad_model, missing), HasSubstr(name + " is missing"));
    if (name == "token_embd.weight") continue;  // its rows are the vocabulary, whatever they are
    GgufWriter misshapen = metadata();
    add_tensors(misshapen, "", name);
    EXPECT_THAT(error_of(ErrorKind::bad_model, misshapen), HasSubstr(name + " has shape ["));
  }
}

TEST(TransformerWeights, QwenNeedsItsBiases) {
  GgufWriter writer = metadata("qwen2");
  add_tensors(writer);
  EXPECT_THAT(error_of(ErrorKind::bad_model, writer), HasSubstr("blk.0.attn_q.bias is missing"));
}

}  // namespace
}  // namespace whereof::model
