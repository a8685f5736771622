#include "attention/bench_case.h"

#include <sstream>

namespace whereof::bench {
namespace {

constexpr auto kF32 = ElementType::f32;
constexpr auto kBf16 = ElementType::bf16;
constexpr auto kI8 = ElementType::i8;
constexpr auto kPrefill = Work::prefill;
constexpr auto kDecode = Work::decode;
constexpr auto kEvidenceOnly = Work::evidence_only;

// query length, key length, query heads, kv heads, head_dim
constexpr BenchCase kCases[] = {
    {"causal_bf16_h32_d128_t4096", kPrefill, kBf16, kBf16, 4096, 4096, 32, 32, 128, "sdpa"},
    {"causal_bf16_h32_d128_t16384", kPrefill, kBf16, kBf16, 16384, 16384, 32, 32, 128, "sdpa"},
    {"causal_bf16_h9_d64_t16384", kPrefill, kBf16, kBf16, 16384, 16384, 9, 9, 64, "sdpa"},
    {"causal_bf16_h9kv3_d64_t4096", kPrefill, kBf16, kBf16, 4096, 4096, 9, 3, 64, "sdpa"},
    {"causal_bf16_h12kv2_d128_t8192", kPrefill, kBf16, kBf16, 8192, 8192, 12, 2, 128, "sdpa"},
    {"causal_fp32_h32_d128_t4096", kPrefill, kF32, kF32, 4096, 4096, 32, 32, 128, "sdpa"},
    {"causal_bf16_avx512_h32_d128_t4096", kPrefill, kBf16, kBf16, 4096, 4096, 32, 32, 128, "sdpa",
     "avx512"},
    {"causal_mixed_h14kv2_d64_t4096", kPrefill, kF32, kBf16, 4096, 4096, 14, 2, 64},
    {"causal_mixed_h14kv2_d64_q256_t8192", kPrefill, kF32, kBf16, 256, 8192, 14, 2, 64},
    {"backward_bf16_h8_d128_t4096", Work::backward, kBf16, kBf16, 4096, 4096, 8, 8, 128, "sdpa"},
    {"decode_bf16_h32kv8_d128_k32768", kDecode, kBf16, kBf16, 1, 32768, 32, 8, 128, "sdpa"},
    {"decode_int8_h32kv8_d128_k32768", kDecode, kBf16, kI8, 1, 32768, 32, 8, 128,
     "decode_bf16_h32kv8_d128_k32768"},
    {"decode_fp32_h32kv8_d128_k32768", kDecode, kF32, kF32, 1, 32768, 32, 8, 128, "sdpa"},
    {"decode_mixed_h32kv8_d128_k32768", kDecode, kF32, kBf16, 1, 32768, 32, 8, 128},
    {"decode_mixed_h14kv2_d64_k32768", kDecode, kF32, kBf16, 1, 32768, 14, 2, 64},
    {"decode_mixed_h12kv2_d128_k32768", kDecode, kF32, kBf16, 1, 32768, 12, 2, 128},
    {"weights_path_bf16_h8_d128_t4096", kPrefill, kBf16, kBf16, 4096, 4096, 8, 8, 128, "eager"},
    {"threads1_bf16_h32_d128_t4096", kEvidenceOnly, kBf16, kBf16, 4096, 4096, 32, 32, 128, "", "",
     1},
    {"threads2_bf16_h32_d128_t4096", kEvidenceOnly, kBf16, kBf16, 4096, 4096, 32, 32, 128,
     "threads1_bf16_h32_d128_t4096", "", 2},
    {"growth_bf16_h2_d128_t4096", kEvidenceOnly, kBf16, kBf16, 4096, 4096, 2, 2, 128},
    {"growth_bf16_h2_d128_t8192", kEvidenceOnly, kBf16, kBf16, 8192, 8192, 2, 2, 128,
     "growth_bf16_h2_d128_t4096"},
    {"growth_bf16_h2_d128_t16384", kEvidenceOnly, kBf16, kBf16, 16384, 16384, 2, 2, 128,
     "growth_bf16_h2_d128_t8192"},
    {"growth_bf16_h2_d128_t32768", kEvidenceOnly, kBf16, kBf16, 32768, 32768, 2, 2, 128,
     "growth_bf16_h2_d128_t16384"},
    {"growth_bf16_h2_d128_t65536", kEvidenceOnly, kBf16, kBf16, 65536, 65536, 2, 2, 128,
     "growth_bf16_h2_d128_t32768"},
    {"growth_bf16_h2_d128_t131072", kEvidenceOnly, kBf16, kBf16, 131072, 131072, 2, 2, 128,
     "growth_bf16_h2_d128_t65536"},
    // The memory of the next case at a sixteenth of its time.
    {"window4096_bf16_h32kv8_d128_t131072", kEvidenceOnly, kBf16, kBf16, 131072, 131072, 32, 8, 128,
     "", "", 0, 4096},
    {"memory_h32kv8_d128_t131072", kEvidenceOnly, kBf16, kBf16, 131072, 131072, 32, 8, 128},
};

std::string_view name_of(Work work) {
  switch (work) {
    case Work::prefill:
      return "prefill";
    case Work::decode:
      return "decode";
    case Work::evidence_only:
      return "evidence_only";
    case Work::backward:
      return "backward";
  }
  return "";
}

}  // namespace

std::string_view BenchCase::dtype() const {
  if (kv_type == kI8) return "int8";
  if (query_type != kv_type) return "mixed";
  return kv_type == kF32 ? "fp32" : "bf16";
}

std::int64_t BenchCase::visible_pairs() const {
  if (window > 0) return window * (window + 1) / 2 + (query_length - window) * window;
  return query_length * (key_length - query_length) + query_length * (query_length + 1) / 2;
}

double BenchCase::flops() const {
  // Backward rebuilds the scores and has four more products of the same size; forward has two.
  const double products = work == Work::backward ? 5 : 2;
  return 2.0 * products * static_cast<double>(head_dim * query_heads * visible_pairs());
}

double BenchCase::cache_bytes() const {
  const std::int64_t scale_bytes = kv_type == kI8 ? bytes_of(kF32) : 0;
  const std::int64_t row_bytes = head_dim * bytes_of(kv_type) + scale_bytes;
  return 2.0 * static_cast<double>(kv_heads * key_length * row_bytes);
}

std::vector<BenchCase> cases_named(std::string_view part) {
  std::vector<BenchCase> found;
  for (const BenchCase& one : kCases) {
    const auto forced = instruction_set_named(one.forced_set);
    if (!one.forced_set.empty() && !(forced && can_run(*forced))) continue;
    if (one.name.find(part) != std::string_view::npos) found.push_back(one);
  }
  return found;
}

std::string describe(const BenchCase& one) {
  std::ostringstream line;
  line << "{\"case\": \"" << one.name << "\", \"work\": \"" << name_of(one.work)
       << "\", \"dtype\": \"" << one.dtype() << "\", \"query_length\": " << one.query_length
       << ", \"key_length\": " << one.key_length << ", \"query_heads\": " << one.query_heads
       << ", \"kv_heads\": " << one.kv_heads << ", \"head_dim\": " << one.head_dim
       << ", \"peer\": \"" << one.peer << "\", \"forced_set\": \"" << one.forced_set << "\"}";
  return line.str();
}

}  // namespace whereof::bench
