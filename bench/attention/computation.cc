#include "attention/computation.h"

#include <array>
#include <cstring>
#include <optional>
#include <random>

#include "memory/aligned_array.h"
#include "numeric/half.h"
#include "whereof/attention_backward.h"
#include "whereof/cache_quantisation.h"

namespace whereof::bench {
namespace {

constexpr std::int64_t kKeySpans = 200;

struct Tensor {
  memory::AlignedArray<unsigned char> bytes;
  ElementType type;
  std::array<std::int64_t, 4> shape;

  // Filled evenly from -2 to 2; left to quantise_cache where the type is i8.
  Tensor(ElementType type_in, std::array<std::int64_t, 4> shape_in, std::uint32_t seed)
      : bytes(shape_in[0] * shape_in[1] * shape_in[2] * shape_in[3] * bytes_of(type_in)),
        type(type_in),
        shape(shape_in) {
    std::minstd_rand random(seed);
    const std::int64_t count = bytes.size() / bytes_of(type);
    for (std::int64_t i = 0; i < count; ++i) {
      const float x = static_cast<float>(random() % 65536) / 16384.0F - 2.0F;
      const std::uint16_t half = numeric::bf16_of_float(x);
      if (type == ElementType::f32) {
        std::memcpy(bytes.data() + i * 4, &x, 4);
      } else if (type == ElementType::bf16) {
        std::memcpy(bytes.data() + i * 2, &half, 2);
      }
    }
  }

  TensorView view() { return dense_view(bytes.data(), type, shape); }
  // Of [batch, heads, length, dim] as a cache holds it: [batch, length, heads, dim].
  TensorView cache_view() {
    const auto [batch, heads, length, dim] = shape;
    return {bytes.data(),
            type,
            {batch, length, heads, dim},
            {heads * length * dim, dim, length * dim, 1}};
  }
};

Tensor rows_of(const BenchCase& c, std::uint32_t seed) {
  return {c.query_type, {1, c.query_length, c.query_heads, c.head_dim}, seed};
}

Tensor cache_of(const BenchCase& c, std::uint32_t seed) {
  return {c.kv_type, {1, c.kv_heads, c.key_length, c.head_dim}, seed};
}

// One for each token and head of a cache.
Tensor scales_of(const BenchCase& c) {
  return {ElementType::f32, {1, c.kv_heads, c.key_length, 1}, 0};
}

class Forward : public Computation {
 public:
  Forward(const BenchCase& c, const AttentionOptions& options)
      : options_(options),
        query_(rows_of(c, 1)),
        key_(cache_of(c, 2)),
        value_(cache_of(c, 3)),
        output_(rows_of(c, 4)) {
    if (c.kv_type == ElementType::i8) quantise(c);
    for (std::int64_t i = 0; i < kKeySpans; ++i) {
      request_.key_spans.push_back(
          {i * c.key_length / kKeySpans, (i + 1) * c.key_length / kKeySpans});
    }
  }

  void run(bool with_evidence) override {
    Evidence evidence;
    attention_forward(query_.view(), key_.cache_view(), value_.cache_view(), output_.view(),
                      options_, nullptr, with_evidence ? &request_ : nullptr,
                      with_evidence ? &evidence : nullptr);
  }

 private:
  void quantise(const BenchCase& c) {
    BenchCase source = c;
    source.kv_type = ElementType::bf16;
    key_scales_.emplace(scales_of(c));
    value_scales_.emplace(scales_of(c));
    quantise_cache(cache_of(source, 2).cache_view(), key_.cache_view(), key_scales_->cache_view());
    quantise_cache(cache_of(source, 3).cache_view(), value_.cache_view(),
                   value_scales_->cache_view());
    options_.cache_scales = CacheScales{key_scales_->cache_view(), value_scales_->cache_view()};
  }

  AttentionOptions options_;
  Tensor query_, key_, value_, output_;
  std::optional<Tensor> key_scales_, value_scales_;
  EvidenceRequest request_;
};

// From the output and log_sum_exp that a forward pass left, which is not timed.
class Backward : public Computation {
 public:
  Backward(const BenchCase& c, const AttentionOptions& options)
      : options_(options),
        query_(rows_of(c, 1)),
        key_(cache_of(c, 2)),
        value_(cache_of(c, 3)),
        output_(rows_of(c, 4)),
        grad_output_(rows_of(c, 5)),
        grad_query_(rows_of(c, 6)),
        grad_key_(cache_of(c, 7)),
        grad_value_(cache_of(c, 8)),
        log_sum_exp_(c.query_heads * c.query_length) {
    attention_forward(query_.view(), key_.cache_view(), value_.cache_view(), output_.view(),
                      options_, log_sum_exp_.data());
  }

  void run(bool) override {
    attention_backward(query_.view(), key_.cache_view(), value_.cache_view(), output_.view(),
                       log_sum_exp_.data(), grad_output_.view(), grad_query_.view(),
                       grad_key_.cache_view(), grad_value_.cache_view(), options_);
  }

 private:
  AttentionOptions options_;
  Tensor query_, key_, value_, output_, grad_output_, grad_query_, grad_key_, grad_value_;
  memory::AlignedArray<float> log_sum_exp_;
};

}  // namespace

std::unique_ptr<Computation> make_computation(const BenchCase& bench_case,
                                              const AttentionOptions& options) {
  if (bench_case.work == Work::backward) return std::make_unique<Backward>(bench_case, options);
  return std::make_unique<Forward>(bench_case, options);
}

}  // namespace whereof::bench
