// Profile: which instances a fetch is to return, domain by domain. Source: spec pmapi.md §9.5.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "runtime/model/desc.h"

namespace pmjit {

class Profile {
 public:
  // Only these instances of the domain from now on.
  void restrict(InDomId indom, std::vector<int32_t> instances) {
    std::ranges::sort(instances);
    only_[indom] = std::move(instances);
  }
  [[nodiscard]] bool restricts(InDomId indom) const { return only_.contains(indom); }
  [[nodiscard]] bool wants(InDomId indom, int32_t instance) const {
    if (only_.empty()) return true;
    const auto found = only_.find(indom);
    return found == only_.end() || std::ranges::binary_search(found->second, instance);
  }

 private:
  std::unordered_map<InDomId, std::vector<int32_t>> only_;
};

}  // namespace pmjit
