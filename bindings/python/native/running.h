// Work of the library in a call from Python: the interpreter's lock is released while it runs, and
// Ctrl-C stops it.
//
// Python's signal handlers run on the main thread, between two instructions of Python. So a call
// that may take long does its work on a thread of its own, while the calling thread wakes up now
// and then to let the handlers run; what a handler raises stops the work and leaves the call. A
// short call does its work itself: a signal is then noticed when it returns.
#ifndef WHEREOF_BINDINGS_PYTHON_NATIVE_RUNNING_H_
#define WHEREOF_BINDINGS_PYTHON_NATIVE_RUNNING_H_

#include <functional>
#include <stop_token>

namespace whereof::python {

// `operations` is an estimate of the floating-point operations of `work`. Called with the lock
// held; `work` runs without it and must not touch Python. Rethrows what `work` throws, and what a
// signal handler raises after the work has stopped.
void run_released(double operations, const std::function<void(const std::stop_token&)>& work);

}  // namespace whereof::python

#endif  // WHEREOF_BINDINGS_PYTHON_NATIVE_RUNNING_H_
