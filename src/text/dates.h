// Dates as they are written in English and Chinese text.
#ifndef WHEREOF_TEXT_DATES_H_
#define WHEREOF_TEXT_DATES_H_

#include <cstddef>
#include <string_view>

namespace whereof::text {

struct WrittenDate {
  std::size_t bytes = 0;             // 0: none
  int year = 0, month = 0, day = 0;  // 0: not given; the month always is
  bool may_swap = false;             // 5/1/2020: day and month could be the other way round
};

// The date that begins exactly at text[at]: "January 5, 2020", "5th day of January, 2020",
// "Jan 2020", "January 5", 2020-01-05, 5/1/2020, 2020年1月5日, 二〇二〇年一月, 1月5日. Years of two
// digits are those from 1950 to 2049. Looks at a bounded number of bytes.
WrittenDate date_at(std::string_view text, std::size_t at);

}  // namespace whereof::text

#endif  // WHEREOF_TEXT_DATES_H_
