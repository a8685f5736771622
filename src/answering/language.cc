#include "answering/language.h"

#include <cstddef>
#include <cstdint>

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
    .question_heading = "Question:",
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
    .question_heading = "问题：",
    .answer_heading = "答案：",
    .declining = "未载明",
    .content_free = "无",
};

}  // namespace

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
