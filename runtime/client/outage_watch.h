// OutageWatch: when to say that a host is down, and that it is back.
//
// | what happens                             | what is said                                     |
// |---|---|
// | a fetch fails, or no connection          | down, and back with the next answer              |
// | the next time is due before the answer   | down or slow; back when it has been in time      |
// |                                          | again and again: more often each time            |
// | then a fetch fails                       | down, for that is another reason                 |
//
//   switch (watch.look(health)) {                 // after each wait for the host
//     case OutageWatch::Change::lost: …           // health.why_down() says why
#pragma once

#include <cstdint>

#include "runtime/client/host_health.h"

namespace pmjit {

class OutageWatch {
 public:
  enum class Change : uint8_t { none, lost, late, back };
  // The host was not there from the beginning.
  void begin_lost() { state_ = State::lost; }
  // To be asked again and again.
  [[nodiscard]] Change look(const HostHealth& health);

 private:
  enum class State : uint8_t { up, lost, late };
  [[nodiscard]] Change begin_late();
  [[nodiscard]] Change begin_lost_after(bool answered);

  State state_ = State::up;
  uint64_t missed_ = 0, last_miss_ = 0;  // of its times
  uint64_t patience_ = 5;                // times in a row after which it is not late any more
};

}  // namespace pmjit
