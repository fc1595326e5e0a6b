// What a reload does with a group that goes on: in the thread of the reload, and in its own.
#include <algorithm>
#include <utility>

#include "rules/daemon/rule_group.h"

namespace pmjit {

// ---- in the thread of the reload

bool RuleGroup::can_take(const RuleBlock& next) const {
  const TickPlace wants = next.places();
  return latest_.engine_key == next.engine_key && places_.part <= wants.part &&
         places_.most <= wants.most;
}

void RuleGroup::prepare(GroupSetup setup, RuleBlock rules) {
  const std::scoped_lock lock(mutex_);
  prepared_ = Prepared{.next = {.setup = std::move(setup), .rules = std::move(rules)}};
}

Result<void> RuleGroup::prepared() {
  std::unique_lock lock(mutex_);
  settled_.wait(lock, [this] { return prepared_->done.has_value(); });
  return *prepared_->done;
}

void RuleGroup::forget() {
  const std::scoped_lock lock(mutex_);
  prepared_.reset();
}

void RuleGroup::adopt(GroupSetup setup, RuleBlock rules) {
  latest_ = rules;
  const std::scoped_lock lock(mutex_);
  shortest_ns_ = static_cast<int64_t>(rules.shortest_interval * 1e9);
  next_ = Next{.setup = std::move(setup), .rules = std::move(rules)};
}

std::vector<StoredAlert> RuleGroup::given_up() {
  std::unique_lock lock(mutex_);
  settled_.wait(lock, [this] { return !next_; });
  return std::exchange(given_up_, {});
}

void RuleGroup::receive(std::map<AlertKey, StoredAlert>& states) {
  const std::scoped_lock lock(mutex_);
  for (auto at = states.begin(); at != states.end();) {
    if (coming_ && is_of(*coming_, at->first)) {
      received_.insert(states.extract(at++));
    } else {
      ++at;
    }
  }
  may_come_ = true;
}

// ---- in the group's own

void RuleGroup::tend_reload() {
  take_received();  // of a reload before, where the next one has come already
  take_setup();
  drop_forgotten();
  drop_silent_parts();
  open_prepared();
  see_prepared();
}

bool RuleGroup::is_prepared() const {
  const std::scoped_lock lock(mutex_);
  return prepared_.has_value();
}

void RuleGroup::open_prepared() {
  Next next;
  {
    const std::scoped_lock lock(mutex_);
    if (!prepared_ || std::exchange(prepared_->has_begun, true)) return;
    next = prepared_->next;
  }
  auto rules = parts_.missing(next.rules);
  if (engine_ == nullptr || !rules) return settle({});
  RulePart& part = parts_.add(*std::move(rules));
  const auto begun = engine_->add(engine_setup(next.setup, part.rules()), sink_of(part));
  if (!begun) {
    parts_.drop_last();
    return settle(begun);
  }
  opens_part_ = has_prepared_part_ = true;
}

void RuleGroup::see_prepared() {
  if (!opens_part_) return;
  std::optional<Result<void>> added = engine_->added();
  if (world_.stop && world_.stop()) added = fail(Fault::io, "interrupted");
  if (!added) return;
  opens_part_ = false;
  if (!*added) drop_prepared();
  settle(*added);
}

void RuleGroup::settle(Result<void> prepared) {
  const std::scoped_lock lock(mutex_);
  if (prepared_) prepared_->done = std::move(prepared);
  settled_.notify_all();
}

// Of a reload that was given up.
void RuleGroup::drop_forgotten() {
  const std::scoped_lock lock(mutex_);
  if (!next_ && !(prepared_ && prepared_->has_begun)) drop_prepared();
}

void RuleGroup::drop_prepared() {
  opens_part_ = false;
  if (!std::exchange(has_prepared_part_, false)) return;
  engine_->drop(parts_.size() - 1);
  parts_.drop_last();
}

void RuleGroup::take_setup() {
  const std::scoped_lock lock(mutex_);
  if (!next_) return;
  prepared_.reset();
  has_prepared_part_ = false;
  setup_ = std::move(next_->setup);
  const RuleNames staying = parts_.staying(next_->rules);
  if (engine_ == nullptr) {
    parts_.replace(next_->rules);
    refusal_.clear();
    next_open_ = {};
  }
  parts_.tell(next_->rules, staying);
  block_ = next_->rules.with(staying);
  coming_ = std::move(next_->rules);
  name_ = name_of(block_);
  output_.sinks = &setup_.config->sinks;
  output_.most = static_cast<size_t>(setup_.config->alerts.max);
  give_up_others();
  const WallTime now = clock_.wall();
  index_hosts();
  for (const auto& [key, binding] : bindings_) binding->change(table_of(key), now, output_);
  for (auto& [key, dark] : dark_) dark.stale = stale_of(key.rule);
  for (size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].down == nullptr) continue;
    const ConfigHost& host = setup_.config->hosts[setup_.rules().host_ids[i]];
    members_[i].down->change(host_down_table(*setup_.config, host), now, output_);
  }
  next_.reset();
  settled_.notify_all();
}

// Rules that come back are nobody's until then, with their alerts.
void RuleGroup::take_received() {
  const std::scoped_lock lock(mutex_);
  if (!std::exchange(may_come_, false)) return;
  block_ = *std::exchange(coming_, std::nullopt);
  parts_.tell(block_, block_.names);
  restore(received_);
  received_.clear();
}

// What evaluates rules that nobody wants any more.
void RuleGroup::drop_silent_parts() {
  {
    const std::scoped_lock lock(mutex_);
    if ((prepared_ && prepared_->has_begun) || next_ || coming_) return;
  }
  for (const size_t part : parts_.drop_silent()) {
    if (engine_ != nullptr) engine_->drop(part);
  }
}

// Alerts of rules that others go on with, or nobody.
void RuleGroup::give_up_others() {
  std::erase_if(bindings_, [this](const auto& one) {
    if (tells(block_, one.first.rule)) return false;
    for (StoredAlert& state : one.second->states()) given_up_.push_back(std::move(state));
    return true;
  });
  std::erase_if(dark_, [this](const auto& one) { return !tells(block_, one.first.rule); });
}

}  // namespace pmjit
