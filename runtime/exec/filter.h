// Instance filter: of the results over instance domains, only the instances that were asked for.
// Selection comes after all joins (spec dialects.md §13.3): a filter changes what is given out,
// never a sum.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/model/catalog.h"
#include "runtime/model/results.h"

namespace pmjit {

class InstanceFilter {
 public:
  // Full external names.
  InstanceFilter(std::vector<std::string> names, const Catalog& catalog, Rosters& rosters)
      : names_(std::move(names)), catalog_(catalog), rosters_(rosters) {}

  void apply(ResultBlock& block, const std::vector<ResultInfo>& infos);

 private:
  void apply(Column& column, LaneReasons* reasons, InDomId domain, const std::vector<Stamp>& times);
  RosterId kept(RosterId roster, InDomId domain, Stamp when);

  std::vector<std::string> names_;
  const Catalog& catalog_;
  Rosters& rosters_;
  struct Known {
    uint64_t epoch;
    RosterId kept;
  };
  static constexpr size_t kRostersKept = 64;                                // of a domain
  std::unordered_map<InDomId, std::unordered_map<uint64_t, Known>> known_;  // by roster
  Column filtered_;
  LaneReasons filtered_reasons_;
};

}  // namespace pmjit
