// Figures for Prometheus, in its text format.
#ifndef WHEREOF_SERVER_METRICS_H_
#define WHEREOF_SERVER_METRICS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace whereof::server {

// Any thread may add to it.
class Counter {
 public:
  void add(double amount = 1) noexcept { value_.fetch_add(amount); }
  double value() const noexcept { return value_.load(); }

 private:
  std::atomic<double> value_ = 0;
};

// Any thread. Names: "whereof_" and what is counted, with its unit; "_total" ends counters.
class Metrics {
 public:
  // The counter of this name and labels (`code="200"`; may be empty), made when first asked for.
  // Lives as long as this object. help is that of the first call.
  Counter& counter(std::string_view name, std::string_view help, std::string_view labels = {});
  // read is called whenever figures are asked for, on one of the threads for short work.
  void gauge(std::string_view name, std::string_view help, std::function<double()> read);
  std::string text() const;

 private:
  struct Family {
    std::string help;
    std::map<std::string, std::unique_ptr<Counter>, std::less<>> counters;  // by labels
    std::function<double()> read;                                           // of a gauge
  };
  mutable std::mutex mutex_;
  std::map<std::string, Family, std::less<>> families_;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_METRICS_H_
