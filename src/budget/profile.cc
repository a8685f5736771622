#include "whereof/budget.h"
#include "whereof/error.h"

namespace whereof {
namespace {

Profile card80() {
  constexpr double kWidth = 4096;
  Profile profile;
  profile.name = "card80";
  ModelShape& shape = profile.shape;
  shape.layers = 24;
  shape.width = 4096;
  shape.query_heads = 32;
  shape.kv_heads = 32;
  shape.head_dim = 128;
  shape.projection_parameters = 4 * kWidth * kWidth;
  shape.feed_forward_parameters = 8 * kWidth * kWidth;
  shape.weight_bytes =
      2 * double(shape.layers) * (shape.projection_parameters + shape.feed_forward_parameters);
  shape.kv_element_bytes = 2;
  shape.window_tokens = 131'072;
  profile.machine.name = "a card of 1000 TFLOP/s, 3 TB/s and 80 GB";
  profile.machine.flops_per_second = 1000e12;
  profile.machine.bytes_per_second = 3e12;
  profile.machine.memory_bytes = 80e9;
  profile.context_tokens = 131'072;
  profile.retrieved_tokens = 8 * 4096;
  profile.answer_tokens = 200;
  return profile;
}

}  // namespace

Profile profile_named(const std::string& name) {
  if (name == "card80") return card80();
  throw Error(ErrorKind::not_found, "no profile named \"" + name + "\", known: card80");
}

}  // namespace whereof
