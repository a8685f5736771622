// What passages lean on comes along, nearest first, within the room.
#include "whereof/passage_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "retrieval/made_document.h"
#include "text/utf8.h"

namespace whereof::retrieval {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Twenty clauses that nobody refers to keep the terms from being common.
Document agreement() {
  DocumentMaker maker;
  maker.open("2", "Definitions").line("2. Definitions");
  maker.clause("2.1", "2.1 \"Losses\" means all damages, costs and Charges of a party.");
  maker.clause("2.2", "2.2 \"Charges\" means bank fees and postage.");
  maker.close();
  maker.clause("3", "3. The Seller's liability for Losses shall not exceed ten million dollars.");
  maker.clause("4", "4. The cap applies in the cases of Section 11 only.");
  for (int i = 5; i <= 10; ++i) {
    maker.clause(std::to_string(i), std::to_string(i) + ". The parties meet in room " +
                                        std::to_string(i) + " of the town hall every month.");
  }
  maker.clause("11", "11. The Buyer may terminate when delivery is late by thirty days.");
  for (int i = 12; i <= 25; ++i) {
    maker.clause(std::to_string(i), std::to_string(i) + ". Minutes of meeting " +
                                        std::to_string(i) + " are kept by the secretary.");
  }
  return maker.make();
}

class PassageChoice : public ::testing::Test {
 protected:
  // Passages whose text begins so, in this order.
  std::vector<RankedForChoice> ranked(const std::vector<std::string>& begins) const {
    std::vector<RankedForChoice> found;
    for (const std::string& begin : begins) {
      for (const Passage& passage : passages_) {
        if (document_.slice(passage.text).starts_with(begin)) found.push_back({passage, false});
      }
    }
    return found;
  }
  std::vector<ChosenPassage> choose(const std::vector<RankedForChoice>& candidates,
                                    std::int64_t room, std::string_view question = "Who pays?",
                                    double share = 0.7) const {
    ChoiceOptions options;
    options.room = room;
    options.closure_share = share;
    options.cost = [this](Span text) {
      return static_cast<std::int64_t>(text::count_code_points(document_.slice(text)));
    };
    return choose_passages(document_, question, candidates, options);
  }
  const ChosenPassage* holding(const std::vector<ChosenPassage>& chosen,
                               std::string_view words) const {
    for (const ChosenPassage& passage : chosen) {
      if (document_.slice(passage.where.text).find(words) != std::string_view::npos) {
        return &passage;
      }
    }
    return nullptr;
  }
  Document document_ = agreement();
  std::vector<Passage> passages_ = split_passages(document_);
};

TEST_F(PassageChoice, DefinitionsComeAlongTransitively) {
  const auto chosen = choose(ranked({"3. The Seller"}), 1000);
  const ChosenPassage* found = holding(chosen, "shall not exceed");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->reason, PassageReason::full_text);
  EXPECT_EQ(found->distance, 0);
  const ChosenPassage* losses = holding(chosen, "\"Losses\" means");
  ASSERT_NE(losses, nullptr);
  EXPECT_EQ(losses->reason, PassageReason::defines);
  EXPECT_EQ(losses->subject, "Losses");
  EXPECT_EQ(losses->distance, 1);
  EXPECT_EQ(reason_text(*losses, false), "defines “Losses”");
  const ChosenPassage* charges = holding(chosen, "\"Charges\" means");
  ASSERT_NE(charges, nullptr);
  EXPECT_EQ(charges->distance, 2);
}

TEST_F(PassageChoice, OfALongDefinitionComesTheBeginning) {
  DocumentMaker maker;
  std::string meaning = "2.1 \"Losses\" means all damages of a party";
  for (int i = 0; i < 100; ++i) meaning += ", item " + std::to_string(i);
  maker.clause("2.1", meaning + ".");
  maker.clause("3", "3. The Seller's liability for Losses shall not exceed ten million dollars.");
  for (int i = 4; i <= 25; ++i) {
    maker.clause(std::to_string(i), std::to_string(i) + ". Minutes of meeting " +
                                        std::to_string(i) + " are kept by the secretary.");
  }
  document_ = maker.make();
  passages_ = split_passages(document_);
  const auto chosen = choose(ranked({"3. The Seller"}), 1000);
  const ChosenPassage* losses = holding(chosen, "\"Losses\" means");
  ASSERT_NE(losses, nullptr);
  const std::string_view text = document_.slice(losses->where.text);
  EXPECT_LE(text.size(), 500U);
  EXPECT_GT(text.size(), 400U);
  EXPECT_EQ(document_.text[static_cast<std::size_t>(losses->where.text.end)], ' ');
}

TEST_F(PassageChoice, ClausesReferredToComeAlong) {
  const auto chosen = choose(ranked({"4. The cap"}), 1000);
  const ChosenPassage* referred = holding(chosen, "may terminate");
  ASSERT_NE(referred, nullptr);
  EXPECT_EQ(referred->reason, PassageReason::referred_to);
  EXPECT_EQ(reason_text(*referred, false), "4 refers to it");
  EXPECT_EQ(reason_text(*referred, true), "4提及");
}

TEST_F(PassageChoice, WhatRefersToAPassageComesToo) {
  const auto chosen = choose(ranked({"11. The Buyer"}), 1000);
  const ChosenPassage* exception = holding(chosen, "The cap applies");
  ASSERT_NE(exception, nullptr);
  EXPECT_EQ(exception->reason, PassageReason::refers);
  EXPECT_EQ(exception->subject, "11");
}

TEST_F(PassageChoice, TermsOfTheQuestionAreDefined) {
  const auto chosen = choose(ranked({"5. The parties"}), 1000, "What are charges?");
  EXPECT_NE(holding(chosen, "\"Charges\" means"), nullptr);
  EXPECT_EQ(holding(choose(ranked({"5. The parties"}), 1000), "\"Charges\" means"), nullptr);
}

TEST_F(PassageChoice, TheNearestFitsFirst) {
  // Room for the passage and one definition.
  const auto chosen = choose(ranked({"3. The Seller"}), 140);
  EXPECT_NE(holding(chosen, "\"Losses\" means"), nullptr);
  EXPECT_EQ(holding(chosen, "\"Charges\" means"), nullptr);
  EXPECT_THAT(choose(ranked({"3. The Seller"}), 1000, "Who?", 0), SizeIs(1));
}

TEST_F(PassageChoice, OneIsReadHoweverLittleRoomThereIs) {
  EXPECT_THAT(choose(ranked({"3. The Seller", "4. The cap"}), 0), SizeIs(1));
  EXPECT_THAT(choose(ranked({"3. The Seller"}), -5), SizeIs(1));
  EXPECT_THAT(choose({}, 1000), IsEmpty());
}

TEST_F(PassageChoice, RoomThatIsLeftGoesToTheRanked) {
  const auto chosen = choose(ranked({"5. ", "6. ", "7. ", "8. ", "9. "}), 200, "Who?", 0.7);
  EXPECT_THAT(chosen, SizeIs(3));
  for (std::size_t i = 1; i < chosen.size(); ++i) {
    EXPECT_GE(chosen[i].where.text.begin, chosen[i - 1].where.text.end);
  }
}

TEST_F(PassageChoice, NamedOnesSayWhy) {
  auto candidates = ranked({"3. The Seller"});
  candidates[0].is_named = true;
  const auto chosen = choose(candidates, 1000);
  EXPECT_EQ(holding(chosen, "shall not exceed")->reason, PassageReason::named);
  EXPECT_THAT(reason_text(*holding(chosen, "shall not exceed"), true), HasSubstr("点名"));
}

}  // namespace
}  // namespace whereof::retrieval
