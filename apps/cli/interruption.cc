#include "interruption.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "exit_codes.h"

namespace whereof::cli {

std::stop_token watch_for_interruption() {
  static std::stop_source source;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  std::thread([signals] {
    int signal_number = 0;
    while (sigwait(&signals, &signal_number) == 0) {
      if (source.stop_requested()) _exit(kInterrupted);
      source.request_stop();
    }
  }).detach();
  return source.get_token();
}

}  // namespace whereof::cli
