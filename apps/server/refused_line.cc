#include "refused_line.h"

#include <algorithm>

namespace whereof::server {
namespace {

constexpr std::chrono::seconds kGrace{5};

}  // namespace

std::size_t RefusedLine::before(std::string_view client, Clock::time_point now) {
  std::erase_if(places_, [&](const Place& place) { return place.kept_until < now; });
  const auto own = std::find_if(places_.begin(), places_.end(),
                                [&](const Place& place) { return place.client == client; });
  return static_cast<std::size_t>(own - places_.begin());
}

void RefusedLine::refuse(std::string_view client, std::chrono::seconds told,
                         Clock::time_point now) {
  const auto kept_until = now + told + told / 2 + kGrace;
  const std::size_t place = before(client, now);
  if (place < places_.size()) {
    places_[place].kept_until = kept_until;
  } else if (places_.size() < kMost) {
    places_.push_back({std::string(client), kept_until});
  }
}

void RefusedLine::leave(std::string_view client) {
  std::erase_if(places_, [&](const Place& place) { return place.client == client; });
}

}  // namespace whereof::server
