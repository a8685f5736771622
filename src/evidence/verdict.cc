#include "evidence/verdict.h"

#include <cstdio>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace whereof {

std::string_view name_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::supported:
      return "supported";
    case Verdict::weak:
      return "weak";
    case Verdict::no_basis:
      return "no_basis";
  }
  return "unknown";
}

namespace evidence {
namespace {

// A citation whose share is less than this many times its share by length says little.
constexpr double kLeastLift = 1.5;

// With the default model this marks 3 of 5 questions of a CUAD sample that have no answer and 2 of
// 35 that have one (docs/retrieval.md); smaller models waver more, and more of their answers are
// marked.
constexpr double kNearlyDeclined = 0.2;

std::string figure(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// The reasons in one language; "{}" stands for a figure.
struct Wording {
  std::string_view empty, declined, uniform, uncited, unfound, spread, wavering, concentrated;
};

constexpr Wording kEnglish = {
    .empty = "the model gave no answer",
    .declined = "the model found no statement of it in the clauses it read",
    .uniform = "no answer position has a weight above 2/T on the document (largest {}, 2/T {})",
    .uncited = "no clause drew more weight than a question without content",
    .unfound = "the answer's figure \"{}\" stands in no clause that was read",
    .spread =
        "the evidence is spread: no clause drew more than {} times the weight that its length "
        "alone would",
    .wavering = "before it answered, the model gave \"Not stated\" a probability of {}",
    .concentrated =
        "one clause drew {} times the weight that its length alone would; largest weight "
        "{} (2/T is {})",
};

constexpr Wording kChinese = {
    .empty = "模型没有给出回答",
    .declined = "模型在所读条款中未找到有关内容",
    .uniform = "回答的任何位置在文件上的注意力权重都不高于 2/T（最大 {}，2/T 为 {}）",
    .uncited = "没有条款得到的权重高于无内容的提问",
    .unfound = "回答中的数字“{}”不见于所读的任何条款",
    .spread = "证据分散：没有条款得到的权重超过其篇幅应得的 {} 倍",
    .wavering = "作答之前，模型认为“未载明”的概率为 {}",
    .concentrated = "有条款得到其篇幅应得权重的 {} 倍；最大权重 {}（2/T 为 {}）",
};

std::string fill(std::string_view wording, std::initializer_list<std::string> figures) {
  std::string text(wording);
  std::size_t at = 0;
  for (const std::string& value : figures) {
    at = text.find("{}", at);
    text.replace(at, 2, value);
    at += value.size();
  }
  return text;
}

}  // namespace

double uniform_threshold(std::int64_t visible_keys) noexcept {
  return visible_keys > 0 ? 2.0 / static_cast<double>(visible_keys) : 1.0;
}

VerdictResult verdict_of(const VerdictSignals& signals) {
  const Wording& wording = signals.is_chinese ? kChinese : kEnglish;
  const double threshold = uniform_threshold(signals.visible_keys);
  const std::string largest = figure("%.2g", signals.max_document_weight);
  const auto no_basis = [](std::string reason) {
    return VerdictResult{Verdict::no_basis, {std::move(reason)}};
  };
  if (signals.is_answer_empty) return no_basis(std::string(wording.empty));
  if (signals.is_declined) return no_basis(std::string(wording.declined));
  if (signals.max_document_weight <= threshold) {
    return no_basis(fill(wording.uniform, {largest, figure("%.2g", threshold)}));
  }
  if (signals.citations == 0) return no_basis(std::string(wording.uncited));
  VerdictResult result{Verdict::supported, {}};
  for (const std::string& number : signals.unfound_figures) {
    result.verdict = Verdict::weak;
    result.reasons.push_back(fill(wording.unfound, {number}));
  }
  const std::string lift = figure("%.1f", signals.largest_lift);
  if (signals.largest_lift < kLeastLift) {
    result.verdict = Verdict::weak;
    result.reasons.push_back(fill(wording.spread, {lift}));
  }
  if (signals.decline_probability >= kNearlyDeclined) {
    result.verdict = Verdict::weak;
    result.reasons.push_back(fill(wording.wavering, {figure("%.2f", signals.decline_probability)}));
  }
  if (result.verdict == Verdict::supported) {
    result.reasons.push_back(
        fill(wording.concentrated, {lift, largest, figure("%.2g", threshold)}));
  }
  return result;
}

}  // namespace evidence
}  // namespace whereof
