// Figures of a text, whatever their spelling: numbers, measures of time, money, percentages, dates
// and times of day, in English and Chinese.
//
//   "twelve (12) months", "12-month", 十二个月, "one year"      12 months
//   "$5 million", "USD 5,000,000", 五百万美元                    5,000,000 US dollars
//   "5 %", "five percent", 百分之五                               5 %
//   "January 5, 2020", "5 Jan 2020", 2020-01-05, 2020年1月5日    a date
//
// Numbers that name a clause, a page or the place of a line in a list are left out.
#ifndef WHEREOF_TEXT_QUANTITIES_H_
#define WHEREOF_TEXT_QUANTITIES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/span.h"

namespace whereof::text {

enum class QuantityKind : std::uint8_t { number, percent, money, date, clock };

// What a number counts, as far as it is time; years and quarters are months, weeks are days.
enum class TimeUnit : std::uint8_t { none, hours, days, business_days, months };

enum class Currency : std::uint8_t {
  unknown,
  us_dollar,
  hong_kong_dollar,
  euro,
  pound,
  yuan,
  yen,
};

struct Quantity {
  Span text;  // bytes
  QuantityKind kind = QuantityKind::number;
  double written = 0;  // as written: 2 of "two years"; a clock's: minutes after midnight
  double value = 0;    // in its unit, or in unit_before: 24
  std::string digits;  // of a number of more than 15 digits: what a double cannot tell apart
  TimeUnit unit = TimeUnit::none;
  // A number that has a measure of time right before it: "Term (months): 12".
  TimeUnit unit_before = TimeUnit::none;
  Currency currency = Currency::unknown;
  int year = 0, month = 0, day = 0;  // of a date; 0: not given
  bool may_swap = false;             // a date whose day and month could be the other way round
  // A lone number below ten counts things more often than it quotes: "the two parties".
  bool is_slight = false;
};

// In their order; that of "twelve (12) months" holds another. Linear time; bytes need not be valid
// UTF-8.
std::vector<Quantity> quantities(std::string_view text);

// Whether what one text states bears out what another claims: the same figure, of the same kind as
// far as both say it. A claimed number without a measure is borne out by that number of anything; a
// claimed measure, sum or percentage only by one of its kind; a date by one that has all it gives.
bool bears_out(const Quantity& stated, const Quantity& claimed);

}  // namespace whereof::text

#endif  // WHEREOF_TEXT_QUANTITIES_H_
