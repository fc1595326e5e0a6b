// TimeCounts: how often something took how long, as histograms of metrics have it.
//
//   TimeCounts counts;
//   counts.add(0.004);                 // seconds
//   sheet.add_times(metric, labels, counts)
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace pmjit {

struct TimeCounts {
  // In seconds; what is longer is in no bucket.
  static constexpr std::array kBounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                      0.1,   0.25,   0.5,   1.0,  2.5,   10.0};
  std::array<uint64_t, kBounds.size()> buckets{};  // each alone
  uint64_t count = 0;
  double seconds = 0;

  void add(double took) {
    seconds += took;
    ++count;
    const auto bound = std::ranges::lower_bound(kBounds, took);
    if (bound != kBounds.end()) ++buckets.at(static_cast<size_t>(bound - kBounds.begin()));
  }
  void add(const TimeCounts& other) {
    for (size_t i = 0; i < buckets.size(); ++i) buckets.at(i) += other.buckets.at(i);
    count += other.count;
    seconds += other.seconds;
  }
};

}  // namespace pmjit
