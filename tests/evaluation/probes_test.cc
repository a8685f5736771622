#include "whereof/probes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof {
namespace {

// The text between two code points.
std::string slice(const std::string& text, Span code_points) {
  std::size_t begin = 0;
  std::size_t at = 0;
  for (std::int64_t i = 0; at < text.size(); ++i) {
    if (i == code_points.begin) begin = at;
    if (i == code_points.end) return text.substr(begin, at - begin);
    at += static_cast<std::size_t>(text::decode_at(text, at).bytes);
  }
  return text.substr(begin);
}

TEST(Probes, AreTheSameForTheSameOptions) {
  const QuestionSet once = make_probes({});
  const QuestionSet again = make_probes({});
  ASSERT_EQ(once.documents.size(), 24U);
  for (std::size_t i = 0; i < once.documents.size(); ++i) {
    EXPECT_EQ(once.documents[i].name, again.documents[i].name);
    EXPECT_EQ(once.documents[i].text, again.documents[i].text);
  }
  ASSERT_EQ(once.questions.size(), again.questions.size());
  for (std::size_t i = 0; i < once.questions.size(); ++i) {
    EXPECT_EQ(once.questions[i].text, again.questions[i].text);
    EXPECT_EQ(once.questions[i].gold, again.questions[i].gold);
  }
  ProbeOptions other;
  other.seed = 2;
  EXPECT_NE(make_probes(other).documents[0].text, once.documents[0].text);
}

TEST(Probes, HoldTheFactWhereTheGoldSaysAndNoneThatIsNotPlanted) {
  const QuestionSet set = make_probes({});
  std::map<std::string, std::set<std::string>> sentences;  // that answer a question, with any value
  for (const GoldQuestion& question : set.questions) {
    if (!question.is_answerable) continue;
    const std::string& text = set.documents[static_cast<std::size_t>(question.document)].text;
    ASSERT_EQ(question.gold.size(), 1U);
    const std::string sentence = slice(text, question.gold[0]);
    EXPECT_TRUE(sentence.ends_with(".") || sentence.ends_with("。")) << sentence;
    EXPECT_EQ(text.find(sentence), text.rfind(sentence)) << sentence;
    sentences[question.text].insert(sentence);
  }
  for (const GoldQuestion& question : set.questions) {
    if (question.is_answerable) continue;
    const std::string& text = set.documents[static_cast<std::size_t>(question.document)].text;
    for (const std::string& sentence : sentences[question.text]) {
      EXPECT_EQ(text.find(sentence), std::string::npos) << question.text << ": " << sentence;
    }
  }
}

TEST(Probes, AreOfBothLanguagesLengthsDepthsAndKindsAndShareNoFactBetweenHalves) {
  const QuestionSet set = make_probes({});
  std::set<std::string> asked[2];
  std::map<std::string, std::int64_t> kinds;
  std::vector<double> depths;
  for (const GoldQuestion& question : set.questions) {
    const QuestionDocument& document = set.documents[static_cast<std::size_t>(question.document)];
    const auto half = static_cast<std::size_t>(half_of(document.name) - 1);
    asked[half].insert(question.text);
    EXPECT_EQ(asked[1 - half].count(question.text), 0U) << question.text;
    ++kinds[question.category + (question.is_answerable ? " answerable" : " not")];
    if (question.is_answerable) {
      depths.push_back(static_cast<double>(question.gold[0].begin) /
                       static_cast<double>(text::count_code_points(document.text)));
    }
  }
  EXPECT_EQ(kinds.size(), 4U);
  for (const auto& [kind, count] : kinds) EXPECT_EQ(count, 24 * 6) << kind;
  EXPECT_LT(*std::min_element(depths.begin(), depths.end()), 0.15);
  EXPECT_GT(*std::max_element(depths.begin(), depths.end()), 0.85);
  EXPECT_GT(asked[0].size(), 20U);
  EXPECT_GT(asked[1].size(), 20U);
  for (const QuestionDocument& document : set.documents) {
    EXPECT_TRUE(text::is_valid(document.text));
    EXPECT_EQ(document.text.find('{'), std::string::npos);
  }
  const auto length = [&](std::size_t i) { return text::count_code_points(set.documents[i].text); };
  EXPECT_GT(length(8), 2 * length(0));
  EXPECT_GT(length(16), 5 * length(0));
}

TEST(Probes, HaveHundredsOfDifferentClauses) {
  ProbeOptions options;
  options.lengths_tokens = {6'000};
  std::set<std::string> clauses;
  for (const QuestionDocument& document : make_probes(options).documents) {
    for (std::size_t begin = 0; begin < document.text.size();) {
      const std::size_t end = std::min(document.text.find("\n\n", begin), document.text.size());
      const std::string clause = document.text.substr(begin, end - begin);
      clauses.insert(clause.substr(std::min(clause.size(), clause.find(' '))));
      begin = end + 2;
    }
  }
  EXPECT_GT(clauses.size(), 400U);
}

TEST(Probes, OptionsOutsideTheirRangeAreRefused) {
  ProbeOptions options;
  options.planted = 12;
  EXPECT_THROW(make_probes(options), Error);
  options = {};
  options.lengths_tokens = {50};
  try {
    make_probes(options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("length in tokens of 50; wanted 100 .. "));
  }
}

}  // namespace
}  // namespace whereof
