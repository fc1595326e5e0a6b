// From rows of a metric that were fetched ahead to the elements of a fetch at many times, one time
// after the other: what take_elements() and read_numbers() (fetched_elements.h) do at each.
//
//   FetchedTimes times(fetch, state, *ahead, metric, count);
//   if (times.agree(profile)) known = times.read(wraps, numbers, stamps, known_at);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/compat/fetched_elements.h"
#include "runtime/client/ahead_times.h"

namespace pmjit::pmie {

class FetchedTimes {
 public:
  // The next `times` rows of the metric at this place of `ahead`. A fetch of one host. All outlive
  // it.
  FetchedTimes(const Fetch& fetch, FetchState& state, const AheadTimes& ahead, size_t metric,
               size_t times)
      : metric_(fetch.hosts.front()),
        is_rate_(metric_.desc.semantics == Semantics::counter && !fetch.raw),
        is_listed_(fetch.instances_listed),
        state_(state),
        host_(state.hosts.front()),
        ahead_(ahead),
        place_(metric),
        column_(ahead.column(metric)),
        times_(times) {}

  // Does every row bring the elements of the fetch before, and did that leave what a rate is made
  // from?
  [[nodiscard]] bool agree(const Profile& profile);
  // After that: numbers in canonical units, counters as rates; of each time whether the fetch has a
  // value. True: always. The state is that of the last time then.
  [[nodiscard]] bool read(bool wraps, double* numbers, const double* stamps, uint8_t* known);

 private:
  [[nodiscard]] bool rows_are_alike() const;
  [[nodiscard]] bool find_lanes(const Profile& profile);
  void take(double* out);
  void gather(double* out);
  [[nodiscard]] bool take_rates(bool wraps, double* numbers, const double* stamps, uint8_t* known);
  void take_rises(double* numbers, const double* stamps);

  const HostMetric& metric_;
  bool is_rate_, is_listed_;
  FetchState& state_;
  HostState& host_;
  const AheadTimes& ahead_;
  size_t place_;  // in ahead_
  const Column& column_;
  size_t times_;
  std::vector<uint32_t> lanes_;  // of each element
};

}  // namespace pmjit::pmie
