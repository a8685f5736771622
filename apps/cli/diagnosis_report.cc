#include "diagnosis_report.h"

#include <fmt/format.h>

#include "terminal.h"

namespace whereof::cli {
namespace {

constexpr std::size_t kNameBytes = 120;

std::string_view outcome_word(Diagnosis diagnosis, bool is_chinese) {
  switch (diagnosis) {
    case Diagnosis::not_in_text:
      return is_chinese ? "文本中没有" : "Not in the text";
    case Diagnosis::not_in_context:
      return is_chinese ? "没有读给模型" : "Not in the context";
    case Diagnosis::not_seen:
      return is_chinese ? "读了但没有看到" : "Not seen";
    case Diagnosis::not_chosen:
      return is_chinese ? "看到了但没有采用" : "Seen, but not chosen";
    case Diagnosis::used:
      return is_chinese ? "已采用" : "Used";
  }
  return "";
}

// What the advice comes to on the command line; empty where it is nothing to be typed.
std::string command_for(const ClauseDiagnosis& diagnosis) {
  const DiagnosisFigures& figures = diagnosis.figures;
  switch (diagnosis.diagnosis) {
    case Diagnosis::not_in_text:
      return figures.pages_without_text == 0 ? "whereof text FILE" : "";
    case Diagnosis::not_in_context:
      return figures.is_whole_document_read ? "whereof text FILE --json" : "--budget-seconds";
    case Diagnosis::not_chosen:
      if (!figures.other_ablation.is_clear() ||
          figures.sentences_hidden == figures.sentences_read) {
        return "";
      }
      return fmt::format("--hide \"{}\"", shown(figures.other_clause));
    case Diagnosis::not_seen:
    case Diagnosis::used:
      return "";
  }
  return "";
}

}  // namespace

std::string ablation_text(const AblationEffect& effect, bool is_chinese) {
  if (is_chinese) {
    return fmt::format("{} {:.1f} 奈特",
                       effect.is_clear() ? "回答依赖于它：" : "隐藏后无明显下降：", effect.fall);
  }
  return fmt::format(
      "{} {:.1f} nats",
      effect.is_clear() ? "depends on it:" : "no clear fall without it:", effect.fall);
}

std::string diagnosis_text(const ClauseDiagnosis& diagnosis) {
  const bool is_chinese = diagnosis.is_chinese;
  const std::string name = shortened(shown(diagnosis.expected.name), kNameBytes);
  std::string text = bold(outcome_word(diagnosis.diagnosis, is_chinese));
  text += (is_chinese ? "：" : ": ") + name;
  for (const std::string& reason : diagnosis.reasons) text += "\n  - " + shown(reason);
  text += is_chinese ? "\n  怎么办：" : "\n  What to do: ";
  text += shown(diagnosis.advice);
  const std::string command = command_for(diagnosis);
  if (!command.empty()) text += (is_chinese ? "（" : " (") + command + (is_chinese ? "）" : ")");
  return text + "\n";
}

}  // namespace whereof::cli
