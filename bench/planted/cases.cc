#include "planted/cases.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "planted/facts.h"

namespace whereof::planted {
namespace {

constexpr std::int64_t kFillersTaken = 8;
constexpr std::array<const char*, 13> kChineseNumbers = {
    "零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"};

struct Section {
  std::string heading;
  std::string clause;
};

std::string replaced(std::string text, std::string_view mark, std::string_view value) {
  const std::size_t at = text.find(mark);
  if (at != std::string::npos) text.replace(at, mark.size(), value);
  return text;
}

std::string number_of(bool is_chinese, std::size_t place) {
  return is_chinese ? std::string("第") + kChineseNumbers[place + 1] + "条"
                    : std::to_string(place + 1);
}

std::string composed(bool is_chinese, const std::vector<Section>& sections) {
  std::string text = is_chinese ? "供货合同\n\n甲方为卖方，乙方为买方。\n\n"
                                : "SUPPLY AGREEMENT\n\nbetween the Supplier and the Buyer.\n\n";
  for (std::size_t i = 0; i < sections.size(); ++i) {
    text += number_of(is_chinese, i) + (is_chinese ? "　" : ". ") + sections[i].heading + "\n" +
            sections[i].clause + "\n\n";
  }
  return text;
}

const Fact& fact_of(std::int64_t fact, bool& is_chinese) {
  const auto chinese = std::ssize(chinese_facts());
  is_chinese = fact % 2 == 1 && fact / 2 < chinese;
  return is_chinese ? chinese_facts()[static_cast<std::size_t>(fact / 2)]
                    : english_facts()[static_cast<std::size_t>(fact / 2)];
}

Case made(Treatment treatment, std::int64_t fact_number, std::size_t variant, std::int64_t seed) {
  bool is_chinese = false;
  const Fact& fact = fact_of(fact_number, is_chinese);
  Case made;
  made.treatment = treatment;
  made.fact = fact_number;
  made.question = fact.question;
  made.value = fact.values[variant];
  made.other = fact.others[variant];
  made.expected = replaced(fact.clause, "{}", made.value);
  const auto fillers = is_chinese ? chinese_fillers() : english_fillers();
  std::vector<Section> sections;
  for (std::int64_t i = 0; i < kFillersTaken; ++i) {
    const Filler& filler = fillers[static_cast<std::size_t>((seed + i) % std::ssize(fillers))];
    sections.push_back({filler.heading, filler.clause});
  }
  if (treatment == Treatment::cut_from_context) {
    sections.insert(sections.begin() + seed % 3, {fact.question, fact.decoy});
  }
  const auto place = seed * 5 % (kFillersTaken + 1);
  if (treatment != Treatment::cut_from_text) {
    sections.insert(sections.begin() + place, {fact.heading, made.expected});
  }
  if (treatment == Treatment::overridden) {
    const std::string number = number_of(is_chinese, static_cast<std::size_t>(place));
    const auto after = std::min<std::ptrdiff_t>(place + 1 + seed % 4, std::ssize(sections));
    sections.insert(sections.begin() + after,
                    {is_chinese ? "变更" : "Amendment",
                     replaced(replaced(fact.overriding, "@", number), "{}", made.other) +
                         (is_chinese ? "" : " ") + fact.question + (is_chinese ? "" : " ") +
                         made.other + (is_chinese ? "。" : ".")});
  }
  if (treatment == Treatment::unrelated) {
    made.expected = sections[static_cast<std::size_t>(place == 0 ? 3 : place - 1)].clause;
  }
  made.text = composed(is_chinese, sections);
  return made;
}

}  // namespace

std::string_view name_of(Treatment treatment) noexcept {
  switch (treatment) {
    case Treatment::left:
      return "left";
    case Treatment::cut_from_text:
      return "cut_from_text";
    case Treatment::cut_from_context:
      return "cut_from_context";
    case Treatment::masked:
      return "masked";
    case Treatment::overridden:
      return "overridden";
    case Treatment::unrelated:
      return "unrelated";
  }
  return "";
}

bool is_right(const Case& made, Diagnosis diagnosis, std::string_view answer) noexcept {
  switch (made.treatment) {
    case Treatment::cut_from_text:
      return diagnosis == Diagnosis::not_in_text;
    case Treatment::cut_from_context:
      return diagnosis == Diagnosis::not_in_context;
    case Treatment::masked:
    case Treatment::unrelated:
      return diagnosis == Diagnosis::not_seen;
    case Treatment::left:
    case Treatment::overridden:
      break;
  }
  if (answer.find(made.value) != std::string_view::npos) return diagnosis == Diagnosis::used;
  return diagnosis == Diagnosis::not_chosen;
}

bool is_as_planned(const Case& made, std::string_view answer) noexcept {
  const bool has_value = answer.find(made.value) != std::string_view::npos;
  const bool has_other = answer.find(made.other) != std::string_view::npos;
  if (made.treatment == Treatment::left) return has_value;
  return made.treatment != Treatment::overridden || (has_other && !has_value);
}

std::int64_t fact_count() { return std::ssize(english_facts()) + std::ssize(chinese_facts()); }

Case made_case(std::int64_t n) {
  const std::int64_t round = n / 4;
  const std::int64_t fact = round % fact_count();
  const std::int64_t variant = round / fact_count() % 2;
  constexpr std::array<Treatment, 4> kTreatments = {Treatment::left, Treatment::cut_from_text,
                                                    Treatment::masked, Treatment::overridden};
  Treatment treatment = kTreatments[static_cast<std::size_t>(n % 4)];
  if (treatment == Treatment::cut_from_text && round % 2 == 1) {
    treatment = Treatment::cut_from_context;
  }
  return made(treatment, fact, static_cast<std::size_t>(variant), round);
}

Case unrelated_case(std::int64_t n) { return made(Treatment::unrelated, n % fact_count(), 0, n); }

}  // namespace whereof::planted
