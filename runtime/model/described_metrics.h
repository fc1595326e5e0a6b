// DescribedMetrics: does the metadata describe a metric that has a value in a record?
//
// It is asked of each metric of a record that is walked. The last ones are remembered, so that the
// answer is a comparison.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "runtime/model/desc.h"

namespace pmjit {

class DescribedMetrics {
 public:
  // `descs` outlives it.
  explicit DescribedMetrics(const std::unordered_map<PmId, Desc>& descs)
      : descs_(descs), recent_(size_t{1} << kRecentBits, kNullId) {}

  [[nodiscard]] bool has(PmId pmid) {
    PmId& recent = recent_[pmid * kSpread >> (32 - kRecentBits)];
    if (recent == pmid && pmid != kNullId) return true;
    if (!descs_.contains(pmid)) return false;
    recent = pmid;
    return true;
  }

 private:
  static constexpr uint32_t kRecentBits = 10, kSpread = 0x9e3779b1;
  const std::unordered_map<PmId, Desc>& descs_;
  std::vector<PmId> recent_;  // by a hash
};

}  // namespace pmjit
