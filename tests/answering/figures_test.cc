#include "answering/figures.h"

#include <gtest/gtest.h>

namespace whereof::answering {
namespace {

using Strings = std::vector<std::string>;

TEST(Figures, AreFoundHoweverTheyAreSeparated) {
  EXPECT_EQ(figures_not_in("It pays 5,000,000 within 30 days.", "pays 5000000 in 30 days"),
            Strings{});
  EXPECT_EQ(figures_not_in("Clause 3.2 caps it at 4,500.50.", "3.2 The cap is 4500.50."),
            Strings{});
}

TEST(Figures, OfNoSourceAreNamedOnce) {
  EXPECT_EQ(figures_not_in("It is 45 days, yes 45, or 1,250.", "30 days"),
            (Strings{"45", "1,250"}));
  EXPECT_EQ(figures_not_in("30 days", "130 days"), Strings{"30"});
}

TEST(Figures, SingleDigitsCount) {
  EXPECT_EQ(figures_not_in("There are 2 parties.", ""), Strings{});
}

TEST(Figures, ATrailingStopIsNoPartOfOne) {
  EXPECT_EQ(figures_not_in("It was 2024.", "in 2024, then"), Strings{});
}

}  // namespace
}  // namespace whereof::answering
