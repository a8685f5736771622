// Quantisation of a cache: what it stores, and that it reports its error truly.
#include "whereof/cache_quantisation.h"

#include <gmock/gmock.h>

#include <limits>

#include "attention/attention_case.h"
#include "whereof/error.h"

namespace whereof::attention_test {
namespace {

struct Quantised {
  GuardedTensor rows, stored, scales;
  QuantisationError error;

  Quantised(ElementType type, std::int64_t dim, std::uint32_t seed)
      : rows(type, {2, 5, 3, dim}, {}),
        stored(ElementType::i8, {2, 5, 3, dim}, {.heads_outside = true}),
        scales(ElementType::f32, {2, 5, 3, 1}, {}) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    rows.for_each([&](auto a, auto b, auto c, auto d) {
      rows.set(a, b, c, d, normal(random) * static_cast<float>(1 + b));
    });
  }
  void run() { error = quantise_cache(rows.view(), stored.view(), scales.view()); }
};

std::string refusal_of(Quantised& q) {
  try {
    q.run();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    return error.what();
  }
  return {};
}

TEST(CacheQuantisation, ReportsWhatIsLost) {
  for (const ElementType type : {ElementType::f32, ElementType::bf16, ElementType::f16}) {
    for (const std::int64_t dim : {1, 2, 33, 128}) {
      Quantised q(type, dim, static_cast<std::uint32_t>(dim));
      q.run();
      double largest = 0, squares = 0;
      std::int64_t count = 0;
      q.rows.for_each([&](auto a, auto b, auto c, auto d) {
        double row_largest = 0;
        for (std::int64_t i = 0; i < dim; ++i) {
          row_largest = std::max(row_largest, std::abs(double(q.rows.get(a, b, c, i))));
        }
        const double restored = static_cast<double>(q.stored.get(a, b, c, d)) *
                                static_cast<double>(q.scales.get(a, b, c, 0));
        const double lost =
            std::abs(static_cast<double>(q.rows.get(a, b, c, d)) - restored) / row_largest;
        EXPECT_LE(lost, 1.0 / 254 + 1e-6);
        EXPECT_LE(std::abs(q.stored.get(a, b, c, d)), 127);
        largest = std::max(largest, lost);
        squares += lost * lost;
        ++count;
      });
      EXPECT_DOUBLE_EQ(q.error.largest, largest);
      EXPECT_NEAR(q.error.rms, std::sqrt(squares / static_cast<double>(count)), 1e-12);
      EXPECT_TRUE(q.stored.guards_hold());
      EXPECT_TRUE(q.scales.guards_hold());
    }
  }
}

TEST(CacheQuantisation, WorkedExample) {
  Quantised q(ElementType::f32, 3, 1);
  q.rows.for_each([&](auto a, auto b, auto c, auto d) { q.rows.set(a, b, c, d, 0); });
  q.rows.set(1, 4, 2, 0, 254.0F);
  q.rows.set(1, 4, 2, 1, -3.0F);
  q.rows.set(1, 4, 2, 2, 1.5F);
  q.run();
  EXPECT_EQ(q.scales.get(1, 4, 2, 0), 2);
  EXPECT_EQ(q.stored.get(1, 4, 2, 0), 127);
  EXPECT_EQ(q.stored.get(1, 4, 2, 1), -2);  // -1.5 to even
  EXPECT_EQ(q.stored.get(1, 4, 2, 2), 1);
  EXPECT_DOUBLE_EQ(q.error.largest, 1.0 / 254);
  EXPECT_EQ(q.scales.get(0, 0, 0, 0), 0);
  EXPECT_EQ(q.stored.get(0, 0, 0, 0), 0);
}

TEST(CacheQuantisation, NamesTheRowThatIsNotFinite) {
  for (const float bad :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    Quantised q(ElementType::bf16, 8, 2);
    q.rows.set(1, 2, 0, 7, bad);
    EXPECT_EQ(refusal_of(q), "rows[1, 2, 0] holds NaN or infinity");
  }
}

TEST(CacheQuantisation, ShapesThatDisagree) {
  Quantised q(ElementType::f32, 8, 3);
  q.scales = GuardedTensor(ElementType::f32, {2, 5, 3, 8}, {});
  EXPECT_THAT(refusal_of(q), testing::HasSubstr("scales has shape [2, 5, 3, 8]; wanted"));
  Quantised other(ElementType::f32, 8, 3);
  other.stored = GuardedTensor(ElementType::i8, {2, 4, 3, 8}, {});
  EXPECT_THAT(refusal_of(other), testing::HasSubstr("stored has shape [2, 4, 3, 8]; wanted"));
}

}  // namespace
}  // namespace whereof::attention_test
