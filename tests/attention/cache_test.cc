// What a cache may be: its types, its scales, its pages.
#include <numeric>

#include "attention/accuracy_bar.h"
#include "attention/evidence_check.h"

namespace whereof::attention_test {
namespace {

class Cache : public testing::TestWithParam<InstructionSet> {
 protected:
  AttentionOptions options(bool is_causal = true) const {
    AttentionOptions result;
    result.mask.is_causal = is_causal;
    result.instruction_set = GetParam();
    return result;
  }
};

INSTANTIATE_TEST_SUITE_P(Sets, Cache, testing::ValuesIn(tested_instruction_sets()), name_of_set);

constexpr ElementType kCacheTypes[] = {ElementType::f32, ElementType::bf16, ElementType::f16,
                                       ElementType::i8};
constexpr ElementType kQueryTypes[] = {ElementType::f32, ElementType::bf16, ElementType::f16};

TEST_P(Cache, TypesAreWithinTheBar) {
  std::uint32_t seed = 1;
  for (const ElementType kv_type : {ElementType::f16, ElementType::i8}) {
    for (const ElementType query_type : kQueryTypes) {
      for (const std::int64_t query_length : {1, 4, 30}) {
        for (const std::int64_t head_dim : {5, 16, 40, 64, 128}) {
          Case c({.batch = 2,
                  .query_length = query_length,
                  .key_length = 37 * (1 + head_dim / 16),
                  .query_heads = 6,
                  .kv_heads = 2,
                  .head_dim = head_dim,
                  .value_dim = head_dim == 40 ? 24 : head_dim,
                  .query_type = query_type,
                  .kv_type = kv_type,
                  .output_type = query_type,
                  .layout = {.heads_outside = head_dim % 2 == 0, .gap = head_dim % 3}},
                 ++seed);
          expect_within_bar(c, options());
        }
      }
    }
  }
}

TEST_P(Cache, LongDecodeOfEveryType) {
  std::uint32_t seed = 100;
  for (const ElementType kv_type : kCacheTypes) {
    for (const std::int64_t key_length : {191, 192, 193, 1025, 3000}) {
      Case c({.query_length = 1,
              .key_length = key_length,
              .query_heads = 14,
              .kv_heads = 2,
              .head_dim = 64,
              .value_dim = 64,
              .kv_type = kv_type,
              .layout = {.heads_outside = true}},
             ++seed);
      expect_within_bar(c, options());
    }
  }
}

TEST_P(Cache, EvidenceAndMasksOfScaledKeys) {
  for (const std::int64_t query_length : {1, 40}) {
    Case c({.query_length = query_length,
            .key_length = 400,
            .query_heads = 4,
            .kv_heads = 2,
            .head_dim = 32,
            .value_dim = 32,
            .kv_type = ElementType::i8},
           200);
    AttentionOptions masked = options();
    masked.mask.window = 150;
    masked.mask.kept_sinks = 3;
    masked.mask.hidden = {{300, 320}};
    masked.soft_cap = 20;
    expect_within_bar(c, masked);
    expect_equal(c, masked, request_for(query_length, 400, EvidenceRows::all_summed));
  }
}

// The last row of a prefill is the decode step at its position.
TEST_P(Cache, APrefillRowEqualsItsDecodeStep) {
  for (const ElementType kv_type : kCacheTypes) {
    CaseShape shape{.query_length = 40,
                    .key_length = 300,
                    .query_heads = 4,
                    .kv_heads = 2,
                    .head_dim = 64,
                    .value_dim = 64,
                    .kv_type = kv_type};
    Case prefill(shape, 300);
    prefill.run(options());
    shape.query_length = 1;
    Case decode(shape, 300);
    decode.key = prefill.key;
    decode.value = prefill.value;
    decode.key_scale = prefill.key_scale;
    decode.value_scale = prefill.value_scale;
    decode.query.for_each([&](auto b, auto, auto h, auto d) {
      decode.query.set(b, 0, h, d, prefill.query.get(b, 39, h, d));
    });
    decode.run(options());
    decode.output.for_each([&](auto b, auto, auto h, auto d) {
      EXPECT_NEAR(decode.output.get(b, 0, h, d), prefill.output.get(b, 39, h, d), 3e-6);
    });
  }
}

// A case whose cache lies in pages, in an order of its own; pages of no sequence hold NaN.
class PagedCase {
 public:
  PagedCase(Case& c, std::int64_t page_length)
      : c_(c),
        per_sequence_((c.shape.key_length + page_length - 1) / page_length),
        table_(static_cast<std::size_t>(c.shape.batch * per_sequence_)),
        key_(paged(c.key, c.shape.head_dim, c.shape.kv_type, page_length)),
        value_(paged(c.value, c.shape.value_dim, c.shape.kv_type, page_length)),
        key_scale_(paged(c.key_scale, 1, ElementType::f32, page_length)),
        value_scale_(paged(c.value_scale, 1, ElementType::f32, page_length)),
        log_sum_exp_(c.log_sum_exp.size()) {}

  void run(AttentionOptions options, const EvidenceRequest* request, Evidence* evidence) {
    options.key_pages = KeyPages{table_.data(), per_sequence_, c_.shape.key_length};
    if (c_.shape.kv_type == ElementType::i8) {
      options.cache_scales = CacheScales{key_scale_.view(), value_scale_.view()};
    }
    forward(c_.query.view(), key_.view(), value_.view(), c_.output.view(), options,
            log_sum_exp_.data(), request, evidence);
  }
  const std::vector<float>& log_sum_exp() const { return log_sum_exp_; }

 private:
  GuardedTensor paged(const GuardedTensor& from, std::int64_t dim, ElementType type,
                      std::int64_t page_length) {
    const auto pages = static_cast<std::int64_t>(table_.size()) + 2;
    GuardedTensor to(type, {pages, page_length, c_.shape.kv_heads, dim}, c_.shape.layout);
    from.for_each([&](auto b, auto k, auto h, auto d) {
      const std::int64_t entry = b * per_sequence_ + k / page_length;
      const std::int64_t page = pages - 2 - entry;
      table_[static_cast<std::size_t>(entry)] = static_cast<std::int32_t>(page);
      to.set(page, k % page_length, h, d, from.get(b, k, h, d));
    });
    return to;
  }

  Case& c_;
  std::int64_t per_sequence_;
  std::vector<std::int32_t> table_;
  GuardedTensor key_, value_, key_scale_, value_scale_;
  std::vector<float> log_sum_exp_;
};

TEST_P(Cache, PagedEqualsContiguous) {
  std::uint32_t seed = 400;
  for (const ElementType kv_type : kCacheTypes) {
    for (const std::int64_t query_length : {1, 40}) {
      for (const std::int64_t page_length : {1, 7, 10, 16, 64, 192, 2000}) {
        Case c({.batch = 2,
                .query_length = query_length,
                .key_length = 1100,
                .query_heads = 4,
                .kv_heads = 2,
                .head_dim = 32,
                .value_dim = 48,
                .query_type = kv_type == ElementType::bf16 ? kv_type : ElementType::f32,
                .kv_type = kv_type},
               ++seed);
        const EvidenceRequest request = request_for(query_length, 1100, EvidenceRows::all_summed);
        c.run(options(), &request);
        const std::vector<float> whole = c.output.array<float>().data;
        PagedCase paged(c, page_length);
        Evidence evidence;
        paged.run(options(), &request, &evidence);
        const std::vector<float> parts = c.output.array<float>().data;
        SCOPED_TRACE(c.shape.text() + " pages of " + std::to_string(page_length));
        if (query_length == 1 && (192 % page_length == 0 || page_length > 1100) &&
            page_length % 2 == 0) {  // then tiles are the same
          EXPECT_EQ(parts, whole);
          EXPECT_EQ(evidence.span_mass, c.evidence.span_mass);
          EXPECT_EQ(paged.log_sum_exp(), c.log_sum_exp);
          continue;
        }
        const double tolerance = kv_type == ElementType::bf16 ? 2e-3 : 3e-6;
        for (std::size_t i = 0; i < whole.size(); ++i) {
          ASSERT_NEAR(parts[i], whole[i], tolerance);
        }
        for (std::size_t i = 0; i < c.log_sum_exp.size(); ++i) {
          ASSERT_NEAR(paged.log_sum_exp()[i], c.log_sum_exp[i], 3e-6);
        }
        for (std::size_t i = 0; i < evidence.span_mass.size(); ++i) {
          ASSERT_NEAR(evidence.span_mass[i], c.evidence.span_mass[i], 1e-4);
        }
      }
    }
  }
}

// Entries behind a sequence's own keys may be anything.
TEST_P(Cache, ATableIsReadOnlyAsFarAsItsKeysGo) {
  Case c({.batch = 2, .key_length = 64, .head_dim = 16, .value_dim = 16}, 500);
  AttentionOptions with_lengths = options(false);
  with_lengths.mask.key_lengths = {64, 20};
  c.run(with_lengths);
  const std::vector<float> whole = c.output.array<float>().data;
  const std::vector<std::int32_t> table = {0, 1, 2, 3, 4, 5, -1, 1 << 30};
  const auto pages_of = [](GuardedTensor& tensor) {
    TensorView view = tensor.view();  // [2, 64, ...] as [8, 16, ...]
    view.shape[0] = 8;
    view.shape[1] = 16;
    view.strides[0] = 16 * view.strides[1];
    return view;
  };
  with_lengths.key_pages = KeyPages{table.data(), 4, 64};
  forward(c.query.view(), pages_of(c.key), pages_of(c.value), c.output.view(), with_lengths);
  EXPECT_EQ(c.output.array<float>().data, whole);
}

}  // namespace
}  // namespace whereof::attention_test
