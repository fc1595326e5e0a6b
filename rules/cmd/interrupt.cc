#include "rules/cmd/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace pmjit {

namespace {

// Listed in tests/tidy: a signal has nothing else to write to.
volatile std::sig_atomic_t signal_that_came = 0;

void note(int signal) { signal_that_came = signal; }

}  // namespace

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = note;
  // SA_RESETHAND is one bit of an unsigned constant, and sa_flags an int.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

int interrupted() { return signal_that_came; }

}  // namespace pmjit
