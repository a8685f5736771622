#include "model/sequence.h"

#include <algorithm>
#include <vector>

#include "model/injected_fault.h"

namespace whereof::model {
namespace {

RotaryTable full_table(const Hyperparameters& h, std::int64_t capacity, std::int64_t length) {
  const auto [thetas, magnitude] =
      scaled_thetas(h.rotary_scaling, h.rotary_dim, h.rope_base, capacity);
  return {thetas, magnitude, length, h.family->pairing};
}

// Where windowed layers rotate by a base of their own, the scaling is of the other layers only.
bool has_window_table(const Hyperparameters& h) {
  return h.window_rope_base != h.rope_base &&
         std::find(h.has_window.begin(), h.has_window.end(), true) != h.has_window.end();
}

std::optional<RotaryTable> window_table(const Hyperparameters& h, std::int64_t length) {
  if (!has_window_table(h)) return std::nullopt;
  return RotaryTable(h.rotary_dim, h.window_rope_base, length, h.family->pairing);
}

}  // namespace

LayerRotations::LayerRotations(const Hyperparameters& hyperparameters, std::int64_t capacity,
                               InjectedFault fault)
    : sizes_(hyperparameters),
      table_(full_table(sizes_, capacity, rotary_length_with(fault, capacity))),
      of_windows_(window_table(sizes_, rotary_length_with(fault, capacity))) {}

std::int64_t LayerRotations::bytes_needed(const Hyperparameters& hyperparameters,
                                          std::int64_t capacity) {
  const std::int64_t tables = has_window_table(hyperparameters) ? 2 : 1;
  return static_cast<std::int64_t>(sizeof(float)) * capacity * hyperparameters.rotary_dim * tables;
}

const RotaryTable& LayerRotations::of_layer(std::int64_t layer) const {
  return of_windows_ && sizes_.has_window[static_cast<std::size_t>(layer)] ? *of_windows_ : table_;
}

// Without the magnitude: a key that was rotated before has it already.
RotaryTable LayerRotations::by(std::int64_t layer, std::int64_t positions) const {
  std::vector<double> angles = sizes_.rotary_thetas_of(layer, table_.length()).thetas;
  for (double& angle : angles) angle *= static_cast<double>(positions);
  return {angles, 1.0, 2, sizes_.family->pairing};
}

}  // namespace whereof::model
