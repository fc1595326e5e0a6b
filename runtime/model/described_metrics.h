// DescribedMetrics: does the metadata describe a metric that has a value in a record?
// ListedInstances: do they list its instances?
//
// They are asked of each metric of a record that is walked, or whose instances are not those of the
// one before. What was asked last is remembered, so that the answer is a comparison.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/model/desc.h"
#include "runtime/model/roster.h"

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

// Was an instance ever in a domain?
using IsListed = std::function<bool(InDomId indom, int32_t instance)>;

class ListedInstances {
 public:
  explicit ListedInstances(IsListed is_listed) : is_listed_(std::move(is_listed)) {}

  // The first that was never in the domain.
  [[nodiscard]] std::optional<int32_t> stranger(InDomId indom, InstanceIds list) {
    std::vector<int32_t>& last = all_listed_[indom];
    size_t i = equal_length(list, last), at = i;
    if (i == list.size() && at == last.size()) return std::nullopt;
    const auto is_at = [&](size_t in_list, size_t in_last) {
      return in_list < list.size() && in_last < last.size() && list[in_list] == last[in_last];
    };
    // Most of the others stand in the last list, too, behind one that has gone or come.
    while (i < list.size()) {
      if (!is_at(i, at + 1)) {
        if (!is_listed_(indom, list[i])) return list[i];
        ++i;
      }
      if (is_at(i, at + 1)) ++at;
      const size_t equal = equal_length(list.subspan(i), InstanceIds(last).subspan(at));
      i += equal;
      at += equal;
    }
    last.assign(list.begin(), list.end());
    return std::nullopt;
  }

 private:
  IsListed is_listed_;
  std::unordered_map<InDomId, std::vector<int32_t>> all_listed_;  // the last list of each domain
};

// A value set with an instance that is not listed.
struct UnlistedInstance {
  PmId pmid = kNullId;
  int32_t instance = 0;
};

}  // namespace pmjit
