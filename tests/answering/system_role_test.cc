// Templates that have no place for an instruction get it in the user's turn.
#include "answering/system_role.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answering/prompt.h"
#include "model/model_files.h"
#include "retrieval/made_document.h"
#include "whereof/error.h"

namespace whereof::answering {
namespace {

using testing::HasSubstr;

// A model whose chat format is this; all else is SmolLM2's.
class ModelWithFormat final : public Model {
 public:
  using Format = std::vector<PromptPiece> (*)(std::span<const ChatMessage>);
  explicit ModelWithFormat(Format format)
      : model_(Model::open(tests::model_file(tests::kSmolLm2))), format_(format) {}
  const ModelDescription& description() const override { return model_->description(); }
  const Tokenizer& tokenizer() const override { return model_->tokenizer(); }
  std::vector<PromptPiece> chat_prompt(std::span<const ChatMessage> messages) const override {
    return format_(messages);
  }

 private:
  std::shared_ptr<const Model> model_;
  Format format_;
};

std::vector<Model::PromptPiece> refuses_system(std::span<const ChatMessage> messages) {
  std::vector<Model::PromptPiece> pieces;
  for (const ChatMessage& message : messages) {
    if (message.role == "system") {
      throw Error(ErrorKind::unsupported, "it does not take these messages");
    }
    pieces.push_back({"[INST] ", true});
    pieces.push_back({message.content, false});
    pieces.push_back({" [/INST]", true});
  }
  return pieces;
}

std::vector<Model::PromptPiece> forgets_system(std::span<const ChatMessage> messages) {
  return refuses_system(messages.last(1));
}

std::vector<Model::PromptPiece> refuses_all(std::span<const ChatMessage>) {
  throw Error(ErrorKind::unsupported, "no such filter");
}

Prompt prompt_of(const Model& model, const Document& document) {
  return compose_prompt(document, split_passages(document), "What is the price?", Manner{}, model);
}

TEST(SystemRole, IsFoundByRendering) {
  EXPECT_TRUE(has_system_role(*Model::open(tests::model_file(tests::kSmolLm2))));
  EXPECT_FALSE(has_system_role(ModelWithFormat(refuses_system)));
  EXPECT_FALSE(has_system_role(ModelWithFormat(forgets_system)));
  EXPECT_THROW(has_system_role(ModelWithFormat(refuses_all)), Error);
}

TEST(SystemRole, WithoutItTheInstructionBeginsTheUsersTurn) {
  const Document document = retrieval::DocumentMaker()
                                .clause("1", "1. This Agreement runs for five years.", "Term")
                                .clause("2", "2. The Buyer pays 40 euros for each unit.", "Price")
                                .make();
  const std::string instruction(phrases_in(Language::english).instruction);
  for (const auto format : {refuses_system, forgets_system}) {
    const ModelWithFormat model(format);
    const Prompt prompt = prompt_of(model, document);
    const std::string text = model.tokenizer().decode(prompt.tokens);
    EXPECT_THAT(text, HasSubstr("[INST] " + instruction));
    ASSERT_EQ(prompt.sentences.size(), 2U);
    for (const ReadSentence& sentence : prompt.sentences) {
      const auto tokens = std::span(prompt.tokens)
                              .subspan(static_cast<std::size_t>(sentence.tokens.begin),
                                       static_cast<std::size_t>(sentence.tokens.length()));
      EXPECT_THAT(model.tokenizer().decode(tokens), HasSubstr(document.slice(sentence.document)));
    }
  }
}

}  // namespace
}  // namespace whereof::answering
