// Two queries over two keys, with the evidence of the first row (claim A2: X = I, W = I).
#include <cstdio>

#include "whereof/attention.h"

int main() {
  const float identity[] = {1, 0, 0, 1};
  float output[4];
  whereof::EvidenceRequest request;
  request.rows = whereof::EvidenceRows::single;
  request.query_rows = {0};
  whereof::Evidence evidence;
  const auto x = whereof::dense_view(static_cast<const void*>(identity), whereof::ElementType::f32,
                                     {1, 2, 1, 2});
  const auto out =
      whereof::dense_view(static_cast<void*>(output), whereof::ElementType::f32, {1, 2, 1, 2});
  whereof::attention_forward(x, x, x, out, {}, nullptr, &request, &evidence);
  std::printf("weight of the first key %.3f, entropy %.3f\n", output[0], evidence.entropy[0]);
}
