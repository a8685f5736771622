// A random call of attention_backward after attention_forward, its tensors between guard bytes.
#ifndef WHEREOF_TESTS_ATTENTION_BACKWARD_CASE_H_
#define WHEREOF_TESTS_ATTENTION_BACKWARD_CASE_H_

#include <random>
#include <string>
#include <vector>

#include "attention/attention_case.h"
#include "attention/run_backward.h"
#include "reference/naive_backward.h"
#include "whereof/attention_backward.h"

namespace whereof::attention_test {

struct BackwardCase {
  Case forward;
  GuardedTensor grad_output, grad_query, grad_key, grad_value;

  BackwardCase(const CaseShape& s, std::uint32_t seed, ElementType gradients = ElementType::f32)
      : forward(s, seed),
        grad_output(s.output_type, {s.batch, s.query_length, s.query_heads, s.value_dim}, s.layout),
        grad_query(type_of(gradients, s.query_type),
                   {s.batch, s.query_length, s.query_heads, s.head_dim}, s.layout),
        grad_key(type_of(gradients, s.kv_type), {s.batch, s.key_length, s.kv_heads, s.head_dim},
                 s.layout),
        grad_value(type_of(gradients, s.kv_type), {s.batch, s.key_length, s.kv_heads, s.value_dim},
                   s.layout) {
    std::mt19937 random(seed + 1000000);
    std::normal_distribution<float> normal;
    grad_output.for_each([&](auto... at) { grad_output.set(at..., normal(random)); });
  }

  void run(const AttentionOptions& options) {
    forward.run(options);
    run_backward(options);
  }
  // Where options ask for AMX and there is none, the tile unit is emulated.
  void run_backward(const AttentionOptions& options) {
    if (options.instruction_set != InstructionSet::amx || can_run(InstructionSet::amx)) {
      attention_backward(forward.query.view(), forward.key.view(), forward.value.view(),
                         forward.output.view(), forward.log_sum_exp.data(), grad_output.view(),
                         grad_query.view(), grad_key.view(), grad_value.view(), options);
      return;
    }
    attention::run_backward(
        attention::checked_backward_problem(
            forward.query.view(), forward.key.view(), forward.value.view(), forward.output.view(),
            forward.log_sum_exp.data(), grad_output.view(), grad_query.view(), grad_key.view(),
            grad_value.view(), options),
        emulated::tile_kernels(), options.threads);
  }

  // The oracle from exact weights; the plain implementation from what its own forward has stored.
  reference::NaiveGradients<double> exact(const AttentionOptions& options) const {
    return reference::naive_backward(forward.query.array<double>(), forward.key.array<double>(),
                                     forward.value.array<double>(), forward.naive<double>(options),
                                     grad_output.array<double>(), options);
  }
  reference::NaiveGradients<float> plain(const AttentionOptions& options) const {
    reference::Naive<float> stored = forward.naive<float>(options, is_bf16());
    if (forward.shape.output_type == ElementType::bf16) round_all(stored.output.data);
    auto grad = reference::naive_backward(forward.query.array<float>(), forward.key.array<float>(),
                                          forward.value.array<float>(), stored,
                                          grad_output.array<float>(), options, is_bf16());
    if (grad_query.type() == ElementType::bf16) round_all(grad.query.data);
    if (grad_key.type() == ElementType::bf16) round_all(grad.key.data);
    if (grad_value.type() == ElementType::bf16) round_all(grad.value.data);
    return grad;
  }

  // Which of them take part in one comparison of errors.
  std::string types() const {
    const CaseShape& s = forward.shape;
    std::string text;
    for (const ElementType type : {s.query_type, s.kv_type, s.output_type, grad_query.type(),
                                   grad_key.type(), grad_value.type()}) {
      text += std::string(name_of(type)) + " ";
    }
    return text;
  }

 private:
  static ElementType type_of(ElementType asked, ElementType of_tensor) {
    return asked == ElementType::f32 ? ElementType::f32 : of_tensor;
  }
  bool is_bf16() const {
    return forward.shape.query_type == ElementType::bf16 &&
           forward.shape.kv_type == ElementType::bf16 &&
           forward.shape.output_type == ElementType::bf16;
  }
  static void round_all(std::vector<float>& values) {
    for (float& x : values) x = numeric::float_of_bf16(numeric::bf16_of_float(x));
  }
};

}  // namespace whereof::attention_test

#endif  // WHEREOF_TESTS_ATTENTION_BACKWARD_CASE_H_
