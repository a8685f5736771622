#include "evidence/verdict.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "evidence/figure.h"
#include "whereof/ablation.h"

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
// 35 that have one; smaller models waver more, and more of their answers are
// marked.
constexpr double kNearlyDeclined = 0.2;
constexpr double kWouldDecline = 0.5;  // of an extract

constexpr std::size_t kMostNamed = 4;  // reasons of one kind

// The reasons in one language; "{}" stands for a figure.
struct Wording {
  std::string_view empty, declined, would_decline, uniform, uncited, elsewhere, unfound, invented,
      instructions, wordless, spread, wavering, concentrated, likely, unlikely, improbable,
      independent, dependent, uncalibrated, more;
};

constexpr Wording kEnglish = {
    .empty = "the model gave no answer",
    .declined = "the model found no statement of it in the clauses it read",
    .would_decline = "the model would rather say \"Not stated\" than answer (probability {})",
    .uniform = "no position has a weight above 2/T on the document (largest {}, 2/T {})",
    .uncited = "no clause drew more weight than a question without content",
    .elsewhere = "\"{}\" stands in another clause that was read, but in none that is cited",
    .unfound = "\"{}\" stands in no clause that was read",
    .invented = "the answer names {}, which the document does not have",
    .instructions =
        "what was read holds orders to a language model ({}): they are no evidence, "
        "and the answer may have followed them",
    .wordless = "no word of the question stands in the document",
    .spread =
        "the evidence is spread: no clause drew more than {} times the weight that its length "
        "alone would",
    .wavering = "before it answered, the model gave \"Not stated\" a probability of {}",
    .concentrated =
        "one clause drew {} times the weight that its length alone would; largest weight "
        "{} (2/T is {})",
    .likely =
        "the signals together give a probability of {} that the document answers it "
        "(supported from {})",
    .unlikely =
        "the signals together give a probability of only {} that the document answers it "
        "(supported from {})",
    .improbable =
        "the signals together give a probability of only {} that the document answers "
        "it (an answer is shown from {})",
    .independent =
        "hiding any one cited clause leaves the answer about as likely (largest fall {} "
        "nats, clear from {})",
    .dependent = "hiding a cited clause makes the answer less likely by {} nats",
    .uncalibrated = "the model is not calibrated: plain rules decide",
    .more = "and {} more of this kind",
};

constexpr Wording kChinese = {
    .empty = "模型没有给出回答",
    .declined = "模型在所读条款中未找到有关内容",
    .would_decline = "模型更倾向于回答“未载明”（概率 {}）",
    .uniform = "任何位置在文件上的注意力权重都不高于 2/T（最大 {}，2/T 为 {}）",
    .uncited = "没有条款得到的权重高于无内容的提问",
    .elsewhere = "“{}”见于所读的其他条款，但不在所引条款中",
    .unfound = "“{}”不见于所读的任何条款",
    .invented = "回答提到“{}”，而文件中没有",
    .instructions = "所读内容含有对语言模型的指令（{}）：这些内容不作为依据，但回答可能受其影响",
    .wordless = "问题中的词语不见于文件",
    .spread = "证据分散：没有条款得到的权重超过其篇幅应得的 {} 倍",
    .wavering = "作答之前，模型认为“未载明”的概率为 {}",
    .concentrated = "有条款得到其篇幅应得权重的 {} 倍；最大权重 {}（2/T 为 {}）",
    .likely = "各项信号合计：文件能回答此问题的概率为 {}（{} 起为有依据）",
    .unlikely = "各项信号合计：文件能回答此问题的概率仅为 {}（{} 起为有依据）",
    .improbable = "各项信号合计：文件能回答此问题的概率仅为 {}（{} 起才给出答案）",
    .independent = "隐藏任一所引条款，回答的可能性大致不变（最大降幅 {} 奈特，{} 起为明显）",
    .dependent = "隐藏一个所引条款，回答的对数概率下降 {} 奈特",
    .uncalibrated = "该模型未经校准：按简单规则判断",
    .more = "另有 {} 项同类情况",
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

// Holds each rule against the evidence; what comes out is the worst that any rule allows.
class Judge {
 public:
  Judge(const VerdictEvidence& evidence, const Calibration& calibration)
      : evidence_(evidence),
        signals_(evidence.signals),
        calibration_(calibration),
        wording_(evidence.is_chinese ? kChinese : kEnglish) {
    result_.verdict = Verdict::supported;
  }

  VerdictResult judge() {
    hold_answer();
    hold_uniform();
    hold_citations();
    if (calibration_.is_fitted()) {
      hold_probability();
    } else {
      hold_plainly();
    }
    hold_claims();
    hold_ablation();
    if (!calibration_.is_fitted()) result_.reasons.emplace_back(wording_.uncalibrated);
    for (const SignalName& signal : kAnswerSignals) note(signal.name, signals_.*signal.value);
    return std::move(result_);
  }

 private:
  // A reason counts where it is what the verdict rests on: those of a better one are dropped.
  void lower(Verdict verdict, std::string reason) {
    if (verdict < result_.verdict) return;
    if (verdict > result_.verdict) result_.reasons.clear();
    result_.verdict = verdict;
    result_.reasons.push_back(std::move(reason));
  }

  void hold(std::string_view name, double value, double threshold, Verdict allows) {
    result_.signals.push_back({name, value, threshold, allows});
  }

  void note(std::string_view name, double value) {
    const auto is_there =
        std::any_of(result_.signals.begin(), result_.signals.end(),
                    [&](const VerdictSignal& signal) { return signal.name == name; });
    if (!is_there) result_.signals.push_back({name, value, std::nullopt, std::nullopt});
  }

  // That there is no answer says all; an extract has none.
  bool is_empty() const { return evidence_.is_answer_empty && !evidence_.is_extract; }

  void hold_answer() {
    if (evidence_.is_extract) return;
    if (evidence_.is_answer_empty) lower(Verdict::no_basis, std::string(wording_.empty));
    if (evidence_.is_declined) lower(Verdict::no_basis, std::string(wording_.declined));
  }

  void hold_uniform() {
    const double threshold = uniform_threshold(evidence_.visible_keys);
    const bool is_uniform = !(signals_.max_document_weight > threshold);
    hold("max_document_weight", signals_.max_document_weight, threshold,
         is_uniform ? Verdict::no_basis : Verdict::supported);
    if (!is_uniform || is_empty()) return;
    lower(Verdict::no_basis, fill(wording_.uniform, {figure("%.2g", signals_.max_document_weight),
                                                     figure("%.2g", threshold)}));
  }

  void hold_citations() {
    if (evidence_.citations == 0 && !is_empty()) {
      lower(Verdict::no_basis, std::string(wording_.uncited));
    }
  }

  void hold_probability() {
    const double probability = support_probability(signals_, calibration_, evidence_.is_extract);
    const std::string shown = figure("%.2f", probability);
    Verdict allows = Verdict::supported;
    double threshold = calibration_.supported_from;
    if (!(probability >= calibration_.weak_from)) {
      allows = Verdict::no_basis;
      threshold = calibration_.weak_from;
      lower(allows, fill(wording_.improbable, {shown, figure("%.2f", threshold)}));
    } else if (!(probability >= calibration_.supported_from)) {
      allows = Verdict::weak;
      lower(allows, fill(wording_.unlikely, {shown, figure("%.2f", threshold)}));
    } else {
      lower(allows, fill(wording_.likely, {shown, figure("%.2f", threshold)}));
    }
    hold("support_probability", probability, threshold, allows);
  }

  void hold_plainly() {
    const double lift = evidence_.largest_lift;
    const bool is_spread = !(lift >= kLeastLift);
    hold("best_lift", lift, kLeastLift, is_spread ? Verdict::weak : Verdict::supported);
    const std::string shown = figure("%.1f", lift);
    if (is_spread) {
      lower(Verdict::weak, fill(wording_.spread, {shown}));
    } else {
      lower(Verdict::supported, fill(wording_.concentrated,
                                     {shown, figure("%.2g", signals_.max_document_weight),
                                      figure("%.2g", uniform_threshold(evidence_.visible_keys))}));
    }
    const bool is_wordless = !(signals_.full_text_score > 0);
    hold("full_text_score", signals_.full_text_score, 0,
         is_wordless ? Verdict::weak : Verdict::supported);
    if (is_wordless) lower(Verdict::weak, std::string(wording_.wordless));
    const double decline = signals_.decline_probability;
    const std::string declines = figure("%.2f", decline);
    Verdict allows = Verdict::supported;
    double threshold = kNearlyDeclined;
    if (evidence_.is_extract && decline >= kWouldDecline) {
      allows = Verdict::no_basis;
      threshold = kWouldDecline;
      lower(allows, fill(wording_.would_decline, {declines}));
    } else if (decline >= kNearlyDeclined) {
      allows = Verdict::weak;
      lower(allows, fill(wording_.wavering, {declines}));
    }
    hold("decline_probability", decline, threshold, allows);
  }

  // Up to kMostNamed reasons, then how many more there are.
  template <typename List, typename Reason>
  void lower_for_each(const List& list, Reason reason) {
    for (std::size_t i = 0; i < list.size() && i < kMostNamed; ++i) {
      lower(Verdict::weak, reason(list[i]));
    }
    if (list.size() > kMostNamed) {
      lower(Verdict::weak, fill(wording_.more, {std::to_string(list.size() - kMostNamed)}));
    }
  }

  void hold_claims() {
    lower_for_each(evidence_.unborne, [&](const UnborneClaim& claim) {
      return fill(claim.is_read ? wording_.elsewhere : wording_.unfound, {claim.text});
    });
    lower_for_each(evidence_.invented_clauses,
                   [&](const std::string& clause) { return fill(wording_.invented, {clause}); });
    lower_for_each(evidence_.instructions,
                   [&](const std::string& place) { return fill(wording_.instructions, {place}); });
    const auto unborne = static_cast<double>(evidence_.unborne.size());
    const auto claims = static_cast<double>(std::max<std::int64_t>(1, evidence_.claims));
    hold("agreement", 1 - unborne / claims, 1,
         evidence_.unborne.empty() ? Verdict::supported : Verdict::weak);
    hold_count("invented_clauses", evidence_.invented_clauses.size());
    hold_count("instructions_read", evidence_.instructions.size());
  }

  void hold_count(std::string_view name, std::size_t count) {
    hold(name, static_cast<double>(count), 0, count > 0 ? Verdict::weak : Verdict::supported);
  }

  void hold_ablation() {
    if (!evidence_.ablation_fall) return;
    const double fall = *evidence_.ablation_fall;
    const bool is_clear = fall >= kClearFall;
    hold("ablation_fall", fall, kClearFall, is_clear ? Verdict::supported : Verdict::weak);
    const std::string shown = figure("%.1f", fall);
    if (is_clear) {
      lower(Verdict::supported, fill(wording_.dependent, {shown}));
    } else {
      lower(Verdict::weak, fill(wording_.independent, {shown, figure("%.1f", kClearFall)}));
    }
  }

  const VerdictEvidence& evidence_;
  const AnswerSignals& signals_;
  const Calibration& calibration_;
  const Wording& wording_;
  VerdictResult result_;
};

}  // namespace

double uniform_threshold(std::int64_t visible_keys) noexcept {
  return visible_keys > 0 ? 2.0 / static_cast<double>(visible_keys) : 1.0;
}

VerdictResult verdict_of(const VerdictEvidence& evidence, const Calibration& calibration) {
  return Judge(evidence, calibration).judge();
}

}  // namespace evidence
}  // namespace whereof
