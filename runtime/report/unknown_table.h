// Unknowns: how often each reason was why a metric had no value, and the table of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/model/results.h"

namespace pmjit {

class Unknowns {
 public:
  // Every unknown value of the block, or every time at which a metric is unknown as a whole.
  void add(const ResultBlock& block, const Rosters& rosters);
  // Heading and a line a metric and reason; nothing if everything was known.
  [[nodiscard]] std::string text(const std::vector<ResultInfo>& infos, size_t width) const;

 private:
  std::map<std::pair<size_t, int32_t>, uint64_t> counts_;  // by metric and reason
};

}  // namespace pmjit
