// Steps that take one lane of each row and drop the instance axis: select, by external name as it
// is at the row's time, and scalar, the one element there is.

#include "runtime/exec/state.h"

namespace pmjit {

namespace {

// The lane that bears a name, looked up again only when roster or instance domain have changed.
class NamedLane {
 public:
  NamedLane(const ExecState& state, InDomId domain, const std::string& name)
      : state_(state), domain_(domain), name_(name) {}

  int64_t find(RosterId roster, Stamp when, uint32_t group) {
    const Catalog& catalog = state_.names_at(group);
    const uint64_t epoch = catalog.domain_epoch(domain_, when);
    const bool known = known_ == &catalog && epoch != Catalog::kAskAgain;
    if (known && roster == roster_ && epoch == epoch_) return lane_;
    known_ = &catalog;
    roster_ = roster;
    epoch_ = epoch;
    lane_ = -1;
    const auto instances = state_.rosters.instances(roster);
    for (size_t i = 0; i < instances.size() && lane_ < 0; ++i) {
      if (catalog.held_name(domain_, instances[i], when) == name_) lane_ = static_cast<int64_t>(i);
    }
    return lane_;
  }

 private:
  const ExecState& state_;
  InDomId domain_;
  const std::string& name_;
  const Catalog* known_ = nullptr;  // by whom the rest is known
  RosterId roster_;
  uint64_t epoch_ = 0;
  int64_t lane_ = -1;
};

}  // namespace

void run_select(ExecState& state, const Step& step) {
  NamedLane lane(state, step.domain, step.instance);
  each_row(state, step, [&](Series& out, const InputRow& input, const Row& row) {
    const int64_t found = lane.find(row.roster_id, row.stamp, row.record);
    if (found < 0 && input.status == kKnown) return append_vacant(out, input);
    append_single(out, input, found);
  });
}

void run_scalar(ExecState& state, const Step& step) {
  each_row(state, step, [&](Series& out, const InputRow& input, const Row& row) {
    append_single(out, input, state.rosters.size(row.roster_id) == 1 ? 0 : -1);
  });
}

}  // namespace pmjit
