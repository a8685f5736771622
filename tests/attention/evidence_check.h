// Evidence of a call, figure by figure, against the oracle's weights.
#ifndef WHEREOF_TESTS_ATTENTION_EVIDENCE_CHECK_H_
#define WHEREOF_TESTS_ATTENTION_EVIDENCE_CHECK_H_

#include <limits>

#include "attention/attention_case.h"

namespace whereof::attention_test {

inline void expect_near(double found, double wanted, double rows, const std::string& what) {
  EXPECT_NEAR(found, wanted, 4e-6 * rows + 2e-6 * std::abs(wanted)) << what;
}

// The weight that each span receives from all rows.
inline void expect_columns(const Case& c, const reference::Naive<double>& exact,
                           const EvidenceRequest& request, std::int64_t b, std::int64_t head) {
  const std::size_t spans = request.key_spans.size();
  const auto place = static_cast<std::size_t>(b * c.shape.query_heads + head);
  ASSERT_EQ(c.evidence.column_mass.size(),
            static_cast<std::size_t>(c.shape.batch * c.shape.query_heads) * spans);
  for (std::size_t s = 0; s < spans; ++s) {
    double wanted = 0;
    for (std::int64_t row = 0; row < c.shape.query_length; ++row) {
      for (std::int64_t key = request.key_spans[s].begin; key < request.key_spans[s].end; ++key) {
        wanted += exact.weights.at(b, head, row, key);
      }
    }
    expect_near(c.evidence.column_mass[place * spans + s], wanted,
                static_cast<double>(c.shape.query_length), "column " + std::to_string(s));
  }
}

inline void expect_equal(Case& c, const AttentionOptions& options, const EvidenceRequest& request) {
  c.run(options, &request);
  const reference::Naive<double> exact = c.naive<double>(options);
  const Evidence& e = c.evidence;
  const auto groups = reference::rows_of_groups(request, c.shape.query_length);
  ASSERT_EQ(e.groups, static_cast<std::int64_t>(groups.size()));
  ASSERT_EQ(e.key_spans, static_cast<std::int64_t>(request.key_spans.size()));
  for (std::int64_t b = 0; b < c.shape.batch; ++b) {
    for (std::int64_t head = 0; head < c.shape.query_heads; ++head) {
      if (request.column_sums) expect_columns(c, exact, request, b, head);
      for (std::int64_t g = 0; g < e.groups; ++g) {
        const auto& rows = groups[static_cast<std::size_t>(g)];
        const auto wanted = reference::group_evidence(exact, request, b, head, rows);
        const auto at = static_cast<std::size_t>(e.index(b, head, g));
        const double count = static_cast<double>(rows.size());
        const std::string what = c.shape.text() + " b" + std::to_string(b) + " head" +
                                 std::to_string(head) + " group" + std::to_string(g);
        EXPECT_EQ(e.row_count[static_cast<std::size_t>(b * e.groups + g)], wanted.row_count);
        if (request.rows == EvidenceRows::single && wanted.row_count == 0) {
          EXPECT_EQ(e.log_sum_exp[at], -std::numeric_limits<float>::infinity()) << what;
        } else {
          expect_near(e.log_sum_exp[at], wanted.log_sum_exp, count, what + " log_sum_exp");
        }
        expect_near(e.max_weight[at], wanted.max_weight, 1, what + " max_weight");
        expect_near(e.entropy[at], wanted.entropy, count, what + " entropy");
        expect_near(e.sink_mass[at], wanted.sink_mass, count, what + " sink_mass");
        expect_near(e.unassigned_mass[at], wanted.unassigned_mass, count, what + " unassigned");
        for (std::size_t s = 0; s < wanted.span_mass.size(); ++s) {
          expect_near(e.span_mass[at * wanted.span_mass.size() + s], wanted.span_mass[s], count,
                      what + " span " + std::to_string(s));
        }
        for (std::size_t t = 0; t < static_cast<std::size_t>(e.top_keys); ++t) {
          const TopKey& top = e.top[at * static_cast<std::size_t>(e.top_keys) + t];
          if (t >= wanted.top.size()) {
            EXPECT_EQ(top.key, -1) << what;
            continue;
          }
          // Keys whose weights differ by rounding alone may change places.
          expect_near(top.weight, wanted.top[t].first, 1, what + " top weight");
          double weight_there = 0;
          for (const std::int64_t row : rows) {
            ASSERT_GE(top.key, 0);
            weight_there = std::max(weight_there, exact.weights.at(b, head, row, top.key));
          }
          expect_near(top.weight, weight_there, 1, what + " weight of top " + std::to_string(t));
        }
      }
    }
  }
}

inline EvidenceRequest request_for(std::int64_t query_length, std::int64_t key_length,
                                   EvidenceRows rows) {
  EvidenceRequest request;
  request.rows = rows;
  request.sink_length = 3;
  request.top_keys = 5;
  request.column_sums = true;
  for (std::int64_t begin = 2; begin < key_length; begin += 1 + begin / 2) {
    const std::int64_t end = std::min(key_length, begin + 1 + begin / 3);
    request.key_spans.push_back({begin, end});
  }
  for (std::int64_t row = 0; row < query_length; row += 4) {
    request.query_rows.push_back(row);
    request.query_spans.push_back({row, std::min(query_length, row + 3)});
  }
  return request;
}

constexpr EvidenceRows kAllGroupings[] = {EvidenceRows::all_summed, EvidenceRows::by_query_span,
                                          EvidenceRows::single};

}  // namespace whereof::attention_test

#endif  // WHEREOF_TESTS_ATTENTION_EVIDENCE_CHECK_H_
