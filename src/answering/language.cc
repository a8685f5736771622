#include "answering/language.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>

#include "text/utf8.h"

namespace whereof::answering {
namespace {

bool is_han(char32_t value) noexcept {
  return (value >= 0x4E00 && value <= 0x9FFF) || (value >= 0x3400 && value <= 0x4DBF) ||
         (value >= 0x20000 && value <= 0x3134F);
}

constexpr Phrases kEnglish = {
    .instruction =
        "You are a lawyer's assistant. Read the clauses and answer the question about "
        "them in one to three sentences, naming the amounts, dates and clauses that "
        "matter.",
    .offer_to_decline = " If the clauses do not mention what is asked, say: Not stated.",
    .document_heading = "Clauses:",
    .earlier_heading = "Asked before:",
    .question_heading = "Question:",
    .statement_question = "Do the clauses say that this is so, or that it is not?",
    .answer_heading = "Answer:",
    .declining = "Not stated",
    .content_free = "N/A",
};

constexpr Phrases kChinese = {
    .instruction =
        "你是律师助理。请阅读给出的条款，用一到三句话回答关于条款的问题，写明有关的金额、日期和条款"
        "。",
    .offer_to_decline = "如果条款没有提到所问的事项，只回答：未载明。",
    .document_heading = "条款：",
    .earlier_heading = "此前问过：",
    .question_heading = "问题：",
    .statement_question = "条款是否如此规定，或者规定相反？",
    .answer_heading = "答案：",
    .declining = "未载明",
    .content_free = "无",
};

// First words of what is no statement.
constexpr std::string_view kAskingWords[] = {
    "are",      "can",     "compare", "could", "define",    "describe",  "did",    "do",
    "does",     "explain", "find",    "give",  "had",       "has",       "have",   "how",
    "identify", "is",      "list",    "may",   "must",      "name",      "please", "quote",
    "shall",    "should",  "show",    "state", "summarise", "summarize", "tell",   "was",
    "were",     "what",    "when",    "where", "which",     "who",       "whom",   "whose",
    "why",      "will",    "would"};
constexpr std::string_view kChineseAsking[] = {"请", "是否", "什么", "哪", "谁", "吗",   "呢",
                                               "几", "何",   "多少", "怎", "列", "说明", "如何"};

std::string first_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_letter) break;
    word.push_back(static_cast<char>(c | 0x20));
  }
  return word;
}

}  // namespace

bool is_statement(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  if (text.find('?') != std::string_view::npos || text.find("？") != std::string_view::npos) {
    return false;
  }
  if (text.ends_with("。")) {
    return std::none_of(std::begin(kChineseAsking), std::end(kChineseAsking),
                        [&](std::string_view word) { return text.find(word) != text.npos; });
  }
  if (!text.ends_with('.')) return false;
  return std::find(std::begin(kAskingWords), std::end(kAskingWords), first_word(text)) ==
         std::end(kAskingWords);
}

Language language_of(std::string_view text) {
  std::int64_t han = 0;
  std::int64_t letters = 0;
  for (std::size_t at = 0; at < text.size();) {
    const text::CodePoint point = text::decode_at(text, at);
    at += static_cast<std::size_t>(point.bytes);
    const bool is_latin = (point.value | 0x20U) >= 'a' && (point.value | 0x20U) <= 'z';
    if (is_han(point.value)) ++han;
    if (is_latin || point.value > 0x7F) ++letters;
  }
  return han > 0 && han * 3 >= letters ? Language::chinese : Language::english;
}

const Phrases& phrases_in(Language language) {
  return language == Language::chinese ? kChinese : kEnglish;
}

}  // namespace whereof::answering
