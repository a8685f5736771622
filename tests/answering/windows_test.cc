// A document longer than the window: read in windows, its passages attended to as they were read
// there. The model's window is made small, so that the document need not be long.
#include "answering/windows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "model/model_files.h"
#include "model/model_with_window.h"
#include "retrieval/made_document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;
using answering::Prompt;
using testing::HasSubstr;

constexpr std::uint32_t kWindow = 512;
constexpr const char* kQuestion = "Which law governs the agreement?";

class WindowsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    file_ = new tests::ModelWithWindow(tests::model_file(tests::kSmolLm2), kWindow);
    model_ = new std::shared_ptr<const Model>(Model::open(file_->path()));
  }
  static void TearDownTestSuite() {
    delete model_;
    delete file_;
  }

  WindowsTest() : folder_(tests::TemporaryFile::unused_path()) {
    fs::create_directory(folder_);
    retrieval::DocumentMaker maker;
    for (int i = 1; i <= 24; ++i) {
      const std::string number = std::to_string(i);
      const bool is_law = i == 17;
      maker.clause(number,
                   is_law ? "17. This Agreement is governed by the law of Ruritania."
                          : number + ". The Supplier delivers part " + std::to_string(100 + i) +
                                " to the Buyer's warehouse on day " + number +
                                " of each month, packed and insured at its own cost.",
                   is_law ? "Governing law" : "Part " + std::to_string(100 + i));
    }
    document_ = maker.make();
    library_ = Library::open(folder_ / "library.sqlite");
    library_->add(document_);
    options_.max_answer_tokens = 4;
    options_.machine.flops_per_second = options_.machine.attention_flops_per_second = 1e11;
    options_.machine.bytes_per_second = 1e10;
    options_.store = KvStore::open({.folder = kept()});
  }
  ~WindowsTest() override {
    library_.reset();
    fs::remove_all(folder_);
  }

  const std::shared_ptr<const Model>& model() const { return *model_; }
  fs::path kept() const { return folder_ / "kept"; }
  Answer ask_it() { return ask(document_, *library_, model(), kQuestion, options_); }

  static void expect_same(const Answer& one, const Answer& other) {
    EXPECT_EQ(one.text, other.text);
    ASSERT_EQ(one.citations.size(), other.citations.size());
    for (std::size_t i = 0; i < one.citations.size(); ++i) {
      EXPECT_EQ(one.citations[i].quotation, other.citations[i].quotation);
      EXPECT_EQ(one.citations[i].share, other.citations[i].share);
    }
  }

  static tests::ModelWithWindow* file_;
  static std::shared_ptr<const Model>* model_;
  fs::path folder_;
  Document document_;
  std::unique_ptr<Library> library_;
  AskOptions options_;
};
tests::ModelWithWindow* WindowsTest::file_ = nullptr;
std::shared_ptr<const Model>* WindowsTest::model_ = nullptr;

TEST_F(WindowsTest, APromptHoldsWhatWasChosenAndKnowsWhereItLies) {
  const std::vector<Passage> all = split_passages(document_);
  const answering::Manner manner;
  const Prompt whole = answering::compose_prompt(document_, all, kQuestion, manner, *model());
  ASSERT_GT(std::ssize(whole.tokens), kWindow);
  answering::WindowedDocument windows(document_, all, whole, manner, *model(), options_);
  std::vector<Passage> chosen;
  for (std::size_t i = 2; i < all.size(); i += 3) chosen.push_back(all[i]);
  windows.choose(chosen);
  const Prompt prompt = windows.prompt_for(kQuestion);
  const Prompt read = answering::compose_prompt(document_, chosen, kQuestion, manner, *model());
  EXPECT_EQ(prompt.tokens, read.tokens) << "as if these passages were read";
  EXPECT_EQ(prompt.passages, read.passages);
  ASSERT_EQ(prompt.sentences.size(), read.sentences.size());
  for (std::size_t i = 0; i < read.sentences.size(); ++i) {
    EXPECT_EQ(prompt.sentences[i].tokens, read.sentences[i].tokens);
    EXPECT_EQ(prompt.sentences[i].document, read.sentences[i].document);
  }
}

TEST_F(WindowsTest, AQuestionTakesPassagesFromWindowsAndTheNextReadsNothing) {
  const Answer first = ask_it();
  EXPECT_EQ(first.plan.route, Route::hybrid);
  EXPECT_THAT(first.plan.reason, HasSubstr("exceed the window of 512"));
  EXPECT_GT(first.plan.document_tokens, kWindow);
  EXPECT_LE(first.plan.prompt_tokens, kWindow - options_.max_answer_tokens);
  EXPECT_GE(first.plan.windows, 2);
  EXPECT_LT(first.plan.passages_read, first.plan.passages_in_document);
  EXPECT_GT(first.plan.window_tokens_read, first.plan.kept_tokens);
  EXPECT_EQ(first.keeping_trouble, "");
  ASSERT_FALSE(first.citations.empty());
  for (const Citation& citation : first.citations) {
    EXPECT_EQ(citation.quotation_text, document_.slice(citation.quotation));
  }
  EXPECT_EQ(first.citations[0].label, "17");
  const Answer second = ask_it();
  EXPECT_EQ(second.plan.route, Route::hybrid);
  EXPECT_EQ(second.plan.window_tokens_read, 0);
  EXPECT_LT(second.plan.predicted_seconds, first.plan.predicted_seconds);
  expect_same(second, first);
}

TEST_F(WindowsTest, WhatCannotBeKeptIsReadAllTheSame) {
  const Answer kept_well = ask_it();
  options_.store = nullptr;
  const Answer without = ask_it();
  EXPECT_EQ(without.plan.route, Route::hybrid);
  expect_same(without, kept_well);
  std::ofstream(folder_ / "file") << "where a folder should be";
  options_.store = KvStore::open({.folder = folder_ / "file"});
  const Answer troubled = ask_it();
  EXPECT_THAT(troubled.keeping_trouble, HasSubstr("cannot keep what is read in"));
  expect_same(troubled, kept_well);
}

TEST_F(WindowsTest, ADamagedWindowIsReadAgain) {
  const Answer first = ask_it();
  for (const KeptReadingDescription& reading : options_.store->list()) {
    std::fstream file(reading.file, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(200'000);  // keys of the first block
    file.write("damaged", 7);
  }
  expect_same(ask_it(), first);
}

TEST_F(WindowsTest, WithoutTheTimeForItPassagesAreRead) {
  options_.budget_seconds = 0;
  const Answer answer = ask_it();
  EXPECT_EQ(answer.plan.route, Route::passages);
  EXPECT_EQ(answer.plan.windows, 0);
  EXPECT_EQ(answer.plan.window_tokens_read, 0);
}

TEST_F(WindowsTest, ReadingAheadReadsAllWindowsAndInt8TakesHalf) {
  options_.kv_type = ElementType::i8;
  std::int64_t last_done = 0;
  std::int64_t total = 0;
  options_.progress = [&](const Progress& progress) {
    EXPECT_GE(progress.done, last_done);
    last_done = progress.done;
    total = progress.total;
  };
  const ReadAhead read = read_ahead(document_, model(), options_);
  EXPECT_GE(read.windows, 2);
  EXPECT_EQ(read.kept_before, 0);
  EXPECT_EQ(last_done, total);
  EXPECT_EQ(total, read.tokens);
  const auto readings = options_.store->list();
  EXPECT_EQ(std::ssize(readings), read.windows);
  EXPECT_THAT(readings.back().text_name, HasSubstr(", part 1 of " + std::to_string(read.windows)));
  options_.progress = nullptr;
  EXPECT_EQ(read_ahead(document_, model(), options_).kept_before, read.tokens);
  const Answer answer = ask_it();
  EXPECT_EQ(answer.plan.route, Route::hybrid);
  EXPECT_EQ(answer.plan.window_tokens_read, 0);
  EXPECT_EQ(answer.citations.at(0).label, "17");
}

TEST_F(WindowsTest, CandidatesAreRankedAsKeptWindowsHoldThem) {
  retrieval::DocumentMaker maker;
  for (int i = 1; i <= 60; ++i) {
    const std::string number = std::to_string(i);
    maker.clause(number, number + ". Unit " + number + " costs " + number + "0 euros.");
  }
  document_ = maker.make();
  library_->add(document_);
  options_.ranks_by_attention = true;
  const char* question = "What does unit 7 cost?";
  const Answer first = ask(document_, *library_, model(), question, options_);
  EXPECT_EQ(first.plan.route, Route::hybrid) << first.plan.reason;
  EXPECT_EQ(first.plan.passages_ranked, 0) << "windows would have to be read for it";
  read_ahead(document_, model(), options_);
  const Answer second = ask(document_, *library_, model(), question, options_);
  EXPECT_EQ(second.plan.route, Route::hybrid) << second.plan.reason;
  EXPECT_GE(second.plan.passages_ranked, 10) << second.plan.reason;
  EXPECT_EQ(second.plan.window_tokens_read, 0);
  EXPECT_THAT(second.plan.reason, HasSubstr("were ranked by attention"));
}

TEST_F(WindowsTest, MisplacedKeysStopTheAnswer) {
  options_.fault = InjectedFault::left_padding;
  try {
    ask_it();
    ADD_FAILURE() << "an answer was given";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::failed_check) << error.what();
  }
}

}  // namespace
}  // namespace whereof
