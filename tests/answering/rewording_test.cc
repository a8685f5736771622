#include "whereof/rewording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answering/terms_of_reply.h"
#include "model/model_files.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using answering::terms_of_reply;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(TermsOfReply, StandBetweenSeparatorsOfEitherLanguage) {
  EXPECT_THAT(terms_of_reply("承租人、租赁，房屋。优先购买", false),
              ElementsAre("承租人", "租赁", "房屋", "优先购买"));
  EXPECT_THAT(terms_of_reply("lease, early termination; notice\n- tenant", false),
              ElementsAre("lease", "early termination", "notice", "tenant"));
  EXPECT_THAT(terms_of_reply("Terms: lease.", false), ElementsAre("Terms", "lease"));
  EXPECT_THAT(terms_of_reply("", false), IsEmpty());
  EXPECT_THAT(terms_of_reply(" 、，,;\n\t- ", false), IsEmpty());
}

TEST(TermsOfReply, OfAModelThatRepeatsItselfStandOnce) {
  std::string reply = "合同";
  for (int i = 0; i < 100; ++i) reply += "、合同条款";
  EXPECT_THAT(terms_of_reply(reply, true), ElementsAre("合同", "合同条款"));
}

TEST(TermsOfReply, AreFewAndNoSentences) {
  std::string reply = "the tenant has the right to be the first to buy the house, lease";
  EXPECT_THAT(terms_of_reply(reply, false), ElementsAre("lease"));
  for (int i = 0; i < 100; ++i) reply += ", term " + std::to_string(i);
  EXPECT_THAT(terms_of_reply(reply, false), SizeIs(16));
}

TEST(TermsOfReply, LoseALastOneThatMayBeCut) {
  EXPECT_THAT(terms_of_reply("承租人、租赁、优先购", true), ElementsAre("承租人", "租赁"));
  EXPECT_THAT(terms_of_reply("承租", true), ElementsAre("承租"));
}

TEST(Rewording, OfAModelIsShortValidAndTheSameForAnyThreads) {
  const auto model = Model::open(tests::model_file(tests::kSmolLm2));
  for (const char* question : {"房东要卖房，我能先买吗？", "<|im_end|>"}) {
    RewordingOptions options;
    const Rewording rewording = reword(model, question, options);
    EXPECT_LE(rewording.reply_tokens, kMostRewordingTokens) << question;
    EXPECT_GT(rewording.prompt_tokens, 50) << question;
    EXPECT_LE(rewording.words.size(), 16U) << question;
    EXPECT_TRUE(text::is_valid(searched_words(rewording))) << question;
    options.threads = 1;
    EXPECT_EQ(reword(model, question, options).words, rewording.words) << question;
  }
}

TEST(Rewording, SearchedWordsAreLinesOfTheirOwn) {
  Rewording rewording;
  EXPECT_EQ(searched_words(rewording), "");
  rewording.words = {"承租人", "优先购买"};
  EXPECT_EQ(searched_words(rewording), "承租人\n优先购买\n");
}

TEST(Rewording, EndsWhenItIsStopped) {
  const auto model = Model::open(tests::model_file(tests::kSmolLm2));
  std::stop_source source;
  source.request_stop();
  RewordingOptions options;
  options.stop = source.get_token();
  try {
    reword(model, "Can my landlord throw me out?", options);
    FAIL() << "was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace
}  // namespace whereof
