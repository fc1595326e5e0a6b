// From rows of a metric that were fetched ahead to the elements of a fetch at many times, one time
// after the other: what take_elements() and read_numbers() (fetched_elements.h) do at each.
//
//   FetchedTimes found(fetch, state, times);
//   for (…) if (!found.add_host(*ahead, metric, stamps, profile)) …;   not so: one by one
//   found.read(wraps, numbers, stamps, known_at);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/compat/fetched_elements.h"
#include "runtime/client/ahead_times.h"

namespace pmjit::pmie {

// Of one host of a fetch.
class HostTimes {
 public:
  // The next `times` rows of the metric at this place of `ahead`. All outlive it.
  HostTimes(const Fetch& fetch, size_t host, HostState& state, const AheadTimes& ahead,
            size_t metric, size_t times)
      : metric_(fetch.hosts[host]),
        is_rate_(metric_.desc.semantics == Semantics::counter && !fetch.raw),
        is_listed_(fetch.instances_listed),
        host_(state),
        ahead_(ahead),
        place_(metric),
        column_(ahead.column(metric)),
        times_(times) {}

  // Does every row bring the elements of the fetch before, and did that leave what a rate is made
  // from?
  [[nodiscard]] bool agree(const Profile& profile);
  [[nodiscard]] size_t span() const { return lanes_.size(); }
  // After that: numbers in canonical units, counters as rates. missing(time, what) where there is
  // no value. The state is that of the last time then.
  template <class Missing>
  void read(bool wraps, double* numbers, const double* stamps, Missing missing) {
    take(numbers);
    if (is_rate_) take_rates(wraps, numbers, stamps, missing);
  }

 private:
  [[nodiscard]] bool rows_are_alike() const;
  [[nodiscard]] bool find_lanes(const Profile& profile);
  void take(double* out);
  void gather(double* out);
  [[nodiscard]] bool any_falls(const double* numbers) const;
  template <class Missing>
  void take_rates(bool wraps, double* numbers, const double* stamps, Missing missing) {
    if (!any_falls(numbers)) return take_rises(numbers, stamps);
    for (size_t t = 0; t < times_; ++t, numbers += span()) {
      const MissingValue found = rates_since(metric_, stamps[t], host_, numbers, wraps);
      if (found.what != FetchAbsence::none) missing(t, found);
    }
  }
  void take_rises(double* numbers, const double* stamps);

  const HostMetric& metric_;
  bool is_rate_, is_listed_;
  HostState& host_;
  const AheadTimes& ahead_;
  size_t place_;  // in ahead_
  const Column& column_;
  size_t times_;
  std::vector<uint32_t> lanes_;  // of each element
};

class FetchedTimes {
 public:
  // Both outlive it.
  FetchedTimes(const Fetch& fetch, FetchState& state, size_t times)
      : fetch_(fetch), state_(state), times_(times) {}

  // The next of its hosts, whose rows are those of a metric of `ahead`, at `stamps`. False: they do
  // not bring the elements of the fetch before.
  [[nodiscard]] bool add_host(const AheadTimes& ahead, size_t metric, const double* stamps,
                              const Profile& profile);
  // Of all hosts: the elements of one behind those of the other; the newest stamp of each time; of
  // each time whether the fetch has a value. True: always. The state is that of the last time then.
  [[nodiscard]] bool read(bool wraps, double* numbers, double* stamps, uint8_t* known);

 private:
  struct OfHost {
    HostTimes times;
    const double* stamps;
  };

  const Fetch& fetch_;
  FetchState& state_;
  size_t times_;
  std::vector<OfHost> hosts_;
};

}  // namespace pmjit::pmie
