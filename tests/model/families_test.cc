// Tiny random models of each family against llama.cpp's logits (golden/make_families.py). The bar:
// at most twice the distance that the reference has from itself when it, too, computes with bf16
// matrices and a bf16 cache. Leaving out one feature of a family, or giving it to the wrong layer,
// moves the reference by 7 to 146 times that bar.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "whereof/instruction_set.h"
#include "whereof/model.h"

namespace whereof {
namespace {

const std::string kFolder = WHEREOF_SOURCE_DIR "/tests/model/golden/families/";

nlohmann::json runs() {
  std::ifstream file(kFolder + "runs.json");
  if (!file) throw std::runtime_error("cannot read runs.json");
  return nlohmann::json::parse(file);
}

std::vector<std::string> run_names() {
  std::vector<std::string> names;
  const nlohmann::json all = runs();
  for (const auto& [name, run] : all.items()) names.push_back(name);
  return names;
}

std::vector<float> golden_logits(const std::string& name, std::size_t count) {
  std::vector<float> logits(count);
  std::ifstream file(kFolder + name + ".bin", std::ios::binary);
  file.read(reinterpret_cast<char*>(logits.data()),
            static_cast<std::streamsize>(count * sizeof(float)));
  if (!file) throw std::runtime_error("golden file cut: " + name);
  return logits;
}

std::unique_ptr<Context> context_of(const nlohmann::json& run, std::int64_t block_tokens = 0) {
  ContextOptions options;
  options.capacity_tokens = run["context"];
  options.block_tokens = block_tokens;
  options.threads = 1;  // the models are too small for more
  return Context::create(Model::open(kFolder + run["file"].get<std::string>()), options);
}

// All logits of the run's tokens, read in calls of `call_tokens`.
std::vector<float> logits_of(const nlohmann::json& run, std::size_t call_tokens,
                             std::int64_t block_tokens = 0) {
  const auto tokens = run["tokens"].get<std::vector<TokenId>>();
  const auto context = context_of(run, block_tokens);
  std::vector<float> logits;
  ReadOptions read;
  read.wants_all_logits = true;
  for (std::size_t at = 0; at < tokens.size(); at += call_tokens) {
    const std::size_t count = std::min(call_tokens, tokens.size() - at);
    context->read(std::span(tokens).subspan(at, count), read);
    logits.insert(logits.end(), context->all_logits().begin(), context->all_logits().end());
  }
  return logits;
}

double mean_difference(const nlohmann::json& run, const std::string& name,
                       const std::vector<float>& logits) {
  const std::size_t vocabulary = logits.size() / run["tokens"].size();
  const auto positions = run["positions"].get<std::vector<std::size_t>>();
  const std::vector<float> golden = golden_logits(name, positions.size() * vocabulary);
  double sum = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    for (std::size_t k = 0; k < vocabulary; ++k) {
      sum += static_cast<double>(
          std::abs(golden[i * vocabulary + k] - logits[positions[i] * vocabulary + k]));
    }
  }
  return sum / static_cast<double>(golden.size());
}

class Families : public testing::TestWithParam<std::string> {};

TEST_P(Families, LogitsAreThoseOfTheReferenceOnEveryInstructionSet) {
  const nlohmann::json run = runs()[GetParam()];
  const double bar = 2 * run["bf16_mean_difference"].get<double>();
  ASSERT_LT(bar, run["spread"].get<double>() / 20);
  const char* before = std::getenv("WHEREOF_ISA");
  const std::string restored = before == nullptr ? "" : before;
  for (const InstructionSet set : runnable_instruction_sets()) {
    setenv("WHEREOF_ISA", std::string(name_of(set)).c_str(), 1);
    const double difference =
        mean_difference(run, GetParam(), logits_of(run, run["tokens"].size()));
    std::printf("%-18s %-12s mean |difference| %.4f (bar %.4f)\n", GetParam().c_str(),
                std::string(name_of(set)).c_str(), difference, bar);
    EXPECT_LE(difference, bar) << name_of(set);
  }
  setenv("WHEREOF_ISA", restored.c_str(), 1);
}

// Windows, positions and caches do not depend on how the tokens were handed over.
TEST_P(Families, BlocksAndSingleTokensAreTheSameModel) {
  const nlohmann::json run = runs()[GetParam()];
  const double bar = 2 * run["bf16_mean_difference"].get<double>();
  EXPECT_LE(mean_difference(run, GetParam(), logits_of(run, 96, 5)), bar);
  EXPECT_LE(mean_difference(run, GetParam(), logits_of(run, 1)), bar);
}

INSTANTIATE_TEST_SUITE_P(EveryRun, Families, testing::ValuesIn(run_names()),
                         [](const auto& name) { return name.param; });

TEST(Families, EachArchitectureHasARun) {
  std::set<std::string> architectures;
  const nlohmann::json all = runs();
  for (const auto& [name, run] : all.items()) {
    const auto model = Model::open(kFolder + run["file"].get<std::string>());
    architectures.insert(model->description().architecture);
  }
  EXPECT_EQ(architectures,
            (std::set<std::string>{"gemma2", "gemma3", "llama", "phi3", "qwen2", "qwen3"}));
}

TEST(Families, ALongerWindowResultsFromScaling) {
  const auto window_of = [](const char* name) {
    return Model::open(kFolder + name + ".gguf")->description().window_tokens;
  };
  EXPECT_EQ(window_of("qwen2_yarn"), 256) << "64 x 4";
  EXPECT_EQ(window_of("llama_linear"), 256) << "no original window is named: as the file says";
  EXPECT_EQ(window_of("phi3"), 1024);
}

}  // namespace
}  // namespace whereof
