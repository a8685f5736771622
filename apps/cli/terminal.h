// What a person sees on a terminal: progress on standard error, colours where they are wanted.
#ifndef WHEREOF_CLI_TERMINAL_H_
#define WHEREOF_CLI_TERMINAL_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "whereof/progress.h"

namespace whereof::cli {

bool is_output_terminal();
bool is_error_terminal();

// Bold and the like on standard output when that is a terminal, NO_COLOR is unset and TERM is not
// "dumb"; else the text as it is.
std::string bold(std::string_view text);
std::string dim(std::string_view text);

// A document's or a model's text made safe to show: line breaks and runs of blanks become one
// blank, other control characters become U+FFFD, so that nothing can steer the terminal.
std::string shown(std::string_view text);
// The same, but line breaks stay: for answers.
std::string shown_lines(std::string_view text);
// UTF-8, at most so many bytes of it and then an ellipsis; cut between characters.
std::string shortened(std::string text, std::size_t most_bytes);

// One line on standard error that shows phase, done, total, rate and time left, redrawn at most ten
// times a second. Draws nothing when standard error is no terminal.
class ProgressLine {
 public:
  ~ProgressLine() { clear(); }
  void show(const Progress& progress);
  void clear();
  ProgressCallback callback() {
    return [this](const Progress& progress) { show(progress); };
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string phase_;
  Clock::time_point phase_begin_;
  Clock::time_point drawn_at_;
  std::int64_t first_done_ = 0;
  bool is_drawn_ = false;
};

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_TERMINAL_H_
