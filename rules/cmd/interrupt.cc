#include "rules/cmd/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace pmjit {

namespace {

// Listed in tests/tidy: a signal has nothing else to write to.
volatile std::sig_atomic_t signal_that_came = 0;

volatile std::sig_atomic_t hangup_came = 0;

void note(int signal) { signal_that_came = signal; }
void note_hangup(int) { hangup_came = 1; }

}  // namespace

void catch_interrupts(Second second) {
  struct sigaction action{};
  action.sa_handler = note;
  // SA_RESETHAND is one bit of an unsigned constant, and sa_flags an int.
  const unsigned once = second == Second::ends_the_process ? SA_RESETHAND : 0U;
  action.sa_flags = static_cast<int>(once | SA_RESTART);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

int interrupted() { return signal_that_came; }

void catch_hangups() {
  struct sigaction action{};
  action.sa_handler = note_hangup;
  action.sa_flags = SA_RESTART;
  sigaction(SIGHUP, &action, nullptr);
}

bool take_hangup() {
  const bool came = hangup_came != 0;
  hangup_came = 0;
  return came;
}

}  // namespace pmjit
