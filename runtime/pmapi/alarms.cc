// __pmAF…: functions that are called every so often, in the handler of SIGALRM. Agents of PCP's
// packages refresh their values so. One thread uses them. Source: the manual page pmAF(3).
#include <signal.h>
#include <sys/time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "runtime/base/clock.h"
#include "runtime/pmapi/internal.h"

using namespace pmjit;
using std::chrono::microseconds;
using std::chrono::seconds;

namespace {

struct AlarmEvent {
  int id = 0;
  Instant next{};
  microseconds every{};  // 0: once
  void* data = nullptr;
  void (*call)(int, void*) = nullptr;
  bool removed = false;  // the handler frees nothing
};

struct Alarms {
  SystemClock clock;
  std::vector<AlarmEvent> events;
  int last_id = 0x8000;  // as with libpcp
  bool blocked = false, handled = false, running = false;
  bool pending = false;  // the time came while they were blocked
};
Alarms& alarms() {
  static auto* const all = new Alarms();
  return *all;
}

// While it lives the handler does not run.
class WithoutAlarm {
 public:
  WithoutAlarm() {
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarm, &before_);
  }
  ~WithoutAlarm() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  WithoutAlarm(const WithoutAlarm&) = delete;
  WithoutAlarm& operator=(const WithoutAlarm&) = delete;

 private:
  sigset_t before_{};
};

// The timer goes off when the next event is due.
void arm(const Alarms& all) {
  itimerval timer{};
  const AlarmEvent* first = nullptr;
  for (const AlarmEvent& event : all.events) {
    if (!event.removed && (first == nullptr || event.next < first->next)) first = &event;
  }
  if (first != nullptr) {
    // A timer of 0 would be none.
    const auto left =
        std::max(std::chrono::ceil<microseconds>(first->next - all.clock.now()), microseconds(1));
    timer.it_value = {.tv_sec = left / seconds(1), .tv_usec = (left % seconds(1)).count()};
  }
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

void run_due(Alarms& all) {
  const Instant now = all.clock.now();
  all.running = true;
  // By place: a function that registers another makes the list move.
  for (size_t i = 0; i < all.events.size(); ++i) {
    if (all.events[i].removed || all.events[i].next > now) continue;
    const AlarmEvent due = all.events[i];
    if (due.every == microseconds(0)) {
      all.events[i].removed = true;
    } else {
      // Those that were missed are left out.
      const auto missed = (now - due.next) / due.every;
      all.events[i].next += due.every * (missed + 1);
    }
    due.call(due.id, due.data);
  }
  all.running = false;
  arm(all);
}

void on_alarm(int) {
  const int before = errno;
  Alarms& all = alarms();
  if (all.blocked) {
    all.pending = true;
  } else {
    run_due(all);
  }
  errno = before;
}

bool is_time(const timeval* time) {
  return time == nullptr || (time->tv_sec >= 0 && time->tv_usec >= 0 && time->tv_usec < 1'000'000);
}
microseconds length_of(const timeval* time) {
  return time == nullptr ? microseconds(0) : seconds(time->tv_sec) + microseconds(time->tv_usec);
}

}  // namespace

int __pmAFsetup(const struct timeval* start, const struct timeval* delta, void* data,
                void (*call)(int, void*)) {
  if (call == nullptr || !is_time(start) || !is_time(delta)) return -EINVAL;
  return at_c_border([&] {
    Alarms& all = alarms();
    const WithoutAlarm still;
    if (!all.running)
      std::erase_if(all.events, [](const AlarmEvent& event) { return event.removed; });
    if (!all.handled) {
      struct sigaction action{};
      action.sa_handler = on_alarm;
      action.sa_flags = SA_RESTART;
      if (::sigaction(SIGALRM, &action, nullptr) < 0) return -errno;
      all.handled = true;
    }
    const microseconds every = length_of(delta);
    all.events.push_back({.id = ++all.last_id,
                          .next = all.clock.now() + (start == nullptr ? every : length_of(start)),
                          .every = every,
                          .data = data,
                          .call = call});
    if (!all.running) arm(all);
    return all.last_id;
  });
}

int __pmAFregister(const struct timeval* delta, void* data, void (*call)(int, void*)) {
  return __pmAFsetup(nullptr, delta, data, call);
}

int __pmAFunregister(int id) {
  Alarms& all = alarms();
  const WithoutAlarm still;
  const auto found = std::ranges::find_if(
      all.events, [&](const AlarmEvent& event) { return event.id == id && !event.removed; });
  if (found == all.events.end()) return -1;  // as libpcp
  found->removed = true;
  if (!all.running) arm(all);
  return 0;
}

void __pmAFblock() { alarms().blocked = true; }

void __pmAFunblock() {
  Alarms& all = alarms();
  const WithoutAlarm still;
  all.blocked = false;
  if (!all.pending) return;
  all.pending = false;
  ::raise(SIGALRM);  // as soon as it may come
}

int __pmAFisempty() {
  const WithoutAlarm still;
  return std::ranges::all_of(alarms().events, &AlarmEvent::removed) ? 1 : 0;
}
