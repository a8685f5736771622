// Logits against llama.cpp's, with the reference's own spread as the yardstick (golden/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "model/hyperparameters.h"
#include "model/model_files.h"
#include "whereof/instruction_set.h"
#include "whereof/model.h"

namespace whereof {
namespace {

constexpr const char* kFolder = WHEREOF_SOURCE_DIR "/tests/model/golden/";
constexpr std::size_t kProbes = 64;

struct Golden {
  std::vector<TokenId> ids;
  std::vector<std::int32_t> top;
  std::vector<float> margin;
  std::vector<float> logits;  // [positions, kProbes]
};

nlohmann::json json_of(const std::string& name) {
  std::ifstream file(kFolder + name);
  if (!file) throw std::runtime_error("cannot read " + name);
  return nlohmann::json::parse(file);
}

Golden read_golden(const nlohmann::json& prompt) {
  Golden golden;
  golden.ids = prompt["ids"].get<std::vector<TokenId>>();
  const std::size_t count = golden.ids.size();
  golden.top.resize(count);
  golden.margin.resize(count);
  golden.logits.resize(count * kProbes);
  std::ifstream file(kFolder + prompt["file"].get<std::string>(), std::ios::binary);
  const auto read = [&](auto& values) {
    file.read(reinterpret_cast<char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(values[0])));
  };
  read(golden.top);
  read(golden.margin);
  read(golden.logits);
  if (!file) throw std::runtime_error("golden file cut: " + prompt["file"].get<std::string>());
  return golden;
}

// The largest differences between runs of the reference itself.
struct Yardstick {
  double mean_difference = 0;
  double margin = 0;  // of a disagreement about the top token
};

Yardstick yardstick_of(const std::string& model, const std::string& prompt) {
  Yardstick yardstick;
  const nlohmann::json variants = json_of("logits_yardstick.json");
  for (const auto& [name, variant] : variants.items()) {
    if (name.rfind(model, 0) != 0 || !variant.contains(prompt)) continue;
    const auto& figures = variant[prompt];
    yardstick.mean_difference =
        std::max(yardstick.mean_difference, figures["mean_abs_difference_of_probes"].get<double>());
    if (figures["largest_margin_of_a_disagreement"].is_number()) {
      yardstick.margin =
          std::max(yardstick.margin, figures["largest_margin_of_a_disagreement"].get<double>());
    }
  }
  return yardstick;
}

struct Comparison {
  double mean_difference = 0;
  std::int64_t clear = 0;         // positions whose margin is above the reference's rounding
  std::int64_t clear_agreed = 0;  // of those, with the same top token
  std::int64_t agreed = 0;
  std::int64_t positions = 0;
};

Comparison compare(const Golden& golden, const std::vector<std::size_t>& probes,
                   std::span<const float> logits, double margin) {
  Comparison c;
  c.positions = static_cast<std::int64_t>(golden.ids.size());
  const std::size_t vocabulary = logits.size() / golden.ids.size();
  for (std::size_t i = 0; i < golden.ids.size(); ++i) {
    const auto row = logits.subspan(i * vocabulary, vocabulary);
    const auto top = std::max_element(row.begin(), row.end()) - row.begin();
    const bool is_same = top == golden.top[i];
    c.agreed += is_same;
    if (static_cast<double>(golden.margin[i]) > margin) {
      ++c.clear;
      c.clear_agreed += is_same;
    }
    for (std::size_t k = 0; k < kProbes; ++k) {
      c.mean_difference +=
          static_cast<double>(std::abs(row[probes[k]] - golden.logits[i * kProbes + k]));
    }
  }
  c.mean_difference /= static_cast<double>(golden.ids.size() * kProbes);
  return c;
}

void expect_golden_logits(const char* file, const std::string& name) {
  const auto model = Model::open(tests::model_file(file));
  const nlohmann::json golden_file = json_of("logits_" + name + ".json");
  const auto probes = golden_file["probe_ids"].get<std::vector<std::size_t>>();
  ASSERT_EQ(probes.size(), kProbes);
  int prompts = 0;
  for (const auto& [prompt, description] : golden_file["prompts"].items()) {
    ++prompts;
    const Golden golden = read_golden(description);
    ASSERT_GE(golden.ids.size(), 500U);
    ContextOptions options;
    options.capacity_tokens = static_cast<std::int64_t>(golden.ids.size());
    const auto context = Context::create(model, options);
    ReadOptions read;
    read.wants_all_logits = true;
    context->read(golden.ids, read);
    const Yardstick yardstick = yardstick_of(name, prompt);
    const Comparison c = compare(golden, probes, context->all_logits(), yardstick.margin);
    std::printf(
        "%-14s %-8s mean |difference| %.3f (reference's own %.3f), top-1 %lld of %lld, "
        "above rounding (margin %.2f) %lld of %lld\n",
        name.c_str(), prompt.c_str(), c.mean_difference, yardstick.mean_difference,
        static_cast<long long>(c.agreed), static_cast<long long>(c.positions), yardstick.margin,
        static_cast<long long>(c.clear_agreed), static_cast<long long>(c.clear));
    EXPECT_GE(c.clear, c.positions / 2) << prompt;
    EXPECT_GE(static_cast<double>(c.clear_agreed), 0.99 * static_cast<double>(c.clear)) << prompt;
    EXPECT_LE(c.mean_difference, 1.25 * yardstick.mean_difference) << prompt;
  }
  EXPECT_EQ(prompts, 3);
}

TEST(TransformerGolden, SmolLm2) { expect_golden_logits(tests::kSmolLm2, "smollm2_135m"); }

TEST(TransformerGolden, QwenHalfBillion) {
  expect_golden_logits(tests::kQwenSmall, "qwen2.5_0.5b");
}

TEST(TransformerGolden, QwenOneAndAHalfBillion) {
  if (!tests::has_model(tests::kQwenDefault)) {
    GTEST_SKIP() << "no " << tests::kQwenDefault << " in " << tests::model_folder();
  }
  expect_golden_logits(tests::kQwenDefault, "qwen2.5_1.5b");
}

TEST(TransformerGolden, Gemma270Million) {
  if (!tests::has_model(tests::kGemma)) {
    GTEST_SKIP() << "no " << tests::kGemma << " in " << tests::model_folder();
  }
  expect_golden_logits(tests::kGemma, "gemma3_270m");
}

TEST(Transformer, EveryInstructionSetGivesTheGoldenLogits) {
  const auto model = Model::open(tests::model_file(tests::kSmolLm2));
  const nlohmann::json golden_file = json_of("logits_smollm2_135m.json");
  const auto probes = golden_file["probe_ids"].get<std::vector<std::size_t>>();
  Golden golden = read_golden(golden_file["prompts"]["english"]);
  golden.ids.resize(80);
  const Yardstick yardstick = yardstick_of("smollm2_135m", "english");
  const char* before = std::getenv("WHEREOF_ISA");
  const std::string restored = before == nullptr ? "" : before;
  for (const InstructionSet set : runnable_instruction_sets()) {
    setenv("WHEREOF_ISA", std::string(name_of(set)).c_str(), 1);
    ContextOptions options;
    options.capacity_tokens = 128;
    const auto context = Context::create(model, options);
    ReadOptions read;
    read.wants_all_logits = true;
    context->read(golden.ids, read);
    const Comparison c = compare(golden, probes, context->all_logits(), yardstick.margin);
    EXPECT_LE(c.mean_difference, 1.25 * yardstick.mean_difference) << name_of(set);
    EXPECT_EQ(c.clear_agreed, c.clear) << name_of(set);
  }
  setenv("WHEREOF_ISA", restored.c_str(), 1);
}

}  // namespace
}  // namespace whereof
