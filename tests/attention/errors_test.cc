#include <gmock/gmock.h>

#include <cstdlib>
#include <functional>

#include "attention/attention_case.h"
#include "whereof/error.h"

namespace whereof::attention_test {
namespace {

struct Refusal {
  ErrorKind kind = ErrorKind::cancelled;
  std::string message;
};

Refusal refusal_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }
  return {};
}

void expect_refused(const std::function<void()>& call, const std::string& words,
                    ErrorKind kind = ErrorKind::invalid_argument) {
  const Refusal refusal = refusal_of(call);
  EXPECT_EQ(refusal.kind, kind) << refusal.message;
  EXPECT_THAT(refusal.message, testing::HasSubstr(words));
  EXPECT_THAT(refusal.message, testing::Not(testing::HasSubstr("\n")));
}

class Call {
 public:
  Call() : c_({.query_length = 4, .key_length = 6, .query_heads = 4, .kv_heads = 2}, 1) {
    query = c_.query.view();
    key = c_.key.view();
    value = c_.value.view();
    output = c_.output.view();
  }
  void operator()() {
    attention_forward(query, key, value, output, options, nullptr, request, evidence);
  }

 private:
  Case c_;

 public:
  TensorView query, key, value, output;
  AttentionOptions options;
  EvidenceRequest* request = nullptr;
  Evidence* evidence = nullptr;
};

void expect_refused_after(const std::function<void(Call&)>& change, const std::string& words,
                          ErrorKind kind = ErrorKind::invalid_argument) {
  Call call;
  change(call);
  expect_refused([&] { call(); }, words, kind);
}

TEST(AttentionErrors, TheUnchangedCallRuns) {
  Call call;
  EXPECT_NO_THROW(call());
}

TEST(AttentionErrors, ShapesThatDisagree) {
  expect_refused_after([](Call& c) { c.key.shape[3] = 8; },
                       "key has shape [1, 6, 2, 8]; wanted [1, 6, 2, 16]");
  expect_refused_after([](Call& c) { c.value.shape[1] = 5; },
                       "value has shape [1, 5, 2, 16]; wanted [1, 6, 2, 16]");
  expect_refused_after([](Call& c) { c.output.shape[2] = 2; },
                       "output has shape [1, 4, 2, 16]; wanted [1, 4, 4, 16]");
  expect_refused_after([](Call& c) { c.key.shape[0] = 2; }, "key has shape [2, 6, 2, 16]");
  expect_refused_after([](Call& c) { c.key.shape[1] = -1; }, "no dimension may be negative");
  expect_refused_after([](Call& c) { c.query.shape[3] = c.key.shape[3] = 0; }, "head_dim is 0");
}

TEST(AttentionErrors, HeadsThatDoNotDivide) {
  expect_refused_after([](Call& c) { c.query.shape[2] = c.output.shape[2] = 3; },
                       "query has 3 heads, which 2 kv heads do not divide");
  expect_refused_after([](Call& c) { c.key.shape[2] = c.value.shape[2] = 0; },
                       "0 kv heads do not divide");
}

TEST(AttentionErrors, TypesAndStrides) {
  expect_refused_after([](Call& c) { c.query.type = ElementType::i8; },
                       "query has type i8; wanted one of f32 bf16 f16", ErrorKind::unsupported);
  expect_refused_after([](Call& c) { c.value.type = ElementType::bf16; },
                       "key is f32 and value bf16");
  expect_refused_after([](Call& c) { c.key.strides[3] = 2; }, "key has innermost stride 2");
  expect_refused_after([](Call& c) { c.value.data = nullptr; }, "value of shape");
}

TEST(AttentionErrors, ScalesOfACache) {
  expect_refused_after([](Call& c) { c.key.type = c.value.type = ElementType::i8; },
                       "key is i8 but cache_scales is not given");
  const float scale = 1;
  const auto scales_of = [&](std::array<std::int64_t, 4> shape) {
    const ConstTensorView view(&scale, ElementType::f32, shape, {0, 0, 0, 1});
    return CacheScales{view, view};
  };
  expect_refused_after(
      [&](Call& c) {
        c.options.cache_scales = scales_of({1, 6, 2, 1});
      },
      "cache_scales is given but key is f32");
  expect_refused_after(
      [&](Call& c) {
        c.key.type = c.value.type = ElementType::i8;
        c.options.cache_scales = scales_of({1, 5, 2, 1});
      },
      "cache_scales.key has shape [1, 5, 2, 1]; wanted [1, 6, 2, 1]");
  expect_refused_after(
      [&](Call& c) {
        c.key.type = c.value.type = ElementType::i8;
        c.options.cache_scales = scales_of({1, 6, 2, 1});
        c.options.cache_scales->value.type = ElementType::bf16;
      },
      "cache_scales.value has type bf16; wanted one of f32", ErrorKind::unsupported);
}

TEST(AttentionErrors, PagesOfACache) {
  // The six keys of the call as three pages of two.
  static const std::int32_t kGood[] = {2, 0, 1};
  static const std::int32_t kBeyond[] = {2, 3, 1};
  static const std::int32_t kNegative[] = {2, 0, -1};
  const auto paged = [](Call& c, const std::int32_t* table, std::int64_t key_length) {
    for (TensorView* view : {&c.key, &c.value}) {
      view->shape[0] = 3;
      view->shape[1] = 2;
      view->strides[0] = 2 * view->strides[1];
    }
    c.options.key_pages = KeyPages{table, 3, key_length};
  };
  Call call;
  paged(call, kGood, 6);
  EXPECT_NO_THROW(call());
  expect_refused_after([&](Call& c) { paged(c, kBeyond, 6); },
                       "key_pages.table[0][1] is 3; there are 3 pages");
  expect_refused_after([&](Call& c) { paged(c, kNegative, 5); }, "key_pages.table[0][2] is -1");
  expect_refused_after([&](Call& c) { paged(c, kGood, 7); },
                       "key_length 7, more than 3 pages of 2 keys hold");
  expect_refused_after([&](Call& c) { paged(c, nullptr, 6); }, "key_pages has no table");
  expect_refused_after([&](Call& c) { paged(c, kGood, -1); }, "neither may be negative");
}

TEST(AttentionErrors, AnOutputThatOverlapsAnInput) {
  expect_refused_after([](Call& c) { c.output.data = c.query.data; }, "output overlaps query");
  expect_refused_after([](Call& c) { c.output.data = static_cast<float*>(c.key.data) + 100; },
                       "output overlaps key");
  expect_refused_after([](Call& c) { c.output.data = c.value.data; }, "output overlaps value");
  expect_refused_after([](Call& c) { c.output.strides[2] = 7; }, "rows of 16 elements overlap");
}

TEST(AttentionErrors, OptionsOutOfRange) {
  expect_refused_after([](Call& c) { c.options.scale = HUGE_VALF; }, "scale");
  expect_refused_after([](Call& c) { c.options.scale = std::nanf(""); }, "scale");
  expect_refused_after(
      [](Call& c) { c.options.mask.query_offset = std::numeric_limits<std::int64_t>::max(); },
      "query_offset");
}

TEST(AttentionErrors, MasksThatContradictThemselves) {
  const auto refused = [](const AttentionMask& mask, const std::string& words) {
    expect_refused_after([&](Call& c) { c.options.mask = mask; }, words);
  };
  refused({.window = -1}, "window is -1");
  refused({.kept_sinks = -2}, "kept_sinks is -2");
  refused({.query_lengths = {1, 2}}, "query_lengths has 2 entries; wanted one for each of the 1");
  refused({.query_lengths = {5}}, "query_lengths[0] is 5; wanted 0 to 4");
  refused({.key_lengths = {-1}}, "key_lengths[0] is -1; wanted 0 to 6");
  refused({.document_starts = {1}}, "document_starts[0] is 1; starts must ascend");
  refused({.document_starts = {0, 3, 3}}, "document_starts[2] is 3");
  refused({.hidden = {{2, 7}}}, "hidden[0] is [2, 7); it leaves the sequence of length 6");
  refused({.hidden = {{2, 4}, {3, 5}}}, "hidden[1] is [3, 5)");
  expect_refused_after([](Call& c) { c.options.soft_cap = -1; }, "soft_cap is -1");
  expect_refused_after([](Call& c) { c.options.soft_cap = HUGE_VALF; }, "soft_cap is inf");
}

void expect_request_refused(const EvidenceRequest& bad, const std::string& words) {
  Evidence evidence;
  EvidenceRequest request = bad;
  expect_refused_after(
      [&](Call& c) {
        c.request = &request;
        c.evidence = &evidence;
      },
      words);
}

TEST(AttentionErrors, Requests) {
  expect_request_refused({.key_spans = {{0, 2}, {1, 3}}}, "key_spans[1] is [1, 3)");
  expect_request_refused({.key_spans = {{3, 4}, {0, 1}}}, "ascending and disjoint");
  expect_request_refused({.key_spans = {{2, 2}}}, "no span may be empty");
  expect_request_refused({.key_spans = {{0, 7}}}, "leaves the sequence of length 6");
  expect_request_refused({.key_spans = {{-1, 2}}}, "leaves the sequence");
  expect_request_refused({.rows = EvidenceRows::by_query_span, .query_spans = {{0, 5}}},
                         "query_spans[0] is [0, 5)");
  expect_request_refused({.rows = EvidenceRows::single, .query_rows = {4}}, "query_rows[0] is 4");
  expect_request_refused({.rows = EvidenceRows::single, .query_rows = {2, 2}}, "ascending");
  expect_request_refused({.sink_length = -1}, "sink_length is -1");
  expect_request_refused({.top_keys = 65}, "top_keys is 65; wanted 0 to 64");
  expect_request_refused({.top_keys = -1}, "top_keys is -1");
  EvidenceRequest alone;
  expect_refused_after([&](Call& c) { c.request = &alone; }, "both be given or neither");
}

TEST(AttentionErrors, ForcedInstructionSets) {
  setenv("WHEREOF_ISA", "portable", 1);
  Call call;
  EXPECT_NO_THROW(call());
  setenv("WHEREOF_ISA", "sse9", 1);
  expect_refused([&] { call(); }, "WHEREOF_ISA names no instruction set", ErrorKind::unsupported);
  for (const InstructionSet set : {InstructionSet::avx2, InstructionSet::avx512,
                                   InstructionSet::avx512_bf16, InstructionSet::amx}) {
    if (can_run(set)) continue;
    setenv("WHEREOF_ISA", std::string(name_of(set)).c_str(), 1);
    expect_refused([&] { call(); }, "cannot run", ErrorKind::unsupported);
    call.options.instruction_set = set;
    expect_refused([&] { call(); }, "cannot run", ErrorKind::unsupported);
  }
  unsetenv("WHEREOF_ISA");
}

TEST(AttentionErrors, EmptyCallsAreFine) {
  for (const std::int64_t batch : {0, 1}) {
    for (const std::int64_t query_length : {0, 3}) {
      Case c({.batch = batch, .query_length = query_length, .key_length = 0}, 1);
      EvidenceRequest request;
      c.run({}, &request);
      EXPECT_EQ(c.evidence.batch, batch);
      EXPECT_EQ(c.evidence.row_count, std::vector<std::int64_t>(batch == 0 ? 0 : 1, 0));
    }
  }
}

}  // namespace
}  // namespace whereof::attention_test
