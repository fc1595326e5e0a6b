#include "runtime/model/feed.h"

#include <algorithm>
#include <utility>

#include "runtime/base/result.h"

namespace pmjit {

FleetRows::FleetRows(std::vector<HostId> hosts, std::vector<FleetMetric> metrics, Rosters& rosters)
    : metrics_(std::move(metrics)), rosters_(rosters) {
  for (const HostId host : hosts) {
    HostState& state = hosts_.emplace_back(HostState{.host_id = host});
    for (const FleetMetric& metric : metrics_) {
      state.roster_ids.push_back(metric.singular ? Rosters::kSingularId : Rosters::kNobodyId);
    }
  }
}

FleetRows::HostState& FleetRows::state_of(HostId host) {
  const auto found = std::ranges::find(hosts_, host, &HostState::host_id);
  check(found != hosts_.end(), "a host of the fleet");
  return *found;
}

void FleetRows::start(Stamp due) {
  due_ = due;
  for (HostState& host : hosts_) {
    host.settled = false;
    host.status = kHostDown;
  }
}

void FleetRows::answer(HostId host, HostAnswer answer) {
  check(answer.columns.size() == metrics_.size(), "an answer has every metric");
  HostState& state = state_of(host);
  state.settled = true;
  state.status = kKnown;
  state.answer = std::move(answer);
}

void FleetRows::fail(HostId host, int32_t status) {
  HostState& state = state_of(host);
  state.settled = true;
  state.status = status;
}

bool FleetRows::complete() const { return std::ranges::all_of(hosts_, &HostState::settled); }

Segment FleetRows::append(size_t metric, HostState& host, Column& column) const {
  const bool singular = metrics_[metric].singular;
  Segment out{.host_id = host.host_id, .status = host.status, .stamp = host.answer.stamp};
  const Column* const from = host.status == kKnown ? &host.answer.columns[metric] : nullptr;
  const Row* const row = from == nullptr ? nullptr : &from->rows.front();
  if (row != nullptr) {
    out.status = row->status;
    const bool empty = rosters_.size(row->roster_id) == 0;
    if (singular && empty && out.status == kKnown) out.status = kNoValue;
    if (!singular && out.status == kKnown) host.roster_ids[metric] = row->roster_id;
  }
  out.roster_id = host.roster_ids[metric];
  out.lanes = rosters_.size(out.roster_id);
  out.first_lane = static_cast<uint32_t>(column.count);
  if (out.status == kKnown) {
    column.append_row(*from, *row, out.lanes);
  } else {
    column.mark_invalid(column.grow(out.lanes), out.lanes);
  }
  return out;
}

void FleetRows::make(Wave& wave, bool last) {
  wave.groups = {Group{.t = due_}};
  wave.last = last;
  wave.late = false;
  wave.missing.clear();
  for (const HostState& host : hosts_) {
    if (host.status != kKnown) wave.missing.push_back({host.host_id, host.status});
  }
  wave.operands.resize(metrics_.size());
  std::vector<HostRoster> parts;
  for (size_t i = 0; i < metrics_.size(); ++i) {
    Observations& out = wave.operands[i];
    out.column.clear();
    out.column.elem = metrics_[i].elem;
    out.limits = {AgeLimit{}};
    out.segments.clear();
    parts.clear();
    for (HostState& host : hosts_) {
      out.segments.push_back(append(i, host, out.column));
      parts.push_back({host.host_id, out.segments.back().roster_id});
    }
    out.column.rows = {Row{.stamp = due_, .roster_id = rosters_.intern_hosts(parts)}};
  }
}

void FleetRows::keep_rosters(Rosters& rosters) const {
  for (const HostState& host : hosts_) {
    for (const RosterId id : host.roster_ids) rosters.keep(id);
    for (const Column& column : host.answer.columns) {
      for (const Row& row : column.rows) rosters.keep(row.roster_id);
    }
  }
}

}  // namespace pmjit
