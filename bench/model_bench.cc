// Speed of one model: model_bench FILE [--prefill N] [--decode N] [--depth N] [--second N]
//                                 [--evidence] [--cold] [--threads N] [--rounds N] [--window]
//                                 [--perplexity TEXTFILE] [--kv bf16|int8]
//
// Prints one JSON object a line and case. --prefill reads N tokens of a fixed pseudo-random text
// after a warming block (none with --cold); --decode reads N single tokens after --depth tokens;
// --second reads N tokens into a store of kept readings, then takes them from there into a new
// context and reads a question of 16 tokens with its evidence: what a second question costs.
// --window prints the model's window alone; --perplexity the mean negative log-likelihood, in nats,
// of each token of a text but the first of every 512, read in blocks of 512 without more context;
// with --kv int8, which is for all cases, also the mean absolute difference of its logits from
// those over a cache of bf16, and how many tokens' likeliest followers are the same. cpu_seconds is
// the processor time of all threads: on a busy machine it says more than the clock.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "timing/model_work.h"
#include "whereof/error.h"
#include "whereof/instruction_set.h"
#include "whereof/kv_store.h"
#include "whereof/model.h"

namespace whereof {
namespace {

using bench::clause_request;
using bench::some_tokens;
using bench::time_of;
using bench::Times;

constexpr std::uint64_t kSeed = 1;

struct Arguments {
  std::string model;
  std::int64_t prefill = 0;
  std::int64_t decode = 0;
  std::int64_t depth = 0;
  std::int64_t second = 0;
  std::int64_t rounds = 1;
  int threads = 0;
  bool wants_evidence = false;
  std::string text_file;
  ElementType kv_type = ElementType::bf16;
  bool is_cold = false;
  bool wants_window = false;
};

void print(const Arguments& arguments, const char* name, std::int64_t tokens, Times times) {
  const std::string file = arguments.model.substr(arguments.model.find_last_of('/') + 1);
  std::printf(
      "{\"case\": \"%s\", \"tokens\": %lld, \"depth\": %lld, \"evidence\": %s, \"model\": \"%s\", "
      "\"threads\": %d, \"instruction_set\": \"%s\", \"seconds\": %.6f, \"cpu_seconds\": %.6f, "
      "\"tokens_per_second\": %.3f}\n",
      name, static_cast<long long>(tokens), static_cast<long long>(arguments.depth),
      arguments.wants_evidence ? "true" : "false", file.c_str(), arguments.threads,
      std::string(name_of(chosen_instruction_set())).c_str(), times.seconds, times.cpu_seconds,
      static_cast<double>(tokens) / times.seconds);
  std::fflush(stdout);
}

// -ln softmax(logits)[wanted]
double surprise(std::span<const float> logits, TokenId wanted) {
  const double largest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
  return std::log(sum) + largest - static_cast<double>(logits[static_cast<std::size_t>(wanted)]);
}

double mean_difference(std::span<const float> one, std::span<const float> other) {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    sum += std::abs(static_cast<double>(one[i]) - static_cast<double>(other[i]));
  }
  return sum / static_cast<double>(one.size());
}

std::ptrdiff_t top_of(std::span<const float> logits) {
  return std::max_element(logits.begin(), logits.end()) - logits.begin();
}

void run_perplexity(const Arguments& arguments, const std::shared_ptr<const Model>& model) {
  constexpr std::size_t kBlock = 512;
  std::ifstream file(arguments.text_file, std::ios::binary);
  if (!file) throw Error(ErrorKind::not_found, "cannot read " + arguments.text_file);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::vector<TokenId> tokens = model->tokenizer().encode(text).ids;
  const auto vocabulary = static_cast<std::size_t>(model->description().vocabulary_size);
  ContextOptions options;
  options.capacity_tokens = kBlock;
  options.threads = arguments.threads;
  const auto exact = Context::create(model, options);
  options.kv_type = arguments.kv_type;
  const auto context = Context::create(model, options);
  double sum = 0;
  double difference = 0;
  std::int64_t same_top = 0;
  std::int64_t scored = 0;
  for (std::size_t begin = 0; begin + 1 < tokens.size(); begin += kBlock) {
    const std::size_t count = std::min(kBlock, tokens.size() - begin);
    context->truncate(0);
    ReadOptions read;
    read.wants_all_logits = true;
    context->read(std::span(tokens).subspan(begin, count), read);
    if (arguments.kv_type != ElementType::bf16) {
      exact->truncate(0);
      exact->read(std::span(tokens).subspan(begin, count), read);
      for (std::size_t i = 0; i < count; ++i) {
        const auto one = context->all_logits().subspan(i * vocabulary, vocabulary);
        const auto other = exact->all_logits().subspan(i * vocabulary, vocabulary);
        difference += mean_difference(one, other);
        same_top += top_of(one) == top_of(other) ? 1 : 0;
      }
    }
    for (std::size_t i = 0; i + 1 < count; ++i, ++scored) {
      sum += surprise(context->all_logits().subspan(i * vocabulary, vocabulary),
                      tokens[begin + i + 1]);
    }
  }
  std::printf(
      "{\"case\": \"perplexity\", \"tokens\": %zu, \"scored\": %lld, \"nats\": %.6f, "
      "\"perplexity\": %.5f, \"kv\": \"%s\"",
      tokens.size(), static_cast<long long>(scored), sum / static_cast<double>(scored),
      std::exp(sum / static_cast<double>(scored)),
      arguments.kv_type == ElementType::bf16 ? "bf16" : "int8");
  if (arguments.kv_type != ElementType::bf16) {
    std::printf(", \"difference\": %.5f, \"same_top\": %lld",
                difference / static_cast<double>(tokens.size()), static_cast<long long>(same_top));
  }
  std::printf("}\n");
}

// A folder that is gone at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "whereof-bench-XXXXXX").string();
    const char* made = mkdtemp(pattern.data());
    if (made == nullptr) throw Error(ErrorKind::input_output, "cannot make " + pattern);
    path_ = made;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void run_second(const Arguments& arguments, const std::shared_ptr<const Model>& model) {
  constexpr std::int64_t kQuestion = 16;
  const ScratchFolder folder;
  const auto store = KvStore::open({.folder = folder.path()});
  ContextOptions options;
  options.threads = arguments.threads;
  options.capacity_tokens = arguments.second + kQuestion;
  options.kv_type = arguments.kv_type;
  const std::vector<TokenId> tokens = some_tokens(*model, arguments.second, kSeed);
  const std::vector<TokenId> question = some_tokens(*model, kQuestion, kSeed);
  const EvidenceRequest request = clause_request(arguments.second);
  std::vector<Evidence> evidence;
  for (const char* name : {"first_question", "second_question"}) {
    const Times times = time_of([&] {
      const auto kept = store->reading(*model, "text", "text", arguments.kv_type);
      const auto context = Context::create(model, options);
      ReadOptions read;
      read.wants_logits = false;
      read.kept = kept.get();
      context->read(tokens, read);
      ReadOptions with_evidence;
      with_evidence.evidence = &request;
      with_evidence.layer_evidence = &evidence;
      context->read(question, with_evidence);
    });
    print(arguments, name, arguments.second, times);
  }
}

void run(const Arguments& arguments) {
  const auto model = Model::open(arguments.model);
  ContextOptions options;
  options.threads = arguments.threads;
  options.kv_type = arguments.kv_type;
  options.capacity_tokens =
      std::min(model->description().window_tokens,
               std::max<std::int64_t>(arguments.prefill, arguments.depth + arguments.decode) + 64);
  if (arguments.wants_window) {
    std::printf("{\"window_tokens\": %lld}\n",
                static_cast<long long>(model->description().window_tokens));
    return;
  }
  if (!arguments.text_file.empty()) return run_perplexity(arguments, model);
  if (arguments.second > 0) run_second(arguments, model);
  if (arguments.prefill + arguments.decode == 0) return;
  const auto context = Context::create(model, options);
  const EvidenceRequest request =
      clause_request(std::max(arguments.prefill, arguments.depth + arguments.decode));
  std::vector<Evidence> evidence;
  ReadOptions read;
  if (arguments.wants_evidence) {
    read.evidence = &request;
    read.layer_evidence = &evidence;
  }
  const std::vector<TokenId> warming = some_tokens(*model, 32, kSeed);
  for (std::int64_t round = 0; round < arguments.rounds; ++round) {
    if (arguments.prefill > 0) {
      context->truncate(0);
      if (!arguments.is_cold) context->read(warming);
      context->truncate(0);
      const std::vector<TokenId> tokens = some_tokens(*model, arguments.prefill, kSeed);
      print(arguments, "prefill", arguments.prefill, time_of([&] { context->read(tokens, read); }));
    }
    if (arguments.decode > 0) {
      context->truncate(0);
      context->read(some_tokens(*model, std::max<std::int64_t>(arguments.depth, 1), kSeed));
      context->truncate(arguments.depth);
      const std::vector<TokenId> tokens = some_tokens(*model, arguments.decode, kSeed);
      print(arguments, "decode", arguments.decode, time_of([&] {
              for (const TokenId& token : tokens) context->read({&token, 1}, read);
            }));
    }
  }
}

Arguments parse(int count, char** texts) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string_view text = texts[i];
    const auto number = [&]() -> std::int64_t {
      return i + 1 < count ? std::atoll(texts[++i]) : 0;
    };
    if (text == "--prefill") {
      arguments.prefill = number();
    } else if (text == "--decode") {
      arguments.decode = number();
    } else if (text == "--depth") {
      arguments.depth = number();
    } else if (text == "--second") {
      arguments.second = number();
    } else if (text == "--perplexity" && i + 1 < count) {
      arguments.text_file = texts[++i];
    } else if (text == "--kv" && i + 1 < count) {
      arguments.kv_type =
          texts[++i] == std::string_view("int8") ? ElementType::i8 : ElementType::bf16;
    } else if (text == "--window") {
      arguments.wants_window = true;
    } else if (text == "--cold") {
      arguments.is_cold = true;
    } else if (text == "--rounds") {
      arguments.rounds = number();
    } else if (text == "--threads") {
      arguments.threads = static_cast<int>(number());
    } else if (text == "--evidence") {
      arguments.wants_evidence = true;
    } else {
      arguments.model = text;
    }
  }
  return arguments;
}

}  // namespace
}  // namespace whereof

int main(int count, char** texts) {
  const whereof::Arguments arguments = whereof::parse(count, texts);
  const bool has_work = arguments.wants_window || !arguments.text_file.empty() ||
                        arguments.prefill + arguments.decode + arguments.second > 0;
  if (arguments.model.empty() || !has_work) {
    std::fprintf(stderr,
                 "usage: model_bench FILE [--prefill N] [--decode N] [--depth N] [--second N]"
                 " [--evidence] [--cold] [--threads N] [--rounds N] [--window]"
                 " [--perplexity TEXTFILE] [--kv bf16|int8]\n");
    return 2;
  }
  try {
    whereof::run(arguments);
  } catch (const whereof::Error& error) {
    std::fprintf(stderr, "model_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
