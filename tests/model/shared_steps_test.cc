// Contexts that compute together: each gives the bits that it gives alone, whatever the others do.
#include "whereof/shared_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "model/model_files.h"
#include "whereof/error.h"
#include "whereof/model.h"

namespace whereof {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kCapacity = 512;

std::shared_ptr<const Model> smollm() {
  static const auto model = Model::open(tests::model_file(tests::kSmolLm2));
  return model;
}

std::vector<TokenId> some_tokens(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  const auto size = static_cast<unsigned>(smollm()->description().vocabulary_size);
  std::vector<TokenId> tokens;
  for (std::int64_t i = 0; i < count; ++i) tokens.push_back(static_cast<TokenId>(random() % size));
  return tokens;
}

// What one user's context gave: all that must be the same in company.
struct Written {
  std::vector<TokenId> tokens;
  std::vector<float> logits;  // after each token
  std::vector<float> evidence;

  bool operator==(const Written& other) const {
    const auto same = [](const std::vector<float>& a, const std::vector<float>& b) {
      if (a.size() != b.size()) return false;
      return a.empty() || std::memcmp(a.data(), b.data(), 4 * a.size()) == 0;
    };
    return tokens == other.tokens && same(logits, other.logits) && same(evidence, other.evidence);
  }
};

struct User {
  unsigned number = 0;
  std::int64_t prompt = 0;  // tokens
  std::int64_t answer = 0;
  bool wants_evidence = false;
  ElementType kv_type = ElementType::bf16;
};

void add(const std::vector<Evidence>& layers, std::vector<float>& to) {
  for (const Evidence& layer : layers) {
    for (const auto* values : {&layer.log_sum_exp, &layer.entropy, &layer.span_mass}) {
      to.insert(to.end(), values->begin(), values->end());
    }
    for (const TopKey& top : layer.top) to.push_back(top.weight);
  }
}

std::unique_ptr<Context> context_for(const User& user, std::shared_ptr<SharedSteps> steps) {
  ContextOptions options;
  options.capacity_tokens = kCapacity;
  options.block_tokens = 64;
  options.kv_type = user.kv_type;
  options.shared_steps = std::move(steps);
  return Context::create(smollm(), options);
}

// The likeliest tokens after a prompt; the first when all who have the barrier have read theirs.
Written write(const User& user, std::shared_ptr<SharedSteps> steps, std::stop_token stop = {},
              std::barrier<>* barrier = nullptr) {
  const auto context = context_for(user, std::move(steps));
  Written written;
  ReadOptions read;
  read.stop = std::move(stop);
  context->read(some_tokens(user.prompt, user.number), read);
  if (barrier != nullptr) barrier->arrive_and_wait();
  EvidenceRequest request;
  request.key_spans = {{0, 1}, {1, std::max<std::int64_t>(2, user.prompt)}};
  request.top_keys = 2;
  std::vector<Evidence> evidence;
  if (user.wants_evidence) {
    read.evidence = &request;
    read.layer_evidence = &evidence;
  }
  for (std::int64_t i = 0; i < user.answer; ++i) {
    const std::span<const float> logits = context->logits();
    written.logits.insert(written.logits.end(), logits.begin(), logits.end());
    const auto best = std::max_element(logits.begin(), logits.end());
    written.tokens.push_back(static_cast<TokenId>(best - logits.begin()));
    context->read({&written.tokens.back(), 1}, read);
    add(evidence, written.evidence);
  }
  return written;
}

std::vector<User> users_of(std::int64_t count) {
  std::vector<User> users;
  for (std::int64_t i = 0; i < count; ++i) {
    users.push_back({.number = static_cast<unsigned>(i),
                     .prompt = 1 + 29 * i,
                     .answer = 4 + i % 3,
                     .wants_evidence = i % 2 == 1,
                     .kv_type = i % 4 == 2 ? ElementType::i8 : ElementType::bf16});
  }
  return users;
}

TEST(SharedSteps, EightContextsGiveTheBitsThatEachGivesAlone) {
  const std::vector<User> users = users_of(8);
  std::vector<Written> alone;
  for (const User& user : users) alone.push_back(write(user, nullptr));
  for (const std::size_t count : {1U, 3U, 8U}) {
    const auto steps = SharedSteps::create(smollm());
    std::vector<Written> together(count);
    std::barrier<> barrier(static_cast<std::ptrdiff_t>(count));
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([&, i] { together[i] = write(users[i], steps, {}, &barrier); });
    }
    threads.clear();
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(together[i], alone[i]) << "user " << i << " of " << count;
    }
    const StepCounts counts = steps->counts();
    if (count == 8) {
      EXPECT_LT(counts.joined_steps, counts.joined_tokens);
    }
  }
}

TEST(SharedSteps, BranchesOfAContextJoinToo) {
  const auto steps_of_branches = [](std::shared_ptr<SharedSteps> steps) {
    ContextOptions options;
    options.capacity_tokens = kCapacity;
    options.branch_tokens = 3 * (16 + kBranchOverheadTokens);
    options.shared_steps = std::move(steps);
    const auto context = Context::create(smollm(), options);
    context->read(some_tokens(70, 5));
    const std::vector<TokenId> tokens = some_tokens(8, 6);
    std::vector<float> logits;
    for (int i = 0; i < 3; ++i) context->open_branch({.room_tokens = 16, .hidden = {}});
    for (std::size_t step = 0; step < tokens.size(); ++step) {
      std::vector<BranchRead> reads(3);
      std::vector<double> probabilities;
      for (std::size_t i = 0; i < reads.size(); ++i) {
        reads[i].branch = static_cast<std::int64_t>(i);
        reads[i].tokens = std::span(tokens).subspan((step + i) % tokens.size(), 1);
      }
      reads[0].log_probabilities = &probabilities;
      context->read_branches(reads);
      for (std::int64_t i = 0; i < 3; ++i) {
        const auto of_branch = context->branch_logits(i);
        logits.insert(logits.end(), of_branch.begin(), of_branch.end());
      }
    }
    return logits;
  };
  const std::vector<float> alone = steps_of_branches(nullptr);
  const auto steps = SharedSteps::create(smollm(), {.joined_rows = 8});
  std::vector<std::vector<float>> together(4);
  {
    std::vector<std::jthread> threads;
    for (auto& logits : together) {
      threads.emplace_back([&] { logits = steps_of_branches(steps); });
    }
  }
  for (const auto& logits : together) EXPECT_TRUE(logits == alone);
}

TEST(SharedSteps, APrefillGoesOnBesideAnswersAndBothKeepTheirBits) {
  const User reader{.number = 50, .prompt = 450, .answer = 1};
  const std::vector<User> users = users_of(3);
  const Written read_alone = write(reader, nullptr);
  std::vector<Written> alone;
  for (const User& user : users) alone.push_back(write(user, nullptr));
  const auto steps = SharedSteps::create(smollm());
  std::atomic<bool> is_ended{false};
  std::atomic<int> readings{0};
  std::jthread reading([&] {
    while (!is_ended || readings == 0) {
      EXPECT_EQ(write(reader, steps), read_alone);
      ++readings;
    }
  });
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < users.size(); ++i) {
      threads.emplace_back([&, i] { EXPECT_EQ(write(users[i], steps), alone[i]) << i; });
    }
  }
  is_ended = true;
  reading.join();
  EXPECT_GT(readings, 0);
  EXPECT_GT(steps->counts().pauses, 0) << "no block ever made room for an answer";
}

TEST(SharedSteps, WhoeverIsStoppedLeavesTheOthersAsTheyAre) {
  const std::vector<User> users = users_of(6);
  std::vector<Written> alone;
  for (const User& user : users) alone.push_back(write(user, nullptr));
  const auto steps = SharedSteps::create(smollm());
  std::mt19937 random(7);
  std::vector<std::jthread> threads;
  std::atomic<int> stopped{0};
  for (std::size_t i = 0; i < users.size(); ++i) {
    const bool is_stopped = i % 2 == 0;
    const std::chrono::microseconds delay(random() % 100000);
    threads.emplace_back([&, i, is_stopped, delay] {
      if (!is_stopped) {
        EXPECT_EQ(write(users[i], steps), alone[i]) << i;
        return;
      }
      std::stop_source source;
      const std::jthread stopper([&, delay] {
        std::this_thread::sleep_for(delay);
        source.request_stop();
      });
      User endless = users[i];
      endless.answer = kCapacity - endless.prompt;
      try {
        write(endless, steps, source.get_token());
        ADD_FAILURE() << "was not stopped";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::cancelled) << error.what();
        ++stopped;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(stopped, 3);
  EXPECT_EQ(write(users[3], steps), alone[3]) << "the steps are usable on";
}

TEST(SharedSteps, AnErrorOfOneIsThatOnesAlone) {
  const std::vector<User> users = users_of(3);
  std::vector<Written> alone;
  for (const User& user : users) alone.push_back(write(user, nullptr));
  const auto steps = SharedSteps::create(smollm());
  std::atomic<bool> is_ended{false};
  std::jthread wrong([&] {
    const auto context = context_for({.kv_type = ElementType::bf16}, steps);
    context->read(some_tokens(20, 9));
    EvidenceRequest request;
    request.key_spans = {{5, 9}, {2, 4}};  // not ascending: attention refuses it in its first layer
    std::vector<Evidence> evidence;
    ReadOptions read;
    read.evidence = &request;
    read.layer_evidence = &evidence;
    const TokenId token = 3;
    do {
      try {
        context->read({&token, 1}, read);
        ADD_FAILURE() << "spans that do not ascend were taken";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::invalid_argument) << error.what();
      }
      EXPECT_EQ(context->length(), 20);
    } while (!is_ended);
  });
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < users.size(); ++i) {
      threads.emplace_back([&, i] { EXPECT_EQ(write(users[i], steps), alone[i]) << i; });
    }
  }
  is_ended = true;
}

// A stop within a layer of a block, not only between layers.
TEST(SharedSteps, AStoppedPrefillEndsAndItsContextReadsOn) {
  const auto steps = SharedSteps::create(smollm());
  const auto context = context_for({}, steps);
  const std::vector<TokenId> tokens = some_tokens(400, 3);
  std::stop_source source;
  ReadOptions read;
  read.stop = source.get_token();
  read.progress = [&](Progress progress) {
    if (progress.done == 128) source.request_stop();
  };
  EXPECT_THROW(context->read(tokens, read), Error);
  EXPECT_EQ(context->length(), 128);
  context->read(std::span(tokens).subspan(128));
  const auto alone = context_for({}, nullptr);
  alone->read(tokens);
  EXPECT_TRUE(
      std::equal(alone->logits().begin(), alone->logits().end(), context->logits().begin()));
}

TEST(SharedSteps, RefusesWhatDoesNotFit) {
  const auto message = [](auto call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
  };
  EXPECT_THAT(message([] { SharedSteps::create(nullptr); }), HasSubstr("model"));
  EXPECT_THAT(message([] { SharedSteps::create(smollm(), {.joined_rows = 3}); }),
              HasSubstr("joined_rows is 3"));
  EXPECT_THAT(message([] { SharedSteps::create(smollm(), {.block_tokens = -1}); }),
              HasSubstr("block_tokens is -1"));
  const auto steps = SharedSteps::create(smollm(), {.block_tokens = 32});
  EXPECT_THAT(message([&] { context_for({}, steps); }), HasSubstr("blocks of 32"));
  const auto other = Model::open(tests::model_file(tests::kSmolLm2));
  ContextOptions options;
  options.shared_steps = steps;
  EXPECT_THAT(message([&] { Context::create(other, options); }), HasSubstr("another model"));
}

}  // namespace
}  // namespace whereof
