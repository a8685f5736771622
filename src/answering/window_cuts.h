// How a document that is longer than the model's window is cut into windows that are read apart.
#ifndef WHEREOF_ANSWERING_WINDOW_CUTS_H_
#define WHEREOF_ANSWERING_WINDOW_CUTS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "whereof/span.h"

namespace whereof::answering {

struct WindowCut {
  Span tokens;  // read in this window
  // From here on passages are taken from it; what is before is read here again, for the sake of
  // what follows it.
  std::int64_t own = 0;

  friend bool operator==(const WindowCut&, const WindowCut&) noexcept = default;
};

// passages: positions, ascending, each beginning where the one before ends. Every passage lies
// whole in the own part of one window; windows hold at most `room` tokens, of which up to an eighth
// are of the window before. Pure function, linear time. Throws Error(over_window), with both
// numbers, for a passage of more than `room` tokens.
std::vector<WindowCut> cut_into_windows(std::span<const Span> passages, std::int64_t room);

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_WINDOW_CUTS_H_
