// Lateness: how long after hosts were due their evaluations ended. What goes on while a run starts
// (connecting, looking metrics up, compiling) is left out where the run goes on for longer.
//
//   Lateness lateness(hosts, begin);
//   lateness.add(host, due, ended);
//   lateness.text(names)     // "median 4.1 ms, 99 % 12.0 ms, most 803 ms (web7) …"
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/model/stamp.h"

namespace pmjit {

class Lateness {
 public:
  // Seconds after the beginning from which evaluations count.
  static constexpr Nanos kSettled = 10'000'000'000;

  Lateness(size_t hosts, Stamp begin);

  void add(uint32_t host, Stamp due, Stamp ended);
  [[nodiscard]] uint64_t evaluations() const { return settled().evaluations; }
  // In milliseconds: so many of a hundred are no later. 0: there are none.
  [[nodiscard]] double percentile(double percent) const;
  // One line: evaluations, median, 99 %, and the hosts that were latest, at most five.
  [[nodiscard]] std::string text(std::span<const std::string> hosts) const;
  // "50 times 997 hosts, 0 times 3 hosts": how many evaluations hosts had.
  [[nodiscard]] std::string times_text() const;

 private:
  struct Counts {
    std::vector<uint64_t> by_steps;  // of kStep; the last one: as long or longer
    std::vector<Nanos> most;         // of each host
    std::vector<uint32_t> times;     // likewise: evaluations
    uint64_t evaluations = 0;
    void add(uint32_t host, Nanos late);
  };
  [[nodiscard]] const Counts& settled() const { return later_.evaluations > 0 ? later_ : all_; }

  Counts all_, later_;
  Stamp begin_;
};

}  // namespace pmjit
