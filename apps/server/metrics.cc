#include "metrics.h"

#include <fmt/format.h>

namespace whereof::server {

Counter& Metrics::counter(std::string_view name, std::string_view help, std::string_view labels) {
  const std::lock_guard lock(mutex_);
  Family& family = families_[std::string(name)];
  if (family.help.empty()) family.help = help;
  std::unique_ptr<Counter>& counter = family.counters[std::string(labels)];
  if (!counter) counter = std::make_unique<Counter>();
  return *counter;
}

void Metrics::gauge(std::string_view name, std::string_view help, std::function<double()> read) {
  const std::lock_guard lock(mutex_);
  Family& family = families_[std::string(name)];
  family.help = help;
  family.read = std::move(read);
}

std::string Metrics::text() const {
  const std::lock_guard lock(mutex_);
  std::string text;
  for (const auto& [name, family] : families_) {
    text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, family.help, name,
                        family.read ? "gauge" : "counter");
    if (family.read) text += fmt::format("{} {}\n", name, family.read());
    for (const auto& [labels, counter] : family.counters) {
      text += labels.empty() ? fmt::format("{} {}\n", name, counter->value())
                             : fmt::format("{}{{{}}} {}\n", name, labels, counter->value());
    }
  }
  return text;
}

}  // namespace whereof::server
