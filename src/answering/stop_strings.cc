#include "answering/stop_strings.h"

#include <algorithm>

#include "whereof/error.h"

namespace whereof::answering {
namespace {

std::vector<std::size_t> fallbacks_of(std::string_view text) {
  std::vector<std::size_t> fallback(text.size(), 0);
  for (std::size_t i = 1; i < text.size(); ++i) {
    std::size_t length = fallback[i - 1];
    while (length > 0 && text[i] != text[length]) length = fallback[length - 1];
    fallback[i] = text[i] == text[length] ? length + 1 : 0;
  }
  return fallback;
}

}  // namespace

StopStrings::StopStrings(std::span<const std::string> stops) {
  for (const std::string& stop : stops) {
    if (stop.empty()) {
      throw Error(ErrorKind::invalid_argument, "a stop string is empty, wanted at least one byte");
    }
    automata_.push_back({stop, fallbacks_of(stop), 0});
  }
}

std::size_t StopStrings::Automaton::step(char byte) noexcept {
  while (matched > 0 && text[matched] != byte) matched = fallback[matched - 1];
  if (text[matched] == byte) ++matched;
  return matched;
}

bool StopStrings::append(std::string_view bytes) {
  for (const char byte : bytes) {
    ++bytes_;
    std::size_t longest_found = 0;
    std::size_t longest_open = 0;
    for (Automaton& automaton : automata_) {
      const std::size_t matched = automaton.step(byte);
      longest_open = std::max(longest_open, matched);
      if (matched == automaton.text.size()) longest_found = std::max(longest_found, matched);
    }
    certain_ = bytes_ - (longest_found > 0 ? longest_found : longest_open);
    if (longest_found > 0) return true;
  }
  return false;
}

}  // namespace whereof::answering
