// What is kept of a reading: taken again bit for bit, never when it is stale, foreign or damaged.
// On a tiny model: the store knows of a model only its name and the sizes of its blocks.
#include "whereof/kv_store.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "model/model_with_window.h"
#include "whereof/error.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::int64_t kBlock = 256;
constexpr std::int64_t kWindow = 1024;

std::shared_ptr<const Model> tiny_model() {
  static const auto model = Model::open(
      tests::ModelWithWindow(WHEREOF_SOURCE_DIR "/tests/model/golden/families/llama.gguf", kWindow)
          .path());
  return model;
}

std::vector<TokenId> some_tokens(std::int64_t count, TokenId first = 10) {
  std::vector<TokenId> tokens;
  for (std::int64_t i = 0; i < count; ++i) {
    tokens.push_back(first + static_cast<TokenId>(i * 37 % 251));
  }
  return tokens;
}

class KvStoreTest : public testing::Test {
 protected:
  KvStoreTest() {
    std::string pattern = (fs::temp_directory_path() / "whereof-kv-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~KvStoreTest() override { fs::remove_all(folder_); }

  std::shared_ptr<KvStore> store(std::int64_t budget = std::int64_t{1} << 30) const {
    return KvStore::open({.folder = folder_ / "kept", .budget_bytes = budget});
  }
  std::unique_ptr<KeptReading> reading(const std::string& key = "contract") const {
    return store()->reading(*tiny_model(), key, key + ".pdf");
  }

  static ReadOptions keeping_in(KeptReading* kept) {
    ReadOptions options;
    options.wants_logits = false;
    options.kept = kept;
    return options;
  }
  // Reads the tokens, kept or not, then one more; its logits.
  static std::vector<float> logits_after(std::span<const TokenId> tokens, KeptReading* kept) {
    ContextOptions options;
    options.capacity_tokens = kWindow;
    options.block_tokens = 128;
    const auto context = Context::create(tiny_model(), options);
    context->read(tokens, keeping_in(kept));
    EXPECT_EQ(context->length(), static_cast<std::int64_t>(tokens.size()));
    const TokenId last = 8;
    context->read(std::span(&last, 1));
    return {context->logits().begin(), context->logits().end()};
  }
  // How many tokens a reading of these computes.
  static std::int64_t computed(std::span<const TokenId> tokens, KeptReading* kept) {
    const auto context = Context::create(tiny_model(), {.capacity_tokens = kWindow});
    std::int64_t from_store = -1;
    ReadOptions options = keeping_in(kept);
    options.progress = [&](const Progress& progress) {
      if (from_store < 0) from_store = progress.done;
    };
    context->read(tokens, options);
    return static_cast<std::int64_t>(tokens.size()) - from_store;
  }

  fs::path only_file() const {
    const auto readings = store()->list();
    EXPECT_EQ(readings.size(), 1U);
    return readings.empty() ? fs::path() : readings[0].file;
  }
  static std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  fs::path folder_;
};

TEST_F(KvStoreTest, WhatIsKeptIsTakenBitForBit) {
  for (const std::int64_t count : {kBlock - 1, kBlock, kBlock + 1}) {
    const auto tokens = some_tokens(count);
    const std::string key = std::to_string(count);
    const std::vector<float> fresh = logits_after(tokens, nullptr);
    EXPECT_EQ(logits_after(tokens, reading(key).get()), fresh);
    EXPECT_EQ(reading(key)->length(), count);
    EXPECT_EQ(computed(tokens, reading(key).get()), 0);
    EXPECT_EQ(logits_after(tokens, reading(key).get()), fresh);
  }
}

TEST_F(KvStoreTest, ALongerTextGoesOnWhereTheShorterEnds) {
  const auto tokens = some_tokens(700);
  const std::span<const TokenId> all(tokens);
  EXPECT_EQ(computed(all.first(300), reading().get()), 300);
  EXPECT_EQ(computed(all.first(200), reading().get()), 0);
  EXPECT_EQ(reading()->length(), 300) << "a shorter reading takes nothing away";
  EXPECT_EQ(computed(all, reading().get()), 400);
  EXPECT_EQ(logits_after(all, reading().get()), logits_after(all, nullptr));
}

TEST_F(KvStoreTest, OtherTokensAreComputedFromWhereTheyDiffer) {
  auto tokens = some_tokens(600);
  logits_after(tokens, reading().get());
  tokens[300] += 1;
  EXPECT_EQ(reading()->matching(tokens), 300);
  EXPECT_EQ(computed(tokens, reading().get()), 300);
  EXPECT_EQ(reading()->matching(tokens), 600);
  EXPECT_EQ(logits_after(tokens, reading().get()), logits_after(tokens, nullptr));
}

TEST_F(KvStoreTest, TextsAndModelsAreToldApart) {
  const auto tokens = some_tokens(300);
  logits_after(tokens, reading("one").get());
  EXPECT_EQ(reading("other")->length(), 0);
  EXPECT_EQ(reading("one")->length(), 300);
}

TEST_F(KvStoreTest, AStoppedReadingGoesOnFromItsLastBlock) {
  const auto tokens = some_tokens(900);
  const auto context =
      Context::create(tiny_model(), {.capacity_tokens = kWindow, .block_tokens = 128});
  std::stop_source stop;
  const auto kept = reading();
  ReadOptions options = keeping_in(kept.get());
  options.stop = stop.get_token();
  options.progress = [&](const Progress& progress) {
    if (progress.done >= 640) stop.request_stop();
  };
  EXPECT_THROW(context->read(tokens, options), Error);
  EXPECT_EQ(reading()->length(), 512) << "whole blocks of 256";
  EXPECT_EQ(computed(tokens, reading().get()), 900 - 512);
}

TEST_F(KvStoreTest, ACutFileIsReadUpToItsLastWholeBlock) {
  const auto tokens = some_tokens(600);
  const std::vector<float> fresh = logits_after(tokens, reading().get());
  const fs::path file = only_file();
  const std::string whole = bytes_of(file);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{100}, std::size_t{4096}, whole.size() / 2, whole.size() - 1}) {
    write(file, whole.substr(0, size));
    EXPECT_LT(reading()->length(), 600) << size;
    EXPECT_EQ(logits_after(tokens, reading().get()), fresh) << size;
    EXPECT_EQ(reading()->length(), 600) << "read again and kept: " << size;
  }
}

TEST_F(KvStoreTest, FlippedBitsAreFoundWhereverTheyAre) {
  const auto tokens = some_tokens(300);
  const std::vector<float> fresh = logits_after(tokens, reading().get());
  const fs::path file = only_file();
  const std::string whole = bytes_of(file);
  std::vector<std::size_t> places = {0, 12, 60, 200, 1400, 4096, 4104, 4112, 4120, 4130};
  for (std::size_t at = 5000; at < whole.size(); at += whole.size() / 50) places.push_back(at);
  for (const std::size_t at : places) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    write(file, flipped);
    ASSERT_EQ(logits_after(tokens, reading().get()), fresh) << "byte " << at;
  }
}

TEST_F(KvStoreTest, ADamagedBlockIsReadOnceMoreAndKeptAnew) {
  const auto tokens = some_tokens(600);
  logits_after(tokens, reading().get());
  const fs::path file = only_file();
  std::string flipped = bytes_of(file);
  const std::size_t in_second_block = 4096 + (flipped.size() - 4096) / 2;
  flipped[in_second_block] = static_cast<char>(flipped[in_second_block] ^ 1);
  write(file, flipped);
  EXPECT_EQ(reading()->length(), 600) << "it does not show before it is read";
  EXPECT_EQ(computed(tokens, reading().get()), 600 - 256);
  EXPECT_EQ(computed(tokens, reading().get()), 0);
}

TEST_F(KvStoreTest, AForeignFileIsReplaced) {
  const auto tokens = some_tokens(300);
  logits_after(tokens, reading().get());
  const fs::path file = only_file();
  for (const std::string& content : {std::string("not a reading"), std::string(100000, 'x')}) {
    write(file, content);
    EXPECT_EQ(reading()->length(), 0);
    EXPECT_TRUE(store()->list().empty());
    EXPECT_EQ(computed(tokens, reading().get()), 300);
    EXPECT_EQ(reading()->length(), 300);
  }
}

TEST_F(KvStoreTest, ASecondProcessReadsWhatIsThereAndWritesNothing) {
  const auto tokens = some_tokens(600);
  const std::span<const TokenId> all(tokens);
  logits_after(all.first(512), reading().get());
  const int writer = open(only_file().c_str(), O_RDWR);
  ASSERT_EQ(flock(writer, LOCK_EX | LOCK_NB), 0);
  const auto second = reading();
  EXPECT_EQ(computed(all, second.get()), 600 - 512);
  EXPECT_THAT(second->trouble(), HasSubstr("another process"));
  EXPECT_EQ(reading()->length(), 512);
  EXPECT_FALSE(store()->drop(store()->list()[0])) << "not while it is written";
  close(writer);
  EXPECT_EQ(computed(all, reading().get()), 600 - 512);
  EXPECT_EQ(reading()->length(), 600);
}

TEST_F(KvStoreTest, AReadingThatIsDeletedMeanwhileIsKeptAnew) {
  const auto tokens = some_tokens(600);
  logits_after(std::span<const TokenId>(tokens).first(512), reading().get());
  const auto kept = reading();
  ASSERT_EQ(kept->length(), 512);
  ASSERT_TRUE(store()->drop(store()->list()[0]));
  EXPECT_EQ(computed(tokens, kept.get()), 600 - 512) << "an open file is still read";
  EXPECT_EQ(reading()->length(), 600);
}

TEST_F(KvStoreTest, AFullDiskCostsTheKeepingAndNotTheAnswer) {
  const auto tokens = some_tokens(900);
  const std::vector<float> fresh = logits_after(tokens, nullptr);
  logits_after(std::span(tokens).first(256), reading().get());
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto too_small = static_cast<rlim_t>(fs::file_size(only_file()) * 5 / 2);
  const rlimit limit{too_small, before.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  auto kept = reading();
  EXPECT_EQ(logits_after(tokens, kept.get()), fresh);
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_THAT(kept->trouble(), HasSubstr("cannot keep more of what is read in"));
  kept.reset();  // and its lock
  EXPECT_EQ(reading()->length(), 512);
  EXPECT_EQ(logits_after(tokens, reading().get()), fresh);
  EXPECT_EQ(reading()->length(), 900);
}

TEST_F(KvStoreTest, AFolderThatCannotBeMadeCostsTheKeepingOnly) {
  write(folder_ / "kept", "a file where the folder should be");
  const auto kept = reading();
  EXPECT_EQ(computed(some_tokens(300), kept.get()), 300);
  EXPECT_THAT(kept->trouble(), HasSubstr("cannot keep what is read in"));
  EXPECT_TRUE(store()->list().empty());
}

TEST_F(KvStoreTest, TheLeastRecentlyUsedMakeRoom) {
  const auto tokens = some_tokens(256);
  logits_after(tokens, reading("first").get());
  const auto each = static_cast<std::int64_t>(fs::file_size(only_file()));
  const auto small = store(2 * each + 8192);
  for (const char* key : {"second", "first", "third"}) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    logits_after(tokens, small->reading(*tiny_model(), key, key + std::string(".pdf")).get());
  }
  std::vector<std::string> names;
  for (const auto& each_reading : small->list()) names.push_back(each_reading.text_name);
  EXPECT_EQ(names, (std::vector<std::string>{"third.pdf", "first.pdf"}));
  const auto none = store(each / 2)->reading(*tiny_model(), "fourth", "fourth");
  logits_after(tokens, none.get());
  EXPECT_THAT(none->trouble(), HasSubstr("budget"));
}

TEST_F(KvStoreTest, ListsAndDrops) {
  logits_after(some_tokens(300), reading("合同").get());
  const auto readings = store()->list();
  ASSERT_EQ(readings.size(), 1U);
  EXPECT_EQ(readings[0].text_name, "合同.pdf");
  EXPECT_EQ(readings[0].model_name, tiny_model()->description().name);
  EXPECT_EQ(readings[0].tokens, 300);
  EXPECT_TRUE(store()->drop(readings[0]));
  EXPECT_FALSE(store()->drop(readings[0]));
  EXPECT_TRUE(store()->list().empty());
  KeptReadingDescription elsewhere;
  elsewhere.file = folder_ / "precious.txt";
  EXPECT_THROW(store()->drop(elsewhere), Error);
}

// Two texts, each read alone, stacked in one window: the second, moved, says what it said alone,
// and a question over both sees both.
TEST_F(KvStoreTest, TextsAreStackedInOneWindow) {
  const auto first = some_tokens(300, 20);
  const auto second = some_tokens(270, 30);
  const TokenId question = 8;
  const auto alone = Context::create(tiny_model(), {.capacity_tokens = kWindow});
  alone->read(second, keeping_in(reading("second").get()));
  alone->read({&question, 1});
  ContextOptions options;
  options.capacity_tokens = kWindow;
  options.branch_tokens = 2 * (1 + kBranchOverheadTokens);
  const auto both = Context::create(tiny_model(), options);
  both->read(first, keeping_in(reading("first").get()));
  EXPECT_EQ(both->append_kept(*reading("second"), second), 270);
  EXPECT_EQ(both->length(), 570);
  const PositionCheck check = both->check_positions(6);
  EXPECT_TRUE(check.holds) << check.alarm;
  const std::int64_t of_second = both->open_branch({.room_tokens = 1, .hidden = {{0, 300}}});
  const std::int64_t of_both = both->open_branch({.room_tokens = 1, .hidden = {}});
  std::vector<BranchRead> reads(2);
  reads[0].branch = of_second;
  reads[1].branch = of_both;
  for (BranchRead& read : reads) read.tokens = {&question, 1};
  both->read_branches(reads);
  const auto mean_difference = [&](std::int64_t branch) {
    double sum = 0;
    for (std::size_t i = 0; i < alone->logits().size(); ++i) {
      sum += std::abs(double(both->branch_logits(branch)[i]) - double(alone->logits()[i]));
    }
    return sum / static_cast<double>(alone->logits().size());
  };
  EXPECT_LT(mean_difference(of_second), 0.05) << "rounding makes 0.017, the logits spread 0.87";
  EXPECT_GT(mean_difference(of_both), 2 * mean_difference(of_second));
  both->close_branches();
  both->truncate(400);
  EXPECT_TRUE(both->check_positions().holds);
  EXPECT_EQ(both->append_kept(*reading("absent"), second), 0);
  const auto small = Context::create(tiny_model(), {.capacity_tokens = 400});
  small->read(first);
  EXPECT_THROW(small->append_kept(*reading("second"), second), Error);
}

TEST_F(KvStoreTest, WrongUseIsNamed) {
  const auto context = Context::create(tiny_model(), {.capacity_tokens = kWindow});
  const auto tokens = some_tokens(10);
  const auto kept = reading();
  const auto message = [&](const ReadOptions& options) -> std::string {
    try {
      context->read(tokens, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  ReadOptions with_logits = keeping_in(kept.get());
  with_logits.wants_logits = true;
  EXPECT_THAT(message(with_logits), HasSubstr("ReadOptions::kept"));
  context->read(tokens);
  EXPECT_THAT(message(keeping_in(kept.get())), HasSubstr("empty context"));
  EXPECT_THROW(KvStore::open({}), Error);
  EXPECT_THROW(KvStore::open({.folder = folder_, .budget_bytes = -1}), Error);
}

}  // namespace
}  // namespace whereof
