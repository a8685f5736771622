#include "terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace whereof::cli {
namespace {

constexpr auto kRedrawInterval = std::chrono::milliseconds(100);
constexpr int kBarWidth = 24;

bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return is_output_terminal() && (no_colour == nullptr || *no_colour == '\0') && !is_dumb;
}

std::string in_style(const char* code, std::string_view text) {
  if (!wants_colour()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string bar_of(double share) {
  const int full = static_cast<int>(share * kBarWidth);
  return std::string(static_cast<std::size_t>(full), '#') +
         std::string(static_cast<std::size_t>(kBarWidth - full), '.');
}

std::string time_of(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  return whole < 60 ? fmt::format("{} s", whole) : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// C0, DEL, and C1 (which UTF-8 writes as C2 80 .. C2 9F).
bool is_control(std::string_view text, std::size_t at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x20 || byte == 0x7F) return true;
  return byte == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0;
}

std::string cleaned(std::string_view text, bool keeps_lines) {
  std::string result;
  bool is_after_blank = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool is_blank = c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
    if (keeps_lines && (c == '\n' || c == ' ' || c == '\t')) {
      result += c;
    } else if (is_blank) {
      if (!is_after_blank) result += ' ';
    } else if (is_control(text, at)) {
      result += "\xEF\xBF\xBD";
      if (static_cast<unsigned char>(c) == 0xC2) ++at;
    } else {
      result += c;
    }
    is_after_blank = is_blank;
  }
  if (!keeps_lines && !result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

}  // namespace

bool is_output_terminal() { return isatty(STDOUT_FILENO) == 1; }
bool is_error_terminal() { return isatty(STDERR_FILENO) == 1; }

std::string bold(std::string_view text) { return in_style("1", text); }
std::string dim(std::string_view text) { return in_style("2", text); }
std::string shown(std::string_view text) { return cleaned(text, false); }
std::string shown_lines(std::string_view text) { return cleaned(text, true); }

std::string shortened(std::string text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  std::size_t end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

void ProgressLine::show(const Progress& progress) {
  if (!is_error_terminal()) return;
  const Clock::time_point now = Clock::now();
  if (phase_ != progress.phase) {
    phase_ = progress.phase;
    phase_begin_ = now;
    first_done_ = progress.done;
    drawn_at_ = {};
  }
  if (now - drawn_at_ < kRedrawInterval && progress.done != progress.total) return;
  drawn_at_ = now;
  const double seconds = std::chrono::duration<double>(now - phase_begin_).count();
  const double rate = seconds > 0 ? static_cast<double>(progress.done - first_done_) / seconds : 0;
  std::string line = fmt::format("{} ", progress.phase);
  if (progress.total > 0) {
    const double share = static_cast<double>(progress.done) / static_cast<double>(progress.total);
    line +=
        fmt::format("[{}] {}/{} {}", bar_of(share), progress.done, progress.total, progress.unit);
  } else {
    line += fmt::format("{} {}", progress.done, progress.unit);
  }
  if (rate > 0) {
    line += fmt::format(", {:.0f}/s", rate);
    if (progress.total > progress.done) {
      line += fmt::format(", {} left",
                          time_of(static_cast<double>(progress.total - progress.done) / rate));
    }
  }
  std::fprintf(stderr, "\r\x1b[K%s", line.c_str());
  std::fflush(stderr);
  is_drawn_ = true;
}

void ProgressLine::clear() {
  if (!is_drawn_) return;
  std::fprintf(stderr, "\r\x1b[K");
  std::fflush(stderr);
  is_drawn_ = false;
}

}  // namespace whereof::cli
