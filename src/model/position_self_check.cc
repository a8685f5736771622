// ReadContext's check of its own positions.
#include <algorithm>
#include <string>

#include "model/position_check.h"
#include "model/read_context.h"
#include "whereof/error.h"

namespace whereof::model {
namespace {

// A row read alone differs from its prefilled one by the rounding of all layers before it.
constexpr double kLargestRowDifference = 0.5;

// Ascending depths, the last position among them.
std::vector<std::int64_t> depths_of(std::int64_t length, std::int64_t count) {
  std::vector<std::int64_t> depths;
  for (std::int64_t i = 1; i <= count; ++i) {
    const std::int64_t depth = (length - 1) * i / count;
    if (depths.empty() || depths.back() != depth) depths.push_back(depth);
  }
  return depths;
}

std::string percent(double share) {
  return std::to_string(static_cast<int>(100 * share + 0.5)) + " %";
}

}  // namespace

ReadContext::DecodedRow ReadContext::decode_alone(std::int64_t position) {
  const std::int64_t layers = model_.hyperparameters().layers;
  const auto keys = static_cast<std::size_t>(model_.hyperparameters().kv_width());
  std::vector<KvCache::StoredRow> kept;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    kept.push_back(cache_.stored_row(layer, position));
  }
  std::vector<Span> unseen;      // when the row was read
  bool saw_nothing_else = true;  // than what is here
  for (const Stacked& stacked : stacked_) {
    if (!stacked.positions.contains(position)) continue;
    if (stacked.positions.begin > 0) unseen = {{0, stacked.positions.begin}};
    saw_nothing_else = stacked.is_whole;
  }
  std::vector<std::vector<float>> before;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    before.push_back(cache_.row(layer, position));
  }
  DecodedRow decoded;
  Step step;
  step.parts.push_back({.sequence = &sequence_,
                        .tokens = std::span(tokens_).subspan(static_cast<std::size_t>(position), 1),
                        .start = position,
                        .hidden = &unseen});
  step.after_layer = [&](std::int64_t layer) {
    const std::vector<float> row = cache_.row(layer, position);
    if (layer == 0) decoded.first_key.assign(row.begin(), row.begin() + keys);
    if (!saw_nothing_else) return;
    const std::vector<float>& was = before[static_cast<std::size_t>(layer)];
    const std::vector<double> wanted(was.begin(), was.end());
    decoded.difference = std::max(decoded.difference, relative_difference(row, wanted));
  };
  steps_->run(this, step);
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    cache_.put_back(layer, position, kept[static_cast<std::size_t>(layer)]);
  }
  return decoded;
}

PositionCheck ReadContext::check_positions(std::int64_t count) {
  if (count < 0) {
    throw Error(ErrorKind::invalid_argument,
                "check_positions: count is " + std::to_string(count) + "; wanted 0 or more");
  }
  PositionCheck check;
  const auto fail = [&](const std::string& alarm) {
    if (check.holds) check.alarm = alarm;
    check.holds = false;
  };
  if (sequence_.rotations.length() < capacity_) {
    fail("the rotary table covers " + std::to_string(sequence_.rotations.length()) + " of " +
         std::to_string(capacity_) + " positions");
    check.recognised = InjectedFault::rotary_table_too_short;
  }
  if (length_ == 0) return check;
  const FirstLayerKey keys(model_, capacity_);
  const auto kv_width = static_cast<std::size_t>(model_.hyperparameters().kv_width());
  std::vector<KeyPlace> places;
  for (const std::int64_t position : depths_of(length_, count)) {
    const TokenId token = tokens_[static_cast<std::size_t>(position)];
    const std::vector<double> wanted = keys.at(token, position);
    std::vector<float> cached = cache_.row(0, position);
    cached.resize(kv_width);
    const DecodedRow decoded = decode_alone(position);
    // Where the key stands.
    const auto look_at = [&](const char* what, std::span<const float> key) {
      const double difference = relative_difference(key, wanted);
      check.key_difference = std::max(check.key_difference, difference);
      const std::int64_t place = keys.place_of(key, token, position);
      if (place == position) return position;
      fail(std::string(what) + " of position " + std::to_string(position) + " " +
           place_text(place) + " (it differs by " + percent(difference) + ")");
      return place;
    };
    KeyPlace& place = places.emplace_back();
    place.position = position;
    place.cached = look_at("the key in the cache", cached);
    place.decoded = look_at("the key of a decoded token", decoded.first_key);
    const auto next = static_cast<std::size_t>(position + 1);
    place.is_next_token =
        place.cached != position && next < tokens_.size() &&
        keys.nearest(cached, tokens_[next], position + 1).position == position + 1;
    check.decoded_difference = std::max(check.decoded_difference, decoded.difference);
    if (decoded.difference > kLargestRowDifference) {
      fail("a decoded row differs from its prefilled one at position " + std::to_string(position) +
           " by " + percent(decoded.difference));
    }
    ++check.positions;
  }
  if (check.recognised == InjectedFault::none) check.recognised = fault_of(places);
  return check;
}

}  // namespace whereof::model
