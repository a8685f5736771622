#include "document/clause_labels.h"

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>

namespace whereof::document {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// "ARTICLE III" is Article III in a sentence; spaces in 第 3 条 and runs of spaces go.
std::string spoken(const Clause& clause, const LabelledNumber& number) {
  const std::string& printed = clause.number;
  std::string label;
  const bool has_word = number.token.form <= NumberForm::section && is_upper(printed[0]);
  const bool is_han = number.reading.alphabet == Alphabet::han;
  std::size_t n = 0;
  if (has_word) {
    label.push_back(printed[0]);
    for (n = 1; n < printed.size() && printed[n] != ' ' && printed[n] != '\t'; ++n) {
      label.push_back(is_upper(printed[n]) ? static_cast<char>(printed[n] | 0x20) : printed[n]);
    }
  }
  for (; n < printed.size(); ++n) {
    const bool is_space = printed[n] == ' ' || printed[n] == '\t';
    if (!is_space) {
      label.push_back(printed[n]);
    } else if (!is_han && !label.empty() && label.back() != ' ') {
      label.push_back(' ');
    }
  }
  return label;
}

bool ends_in_letter_or_digit(const std::string& text) {
  const char last = text.empty() ? ' ' : text.back();
  return (last >= '0' && last <= '9') || (last >= 'a' && last <= 'z') || is_upper(last);
}

class Labeller {
 public:
  Labeller(const std::vector<LabelledNumber>& numbers, std::vector<Clause>& clauses)
      : numbers_(numbers), clauses_(clauses) {}

  void run() {
    for (std::size_t c = 0; c < clauses_.size(); ++c) clauses_[c].label = label_of(c);
    std::unordered_map<std::string_view, int> times;
    for (const Clause& clause : clauses_) ++times[clause.label];
    std::vector<bool> is_shared(clauses_.size(), false);
    for (std::size_t c = 0; c < clauses_.size(); ++c) {
      is_shared[c] = starts_label(c) && times[clauses_[c].label] > 1;
    }
    std::unordered_map<std::string, int> used;
    // Parents come first, so the label of a shared part is whole before its clauses take it up.
    for (std::size_t c = 0; c < clauses_.size(); ++c) {
      const std::int32_t part = nearest_part(c);
      const std::string own = label_of(c);
      const std::string shared = is_shared[c] && part >= 0 ? join(label(part), own, c) : own;
      const int time = ++used[shared];
      clauses_[c].label = time == 1 || shared.empty() ? shared : label_of(c, ordinal(c, time));
    }
  }

 private:
  const std::string& label(std::int32_t c) const {
    return clauses_[static_cast<std::size_t>(c)].label;
  }

  // Is the number complete in itself, or does it continue its parent's?
  bool starts_label(std::size_t c) const {
    const std::int32_t parent = clauses_[c].parent;
    if (parent < 0) return true;
    const auto p = static_cast<std::size_t>(parent);
    if (clauses_[p].kind == ClauseKind::preamble || clauses_[p].kind == ClauseKind::schedule) {
      return true;
    }
    const NumberForm form = numbers_[c].token.form;
    if (is_list_form(form)) return clauses_[p].kind == ClauseKind::part;
    if (form == NumberForm::subsection) return false;
    if (form == NumberForm::decimal && numbers_[c].token.components == 1) {
      return clauses_[p].kind == ClauseKind::part;
    }
    return true;
  }

  std::int32_t schedule_of(std::size_t c) const {
    std::int32_t up = clauses_[c].parent;
    while (up >= 0 && clauses_[static_cast<std::size_t>(up)].kind != ClauseKind::schedule) {
      up = clauses_[static_cast<std::size_t>(up)].parent;
    }
    return up;
  }

  std::int32_t nearest_part(std::size_t c) const {
    const std::int32_t parent = clauses_[c].parent;
    if (parent < 0) return -1;
    return clauses_[static_cast<std::size_t>(parent)].kind == ClauseKind::part ? parent : -1;
  }

  std::string join(const std::string& above, const std::string& own, std::size_t c) const {
    const bool is_han = numbers_[c].reading.alphabet == Alphabet::han;
    return above + (is_han ? "" : ", ") + own;
  }

  // "second", 第二个: what tells the later of two clauses that share a label.
  std::string ordinal(std::size_t c, int time) const {
    const bool is_han = numbers_[c].reading.alphabet == Alphabet::han;
    if (is_han) return "第" + std::to_string(time) + "个";
    constexpr std::string_view kOrdinals[] = {"second",  "third",  "fourth", "fifth", "sixth",
                                              "seventh", "eighth", "ninth",  "tenth"};
    const auto place = static_cast<std::size_t>(time - 2);
    if (place < std::size(kOrdinals)) return std::string(kOrdinals[place]) + " ";
    return "no. " + std::to_string(time) + " ";
  }

  std::string label_of(std::size_t c, const std::string& which = {}) const {
    const Clause& clause = clauses_[c];
    if (clause.number.empty()) return {};
    std::string own = which + spoken(clause, numbers_[c]);
    if (!starts_label(c)) {
      if (which.empty()) return continued(c, std::move(own));
      return label(clause.parent) + (which.ends_with(' ') ? ", " : "") + own;
    }
    const std::int32_t schedule = schedule_of(c);
    if (schedule < 0) return own;
    const bool is_han = label(schedule).starts_with("附");
    return label(schedule) + (is_han ? "，" : ", ") + own;
  }

  // 3.2 and (a): 3.2(a); 3 and a) too: 3(a); 1 and a: 1.a; 第三条 and 1: 第三条1.
  std::string continued(std::size_t c, std::string own) const {
    const std::string& above = label(clauses_[c].parent);
    const NumberForm form = numbers_[c].token.form;
    if (form == NumberForm::half_paren) return above + "(" + own;
    if (form == NumberForm::paren || form == NumberForm::circled) return above + own;
    return above + (ends_in_letter_or_digit(above) ? "." : "") + own;
  }

  const std::vector<LabelledNumber>& numbers_;
  std::vector<Clause>& clauses_;
};

}  // namespace

void label_clauses(const std::vector<LabelledNumber>& numbers, std::vector<Clause>& clauses) {
  Labeller(numbers, clauses).run();
}

}  // namespace whereof::document
