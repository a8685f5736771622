#include "answering/window_cuts.h"

#include <cstddef>
#include <string>

#include "whereof/error.h"

namespace whereof::answering {
namespace {

constexpr std::int64_t kRepeatedShare = 8;  // one part in so many of a window is read again

}  // namespace

std::vector<WindowCut> cut_into_windows(std::span<const Span> passages, std::int64_t room) {
  std::vector<WindowCut> cuts;
  for (std::size_t own = 0; own < passages.size();) {
    if (passages[own].length() > room) {
      throw Error(ErrorKind::over_window,
                  "a passage of " + std::to_string(passages[own].length()) +
                      " tokens does not fit the model's window, which has room for " +
                      std::to_string(room) + " beside the instruction");
    }
    std::size_t first = own;
    while (first > 0 && passages[own].begin - passages[first - 1].begin <= room / kRepeatedShare &&
           passages[own].end - passages[first - 1].begin <= room) {
      --first;
    }
    std::size_t end = own + 1;
    while (end < passages.size() && passages[end].end - passages[first].begin <= room) ++end;
    cuts.push_back(
        {.tokens = {passages[first].begin, passages[end - 1].end}, .own = passages[own].begin});
    own = end;
  }
  return cuts;
}

}  // namespace whereof::answering
