// A model that invents: answers made at random, with quotations, offsets, figures and clause
// numbers that the document does not have, and weights that lie anywhere. Nothing of it may be
// shown as a citation, and no such answer may be called supported.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "answering/judging.h"
#include "document/clause_text.h"
#include "text/sentences.h"

namespace whereof::answering {
namespace {

constexpr int kAnswers = 10000;
constexpr int kDocuments = 40;

class Stub {
 public:
  explicit Stub(unsigned seed) : random_(seed) {}

  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  bool is_one_in(unsigned count) { return below(count) == 0; }
  double unit() { return static_cast<double>(below(10001)) / 10000; }

  template <typename List>
  const auto& one_of(const List& list) {
    return list[below(static_cast<unsigned>(list.size()))];
  }

  // A document of up to twelve numbered clauses, on one to three pages.
  Document document(bool is_chinese) {
    const std::vector<std::string> english = {
        "The Buyer shall pay $4,000 within 30 days.", "The term is five (5) years.",
        "Notices are sent to Acme Holdings Inc. by post.", "Ohio law governs this Agreement.",
        "\"Losses\" means all costs and fees."};
    const std::vector<std::string> chinese = {"买方应在三十日内支付人民币4,000元。", "期限为五年。",
                                              "通知以书面形式作出。", "本协议适用中国法律。",
                                              "“损失”是指一切费用。"};
    std::string text;
    const unsigned clauses = 2 + below(11);
    for (unsigned i = 1; i <= clauses; ++i) {
      text += is_chinese ? "第" + han(i) + "条 " : std::to_string(i) + ". Clause\n\n";
      for (unsigned n = 1 + below(3); n > 0; --n) {
        text += one_of(is_chinese ? chinese : english) + (is_chinese ? "" : " ");
      }
      text += "\n\n";
    }
    Document document = document::document_of(text);
    document.report.pages = 1 + below(3);
    const auto size = static_cast<std::int64_t>(text.size());
    for (std::int64_t page = 0; page < document.report.pages; ++page) {
      document.pages.push_back(
          {{page * size / document.report.pages, (page + 1) * size / document.report.pages},
           std::to_string(page + 1),
           0,
           0});
    }
    find_clauses(document);
    return document;
  }

  // The masses of a run: usable, of wrong sizes, or no numbers at all.
  std::vector<double> scores(std::size_t sentences) {
    std::vector<double> scores(is_one_in(20) ? below(40) : sentences);
    const unsigned shape = below(4);
    for (double& score : scores) {
      score = shape == 0 ? unit() : is_one_in(5) ? 10 * unit() : 0.001 * unit();
      if (is_one_in(50)) score = std::numeric_limits<double>::quiet_NaN();
      if (is_one_in(50)) score = std::numeric_limits<double>::infinity();
      if (is_one_in(50)) score = -score;
    }
    return scores;
  }

  // What is said, and whether something in it is made up.
  struct Said {
    std::string text;
    bool is_invented = false;
  };
  Said answer(const Document& document, bool is_chinese) {
    Said said;
    for (unsigned n = 1 + below(4); n > 0; --n) {
      const bool is_lie = is_one_in(2);
      said.text += (is_lie ? lie(is_chinese) : truth(document)) + " ";
      said.is_invented |= is_lie;
    }
    return said;
  }

 private:
  static std::string han(unsigned value) {
    constexpr std::array<std::string_view, 10> kDigits = {"",   "一", "二", "三", "四",
                                                          "五", "六", "七", "八", "九"};
    return (value >= 10 ? "十" : "") + std::string(kDigits[value % 10]);
  }

  std::string truth(const Document& document) {
    const auto sentences = text::sentences(document.text);
    return std::string(document.slice(one_of(sentences)));
  }

  std::string lie(bool is_chinese) {
    const std::string clause = std::to_string(40 + below(900));
    const std::string figure = std::to_string(5001 + below(90000));
    std::string word;
    for (unsigned n = 5 + below(9); n > 0; --n) word += static_cast<char>('a' + below(26));
    const std::vector<std::string> english = {
        "Clause " + clause + " says so.",
        "See Section " + clause + "." + clause + "(b).",
        "It reads: \"the Seller " + word + " shall not\".",
        "The price is $" + figure + ".",
        "It ends after " + figure + " days.",
        "It stands at characters " + figure + " to " + figure + "0.",
        "Under clause " + clause + ", \"" + word + " " + word + "\" (offset " + figure + ").",
        "Mc" + word + " Holdings " + "Qx" + word + " agrees to it."};
    const std::vector<std::string> chinese = {
        "见第" + clause + "条。", "第" + han(2 + below(8)) + "十条规定如此。",
        "原文为“卖方" + word + "不得转让”。", "价款为人民币" + figure + "元。",
        "期限为" + figure + "个工作日。"};
    return one_of(is_chinese ? chinese : english);
  }

  std::mt19937 random_;
};

// What a prompt would have read of it: sentences, cut where clauses begin.
Prompt prompt_of(const Document& document) {
  Prompt prompt;
  std::int64_t token = 5;
  for (Span sentence : text::sentences(document.text)) {
    const std::int32_t clause = document.clause_at(sentence.end - 1);
    prompt.sentences.push_back({sentence, {token, token + sentence.length()}, clause});
    token += sentence.length();
  }
  return prompt;
}

void expect_is_true(const Document& document, const Prompt& prompt, const Citation& citation) {
  const bool is_read = std::any_of(
      prompt.sentences.begin(), prompt.sentences.end(), [&](const ReadSentence& sentence) {
        return sentence.document == citation.quotation && sentence.clause == citation.clause;
      });
  ASSERT_TRUE(is_read);
  ASSERT_EQ(citation.quotation_text, document.slice(citation.quotation));
  ASSERT_EQ(citation.page, document.page_of(citation.quotation.begin));
  const std::string label =
      citation.clause < 0 ? "" : document.clauses[static_cast<std::size_t>(citation.clause)].label;
  ASSERT_EQ(citation.label, label);
  ASSERT_GE(citation.share, 0);
  ASSERT_LE(citation.share, 1 + 1e-9);
}

// All signals as good as they come.
Calibration trusting() {
  Calibration calibration;
  calibration.signals.push_back({kAnswerSignals[0], SignalScale::plain, 0, 0, 1});
  calibration.bias = 50;
  calibration.supported_from = calibration.weak_from = 0.5;
  return calibration;
}

TEST(InventedAnswers, AreNeverSupportedAndNeverCited) {
  Stub stub(20261130);
  std::vector<Document> documents;
  for (int i = 0; i < kDocuments; ++i) documents.push_back(stub.document(i % 2 == 1));
  int accepted = 0;
  int invented = 0;
  int honest_supported = 0;
  AskOptions options;
  for (int i = 0; i < kAnswers; ++i) {
    const std::size_t place = stub.below(kDocuments);
    const Document& document = documents[place];
    const bool is_chinese = place % 2 == 1;
    const Prompt prompt = prompt_of(document);
    const Stub::Said said = stub.answer(document, is_chinese);
    Answer answer;
    answer.question = is_chinese ? "有何规定？" : "What is provided?";
    answer.language = is_chinese ? "zh" : "en";
    answer.text = said.text.substr(0, said.text.size() - 1);
    answer.signals.max_document_weight = 0.9;
    MeasuredAnswer measured;
    measured.visible_keys = 1000;
    measured.question = stub.scores(prompt.sentences.size());
    measured.answer = stub.scores(prompt.sentences.size());
    for (unsigned n = stub.below(7); n > 0; --n) {
      measured.sentences.push_back(stub.scores(prompt.sentences.size()));
    }
    options.calibration = stub.is_one_in(2) ? trusting() : Calibration();
    decide(cite_answer(document, prompt, measured, {}, {}, options, answer), options, answer);
    for (const Citation& citation : answer.citations) expect_is_true(document, prompt, citation);
    for (const AnswerSentence& sentence : answer.sentences) {
      ASSERT_LE(sentence.text.end, std::ssize(answer.text));
      for (const Citation& one : sentence.citations) expect_is_true(document, prompt, one);
    }
    const bool is_supported = answer.verdict == Verdict::supported;
    invented += said.is_invented ? 1 : 0;
    honest_supported += !said.is_invented && is_supported ? 1 : 0;
    if (said.is_invented && is_supported) {
      ++accepted;
      ADD_FAILURE() << "answer " << i << ": " << answer.text;
    }
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_EQ(accepted, 0);
  EXPECT_GT(invented, kAnswers / 2);
  EXPECT_GT(honest_supported, 100);  // the same way lets true answers through
}

}  // namespace
}  // namespace whereof::answering
