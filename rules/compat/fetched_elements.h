// From the value sets of hosts to the elements of a fetch: which instances, in which order, as
// numbers in canonical units, counters as rates. Source: spec rules-language.md §6.
#pragma once

#include <vector>

#include "rules/compat/node_state.h"
#include "runtime/client/context.h"
#include "runtime/model/stamp.h"
#include "runtime/model/value.h"

namespace pmjit::pmie {

// Of one host; null: nothing.
struct Delivered {
  const FetchedSet* set = nullptr;
  double stamp = 0;          // seconds
  Context* asked = nullptr;  // live: knows the names of instances that have come; null: nobody does
  bool learns = false;       // it never waits, and knows names later
};

// The nearest to a whole number of microseconds, as pmie has it: in 1970 a sum of seconds and a
// fraction would be another.
[[nodiscard]] inline double seconds_of(Stamp stamp) {
  return (static_cast<double>(stamp.sec) * 1e6 + static_cast<double>(stamp.nsec / 1000)) / 1e6;
}

// Sets ids, names and order of each host. False: the fetch has no value, for a value that must be
// there is not.
[[nodiscard]] bool take_elements(const Fetch& fetch, const std::vector<Delivered>& delivered,
                                 FetchState& state);
void forget_history(FetchState& state);
[[nodiscard]] size_t count_elements(const FetchState& state);

// Into as many elements as there are. `wraps`: counters that fall have wrapped. False: no value, of
// a counter without its last value.
[[nodiscard]] bool read_numbers(const Fetch& fetch, const std::vector<Delivered>& delivered,
                                FetchState& state, double* out, bool wraps);
[[nodiscard]] bool read_texts(const Fetch& fetch, const std::vector<Delivered>& delivered,
                              FetchState& state, MaybeText* out);

// Of one host's elements.
struct MissingValue {
  FetchAbsence what = FetchAbsence::none;
  size_t element = 0;
};
// The numbers of a host become rates since the last ones, which they then are, unless something is
// missing.
[[nodiscard]] MissingValue rates_since(const HostMetric& metric, double stamp, HostState& host,
                                       double* numbers, bool wraps);
// The first one counts.
void note_absence(FetchState& state, FetchAbsence what, size_t host, size_t element = 0);

}  // namespace pmjit::pmie
