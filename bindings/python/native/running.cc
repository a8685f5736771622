#include "running.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <future>

namespace nb = nanobind;

namespace whereof::python {
namespace {

// Under a tenth of a second on two cores. A shorter call is spared a new thread, which begins
// without the scratch memory that threads keep from call to call.
constexpr double kLongOperations = 8e9;
constexpr std::chrono::milliseconds kBetweenLooks{50};

// What Python's signal handlers raise, or null.
std::exception_ptr raised_by_signals() {
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() == 0) return nullptr;
  try {
    nb::raise_python_error();
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

void run_released(double operations, const std::function<void(const std::stop_token&)>& work) {
  std::exception_ptr raised;
  {
    const nb::gil_scoped_release released;
    if (operations < kLongOperations) {
      work({});
      return;
    }
    std::stop_source stop;
    std::future<void> done =
        std::async(std::launch::async, [&, token = stop.get_token()] { work(token); });
    while (done.wait_for(kBetweenLooks) != std::future_status::ready && !raised) {
      raised = raised_by_signals();
    }
    if (!raised) {
      done.get();
      return;
    }
    stop.request_stop();
    done.wait();
  }
  std::rethrow_exception(raised);
}

}  // namespace whereof::python
