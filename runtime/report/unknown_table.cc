#include "runtime/report/table_parts.h"

#include <fmt/format.h>

#include "runtime/report/reason.h"
#include "runtime/report/text/grid.h"

namespace pmjit {

void Unknowns::add(const ResultBlock& block, const Rosters& rosters) {
  known_.resize(block.columns.size());
  for (size_t k = 0; k < block.columns.size(); ++k) {
    const Column& column = block.columns[k];
    for (const Row& row : column.rows) {
      if (row.status != kKnown) {
        ++counts_[{k, row.status}].times;
        continue;
      }
      ++known_[k].rows;
      known_[k].lanes += rosters.size(row.roster_id);
      const uint64_t end = row.offset + rosters.size(row.roster_id);
      for (uint64_t i = row.offset; i < end; ++i) {
        if (!column.is_valid(i)) ++counts_[{k, block.reasons[k].at(i)}].values;
      }
    }
  }
}

std::string Unknowns::text(const std::vector<ResultInfo>& infos, size_t width,
                           const Paint& paint) const {
  if (counts_.empty()) return "";
  Grid grid({{.text = "metric", .shrinks = true},
             {.text = "unknown", .right = true},
             {.text = "because"}});
  for (const auto& [of, count] : counts_) {
    const uint64_t all = count.values + count.times * known_[of.first].values_each();
    grid.add({name_with_host(infos[of.first]), fmt::format("{}", all), reason_text(of.second)});
  }
  return grid.text(width, paint);
}

}  // namespace pmjit
