// Several users of one model: users_bench FILE [--users N] [--decode N] [--depth N] [--prefill N]
//                                 [--threads N] [--rounds N] [--evidence] [--kv bf16|int8]
//
// Each user has a context with --depth tokens and a few more, another number for each, and writes
// --decode tokens, the likeliest each time, with --evidence on each. Prints one JSON object a line
// and case:
//   one_after_another  each user when the one before has ended
//   together           all users at once, on a thread each, with one SharedSteps
//   beside_prefill     the same, while one more context reads --prefill tokens again and again;
//                      also how fast that reads, beside the same alone
// tokens_per_second is of all users together; step_* are the seconds of a token of one user, from
// when it is asked for to when its logits are there: the median, the 99th percentile, the longest.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "timing/model_work.h"
#include "whereof/error.h"
#include "whereof/model.h"
#include "whereof/shared_steps.h"

namespace whereof {
namespace {

using bench::clause_request;
using bench::now;
using bench::some_tokens;
using bench::time_of;
using bench::Times;

struct Arguments {
  std::string model;
  std::int64_t users = 8;
  std::int64_t decode = 64;
  std::int64_t depth = 256;
  std::int64_t prefill = 0;
  std::int64_t rounds = 1;
  int threads = 0;
  bool wants_evidence = false;
  ElementType kv_type = ElementType::bf16;
};

class User {
 public:
  User(const Arguments& arguments, std::shared_ptr<const Model> model,
       std::shared_ptr<SharedSteps> steps, std::int64_t number)
      : arguments_(arguments) {
    const std::vector<TokenId> tokens =
        some_tokens(*model, arguments.depth + 1 + 7 * number, static_cast<std::uint64_t>(number));
    depth_ = static_cast<std::int64_t>(tokens.size());
    ContextOptions options;
    options.threads = arguments.threads;
    options.capacity_tokens = depth_ + arguments.decode;
    options.kv_type = arguments.kv_type;
    options.shared_steps = std::move(steps);
    context_ = Context::create(std::move(model), options);
    context_->read(tokens);
    request_ = clause_request(depth_);
  }

  void write() {
    std::vector<Evidence> evidence;
    ReadOptions read;
    if (arguments_.wants_evidence) {
      read.evidence = &request_;
      read.layer_evidence = &evidence;
    }
    context_->truncate(depth_);
    for (std::int64_t i = 0; i < arguments_.decode; ++i) {
      const std::span<const float> logits = context_->logits();
      const auto token =
          static_cast<TokenId>(std::max_element(logits.begin(), logits.end()) - logits.begin());
      const double begin = now();
      context_->read({&token, 1}, read);
      seconds_.push_back(now() - begin);
    }
  }

  std::vector<double> take_seconds() { return std::exchange(seconds_, {}); }

 private:
  const Arguments& arguments_;
  std::int64_t depth_ = 0;
  std::unique_ptr<Context> context_;
  EvidenceRequest request_;
  std::vector<double> seconds_;
};

class Users {
 public:
  Users(const Arguments& arguments, const std::shared_ptr<const Model>& model,
        const std::shared_ptr<SharedSteps>& steps)
      : arguments_(arguments) {
    for (std::int64_t i = 0; i < arguments.users; ++i) {
      users_.push_back(std::make_unique<User>(arguments, model, steps, i));
    }
  }

  Times one_after_another() {
    return time_of([&] {
      for (const auto& user : users_) user->write();
    });
  }

  Times together() {
    return time_of([&] {
      std::vector<std::jthread> threads;
      for (const auto& user : users_) threads.emplace_back([&] { user->write(); });
      threads.clear();
    });
  }

  void print(const char* name, Times times, const std::string& more = "") {
    std::vector<double> steps;
    for (const auto& user : users_) {
      const std::vector<double> of_user = user->take_seconds();
      steps.insert(steps.end(), of_user.begin(), of_user.end());
    }
    std::sort(steps.begin(), steps.end());
    const auto at = [&](std::size_t percent) { return steps[(steps.size() - 1) * percent / 100]; };
    std::printf(
        "{\"case\": \"%s\", \"users\": %zu, \"tokens\": %zu, \"seconds\": %.4f, "
        "\"cpu_seconds\": %.4f, \"tokens_per_second\": %.2f, \"step_median\": %.4f, \"step_p99\": "
        "%.4f, "
        "\"step_longest\": %.4f%s}\n",
        name, users_.size(), steps.size(), times.seconds, times.cpu_seconds,
        static_cast<double>(steps.size()) / times.seconds, at(50), at(99), steps.back(),
        more.c_str());
    std::fflush(stdout);
  }

 private:
  const Arguments& arguments_;
  std::vector<std::unique_ptr<User>> users_;
};

// Reads the same tokens again and again.
class Reader {
 public:
  Reader(const Arguments& arguments, std::shared_ptr<const Model> model,
         std::shared_ptr<SharedSteps> steps)
      : tokens_(some_tokens(*model, arguments.prefill, 99)) {
    ContextOptions options;
    options.threads = arguments.threads;
    options.capacity_tokens = arguments.prefill;
    options.kv_type = arguments.kv_type;
    options.shared_steps = std::move(steps);
    context_ = Context::create(std::move(model), options);
  }

  double alone() {
    const double begin = now();
    read({});
    return static_cast<double>(context_->length()) / (now() - begin);
  }

  // Tokens a second while `work` runs.
  template <typename Work>
  double beside(Work work) {
    std::int64_t done = 0;
    std::jthread thread([&](std::stop_token stop) {
      while (!stop.stop_requested()) {
        read(stop);
        done += context_->length();
      }
    });
    const double begin = now();
    work();
    const double seconds = now() - begin;
    thread.request_stop();
    thread.join();
    return static_cast<double>(done) / seconds;
  }

 private:
  void read(std::stop_token stop) {
    ReadOptions options;
    options.wants_logits = false;
    options.stop = std::move(stop);
    context_->truncate(0);
    try {
      context_->read(tokens_, options);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::cancelled) throw;
    }
  }

  std::vector<TokenId> tokens_;
  std::unique_ptr<Context> context_;
};

void run(const Arguments& arguments) {
  const auto model = Model::open(arguments.model);
  const auto steps = SharedSteps::create(model, {.threads = arguments.threads});
  Users users(arguments, model, steps);
  for (std::int64_t round = 0; round < arguments.rounds; ++round) {
    const Times apart = users.one_after_another();
    users.print("one_after_another", apart);
    const StepCounts before = steps->counts();
    const Times together = users.together();
    const StepCounts after = steps->counts();
    const double joined = static_cast<double>(after.joined_tokens - before.joined_tokens) /
                          static_cast<double>(after.joined_steps - before.joined_steps);
    users.print("together", together,
                ", \"ratio\": " + std::to_string(apart.seconds / together.seconds) +
                    ", \"cpu_ratio\": " + std::to_string(apart.cpu_seconds / together.cpu_seconds) +
                    ", \"tokens_of_step\": " + std::to_string(joined));
    if (arguments.prefill == 0) continue;
    Reader reader(arguments, model, steps);
    const double alone = reader.alone();
    Times times;
    const double beside = reader.beside([&] { times = users.together(); });
    users.print("beside_prefill", times,
                ", \"prefill_per_second\": " + std::to_string(beside) +
                    ", \"prefill_alone\": " + std::to_string(alone));
  }
}

Arguments parse(int count, char** texts) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string_view text = texts[i];
    const auto number = [&]() -> std::int64_t {
      return i + 1 < count ? std::atoll(texts[++i]) : 0;
    };
    if (text == "--users") {
      arguments.users = std::clamp<std::int64_t>(number(), 1, 1024);
    } else if (text == "--decode") {
      arguments.decode = std::max<std::int64_t>(number(), 1);
    } else if (text == "--depth") {
      arguments.depth = number();
    } else if (text == "--prefill") {
      arguments.prefill = number();
    } else if (text == "--rounds") {
      arguments.rounds = number();
    } else if (text == "--threads") {
      arguments.threads = static_cast<int>(number());
    } else if (text == "--evidence") {
      arguments.wants_evidence = true;
    } else if (text == "--kv" && i + 1 < count) {
      arguments.kv_type =
          texts[++i] == std::string_view("int8") ? ElementType::i8 : ElementType::bf16;
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
  if (arguments.model.empty()) {
    std::fprintf(stderr,
                 "usage: users_bench FILE [--users N] [--decode N] [--depth N] [--prefill N]"
                 " [--threads N] [--rounds N] [--evidence] [--kv bf16|int8]\n");
    return 2;
  }
  try {
    whereof::run(arguments);
  } catch (const whereof::Error& error) {
    std::fprintf(stderr, "users_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
