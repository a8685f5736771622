#include "answer_text.h"

#include <fmt/format.h>

#include <string_view>

#include "diagnosis_report.h"
#include "terminal.h"

namespace whereof::cli {
namespace {

constexpr std::size_t kQuotationBytes = 600;

struct Words {
  std::string_view supported, weak, no_basis;
  std::string_view read_from, nearest, before_first_clause, in_no_clause, page, share_of_evidence,
      truncated, for_a_person;
};

constexpr Words kEnglish = {
    .supported = "Supported",
    .weak = "Weak",
    .no_basis = "No basis found",
    .read_from = "Read from",
    .nearest = "What came nearest",
    .before_first_clause = "before the first clause",
    .in_no_clause = "in no clause",
    .page = "page",
    .share_of_evidence = "of the evidence",
    .truncated = "(the answer was cut at the token limit)",
    .for_a_person = "The answer is withheld: for a person to decide.",
};

constexpr Words kChinese = {
    .supported = "有依据",
    .weak = "依据不足",
    .no_basis = "未找到依据",
    .read_from = "依据的条款",
    .nearest = "最接近的条款",
    .before_first_clause = "首条之前",
    .in_no_clause = "不在任何条款内",
    .page = "页",
    .share_of_evidence = "的证据权重",
    .truncated = "（回答因长度限制被截断）",
    .for_a_person = "不给出答案，请由人工判断。",
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

}  // namespace

std::string verdict_and_citations(const Answer& answer) {
  const bool is_chinese = answer.language == "zh";
  const Words& words = is_chinese ? kChinese : kEnglish;
  std::string text;
  if (answer.is_truncated) text += fmt::format("{}\n", words.truncated);
  text += fmt::format("\n{}", bold(verdict_word(words, answer.verdict)));
  for (const std::string& reason : answer.reasons) text += fmt::format("\n  - {}", shown(reason));
  text += '\n';
  const bool has_basis = answer.verdict != Verdict::no_basis;
  if (!has_basis) text += fmt::format("  {}\n", words.for_a_person);
  if (answer.citations.empty()) return text;
  text += fmt::format("\n{}:\n", has_basis ? words.read_from : words.nearest);
  int number = 0;
  for (const Citation& citation : answer.citations) {
    text += fmt::format("  {}. {}  {}\n     “{}”\n", ++number,
                        bold(place_of(words, citation, is_chinese)),
                        dim(fmt::format("{:.0f} %{}{}", 100 * citation.share, is_chinese ? "" : " ",
                                        words.share_of_evidence) +
                            checked_by_ablation(citation, is_chinese)),
                        shortened(shown(joined_lines(citation.quotation_text)), kQuotationBytes));
  }
  return text;
}

}  // namespace whereof::cli
