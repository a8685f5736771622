// The question sets of this folder, over documents of the corpus: the figures must not fall behind
// what they have reached; prints them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "whereof/evaluation.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;

// Just under what was reached (docs/retrieval.md).
constexpr double kClosureFloor = 0.9;
constexpr double kParaphrasedFloorAt1 = 0.15;
constexpr double kParaphrasedFloorAt5 = 0.3;

class OwnSets : public ::testing::Test {
 protected:
  // Fills set and documents; false where there is no corpus.
  bool read(const char* own, const char* folder) {
    const char* named = std::getenv("WHEREOF_CORPUS");
    const fs::path corpus =
        named != nullptr ? fs::path(named) : fs::path(WHEREOF_SOURCE_DIR) / "../shared/corpus";
    if (!fs::exists(corpus / folder)) return false;
    set_ =
        load_question_set(fs::path(WHEREOF_SOURCE_DIR) / "tests/evaluation" / own, corpus / folder);
    ReadDocumentOptions options;
    options.worker_program =
        fs::path(WHEREOF_BINARY_DIR) / "libexec/whereof/whereof-document-worker";
    file_ = fs::path(::testing::TempDir()) / ("whereof-own-" + std::to_string(::getpid()) + ".db");
    library_ = Library::open(file_);
    for (const QuestionDocument& document : set_.documents) {
      documents_.push_back(read_question_document(document, options));
      library_->add(documents_.back());
    }
    return true;
  }
  ~OwnSets() override {
    library_.reset();
    for (const char* tail : {"", "-wal", "-shm"}) fs::remove(file_.string() + tail);
  }
  QuestionSet set_;
  std::vector<Document> documents_;
  fs::path file_;
  std::unique_ptr<Library> library_;
};

TEST_F(OwnSets, ContextHoldsDefinitionsAndClausesReferredTo) {
  if (!read("closure", "cuad")) GTEST_SKIP() << "no corpus";
  EXPECT_EQ(set_.questions.size(), 40U);
  const ClosureFigures figures = measure_closure(set_, documents_, *library_, 16'000);
  std::cout << "holds all: " << figures.holds_all << ", without closure "
            << figures.holds_all_without << '\n';
  for (const std::string& question : figures.missed)
    std::cout << "  not held: " << question << '\n';
  EXPECT_EQ(figures.questions, 40);
  EXPECT_GE(figures.holds_all, kClosureFloor);
}

TEST_F(OwnSets, ParaphrasedQuestionsFindTheirArticle) {
  if (!read("paraphrased_zh", "zh")) GTEST_SKIP() << "no corpus";
  EXPECT_EQ(set_.questions.size(), 30U);
  const RetrievalFigures figures = measure_retrieval(set_, documents_, *library_);
  std::cout << "recall at 1, 5, 10: " << figures.recall_at_1 << ' ' << figures.recall_at_5 << ' '
            << figures.recall_at_10 << '\n';
  EXPECT_GE(figures.recall_at_1, kParaphrasedFloorAt1);
  EXPECT_GE(figures.recall_at_5, kParaphrasedFloorAt5);
}

}  // namespace
}  // namespace whereof
