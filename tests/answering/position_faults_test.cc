// An answer read from misplaced keys is refused, by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "model/model_files.h"
#include "retrieval/made_document.h"
#include "whereof/answer.h"
#include "whereof/error.h"

namespace whereof {
namespace {

class PositionFaults : public testing::Test {
 protected:
  PositionFaults()
      : file_(std::filesystem::temp_directory_path() /
              ("whereof-faults-" + std::to_string(getpid()) + ".sqlite")),
        model_(Model::open(tests::model_file(tests::kSmolLm2))) {
    document_ = retrieval::DocumentMaker()
                    .clause("1", "1. This Agreement runs for five years.", "Term")
                    .clause("2", "2. The Buyer pays 40 euros for each unit.", "Price")
                    .make();
    library_ = Library::open(file_);
    library_->add(document_);
  }
  ~PositionFaults() override {
    library_.reset();
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }

  Answer ask_with(InjectedFault fault) {
    AskOptions options;
    options.max_answer_tokens = 4;
    options.machine.flops_per_second = options.machine.attention_flops_per_second = 1e11;
    options.machine.bytes_per_second = 1e10;
    options.fault = fault;
    return ask(document_, *library_, model_, "What is the price?", options);
  }

  std::filesystem::path file_;
  std::shared_ptr<const Model> model_;
  Document document_;
  std::unique_ptr<Library> library_;
};

TEST_F(PositionFaults, WithoutAFaultThereIsAnAnswer) {
  EXPECT_EQ(ask_with(InjectedFault::none).answer_tokens, 4);
}

TEST_F(PositionFaults, EachStopsTheAnswerAndIsNamed) {
  for (const InjectedFault fault :
       {InjectedFault::rotary_table_too_short, InjectedFault::decode_at_position_zero,
        InjectedFault::decode_one_position_late, InjectedFault::left_padding,
        InjectedFault::shifted_cache}) {
    SCOPED_TRACE(name_of(fault));
    try {
      ask_with(fault);
      ADD_FAILURE() << "an answer was given";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::failed_check) << error.what();
      EXPECT_THAT(error.what(), testing::HasSubstr("position check of "));
    }
  }
}

}  // namespace
}  // namespace whereof
