// A random call of attention_forward: tensors that lie apart, misaligned, between guard bytes, and
// the same numbers for the oracle.
#ifndef WHEREOF_TESTS_ATTENTION_ATTENTION_CASE_H_
#define WHEREOF_TESTS_ATTENTION_ATTENTION_CASE_H_

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "attention/forward.h"
#include "emulated/emulated_kernel_set.h"
#include "numeric/half.h"
#include "reference/naive_attention.h"
#include "whereof/attention.h"

namespace whereof::attention_test {

// All that run here, and `amx` on any machine: where it cannot run, forward() emulates it.
inline std::vector<InstructionSet> tested_instruction_sets() {
  std::vector<InstructionSet> sets = runnable_instruction_sets();
  if (!can_run(InstructionSet::amx)) sets.push_back(InstructionSet::amx);
  return sets;
}

// attention_forward, with the emulated tile unit where options ask for AMX and there is none.
inline void forward(const ConstTensorView& query, const ConstTensorView& key,
                    const ConstTensorView& value, const TensorView& output,
                    const AttentionOptions& options, float* log_sum_exp = nullptr,
                    const EvidenceRequest* request = nullptr, Evidence* evidence = nullptr) {
  if (options.instruction_set != InstructionSet::amx || can_run(InstructionSet::amx)) {
    attention_forward(query, key, value, output, options, log_sum_exp, request, evidence);
    return;
  }
  attention::run_forward(attention::checked_problem(query, key, value, output, options),
                         emulated::tile_kernels(), options.threads, log_sum_exp, request, evidence);
}

// A tensor [n0, n1, n2, n3] in memory of its own. Heads lie outside rows, as in a KV cache, if
// asked; every row is followed by a gap of guard bytes, and the first one starts `misalignment`
// elements past an aligned address.
class GuardedTensor {
 public:
  struct Layout {
    bool heads_outside = false;
    std::int64_t gap = 3;           // elements between rows
    std::int64_t misalignment = 1;  // elements
  };

  GuardedTensor(ElementType type, std::array<std::int64_t, 4> shape, Layout layout)
      : type_(type), shape_(shape) {
    const std::int64_t row = shape[3] + layout.gap;
    if (layout.heads_outside) {
      strides_ = {shape[1] * shape[2] * row, row, shape[1] * row, 1};
    } else {
      strides_ = {shape[1] * shape[2] * row, shape[2] * row, row, 1};
    }
    const std::int64_t elements = shape[0] * shape[1] * shape[2] * row + 64;
    first_ = (32 + layout.misalignment) * bytes_of(type);
    bytes_.assign(static_cast<std::size_t>((elements + 64) * bytes_of(type)), kGuard);
  }

  ElementType type() const { return type_; }
  TensorView view() { return {bytes_.data() + first_, type_, shape_, strides_}; }

  float get(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) const {
    const unsigned char* at = bytes_.data() + byte_of(a, b, c, d);
    if (type_ == ElementType::f32) {
      float value;
      std::memcpy(&value, at, sizeof value);
      return value;
    }
    if (type_ == ElementType::f64) {
      double value;
      std::memcpy(&value, at, sizeof value);
      return static_cast<float>(value);
    }
    if (type_ == ElementType::i8) return static_cast<float>(static_cast<std::int8_t>(*at));
    std::uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return type_ == ElementType::bf16 ? numeric::float_of_bf16(bits) : numeric::float_of_f16(bits);
  }
  void set(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d, float value) {
    unsigned char* at = bytes_.data() + byte_of(a, b, c, d);
    const std::uint16_t bits =
        type_ == ElementType::bf16 ? numeric::bf16_of_float(value) : numeric::f16_of_float(value);
    if (type_ == ElementType::f32) {
      std::memcpy(at, &value, sizeof value);
    } else if (type_ == ElementType::f64) {
      const double wide = value;
      std::memcpy(at, &wide, sizeof wide);
    } else if (type_ == ElementType::i8) {
      *at = static_cast<unsigned char>(static_cast<std::int8_t>(value));
    } else {
      std::memcpy(at, &bits, sizeof bits);
    }
  }

  template <typename T>
  reference::Array<T> array() const {
    reference::Array<T> array(shape_);
    for_each([&](auto a, auto b, auto c, auto d) { array.at(a, b, c, d) = get(a, b, c, d); });
    return array;
  }
  template <typename F>
  void for_each(F&& f) const {
    for (std::int64_t a = 0; a < shape_[0]; ++a) {
      for (std::int64_t b = 0; b < shape_[1]; ++b) {
        for (std::int64_t c = 0; c < shape_[2]; ++c) {
          for (std::int64_t d = 0; d < shape_[3]; ++d) f(a, b, c, d);
        }
      }
    }
  }

  // True when no byte outside the elements has been written.
  bool guards_hold() const {
    std::vector<bool> is_element(bytes_.size(), false);
    for_each([&](auto a, auto b, auto c, auto d) {
      for (std::int64_t i = 0; i < bytes_of(type_); ++i) {
        is_element[static_cast<std::size_t>(byte_of(a, b, c, d) + i)] = true;
      }
    });
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      if (!is_element[i] && bytes_[i] != kGuard) return false;
    }
    return true;
  }
  const std::vector<unsigned char>& bytes() const { return bytes_; }

 private:
  // As bf16, f16 and f32 this is a NaN: a kernel that reads a gap shows it.
  static constexpr unsigned char kGuard = 0xff;

  std::int64_t byte_of(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) const {
    return first_ + (a * strides_[0] + b * strides_[1] + c * strides_[2] + d) * bytes_of(type_);
  }

  ElementType type_;
  std::array<std::int64_t, 4> shape_;
  std::array<std::int64_t, 4> strides_{};
  std::int64_t first_ = 0;
  std::vector<unsigned char> bytes_;
};

struct CaseShape {
  std::int64_t batch = 1;
  std::int64_t query_length = 1;
  std::int64_t key_length = 1;
  std::int64_t query_heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t head_dim = 16;
  std::int64_t value_dim = 16;
  ElementType query_type = ElementType::f32;
  ElementType kv_type = ElementType::f32;
  ElementType output_type = ElementType::f32;
  GuardedTensor::Layout layout;
  float spread = 1;  // of the queries

  std::string text() const {
    return "b" + std::to_string(batch) + " q" + std::to_string(query_length) + " k" +
           std::to_string(key_length) + " h" + std::to_string(query_heads) + "/" +
           std::to_string(kv_heads) + " d" + std::to_string(head_dim) + "/" +
           std::to_string(value_dim) + " " + std::string(name_of(query_type)) + "/" +
           std::string(name_of(kv_type)) + "/" + std::string(name_of(output_type));
  }
};

struct Case {
  CaseShape shape;
  GuardedTensor query, key, value, output;
  GuardedTensor key_scale, value_scale;  // of a cache of i8
  std::vector<float> log_sum_exp;
  Evidence evidence;

  Case(const CaseShape& s, std::uint32_t seed)
      : shape(s),
        query(s.query_type, {s.batch, s.query_length, s.query_heads, s.head_dim}, s.layout),
        key(s.kv_type, {s.batch, s.key_length, s.kv_heads, s.head_dim}, s.layout),
        value(s.kv_type, {s.batch, s.key_length, s.kv_heads, s.value_dim}, s.layout),
        output(s.output_type, {s.batch, s.query_length, s.query_heads, s.value_dim}, s.layout),
        key_scale(ElementType::f32, {s.batch, s.key_length, s.kv_heads, 1}, s.layout),
        value_scale(ElementType::f32, {s.batch, s.key_length, s.kv_heads, 1}, s.layout),
        log_sum_exp(static_cast<std::size_t>(s.batch * s.query_heads * s.query_length)) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    const auto fill = [&](GuardedTensor& tensor, float spread) {
      tensor.for_each(
          [&](auto a, auto b, auto c, auto d) { tensor.set(a, b, c, d, spread * normal(random)); });
    };
    fill(query, s.spread);
    const bool is_i8 = s.kv_type == ElementType::i8;
    fill(key, is_i8 ? 40.0F : 1.0F);
    fill(value, is_i8 ? 40.0F : 1.0F);
    const auto fill_scale = [&](GuardedTensor& scale) {
      scale.for_each([&](auto a, auto b, auto c, auto d) {
        scale.set(a, b, c, d, (1 + 0.3F * std::abs(normal(random))) / 40);
      });
    };
    fill_scale(key_scale);
    fill_scale(value_scale);
  }

  void run(AttentionOptions options, const EvidenceRequest* request = nullptr) {
    if (shape.kv_type == ElementType::i8) {
      options.cache_scales = CacheScales{key_scale.view(), value_scale.view()};
    }
    forward(query.view(), key.view(), value.view(), output.view(), options, log_sum_exp.data(),
            request, request != nullptr ? &evidence : nullptr);
  }

  template <typename T>
  reference::Naive<T> naive(const AttentionOptions& options, bool weights_are_bf16 = false) const {
    const bool is_bf16 = weights_are_bf16;  // code that keeps all but its sums in bf16
    return reference::naive_attention<T>(query.array<T>(), dequantised<T>(key, key_scale, is_bf16),
                                         dequantised<T>(value, value_scale, is_bf16), options,
                                         weights_are_bf16);
  }

 private:
  template <typename T>
  reference::Array<T> dequantised(const GuardedTensor& tensor, const GuardedTensor& scale,
                                  bool to_bf16) const {
    reference::Array<T> array = tensor.array<T>();
    if (shape.kv_type != ElementType::i8) return array;
    tensor.for_each([&](auto a, auto b, auto c, auto d) {
      T& x = array.at(a, b, c, d);
      x *= static_cast<T>(scale.get(a, b, c, 0));
      if (to_bf16) {
        x = static_cast<T>(numeric::float_of_bf16(numeric::bf16_of_float(static_cast<float>(x))));
      }
    });
    return array;
  }
};

// Of a test that is run with every kernel set.
inline std::string name_of_set(const testing::TestParamInfo<InstructionSet>& info) {
  return std::string(name_of(info.param));
}

// Root of the mean square difference.
template <typename A, typename B>
double rms_difference(const A& a, const B& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += difference * difference;
  }
  return a.empty() ? 0 : std::sqrt(sum / static_cast<double>(a.size()));
}

}  // namespace whereof::attention_test

#endif  // WHEREOF_TESTS_ATTENTION_ATTENTION_CASE_H_
