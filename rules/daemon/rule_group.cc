#include "rules/daemon/rule_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

using namespace std::chrono_literals;

constexpr auto kLongestWait = 100ms;  // that a signal or a reload may go unseen
constexpr auto kBetweenWatches = 1s, kBetweenKeeps = 5s;

}  // namespace

std::string RuleGroup::name_of(const RuleBlock& block) {
  std::string out;
  for (const BlockRuleFile& file : block.files) {
    if (!out.empty()) out += ",";
    out += std::filesystem::path(file.path).filename().string();
  }
  return out;
}

RuleGroup::RuleGroup(RuleBlock block, GroupSetup setup, GroupWorld world, const Clock& clock)
    : latest_(std::move(block)),
      places_(latest_.places()),
      parts_(latest_),
      block_(latest_),
      setup_(std::move(setup)),
      world_(std::move(world)),
      clock_(clock),
      name_(name_of(block_)),
      output_{.sinks = &setup_.config->sinks,
              .board = world_.board,
              .metrics = world_.metrics,
              .page = setup_.page,
              .most = static_cast<size_t>(setup_.config->alerts.max)} {
  index_hosts();
  for (const uint32_t id : setup_.rules().host_ids) {
    const ConfigHost& host = setup_.config->hosts[id];
    host_states_[host.name] = HostCondition::connecting;
    Member& member = members_.emplace_back();
    if (std::ranges::find(setup_.watched, id) == setup_.watched.end()) continue;
    watched_.push_back(host.name);
    AlertTable table = host_down_table(*setup_.config, host);
    if (!table.is_wanted) continue;
    member.down = std::make_unique<AlertBinding>(
        AlertKey{.rule = std::string(kHostDownRule), .host = host.name}, std::move(table), "",
        Milliseconds(kBetweenWatches), host.spec);
  }
  alive_ns_ = clock_.now().time_since_epoch().count();
  shortest_ns_ = static_cast<int64_t>(block_.shortest_interval * 1e9);
}

RuleGroup::~RuleGroup() { (void)stop(); }

EngineSink RuleGroup::sink_of(const RulePart& part) {
  return {
      .came = [this](size_t host, bool is_there) { members_[host].came = is_there; },
      .evaluated =
          [this, &part](const std::string& rule, const std::string& host, const RuleTick& tick) {
            if (part.tells_alert(rule)) step(rule, host, tick);
          },
      .alert =
          [this, &part](const std::string& rule, const std::string& host, const AlertTick& tick) {
            if (part.tells_alert(rule)) step_alert(rule, host, tick);
          },
      .act =
          [this, &part](const std::string& rule, const std::string& host, ActionPlan plan) {
            if (part.tells(rule)) world_.act(rule, host, {std::move(plan)});
          },
      .ticked = [this](double late) { late_.add(late); },
      .worked = [this](double seconds) { worked_.add(seconds); },
      .spent = [this](const std::string& rule, double seconds) { spent_[rule] += seconds; },
      .missed =
          [this](uint64_t times) {
            world_.metrics.add(WebMetric::ticks_missed_total,
                               {{"group", name_}, {"reason", "late"}}, static_cast<double>(times));
          },
      .warn =
          [this](const std::string& warning) {
            world_.log(LogLevel::warn, warning, {{"rules", name_}});
          },
      .wants =
          [this](const std::string& rule) { return setup_.rules().alert_of(rule).has_value(); }};
}

GroupEngine::Setup RuleGroup::engine_setup(const GroupSetup& setup, const RuleBlock& rules) {
  return {.block = rules,
          .config = *setup.config,
          .stop = [this] { return stops_ || (world_.stop && world_.stop()); },
          .places = places_,
          .network = world_.network};
}

Result<void> RuleGroup::open() {
  Error why(Fault::io, "no host is there");
  const RulePart& part = parts_.first();
  auto engine = GroupEngine::open(engine_setup(setup_, part.rules()), sink_of(part), clock_, why);
  if (!engine) return fail(engine.error());
  engine_ = *std::move(engine);
  const auto& fetch = setup_.config->fetch;
  patient_until_ = clock_.now() + fetch.connect_timeout;
  if (engine_ == nullptr) {
    const bool first = open_pause_ == 0ns;
    open_pause_ = first ? fetch.backoff
                        : std::min<std::chrono::nanoseconds>(open_pause_ * 2, fetch.backoff_max);
    next_open_ = clock_.now() + open_pause_;
    if (first) {
      world_.log(LogLevel::warn, "no host is there yet: its rules wait, and are unknown until then",
                 {{"rules", name_}, {"reason", why.text()}});
    }
  } else if (open_pause_ != 0ns) {
    open_pause_ = 0ns;
    world_.log(LogLevel::info, "a host is there: rules run", {{"rules", name_}});
  }
  return {};
}

// ---- alerts

void RuleGroup::index_hosts() {
  hosts_.clear();
  for (const uint32_t host : setup_.rules().host_ids) {
    const ConfigHost& one = setup_.config->hosts[host];
    hosts_.emplace(one.name, &one);
  }
}

const ConfigHost* RuleGroup::config_host(std::string_view name) const {
  const auto found = hosts_.find(name);
  return found == hosts_.end() ? nullptr : found->second;
}

Milliseconds RuleGroup::stale_of(const std::string& rule) const {
  const auto strict = block_.alerts.find(rule);
  if (strict != block_.alerts.end() && strict->second.terms.stale) {
    return Milliseconds(std::llround(*strict->second.terms.stale * 1e3));
  }
  if (strict != block_.alerts.end()) return setup_.config->alerts.stale;
  const auto said = setup_.rules().alert_of(rule);
  return said && said->stale ? *said->stale : setup_.config->alerts.stale;
}

AlertTable RuleGroup::table_of(const AlertKey& key) const {
  const auto said = block_.alerts.find(key.rule);
  return alert_table(*setup_.config, setup_.rules(), key, config_host(key.host),
                     said == block_.alerts.end() ? nullptr : &said->second);
}

AlertBinding* RuleGroup::binding(const AlertKey& key, Milliseconds interval) {
  const auto found = bindings_.find(key);
  if (found != bindings_.end()) return found->second.get();
  if (!block_.has_alert(key.rule)) return nullptr;
  const ConfigHost* const host = config_host(key.host);
  return bindings_
      .emplace(key, std::make_unique<AlertBinding>(key, table_of(key), block_.shapes.at(key.rule),
                                                   interval, host == nullptr ? "" : host->spec))
      .first->second.get();
}

void RuleGroup::step(const std::string& rule, const std::string& host, const RuleTick& tick) {
  ++evaluated_.at(static_cast<size_t>(tick.truth));
  (void)step_place({rule, host}, tick);
}

bool RuleGroup::holds_unknown(const AlertReason& reason) const {
  return reason.kind == ReasonKind::host_down &&
         setup_.config->host_down.severity != HostDownSeverity::none;
}

AlertChanges RuleGroup::step_place(const RuleOnHost& place, const RuleTick& tick) {
  const bool holds = holds_unknown(tick.reason);
  const auto found = bindings_.find(place);
  if (found == bindings_.end()) return step_new(place, tick, holds);
  AlertBinding& alert = *found->second;
  alert.hold_unknown(holds);
  const AlertChanges changes = alert.step(tick, output_);
  if (alert.is_idle()) bindings_.erase(found);
  return changes;
}

// Of what is false nothing is remembered; of what is unknown it is since when.
AlertChanges RuleGroup::step_new(const RuleOnHost& place, const RuleTick& tick, bool holds) {
  auto dark = dark_.find(place);
  if (tick.truth == RuleTruth::no) {
    if (dark != dark_.end()) dark_.erase(dark);
    return {};
  }
  const AlertKey key{.rule = std::string(place.rule),
                     .host = std::string(place.host),
                     .instance = std::string(place.instance)};
  std::optional<WallTime> since;
  if (tick.truth == RuleTruth::unknown) {
    if (!block_.has_alert(key.rule)) return {};
    if (dark == dark_.end()) {
      dark = dark_.emplace(key, Dark{.since = tick.at, .stale = stale_of(key.rule)}).first;
    }
    Dark& of = dark->second;
    of.since = std::min(of.since, tick.at);  // the clock may have been set back
    // The first tick of a host that is back says little: a rate has no value at it.
    const bool waits = holds || of.held;
    of.held = holds;
    of.reason = tick.reason;
    if (waits || tick.at - of.since < of.stale) return {};
    since = of.since;
  }
  if (dark != dark_.end()) dark_.erase(dark);
  AlertBinding* const alert = binding(key, tick.interval);
  if (alert == nullptr) return {};
  if (since) alert->unknown_since(*since);
  const AlertChanges changes = alert->step(tick, output_);
  if (alert->is_idle()) bindings_.erase(key);  // [alerts] max
  return changes;
}

bool RuleGroup::is_of(const RuleBlock& rules, const AlertKey& key) const {
  const bool is_element = key.instance.empty() || rules.alerts.contains(key.rule);
  const bool is_host = key.host.empty() || config_host(key.host) != nullptr;
  return tells(rules, key.rule) && is_element && is_host;
}

// Of an expression without actions there is an alert where the configuration asks for it.
bool RuleGroup::tells(const RuleBlock& rules, const std::string& alert) const {
  if (!rules.has_alert(alert)) return false;
  return !rules.silent.contains(alert) || setup_.rules().alert_of(alert).has_value();
}

void RuleGroup::restore(std::map<AlertKey, StoredAlert>& states) {
  std::map<std::string_view, AlertBinding*> watches;
  for (const Member& member : members_) {
    if (member.down != nullptr) watches.emplace(member.down->key().host, member.down.get());
  }
  for (auto at = states.begin(); at != states.end();) {
    const StoredAlert& stored = at->second;
    AlertBinding* taker = nullptr;
    const auto watch = watches.find(stored.key.host);
    if (watch != watches.end() && stored.key.rule == kHostDownRule) taker = watch->second;
    if (taker == nullptr && is_of(block_, stored.key)) {
      taker = binding(
          {.rule = stored.key.rule, .host = stored.key.host, .instance = stored.key.instance},
          Milliseconds(stored.interval_ms));
    }
    if (taker == nullptr) {
      ++at;
      continue;
    }
    taker->restore(stored);
    taker->change(taker->table(), clock_.wall(), output_);
    if (taker->is_idle()) {
      output_.batch.gone.insert(stored.key);
      output_.board.drop(stored.key);
    }
    at = states.erase(at);
  }
  std::erase_if(bindings_, [](const auto& one) { return one.second->is_idle(); });
}

// ---- the thread

void RuleGroup::start() {
  thread_ = std::thread([this] { run(); });
}

std::vector<StoredAlert> RuleGroup::stop() {
  stops_ = true;
  if (thread_.joinable()) thread_.join();
  std::vector<StoredAlert> out;
  const auto add = [&out](const AlertBinding& binding) {
    for (StoredAlert& state : binding.states()) out.push_back(std::move(state));
  };
  for (const auto& [key, binding] : bindings_) add(*binding);
  for (const Member& member : members_) {
    if (member.down != nullptr) add(*member.down);
  }
  return out;
}

std::string RuleGroup::name() const {
  const std::scoped_lock lock(mutex_);
  return name_;
}

std::map<std::string, HostCondition> RuleGroup::hosts() const {
  const std::scoped_lock lock(mutex_);
  return host_states_;
}

void RuleGroup::run() {
  while (!stops_) run_round();
  flush_costs();
  flush();
}

void RuleGroup::run_round() {
  tend_reload();
  const Stamp until = stamp_from_nanos((clock_.wall().time_since_epoch() + kLongestWait).count());
  if (engine_ != nullptr) {
    engine_->run_some(until);
  } else {
    reopen_if_due();
  }
  const Instant now = clock_.now();
  if (now >= next_watch_) {
    next_watch_ = now + kBetweenWatches;
    watch_hosts();
    flush_costs();
  }
  if (now >= next_keep_) {
    next_keep_ = now + kBetweenKeeps;
    for (const auto& [key, binding] : bindings_) binding->keep(output_);
    count_unknown();
  }
  flush();
  alive_ns_ = clock_.now().time_since_epoch().count();
}

// A rule that cannot run on hosts that have come is said, and tried again like a host.
void RuleGroup::reopen_if_due() {
  clock_.wait_until(clock_.now() + kLongestWait);
  if (clock_.now() < next_open_ || is_prepared()) return;
  const auto opened = open();
  if (opened) return refusal_.clear();
  const std::string why = opened.error().text();
  if (std::exchange(refusal_, why) != why) {
    world_.log(LogLevel::error, "rules cannot run", {{"rules", name_}, {"reason", why}});
  }
  next_open_ = clock_.now() + setup_.config->fetch.backoff_max;
}

void RuleGroup::watch_hosts() {
  const WallTime now(
      std::chrono::floor<std::chrono::milliseconds>(clock_.wall().time_since_epoch()));
  for (size_t i = 0; i < members_.size(); ++i) {
    if (engine_ == nullptr && !refusal_.empty() && members_[i].came) {
      watch_host(i, {.at = now, .interval = kBetweenWatches});
    } else if (engine_ == nullptr) {
      // Attempts to connect take their time.
      watch_host(i, {.at = now,
                     .interval = kBetweenWatches + setup_.config->fetch.connect_timeout,
                     .why_down = "no connection"});
    } else if (const auto tick = engine_->last_tick(i)) {
      watch_host(i, *tick);
    }
  }
  if (engine_ == nullptr) step_all_unknown(now);
}

void RuleGroup::watch_host(size_t place, const HostTick& tick) {
  Member& member = members_[place];
  if (member.stepped == tick.at) return;
  member.stepped = tick.at;
  const std::string& name = setup_.config->hosts[setup_.rules().host_ids[place]].name;
  HostCondition before = HostCondition::connecting;
  {
    const std::scoped_lock lock(mutex_);
    HostCondition& state = host_states_[name];
    // Of thousands the metadata are looked up first, and some of them answer later than they will.
    const bool new_and_late = state == HostCondition::connecting && tick.late;
    if (new_and_late && clock_.now() < patient_until_) return;
    const auto down = tick.late ? HostCondition::late : HostCondition::down;
    before = std::exchange(state, tick.why_down ? down : HostCondition::up);
  }
  const bool was_down = before == HostCondition::down || before == HostCondition::late;
  if (!was_down && tick.why_down) {
    world_.log(LogLevel::warn, "host is down", {{"host", name}, {"reason", *tick.why_down}});
  } else if (was_down && !tick.why_down) {
    world_.log(LogLevel::info, "host is back", {{"host", name}});
  }
  if (member.down == nullptr) return;
  member.down->step({.truth = tick.why_down ? RuleTruth::yes : RuleTruth::no,
                     .at = tick.at,
                     // It is looked at no more often.
                     .interval = std::max<Milliseconds>(tick.interval, kBetweenWatches)},
                    output_);
}

// Of rules that cannot be evaluated at all: what pends or fires, and else the rule as a whole.
void RuleGroup::step_all_unknown(WallTime at) {
  AlertReason why{ReasonKind::host_down};
  if (!refusal_.empty()) why = {ReasonKind::pm_error, pm_err::E_CONV};
  const RuleTick unknown{.truth = RuleTruth::unknown, .at = at, .reason = why};
  const auto step_alert_on = [&](const std::string& alert, std::string_view host) {
    const RuleOnHost place{alert, host};
    AlertActs acts;  // which a rule that is not evaluated does not do
    const auto active = active_instances(place);
    step_all_of(place, unknown, active, acts);
    if (active.empty()) (void)step_place(place, unknown);
    ++evaluated_.at(static_cast<size_t>(RuleTruth::unknown));
  };
  for (const BlockRule& rule : block_.rules) {
    for (const std::string& alert : rule.alerts) {
      if (!tells(block_, alert)) continue;
      if (rule.joins_hosts) {
        step_alert_on(alert, "");
      } else {
        for (const auto& [name, host] : hosts_) step_alert_on(alert, name);
      }
    }
  }
}

// What many hosts cost: once a second, not for each of them.
void RuleGroup::flush_costs() {
  const AlertLabels group{{"group", name_}};
  MetricSheet& sheet = world_.metrics;
  if (late_.count > 0) {
    sheet.add(WebMetric::ticks_total, group, static_cast<double>(late_.count));
    sheet.add_times(WebMetric::tick_late_seconds, group, std::exchange(late_, {}));
  }
  if (worked_.count > 0) {
    sheet.add_times(WebMetric::tick_seconds, group, std::exchange(worked_, {}));
  }
  for (const auto& [rule, seconds] : std::exchange(spent_, {})) {
    sheet.add(WebMetric::rule_seconds_total, {{"rule", rule}}, seconds);
  }
  if (engine_ == nullptr) return;
  const FetchCounts counts = engine_->take_fetch_counts();
  for (const auto& [result, count] :
       {std::pair{"ok", counts.answered}, std::pair{"late", counts.late},
        std::pair{"error", counts.failed}}) {
    if (count == 0) continue;
    sheet.add(WebMetric::fetches_total, {{"result", result}}, static_cast<double>(count));
  }
  sheet.add(WebMetric::values_total, {}, static_cast<double>(counts.values));
  sheet.add(WebMetric::bytes_received_total, {}, static_cast<double>(counts.bytes));
  sheet.add_times(WebMetric::fetch_seconds, {}, counts.seconds);
}

void RuleGroup::count_unknown() {
  std::map<std::string, size_t> counts;
  for (const auto& [key, dark] : dark_) ++counts[alert_reason_text(dark.reason)];
  for (const auto& [key, binding] : bindings_) {
    if (const auto reason = binding->unknown()) ++counts[alert_reason_text(*reason)];
  }
  const std::scoped_lock lock(mutex_);
  unknown_ = std::move(counts);
}

std::map<std::string, size_t> RuleGroup::unknown() const {
  const std::scoped_lock lock(mutex_);
  return unknown_;
}

void RuleGroup::flush() {
  for (const RuleTruth truth : {RuleTruth::no, RuleTruth::yes, RuleTruth::unknown}) {
    uint64_t& count = evaluated_.at(static_cast<size_t>(truth));
    if (count == 0) continue;
    world_.metrics.add(WebMetric::rule_evaluations_total,
                       {{"result", std::string(rule_truth_text(truth))}},
                       static_cast<double>(std::exchange(count, 0)));
  }
  if (output_.batch.size() == 0) return;
  world_.post(std::exchange(output_.batch, {}));
}

}  // namespace pmjit
