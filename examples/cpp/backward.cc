// Backward: a key learns to be found. One query chooses between three keys whose values are 1, 2
// and 3; gradient steps on query and keys bring its answer to 3.
#include <array>
#include <cstdio>

#include "whereof/attention_backward.h"

namespace {

template <std::size_t kSize>
whereof::TensorView view(std::array<float, kSize>& x, std::array<std::int64_t, 4> shape) {
  return whereof::dense_view(static_cast<void*>(x.data()), whereof::ElementType::f32, shape);
}

}  // namespace

int main() {
  std::array<float, 2> query = {0.1F, -0.1F};  // [batch 1, rows 1, heads 1, head_dim 2]
  std::array<float, 6> key = {1.0F, 0.0F, 0.0F, 1.0F, -1.0F, -1.0F};
  std::array<float, 3> value = {1.0F, 2.0F, 3.0F};
  std::array<float, 1> output{};
  std::array<float, 1> log_sum_exp{};
  std::array<float, 1> grad_output{};
  std::array<float, 2> grad_query{};
  std::array<float, 6> grad_key{};
  std::array<float, 3> grad_value{};
  constexpr float kWanted = 3.0F;

  for (int step = 0; step <= 200; ++step) {
    whereof::attention_forward(view(query, {1, 1, 1, 2}), view(key, {1, 3, 1, 2}),
                               view(value, {1, 3, 1, 1}), view(output, {1, 1, 1, 1}), {},
                               log_sum_exp.data());
    if (step % 100 == 0) std::printf("step %d: answer %.2f\n", step, output[0]);
    grad_output[0] = output[0] - kWanted;  // of the loss (output - wanted)^2 / 2
    whereof::attention_backward(view(query, {1, 1, 1, 2}), view(key, {1, 3, 1, 2}),
                                view(value, {1, 3, 1, 1}), view(output, {1, 1, 1, 1}),
                                log_sum_exp.data(), view(grad_output, {1, 1, 1, 1}),
                                view(grad_query, {1, 1, 1, 2}), view(grad_key, {1, 3, 1, 2}),
                                view(grad_value, {1, 3, 1, 1}));
    for (std::size_t i = 0; i < query.size(); ++i) query[i] -= 0.5F * grad_query[i];
    for (std::size_t i = 0; i < key.size(); ++i) key[i] -= 0.5F * grad_key[i];
  }
}
