// The spread step: a constant, once for every instance that its domain has at the time of a group.

#include <cstring>

#include "runtime/exec/state.h"

namespace pmjit {

namespace {

// Who is in the domain, asked again only when it has changed.
class Members {
 public:
  Members(ExecState& state, InDomId domain) : state_(state), domain_(domain) {}

  RosterId at(Stamp when, uint32_t group) {
    const Catalog& catalog = state_.catalog_at(group);
    const uint64_t epoch = catalog.domain_epoch(domain_, when);
    if (known_ == &catalog && epoch == epoch_ && epoch != Catalog::kAskAgain) return roster_;
    known_ = &catalog;
    epoch_ = epoch;
    std::vector<int32_t> members;
    for (const Catalog::Instance& instance : catalog.instances(domain_)) {
      if (catalog.instance_name(domain_, instance.id, when)) members.push_back(instance.id);
    }
    return roster_ = state_.rosters.intern(members);
  }

 private:
  ExecState& state_;
  InDomId domain_;
  const Catalog* known_ = nullptr;  // by whom the rest is known
  uint64_t epoch_ = 0;
  RosterId roster_;
};

}  // namespace

void run_spread(ExecState& state, const Step& step, const Wave& wave) {
  Series& out = state.series_of(step.out);
  out.start_round(state.slot(step.out).elem);
  Members members(state, step.domain);
  const size_t bytes = elem_bytes(out.column.elem);
  const auto append = [&](uint32_t group) {
    const Stamp when = wave.groups[group].t;
    Row row{.stamp = when, .roster_id = members.at(when, group), .record = group};
    const uint32_t lanes = state.rosters.size(row.roster_id);
    row.offset = out.column.grow(lanes);
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      std::memcpy(out.column.values.data() + (row.offset + lane) * bytes, step.args.data(), bytes);
    }
    out.column.rows.push_back(row);
    out.offered.push_back(row.roster_id);
  };
  if (state.constant(step.out)) return append(0);
  for (const TrackRow& row : state.track_for(step.out).rows()) append(row.group);
}

}  // namespace pmjit
