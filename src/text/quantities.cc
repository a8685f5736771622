#include "text/quantities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "text/ascii_case.h"
#include "text/dates.h"
#include "text/number_words.h"
#include "text/utf8.h"

namespace whereof::text {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }

struct Measure {
  TimeUnit unit = TimeUnit::none;
  double factor = 1;
};

struct NamedMeasure {
  std::string_view name;
  Measure measure;
};

constexpr auto kMeasures = std::to_array<NamedMeasure>({{"year", {TimeUnit::months, 12}},
                                                        {"years", {TimeUnit::months, 12}},
                                                        {"quarter", {TimeUnit::months, 3}},
                                                        {"quarters", {TimeUnit::months, 3}},
                                                        {"month", {TimeUnit::months, 1}},
                                                        {"months", {TimeUnit::months, 1}},
                                                        {"week", {TimeUnit::days, 7}},
                                                        {"weeks", {TimeUnit::days, 7}},
                                                        {"day", {TimeUnit::days, 1}},
                                                        {"days", {TimeUnit::days, 1}},
                                                        {"hour", {TimeUnit::hours, 1}},
                                                        {"hours", {TimeUnit::hours, 1}}});

constexpr auto kHanMeasures =
    std::to_array<NamedMeasure>({{"个工作日", {TimeUnit::business_days, 1}},
                                 {"工作日", {TimeUnit::business_days, 1}},
                                 {"个交易日", {TimeUnit::business_days, 1}},
                                 {"个营业日", {TimeUnit::business_days, 1}},
                                 {"个自然日", {TimeUnit::days, 1}},
                                 {"个季度", {TimeUnit::months, 3}},
                                 {"周年", {TimeUnit::months, 12}},
                                 {"个月", {TimeUnit::months, 1}},
                                 {"个小时", {TimeUnit::hours, 1}},
                                 {"小时", {TimeUnit::hours, 1}},
                                 {"个星期", {TimeUnit::days, 7}},
                                 {"星期", {TimeUnit::days, 7}},
                                 {"年", {TimeUnit::months, 12}},
                                 {"月", {TimeUnit::months, 1}},
                                 {"周", {TimeUnit::days, 7}},
                                 {"日", {TimeUnit::days, 1}},
                                 {"天", {TimeUnit::days, 1}}});

// Words that may stand between a number and its measure.
constexpr auto kBetween = std::to_array<std::string_view>(
    {"calendar", "consecutive", "full", "additional", "further", "more", "successive", "complete",
     "or", "of", "whole", "contract"});
constexpr auto kBusiness =
    std::to_array<std::string_view>({"business", "working", "trading", "banking"});

struct NamedCurrency {
  std::string_view name;
  Currency currency;
};
// Right before a number, longer ones first; letters in any case.
constexpr auto kBefore = std::to_array<NamedCurrency>({{"us$", Currency::us_dollar},
                                                       {"hk$", Currency::hong_kong_dollar},
                                                       {"usd", Currency::us_dollar},
                                                       {"hkd", Currency::hong_kong_dollar},
                                                       {"eur", Currency::euro},
                                                       {"gbp", Currency::pound},
                                                       {"rmb", Currency::yuan},
                                                       {"cny", Currency::yuan},
                                                       {"jpy", Currency::yen},
                                                       {"$", Currency::us_dollar},
                                                       {"€", Currency::euro},
                                                       {"£", Currency::pound},
                                                       {"¥", Currency::yuan},
                                                       {"￥", Currency::yuan},
                                                       {"人民币", Currency::yuan},
                                                       {"美元", Currency::us_dollar},
                                                       {"港币", Currency::hong_kong_dollar}});
constexpr auto kBehind = std::to_array<NamedCurrency>({{"u.s. dollars", Currency::us_dollar},
                                                       {"us dollars", Currency::us_dollar},
                                                       {"dollars", Currency::us_dollar},
                                                       {"dollar", Currency::us_dollar},
                                                       {"usd", Currency::us_dollar},
                                                       {"euros", Currency::euro},
                                                       {"euro", Currency::euro},
                                                       {"eur", Currency::euro},
                                                       {"pounds", Currency::pound},
                                                       {"gbp", Currency::pound},
                                                       {"yuan", Currency::yuan},
                                                       {"rmb", Currency::yuan},
                                                       {"cny", Currency::yuan},
                                                       {"yen", Currency::yen},
                                                       {"美元", Currency::us_dollar},
                                                       {"港元", Currency::hong_kong_dollar},
                                                       {"港币", Currency::hong_kong_dollar},
                                                       {"欧元", Currency::euro},
                                                       {"英镑", Currency::pound},
                                                       {"日元", Currency::yen},
                                                       {"人民币", Currency::yuan},
                                                       {"元", Currency::yuan},
                                                       {"圆", Currency::yuan}});

constexpr auto kAnnouncing = std::to_array<std::string_view>(
    {"section",   "sections",   "clause",   "clauses",   "article", "articles",
     "paragraph", "paragraphs", "schedule", "schedules", "exhibit", "exhibits",
     "annex",     "appendix",   "part",     "chapter",   "page",    "pages",
     "no",        "nos",        "item",     "items",     "rule"});
constexpr auto kJoining = std::to_array<std::string_view>({"and", "or", "to", "through"});

template <typename List>
bool is_in(std::string_view word, const List& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// The entry whose name stands at a place in any case; a name in letters is a whole word.
template <typename List>
const NamedCurrency* currency_at(std::string_view text, std::size_t at, const List& list) {
  for (const NamedCurrency& entry : list) {
    const std::string_view there = text.substr(std::min(at, text.size()), entry.name.size());
    if (ascii_lower(there) != entry.name) continue;
    const std::size_t end = at + entry.name.size();
    if (is_letter(entry.name.back()) && end < text.size() && is_letter(text[end])) continue;
    return &entry;
  }
  return nullptr;
}

// Looks through a text once.
class QuantityScanner {
 public:
  explicit QuantityScanner(std::string_view text) : text_(text) {}

  std::vector<Quantity> run() {
    while (at_ < text_.size()) {
      const std::size_t before = at_;
      if (!take_quantity()) skip();
      if (at_ == before) ++at_;
    }
    return std::move(found_);
  }

 private:
  bool take_quantity() {
    if (take_ordinal()) return true;
    if (take_date() || take_share() || take_money_before()) return true;
    return take_number();
  }

  // Over a word or one character.
  void skip() {
    if (is_letter(text_[at_])) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
      const std::string word =
          ascii_lower(text_.substr(begin, std::min<std::size_t>(at_ - begin, 16)));
      if (is_in(word, kAnnouncing)) {
        skip_labels();
      } else {
        note_measure(word);
      }
    } else {
      at_ += static_cast<std::size_t>(decode_at(text_, at_).bytes);
    }
  }

  // "months", for the number behind it on the line.
  void note_measure(std::string_view word) {
    for (const NamedMeasure& entry : kMeasures) {
      if (entry.name == word) measure_before_ = {entry.measure, at_};
    }
  }

  // The numbers behind "Sections": 3.1, 3.2(a) and 4.
  void skip_labels() {
    bool is_first = true;
    while (at_ < text_.size()) {
      std::size_t next = at_;
      if (next < text_.size() && (text_[next] == '.' || text_[next] == ',')) ++next;
      next += blanks_at(text_, next);
      const std::string word = lower_word_at(text_, next);
      if (!is_first && is_in(word, kJoining)) {
        next += word.size() + blanks_at(text_, next + word.size());
      }
      if (next >= text_.size() || !is_digit(text_[next])) return;
      // A date or a measure behind a comma is none of them: "Section 3, 30 days".
      if (!is_first && has_measure(next)) return;
      while (next < text_.size() &&
             (is_digit(text_[next]) || text_[next] == '.' || text_[next] == '(' ||
              text_[next] == ')' || (is_letter(text_[next]) && text_[next - 1] == '('))) {
        ++next;
      }
      at_ = next;
      is_first = false;
    }
  }

  bool has_measure(std::size_t at) const {
    if (date_at(text_, at).bytes > 0) return true;
    const WrittenNumber number = number_at(text_, at);
    std::size_t end = at + number.bytes;
    return measure_behind(end).has_value() || percent_behind(end) > 0;
  }

  // 第三条, 第二款: a label; 第一年 is none of our numbers either.
  bool take_ordinal() {
    constexpr std::string_view kOrdinal = "第";
    if (!text_.substr(at_).starts_with(kOrdinal)) return false;
    const WrittenNumber number = number_at(text_, at_ + kOrdinal.size());
    if (number.bytes == 0) return false;
    at_ += kOrdinal.size() + number.bytes;
    return true;
  }

  bool take_date() {
    const WrittenDate date = date_at(text_, at_);
    if (date.bytes == 0) return false;
    Quantity quantity = quantity_of(date.bytes, QuantityKind::date, 0);
    quantity.year = date.year;
    quantity.month = date.month;
    quantity.day = date.day;
    quantity.may_swap = date.may_swap;
    add(std::move(quantity));
    return true;
  }

  // 百分之五, 千分之三, 万分之五
  bool take_share() {
    constexpr std::array<std::pair<std::string_view, double>, 3> kShares = {
        {{"百分之", 1}, {"千分之", 0.1}, {"万分之", 0.01}}};
    for (const auto& [words, factor] : kShares) {
      if (!text_.substr(at_).starts_with(words)) continue;
      const WrittenNumber number = number_at(text_, at_ + words.size());
      if (number.bytes == 0 || number.is_label) return false;
      add(quantity_of(words.size() + number.bytes, QuantityKind::percent, number.value * factor));
      return true;
    }
    return false;
  }

  bool take_money_before() {
    const NamedCurrency* currency = currency_at(text_, at_, kBefore);
    if (currency == nullptr) return false;
    std::size_t begin = at_ + currency->name.size();
    begin += blanks_at(text_, begin);
    if (const NamedCurrency* second = currency_at(text_, begin, kBefore)) {  // 人民币￥
      begin += second->name.size();
    }
    const WrittenNumber number = number_at(text_, begin);
    if (number.bytes == 0 || number.is_label) return false;
    Quantity quantity = quantity_of(begin + number.bytes - at_, QuantityKind::money, number.value);
    quantity.currency = currency->currency;
    const std::size_t behind = begin + number.bytes;
    if (const NamedCurrency* again = currency_at(text_, behind, kBehind)) {  // 人民币五百万元
      quantity.text.end += static_cast<std::int64_t>(again->name.size());
    }
    add(std::move(quantity));
    return true;
  }

  bool take_number() {
    const WrittenNumber number = number_at(text_, at_);
    if (number.bytes == 0) return false;
    if (number.is_label) {
      at_ += number.bytes;
      return true;
    }
    std::size_t end = at_ + number.bytes;
    if (take_clock(number)) return true;
    if (const std::size_t bytes = percent_behind(end); bytes > 0) {
      add(quantity_of(number.bytes + bytes, QuantityKind::percent, number.value));
      return true;
    }
    const std::size_t gap = blanks_at(text_, end);
    if (const NamedCurrency* currency = currency_at(text_, end + gap, kBehind)) {
      Quantity quantity = quantity_of(number.bytes + gap + currency->name.size(),
                                      QuantityKind::money, number.value);
      quantity.currency = currency->currency;
      add(std::move(quantity));
      return true;
    }
    take_plain(number, end);
    return true;
  }

  void take_plain(const WrittenNumber& number, std::size_t end) {
    Quantity quantity = quantity_of(number.bytes, QuantityKind::number, number.value);
    quantity.digits = number.digits;
    const std::size_t number_end = end;
    if (const auto measure = measure_behind(end)) {
      const bool is_year = number.value >= 1000 && measure->factor == 12;  // 2020年
      if (!is_year) {
        quantity.unit = measure->unit;
        quantity.value *= measure->factor;
      }
      quantity.text.end = static_cast<std::int64_t>(end);
      // What stands between number and measure, "(12)", may hold it once more.
      at_ = number_end;
      found_.push_back(std::move(quantity));
      return;
    }
    if (is_line_label(number, number_end)) {
      at_ = number_end;
      return;
    }
    if (is_near(measure_before_.second)) {
      quantity.unit_before = measure_before_.first.unit;
      quantity.value *= measure_before_.first.factor;
    }
    const bool is_lone_character = number.characters == 1;  // 十
    quantity.is_slight = number.value < 10 || is_lone_character;
    if (std::floor(number.value) != number.value) quantity.is_slight = false;
    add(std::move(quantity));
  }

  bool is_near(std::size_t before) const {
    constexpr std::size_t kNear = 24;
    return before > 0 && at_ - before < kNear &&
           text_.substr(before, at_ - before).find('\n') == std::string_view::npos;
  }

  // "5:30": digits, a colon, two digits.
  bool take_clock(const WrittenNumber& number) {
    const std::size_t colon = at_ + number.bytes;
    if (!number.is_plain || number.value > 24 || colon + 2 >= text_.size()) return false;
    if (text_[colon] != ':' || !is_digit(text_[colon + 1]) || !is_digit(text_[colon + 2])) {
      return false;
    }
    const int minutes = (text_[colon + 1] - '0') * 10 + (text_[colon + 2] - '0');
    add(quantity_of(number.bytes + 3, QuantityKind::clock, number.value * 60 + minutes));
    return true;
  }

  // "3.", "3)", "3.2 " at the begin of a line: the place of what follows.
  bool is_line_label(const WrittenNumber& number, std::size_t end) const {
    std::size_t before = at_;
    while (before > 0 && at_ - before < 16 &&
           (text_[before - 1] == ' ' || text_[before - 1] == '\t')) {
      --before;
    }
    if (before > 0 && text_[before - 1] != '\n' && text_[before - 1] != '(') return false;
    if (number.value >= 1000) return false;
    constexpr std::string_view kComma = "、";
    const std::string_view rest = text_.substr(end);
    const bool is_marked =
        rest.starts_with('.') || rest.starts_with(')') || rest.starts_with(kComma);
    const bool is_decimal = std::floor(number.value) != number.value;
    const bool is_bracketed = before > 0 && text_[before - 1] == '(';
    return is_bracketed ? begins_line(before - 1) && rest.starts_with(')')
                        : is_marked || is_decimal;
  }

  bool begins_line(std::size_t at) const {
    std::size_t before = at;
    while (before > 0 && at - before < 16 &&
           (text_[before - 1] == ' ' || text_[before - 1] == '\t')) {
      --before;
    }
    return before == 0 || text_[before - 1] == '\n';
  }

  // Bytes of "%", " percent", " per cent", behind a number and perhaps "(5%)".
  std::size_t percent_behind(std::size_t end) const {
    std::size_t at = skip_brackets(end);
    at += blanks_at(text_, at);
    for (const std::string_view sign : {"%", "％", "个百分点"}) {
      if (text_.substr(at).starts_with(sign)) return at + sign.size() - end;
    }
    std::string word = lower_word_at(text_, at);
    if (word == "percent" || word == "percentage") return at + word.size() - end;
    if (word != "per") return 0;
    at += word.size() + blanks_at(text_, at + word.size());
    word = lower_word_at(text_, at);
    return word == "cent" || word == "centum" ? at + word.size() - end : 0;
  }

  // Over "(12)" behind a number, or the bracket that the number stands in.
  std::size_t skip_brackets(std::size_t end) const {
    constexpr std::size_t kLongest = 40;
    std::size_t at = end + blanks_at(text_, end);
    if (at < text_.size() && text_[at] == ')') return at + 1;
    if (at >= text_.size() || text_[at] != '(' || at + 1 >= text_.size()) return end;
    if (!is_digit(text_[at + 1]) && text_[at + 1] != '$') return end;
    const std::size_t close = text_.substr(at, kLongest).find(')');
    return close == std::string_view::npos ? end : at + close + 1;
  }

  // The measure of time behind a number; end moves behind it.
  std::optional<Measure> measure_behind(std::size_t& end) const {
    for (const NamedMeasure& entry : kHanMeasures) {
      const std::size_t at = end + blanks_at(text_, end);
      if (!text_.substr(at).starts_with(entry.name)) continue;
      end = at + entry.name.size();
      return entry.measure;
    }
    constexpr int kMostBetween = 3;
    std::size_t at = skip_brackets(end);
    bool is_business = false;
    for (int between = 0; between <= kMostBetween; ++between) {
      if (at < text_.size() && text_[at] == '-') ++at;
      at += blanks_at(text_, at);
      const std::string word = lower_word_at(text_, at);
      if (is_in(word, kBusiness)) {
        is_business = true;
      } else if (!is_in(word, kBetween)) {
        return measure_named(word, at, is_business, end);
      }
      at += word.size();
    }
    return std::nullopt;
  }

  static std::optional<Measure> measure_named(std::string_view word, std::size_t at,
                                              bool is_business, std::size_t& end) {
    for (const NamedMeasure& entry : kMeasures) {
      if (entry.name != word) continue;
      end = at + word.size();
      const bool is_day = entry.measure.unit == TimeUnit::days && entry.measure.factor == 1;
      if (is_business && is_day) return Measure{TimeUnit::business_days, 1};
      return entry.measure;
    }
    return std::nullopt;
  }

  Quantity quantity_of(std::size_t bytes, QuantityKind kind, double value) const {
    Quantity quantity;
    quantity.text = {static_cast<std::int64_t>(at_), static_cast<std::int64_t>(at_ + bytes)};
    quantity.kind = kind;
    quantity.value = quantity.written = value;
    return quantity;
  }

  void add(Quantity quantity) {
    at_ = static_cast<std::size_t>(quantity.text.end);
    found_.push_back(std::move(quantity));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::pair<Measure, std::size_t> measure_before_;
  std::vector<Quantity> found_;
};

bool is_same(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

bool is_same_date(const Quantity& stated, const Quantity& claimed) {
  const auto agrees = [](int given, int asked) { return asked == 0 || given == asked; };
  if (!agrees(stated.year, claimed.year)) return false;
  if (agrees(stated.month, claimed.month) && agrees(stated.day, claimed.day)) return true;
  if (!stated.may_swap && !claimed.may_swap) return false;
  return stated.month == claimed.day && stated.day == claimed.month;
}

}  // namespace

std::vector<Quantity> quantities(std::string_view text) { return QuantityScanner(text).run(); }

bool bears_out(const Quantity& stated, const Quantity& claimed) {
  using enum QuantityKind;
  if (claimed.kind == date || claimed.kind == clock) {
    if (stated.kind != claimed.kind) return false;
    return claimed.kind == clock ? is_same(stated.value, claimed.value)
                                 : is_same_date(stated, claimed);
  }
  if (stated.kind == clock) return false;
  if (stated.kind == date) {
    return claimed.kind == number && claimed.unit == TimeUnit::none &&
           (is_same(stated.year, claimed.value) || is_same(stated.day, claimed.value));
  }
  if (stated.digits != claimed.digits) return false;
  if (claimed.kind == number && claimed.unit != TimeUnit::none) {
    const TimeUnit unit = stated.unit != TimeUnit::none ? stated.unit : stated.unit_before;
    return stated.kind == number && unit == claimed.unit && is_same(stated.value, claimed.value);
  }
  if (!is_same(stated.written, claimed.written)) return false;
  if (claimed.kind == number) return true;
  if (stated.kind == number) return claimed.kind == money && stated.unit == TimeUnit::none;
  return stated.kind == claimed.kind &&
         (stated.currency == claimed.currency || stated.currency == Currency::unknown ||
          claimed.currency == Currency::unknown);
}

}  // namespace whereof::text
