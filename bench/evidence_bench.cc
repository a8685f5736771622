// What the evidence of an answer costs: processor time of an answer with all that is measured and
// judged of it, beside that of the same tokens read and written plainly. Prints one JSON object a
// line.
//
//   evidence_bench MODEL FILE QUESTION [ANSWER_TOKENS [ROUNDS]]
//
// The two take turns, over a document that is not read yet and over one whose reading is kept.
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answering/answer_together.h"
#include "answering/prompt.h"
#include "answering/reading.h"
#include "timing/model_work.h"
#include "whereof/answer.h"
#include "whereof/error.h"
#include "whereof/instructions.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;
using answering::Manner;
using answering::Prompt;
using nlohmann::ordered_json;

double rounded(double value) { return std::round(value * 1000) / 1000; }

// A store in a folder that is gone with the object.
class PassingStore {
 public:
  PassingStore() {
    std::string pattern = (fs::temp_directory_path() / "whereof-evidence-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw Error(ErrorKind::input_output, pattern + ": cannot be made");
    }
    folder_ = pattern;
    KvStoreOptions options;
    options.folder = folder_;
    store_ = KvStore::open(options);
  }
  ~PassingStore() {
    std::error_code ignored;  // a file left in the temporary folder harms nobody
    fs::remove_all(folder_, ignored);
  }
  PassingStore(const PassingStore&) = delete;
  PassingStore& operator=(const PassingStore&) = delete;
  KvStore& operator*() { return *store_; }

 private:
  fs::path folder_;
  std::shared_ptr<KvStore> store_;
};

class Comparison {
 public:
  Comparison(const std::string& model, const std::string& file, std::string question,
             std::int64_t answer_tokens)
      : model_(Model::open(model)), document_(read_document(file)), question_(std::move(question)) {
    manner_.language = answering::language_of(question_);
    options_.max_answer_tokens = answer_tokens;
    options_.calibration = Calibration::of_model(model_->description());
    const std::vector<Passage> passages = split_passages(document_);
    prompt_ = answering::compose_prompt(document_, passages, question_, manner_, *model_);
    content_free_ = answering::compose_prompt(document_, passages,
                                              answering::phrases_in(manner_.language).content_free,
                                              manner_, *model_);
  }

  // Tokens of the answer.
  std::int64_t answer_with_evidence(KeptReading* kept) {
    Answer answer;
    answer.question = question_;
    answer.language = manner_.language == answering::Language::chinese ? "zh" : "en";
    const Prompt* const prompts[] = {&prompt_};
    Answer* const answers[] = {&answer};
    const std::vector<std::vector<answering::ScoredPassage>> found(1);
    answering::answer_together(document_, content_free_, prompts, manner_, model_, options_, kept,
                               nullptr, found, find_instructions(document_), answers);
    return answer.answer_tokens;
  }

  std::int64_t answer_plainly(KeptReading* kept) {
    const std::span<const TokenId> tokens(prompt_.tokens);
    const auto shared =
        static_cast<std::size_t>(answering::shared_prefix(tokens, content_free_.tokens));
    ContextOptions context_options;
    context_options.capacity_tokens = std::ssize(tokens) + options_.max_answer_tokens;
    const std::unique_ptr<Context> context = Context::create(model_, context_options);
    ReadOptions read;
    read.wants_logits = false;
    read.kept = kept;
    context->read(tokens.first(shared), read);
    context->read(tokens.subspan(shared));
    Sampler sampler(options_.sampler);
    for (std::int64_t written = 0; written < options_.max_answer_tokens; ++written) {
      const TokenId token = sampler.choose(context->logits());
      if (model_->tokenizer().ends_generation(token)) return written;
      context->read({&token, 1});
    }
    return options_.max_answer_tokens;
  }

  // store: null where the document is to be read anew each time.
  void run(KvStore* store, std::int64_t rounds) {
    const auto measured = [&](const std::function<std::int64_t(KeptReading*)>& answer,
                              std::vector<double>& seconds) {
      const std::unique_ptr<KeptReading> kept =
          store == nullptr
              ? nullptr
              : answering::kept_reading(*store, document_, *model_, manner_, options_.kv_type);
      std::int64_t tokens = 0;
      seconds.push_back(bench::time_of([&] { tokens = answer(kept.get()); }).cpu_seconds);
      return tokens;
    };
    const auto with = [this](KeptReading* kept) { return answer_with_evidence(kept); };
    const auto without = [this](KeptReading* kept) { return answer_plainly(kept); };
    std::vector<double> with_evidence, plain, unused;
    if (store != nullptr) measured(without, unused);
    std::int64_t tokens[2] = {};
    for (std::int64_t round = 0; round < rounds; ++round) {
      tokens[0] = measured(with, with_evidence);
      tokens[1] = measured(without, plain);
    }
    const double a = *std::min_element(with_evidence.begin(), with_evidence.end());
    const double b = *std::min_element(plain.begin(), plain.end());
    const ordered_json line = {{"document_is_read", store != nullptr},
                               {"prompt_tokens", prompt_.tokens.size()},
                               {"answer_tokens", tokens[0]},
                               {"plain_answer_tokens", tokens[1]},
                               {"processor_seconds", rounded(a)},
                               {"plain_processor_seconds", rounded(b)},
                               {"ratio", rounded(a / b)}};
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
  }

 private:
  std::shared_ptr<const Model> model_;
  Document document_;
  std::string question_;
  Manner manner_;
  AskOptions options_;
  Prompt prompt_;
  Prompt content_free_;
};

int main_of(const std::vector<std::string>& words) {
  if (words.size() < 3 || words.size() > 5) {
    std::fprintf(stderr, "evidence_bench MODEL FILE QUESTION [ANSWER_TOKENS [ROUNDS]]\n");
    return 2;
  }
  const auto number = [&](std::size_t at, std::int64_t otherwise) {
    return words.size() > at ? std::max<std::int64_t>(1, std::atoll(words[at].c_str())) : otherwise;
  };
  Comparison comparison(words[0], words[1], words[2], number(3, 60));
  PassingStore store;
  comparison.run(nullptr, number(4, 3));
  comparison.run(&*store, number(4, 3));
  return 0;
}

}  // namespace
}  // namespace whereof

int main(int count, char** words) {
  try {
    return whereof::main_of({words + 1, words + count});
  } catch (const whereof::Error& error) {
    std::fprintf(stderr, "evidence_bench: %s\n", error.what());
    return 1;
  }
}
