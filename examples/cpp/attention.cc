// Attention in ten lines: three rows look at one another, causally; 4 query heads share 2 kv heads.
#include "whereof/attention.h"

#include <cstdio>
#include <vector>

int main() {
  using namespace whereof;
  const std::vector<float> x(3 * 4 * 64, 0.5F);  // [batch 1, rows 3, heads 4, head_dim 64]
  std::vector<float> y(x.size());
  const auto query =
      dense_view(static_cast<const void*>(x.data()), ElementType::f32, {1, 3, 4, 64});
  const auto keys = dense_view(static_cast<const void*>(x.data()), ElementType::f32, {1, 3, 2, 64});
  const auto output = dense_view(static_cast<void*>(y.data()), ElementType::f32, {1, 3, 4, 64});
  attention_forward(query, keys, keys, output, {.mask = {.is_causal = true}});
  std::printf("first %.3f, last %.3f\n", y.front(), y.back());
}
