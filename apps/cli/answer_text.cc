#include "answer_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "diagnosis_report.h"
#include "terminal.h"

namespace whereof::cli {
namespace {

constexpr std::size_t kQuotationBytes = 600;

struct Words {
  std::string_view supported, weak, no_basis;
  std::string_view read_from, nearest, passages, before_first_clause, in_no_clause, page,
      share_of_evidence, share_of_sentence, truncated, for_a_person;
};

constexpr Words kEnglish = {
    .supported = "Supported",
    .weak = "Weak",
    .no_basis = "No basis found",
    .read_from = "Read from",
    .nearest = "What came nearest",
    .passages = "Passages",
    .before_first_clause = "before the first clause",
    .in_no_clause = "in no clause",
    .page = "page",
    .share_of_evidence = "of the evidence",
    .share_of_sentence = "of a sentence's evidence",
    .truncated = "(the answer was cut at the token limit)",
    .for_a_person = "The answer is withheld: for a person to decide.",
};

constexpr Words kChinese = {
    .supported = "有依据",
    .weak = "依据不足",
    .no_basis = "未找到依据",
    .read_from = "依据的条款",
    .nearest = "最接近的条款",
    .passages = "段落",
    .before_first_clause = "首条之前",
    .in_no_clause = "不在任何条款内",
    .page = "页",
    .share_of_evidence = "的证据权重",
    .share_of_sentence = "的单句证据权重",
    .truncated = "（回答因长度限制被截断）",
    .for_a_person = "不给出答案，请由人判断。",
};

std::string_view verdict_word(const Words& words, Verdict verdict) {
  switch (verdict) {
    case Verdict::supported:
      return words.supported;
    case Verdict::weak:
      return words.weak;
    case Verdict::no_basis:
      return words.no_basis;
  }
  return words.no_basis;
}

std::string place_of(const Words& words, const Citation& citation, bool is_chinese) {
  std::string place;
  if (!citation.document_name.empty()) place += shown(citation.document_name) + ", ";
  if (citation.clause < 0) {
    place += words.in_no_clause;
  } else {
    place += citation.label.empty() ? std::string(words.before_first_clause) : citation.label;
  }
  if (!citation.heading.empty()) place += " " + shown(joined_lines(citation.heading));
  if (!citation.page_label.empty()) {
    place += is_chinese ? fmt::format("，第 {} 页", citation.page_label)
                        : fmt::format(", {} {}", words.page, citation.page_label);
  }
  return place;
}

std::string checked_by_ablation(const Citation& citation, bool is_chinese) {
  if (!citation.ablation) return "";
  return (is_chinese ? "，" : ", ") + ablation_text(*citation.ablation, is_chinese);
}

// The citations of an answer and of its sentences in one list, each clause of them once.
struct NumberedCitations {
  std::vector<const Citation*> list;
  std::size_t of_answer = 0;                    // so many first ones are of the whole answer
  std::vector<std::vector<std::size_t>> marks;  // of each sentence: places in the list
};

NumberedCitations numbered(const Answer& answer) {
  NumberedCitations numbered;
  for (const Citation& citation : answer.citations) numbered.list.push_back(&citation);
  numbered.of_answer = numbered.list.size();
  for (const AnswerSentence& sentence : answer.sentences) {
    std::vector<std::size_t>& marks = numbered.marks.emplace_back();
    for (const Citation& citation : sentence.citations) {
      auto place =
          std::find_if(numbered.list.begin(), numbered.list.end(), [&](const Citation* listed) {
            return listed->document == citation.document && listed->clause == citation.clause &&
                   (citation.clause >= 0 || listed->quotation == citation.quotation);
          });
      if (place == numbered.list.end()) place = numbered.list.insert(place, &citation);
      marks.push_back(static_cast<std::size_t>(place - numbered.list.begin()));
    }
  }
  return numbered;
}

std::string marked_answer(const Answer& answer, const NumberedCitations& numbered) {
  std::string text;
  std::size_t done = 0;
  const std::string_view all = answer.text;
  for (std::size_t i = 0; i < answer.sentences.size(); ++i) {
    const auto end = static_cast<std::size_t>(answer.sentences[i].text.end);
    text += shown_lines(all.substr(done, end - done));
    done = end;
    if (numbered.marks[i].empty()) continue;
    std::string marks = " ";
    for (const std::size_t place : numbered.marks[i]) marks += fmt::format("[{}]", place + 1);
    text += dim(marks);
  }
  return text + shown_lines(all.substr(done)) + "\n";
}

// A passage with the quotation in it between marks.
std::string marked_passage(const Citation& citation) {
  const std::string_view passage = citation.passage_text;
  const auto begin = static_cast<std::size_t>(
      std::max<std::int64_t>(0, citation.quotation.begin - citation.passage.begin));
  const auto length = static_cast<std::size_t>(citation.quotation.length());
  if (begin + length > passage.size()) return shown(joined_lines(citation.quotation_text));
  const std::string before = shown(joined_lines(passage.substr(0, begin)));
  const std::string behind = shown(joined_lines(passage.substr(begin + length)));
  return before + "»" + bold(shown(joined_lines(citation.quotation_text))) + "«" + behind;
}

std::string citation_text(const Words& words, const Citation& citation, std::size_t number,
                          bool is_of_answer, bool is_chinese) {
  const std::string quoted =
      citation.passage.is_empty()
          ? "“" + shortened(shown(joined_lines(citation.quotation_text)), kQuotationBytes) + "”"
          : marked_passage(citation);
  const std::string share =
      fmt::format("{:.0f} %{}{}", 100 * citation.share, is_chinese ? "" : " ",
                  is_of_answer ? words.share_of_evidence : words.share_of_sentence);
  return fmt::format("  {}. {}  {}\n     {}\n", number, bold(place_of(words, citation, is_chinese)),
                     dim(share + checked_by_ablation(citation, is_chinese)), quoted);
}

}  // namespace

std::string answer_text(const Answer& answer) {
  const bool is_chinese = answer.language == "zh";
  const Words& words = is_chinese ? kChinese : kEnglish;
  std::string text(bold(verdict_word(words, answer.verdict)));
  for (const std::string& reason : answer.reasons) text += fmt::format("\n  - {}", shown(reason));
  text += '\n';
  const bool has_basis = answer.verdict != Verdict::no_basis;
  if (!has_basis) text += fmt::format("  {}\n", words.for_a_person);
  NumberedCitations citations = numbered(answer);
  if (has_basis && !answer.text.empty()) text += "\n" + marked_answer(answer, citations);
  if (has_basis && answer.is_truncated) text += fmt::format("{}\n", words.truncated);
  if (!has_basis) citations.list.resize(citations.of_answer);
  if (citations.list.empty()) return text;
  const bool is_extract = !citations.list.front()->passage.is_empty();
  text += fmt::format("\n{}:\n", !has_basis   ? words.nearest
                                 : is_extract ? words.passages
                                              : words.read_from);
  for (std::size_t i = 0; i < citations.list.size(); ++i) {
    text += citation_text(words, *citations.list[i], i + 1, i < citations.of_answer, is_chinese);
  }
  return text;
}

}  // namespace whereof::cli
