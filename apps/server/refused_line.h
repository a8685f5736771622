// Who was refused for want of room, the first one first: each has a place kept until it had time
// to come again, so that nobody who comes later is served before.
#ifndef WHEREOF_SERVER_REFUSED_LINE_H_
#define WHEREOF_SERVER_REFUSED_LINE_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace whereof::server {

// Not thread-safe. Time of each call is linear in the places, of which there are at most kMost:
// who is refused beyond that gets none.
class RefusedLine {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMost = 1024;

  // How many others stand before this client; all of them where it has no place.
  std::size_t before(std::string_view client, Clock::time_point now);
  // It was told to come again after this time. It keeps the place it has, or gets the last one;
  // a place is given up half as long again after that, and five seconds.
  void refuse(std::string_view client, std::chrono::seconds told, Clock::time_point now);
  // It was served: its place is free.
  void leave(std::string_view client);

 private:
  struct Place {
    std::string client;
    Clock::time_point kept_until;
  };
  std::vector<Place> places_;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_REFUSED_LINE_H_
