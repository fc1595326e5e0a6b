#include "rules/cmd/interrupt.h"

#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <initializer_list>
#include <string_view>

#include "rules/cmd/common.h"
#include "runtime/base/clock.h"
#include "runtime/base/file.h"

namespace pmjit {

namespace {

// Listed in tests/tidy: a signal has nothing else to write to. Any thread may ask.
std::atomic<int> signal_that_came = 0;
std::atomic<Instant> came_at = {};
std::array<std::atomic<bool>, 3> asked{};  // by Asking
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free &&
              std::atomic<Instant>::is_always_lock_free);

constexpr auto kAsking = std::to_array<int>({SIGHUP, SIGUSR1, SIGUSR2});

// One press of keys, or one decision of `timeout`, may send the same signal twice: to the process
// and to its group.
constexpr std::chrono::milliseconds kTogether(300);

void note(int signal) { signal_that_came = signal; }

// The default action follows when the handler ends.
void note_or_end(int signal) {
  if (signal_that_came == 0) {
    came_at = now_in_handler();
    signal_that_came = signal;
  } else if (now_in_handler() - came_at.load() >= kTogether) {
    std::signal(signal, SIG_DFL);
    (void)std::raise(signal);
  }
}

// A line of progress may stand on a terminal.
void end_at_once(int signal) {
  constexpr std::string_view kClears = "\r\x1b[K", kSaid = "pmjit: interrupted\n";
  termios unused{};
  if (tcgetattr(STDERR_FILENO, &unused) == 0) {
    (void)!write(STDERR_FILENO, kClears.data(), kClears.size());
  }
  (void)!write(STDERR_FILENO, kSaid.data(), kSaid.size());
  _exit(kExitSignal + signal);
}

void note_asking(int signal) {
  for (size_t i = 0; i < kAsking.size(); ++i) {
    if (kAsking[i] == signal) asked[i] = true;
  }
}

}  // namespace

void catch_interrupts(Second second) {
  struct sigaction action{};
  action.sa_handler = second == Second::ends_the_process ? note_or_end : note;
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

void end_at_interrupts() {
  struct sigaction action{};
  action.sa_handler = end_at_once;
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

void stop_reading_at_interrupts() {
  stop_reading_when([] { return interrupted() != 0; });
}

void stop_writing_at_interrupts(Sink& sink, const Clock& clock) {
  sink.stop_when([] { return interrupted() != 0; }, clock);
}

int interrupted() { return signal_that_came; }

void catch_asking(Asking signal) {
  struct sigaction action{};
  action.sa_handler = note_asking;
  action.sa_flags = SA_RESTART;
  sigaction(kAsking.at(static_cast<size_t>(signal)), &action, nullptr);
}

bool take_asked(Asking signal) { return asked.at(static_cast<size_t>(signal)).exchange(false); }

}  // namespace pmjit
