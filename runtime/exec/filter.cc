#include "runtime/exec/filter.h"

#include <algorithm>
#include <cstring>

namespace pmjit {

void InstanceFilter::apply(ResultBlock& block, const std::vector<ResultInfo>& infos) {
  for (size_t k = 0; k < infos.size(); ++k) {
    if (infos[k].domain == kNullId) continue;
    LaneReasons* reasons = block.reasons.empty() ? nullptr : &block.reasons[k];
    apply(block.columns[k], reasons, infos[k].domain, block.times);
  }
}

void InstanceFilter::apply(Column& column, LaneReasons* reasons, InDomId domain,
                           const std::vector<Stamp>& times) {
  filtered_.clear();
  filtered_reasons_.clear();
  filtered_.elem = column.elem;
  const size_t bytes = elem_bytes(column.elem);
  for (Row row : column.rows) {
    const RosterId roster = kept(row.roster_id, domain, times[row.record]);
    const uint64_t from = row.offset;
    if (row.status == kKnown) {
      const Lanes& map = rosters_.lanes(roster, row.roster_id);
      row.offset = filtered_.grow(map.size());
      for (size_t i = 0; i < map.size(); ++i) {
        const uint64_t lane = from + static_cast<uint64_t>(map[i]);
        std::memcpy(filtered_.values.data() + (row.offset + i) * bytes,
                    column.values.data() + lane * bytes, bytes);
        if (column.is_valid(lane)) continue;
        filtered_.mark_invalid(row.offset + i, 1);
        if (reasons != nullptr) filtered_reasons_[row.offset + i] = reasons->at(lane);
      }
    }
    row.roster_id = roster;
    filtered_.rows.push_back(row);
  }
  std::swap(column, filtered_);
  if (reasons != nullptr) std::swap(*reasons, filtered_reasons_);
}

RosterId InstanceFilter::kept(RosterId roster, InDomId domain, Stamp when) {
  auto& known = known_[domain];
  const uint64_t epoch = catalog_.domain_epoch(domain, when);
  if (auto it = known.find(key_of(roster)); it != known.end() && it->second.epoch == epoch &&
                                            epoch != Catalog::kAskAgain &&
                                            rosters_.knows(it->second.kept)) {
    return it->second.kept;
  }
  std::vector<int32_t> out;
  for (int32_t instance : rosters_.instances(roster)) {
    const auto name = catalog_.held_name(domain, instance, when);
    if (name && std::ranges::find(names_, *name) != names_.end()) out.push_back(instance);
  }
  const RosterId id = rosters_.intern(out);
  if (known.size() >= kRostersKept) known.clear();
  known[key_of(roster)] = Known{epoch, id};
  return id;
}

}  // namespace pmjit
