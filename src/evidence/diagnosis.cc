#include "evidence/diagnosis.h"

#include <algorithm>

#include "evidence/figure.h"

namespace whereof {
namespace {

// A clause is seen when the question's rows give it more of the evidence than its length alone
// would get, or the answer's rows several times that: rows of an answer that finds nothing stray.
// Planted clauses and clauses beside them lie on the two sides of these (docs/evidence.md).
constexpr double kSeenByQuestion = 1.0;
constexpr double kSeenByAnswer = 2.5;

bool is_seen(const DiagnosisFigures& figures) noexcept {
  return figures.question.lift >= kSeenByQuestion || figures.answer.lift >= kSeenByAnswer;
}

}  // namespace

std::string_view name_of(Diagnosis diagnosis) noexcept {
  switch (diagnosis) {
    case Diagnosis::not_in_text:
      return "not_in_text";
    case Diagnosis::not_in_context:
      return "not_in_context";
    case Diagnosis::not_seen:
      return "not_seen";
    case Diagnosis::not_chosen:
      return "not_chosen";
    case Diagnosis::used:
      return "used";
  }
  return "unknown";
}

Diagnosis diagnosis_of(const DiagnosisFigures& figures) noexcept {
  if (figures.places == 0) return Diagnosis::not_in_text;
  if (figures.sentences_read == 0) return Diagnosis::not_in_context;
  if (figures.ablation.is_clear()) return Diagnosis::used;
  return is_seen(figures) ? Diagnosis::not_chosen : Diagnosis::not_seen;
}

namespace evidence {
namespace {

// Both languages; the figures come in the same order in each.
struct Wording {
  const char *no_clause, *mentioned, *unread_pages, *not_among, *unread_lines, *read, *hidden,
      *question_rows, *answer_rows, *falls, *stays, *other;
  const char *advice_text, *advice_pages, *advice_context, *advice_lines, *advice_hidden,
      *advice_seen, *advice_chosen, *advice_other, *advice_used;
};

constexpr Wording kEnglish = {
    .no_clause = "the document's text has neither a clause of this label nor these words",
    .mentioned = "the text names this label, but no clause begins with it",
    .unread_pages = "%lld of the document's pages gave no text",
    .not_among = "none of it was among the passages that the model read",
    .unread_lines =
        "the whole document was read, but this stands in lines that are not put to the model "
        "(headers, footers, contents, notes)",
    .read = "the model read it: %lld sentences",
    .hidden = "%lld of them were hidden from the question and the answer",
    .question_rows =
        "the question's rows gave it %.1f %% of the evidence, %.1f times its share by length, "
        "rank %lld of %lld clauses",
    .answer_rows =
        "the answer's rows gave it %.1f %%, %.1f times its share by length, rank %lld of %lld",
    .falls = "hidden, it lets the answer's log-probability fall by %.1f nats (%.2f a token)",
    .stays =
        "hiding it changes the answer's log-probability by %+.1f nats (%+.2f a token): no clear "
        "fall",
    .other = "the answer depends on %s instead: hidden, that lets it fall by %.1f nats",
    .advice_text = "look for the words in the text that was read",
    .advice_pages =
        "read the pages that gave no text: install tesseract, or take a better copy of the file",
    .advice_context = "name the clause in the question, or allow more time for reading",
    .advice_lines = "check how its lines were classed in the text that was read",
    .advice_hidden = "ask again without hiding it",
    .advice_seen =
        "ask in the clause's own words, or name it in the question; a larger model looks better",
    .advice_chosen = "ask what the clause says by its number, and compare",
    .advice_other = "decide which of the two holds; to see the answer without the other, hide %s",
    .advice_used = "nothing: the answer depends on it; compare its words with the quotation",
};

constexpr Wording kChinese = {
    .no_clause = "文件的文本中既没有这一编号的条款，也没有这些文字",
    .mentioned = "文本提到这一编号，但没有条款以它开头",
    .unread_pages = "文件有 %lld 页没有读出文本",
    .not_among = "模型所读的段落不包括它",
    .unread_lines = "整份文件都已读入，但它所在的行不提供给模型（页眉、页脚、目录、批注）",
    .read = "模型读了它：%lld 句",
    .hidden = "其中 %lld 句对提问和回答隐藏",
    .question_rows =
        "提问的各行给它 %.1f%% 的证据权重，为其篇幅应得的 %.1f 倍，在条款中排第 %lld（共 %lld 条）",
    .answer_rows = "回答的各行给它 %.1f%%，为其篇幅应得的 %.1f 倍，排第 %lld（共 %lld 条）",
    .falls = "隐藏它之后，回答的对数概率下降 %.1f 奈特（每个词元 %.2f）",
    .stays = "隐藏它之后，回答的对数概率变化 %+.1f 奈特（每个词元 %+.2f）：没有明显下降",
    .other = "回答所依赖的是%s：隐藏后者，对数概率下降 %.1f 奈特",
    .advice_text = "请在读出的文本中查找这些文字",
    .advice_pages = "请读取没有文本的页面：安装 tesseract，或换用更清晰的文件",
    .advice_context = "请在提问中写明该条款，或给予更多阅读时间",
    .advice_lines = "请在读出的文本中检查这些行的归类",
    .advice_hidden = "请不隐藏该条款再问一次",
    .advice_seen = "请用条款本身的措辞提问，或写明条款编号；更大的模型看得更准",
    .advice_chosen = "请按编号询问该条款的内容，再作比较",
    .advice_other = "请判断两者以何者为准；如需排除另一条款再问，请隐藏%s",
    .advice_used = "无需处理：回答依赖于它；请与引文核对",
};

// Lines of a diagnosis, as far as the clause came.
class Explanation {
 public:
  Explanation(ClauseDiagnosis& diagnosis, const Wording& wording)
      : diagnosis_(diagnosis), figures_(diagnosis.figures), wording_(wording) {}

  void write() {
    diagnosis_.reasons.clear();
    switch (diagnosis_.diagnosis) {
      case Diagnosis::not_in_text:
        return not_in_text();
      case Diagnosis::not_in_context:
        return not_in_context();
      case Diagnosis::not_seen:
      case Diagnosis::not_chosen:
      case Diagnosis::used:
        return read();
    }
  }

 private:
  void say(const char* pattern, auto... values) {
    diagnosis_.reasons.push_back(figure(pattern, values...));
  }

  void not_in_text() {
    say(figures_.is_mentioned ? wording_.mentioned : wording_.no_clause);
    diagnosis_.advice = wording_.advice_text;
    if (figures_.pages_without_text == 0) return;
    say(wording_.unread_pages, static_cast<long long>(figures_.pages_without_text));
    diagnosis_.advice = wording_.advice_pages;
  }

  void not_in_context() {
    const bool is_whole = figures_.is_whole_document_read;
    say(is_whole ? wording_.unread_lines : wording_.not_among);
    diagnosis_.advice = is_whole ? wording_.advice_lines : wording_.advice_context;
  }

  void read() {
    say(wording_.read, static_cast<long long>(figures_.sentences_read));
    if (figures_.sentences_hidden > 0) {
      say(wording_.hidden, static_cast<long long>(figures_.sentences_hidden));
    }
    say_rows(wording_.question_rows, figures_.question);
    say_rows(wording_.answer_rows, figures_.answer);
    const AblationEffect& effect = figures_.ablation;
    if (effect.is_clear()) {
      say(wording_.falls, effect.fall, effect.fall_per_token);
    } else {
      say(wording_.stays, -effect.fall, -effect.fall_per_token);
    }
    const bool has_other = !effect.is_clear() && figures_.other_ablation.is_clear();
    if (has_other) {
      say(wording_.other, figures_.other_clause.c_str(), figures_.other_ablation.fall);
    }
    advise(has_other);
  }

  void say_rows(const char* pattern, const RowsOnText& rows) {
    say(pattern, 100 * rows.share, rows.lift, static_cast<long long>(rows.rank),
        static_cast<long long>(figures_.clauses_read));
  }

  void advise(bool has_other) {
    if (diagnosis_.diagnosis == Diagnosis::used) {
      diagnosis_.advice = wording_.advice_used;
    } else if (figures_.sentences_hidden == figures_.sentences_read) {
      diagnosis_.advice = wording_.advice_hidden;
    } else if (diagnosis_.diagnosis == Diagnosis::not_seen) {
      diagnosis_.advice = wording_.advice_seen;
    } else if (has_other) {
      diagnosis_.advice = figure(wording_.advice_other, figures_.other_clause.c_str());
    } else {
      diagnosis_.advice = wording_.advice_chosen;
    }
  }

  ClauseDiagnosis& diagnosis_;
  const DiagnosisFigures& figures_;
  const Wording& wording_;
};

}  // namespace

void explain(ClauseDiagnosis& diagnosis) {
  diagnosis.diagnosis = diagnosis_of(diagnosis.figures);
  Explanation(diagnosis, diagnosis.is_chinese ? kChinese : kEnglish).write();
}

}  // namespace evidence
}  // namespace whereof
