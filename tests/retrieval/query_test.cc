#include "retrieval/query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "retrieval/synonyms.h"

namespace whereof::retrieval {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Query, LabelsAndWordsHaveTheirColumns) {
  const Query query = query_of("zebras in clause 3");
  EXPECT_EQ(query.match, "labels : (\"3\") OR {heading body} : (\"zebra\" OR \"claus\" OR \"3\")");
  ASSERT_EQ(query.groups.size(), 4U);
  EXPECT_TRUE(query.groups[0].is_label);
  EXPECT_EQ(query.terms, 4U);
}

TEST(Query, SynonymsShareTheGroupOfTheirWord) {
  const Query query = query_of("renewal");
  ASSERT_EQ(query.groups.size(), 1U);
  EXPECT_EQ(query.groups[0].first, 0U);
  EXPECT_EQ(query.groups[0].count, query.terms);
  EXPECT_THAT(query.match, testing::HasSubstr("\"renew\" OR"));
  EXPECT_THAT(query.match, testing::HasSubstr("\"extens\""));
}

TEST(Query, AddedWordsStandApartWithoutSynonymsAndLabels) {
  const Query query = query_of("zebras", "renewal, clause 3, 租赁\" OR x");
  EXPECT_EQ(
      query.match,
      "{heading body} : (\"zebra\" OR \"renew\" OR \"claus\" OR \"3\" OR \"租赁\" OR \"x\" OR "
      "\"租\" OR \"赁\")");
  ASSERT_EQ(query.groups.size(), 8U);
  EXPECT_EQ(query.terms, 8U);
  for (std::size_t i = 0; i < query.groups.size(); ++i) {
    EXPECT_EQ(query.groups[i].is_added, i > 0) << i;
    EXPECT_EQ(query.groups[i].count, 1U);
    EXPECT_EQ(query.groups[i].is_character, i >= 6) << i;
    EXPECT_FALSE(query.groups[i].is_label);
  }
  EXPECT_EQ(query_of("", "renewal").match, "{heading body} : (\"renew\")");
}

TEST(Query, OfNothing) {
  EXPECT_EQ(query_of("").match, "");
  EXPECT_EQ(query_of(" ?!\" ").match, "");
  EXPECT_EQ(query_of("").terms, 0U);
}

TEST(Synonyms, AreMutualAndNeverTheWordItself) {
  for (const char* word : {"renew", "termin", "终止", "cap"}) {
    const auto others = synonyms_of(word);
    EXPECT_THAT(others, Not(IsEmpty())) << word;
    EXPECT_THAT(others, Not(Contains(word)));
    for (const std::string& other : others) EXPECT_THAT(synonyms_of(other), Contains(word));
  }
  EXPECT_THAT(synonyms_of("zebra"), IsEmpty());
}

}  // namespace
}  // namespace whereof::retrieval
