#include "rules/daemon/rule_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace pmjit {

namespace {

using namespace std::chrono_literals;

constexpr auto kLongestWait = 100ms;  // that a signal or a reload may go unseen
constexpr auto kBetweenWatches = 1s, kBetweenKeeps = 5s;

std::string_view truth_name(RuleTruth truth) {
  constexpr auto kTexts = std::to_array<std::string_view>({"false", "true", "unknown"});
  return kTexts.at(static_cast<size_t>(truth));
}

}  // namespace

RuleGroup::RuleGroup(RuleBlock block, GroupSetup setup, GroupWorld world, const Clock& clock)
    : block_(std::move(block)),
      setup_(std::move(setup)),
      world_(std::move(world)),
      clock_(clock),
      output_{.sinks = &setup_.config->sinks,
              .board = world_.board,
              .metrics = world_.metrics,
              .page = setup_.page,
              .most = static_cast<size_t>(setup_.config->alerts.max)} {
  for (const BlockRuleFile& file : block_.files) {
    if (!name_.empty()) name_ += ",";
    name_ += std::filesystem::path(file.path).filename().string();
  }
  for (const uint32_t host : setup_.rules().host_ids) {
    host_states_[setup_.config->hosts[host].name] = HostCondition::connecting;
  }
  for (const uint32_t host : setup_.watched) {
    const ConfigHost& watched = setup_.config->hosts[host];
    watched_.push_back(watched.name);
    AlertTable table = host_down_table(*setup_.config, watched);
    if (!table.is_wanted) continue;
    watches_.push_back({.host = host,
                        .binding = std::make_unique<AlertBinding>(
                            AlertKey{.rule = std::string(kHostDownRule), .host = watched.name},
                            std::move(table), "", Milliseconds(kBetweenWatches), watched.spec)});
  }
  alive_ns_ = clock_.now().time_since_epoch().count();
}

RuleGroup::~RuleGroup() { (void)stop(); }

Result<void> RuleGroup::open() {
  EngineSink sink{
      .evaluated = [this](const std::string& rule, const std::string& host,
                          const RuleTick& tick) { step(rule, host, tick); },
      .act =
          [this](const std::string& rule, const std::string& host, ActionPlan plan) {
            if (setup_.rules().has_rule(rule)) world_.act(rule, host, std::move(plan));
          },
      .ticked =
          [this](double late) {
            const AlertLabels group{{"group", name_}};
            world_.metrics.add(WebMetric::ticks_total, group);
            world_.metrics.observe(WebMetric::tick_late_seconds, group, late);
          },
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
  Error why(Fault::io, "no host is there");
  auto engine = GroupEngine::open(
      {.block = block_, .config = *setup_.config, .stop = [this] { return stops_.load(); }},
      std::move(sink), clock_, why);
  if (!engine) return fail(engine.error());
  engine_ = *std::move(engine);
  const auto& fetch = setup_.config->fetch;
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

const ConfigHost* RuleGroup::config_host(const std::string& name) const {
  for (const uint32_t host : setup_.rules().host_ids) {
    if (setup_.config->hosts[host].name == name) return &setup_.config->hosts[host];
  }
  return nullptr;
}

AlertTable RuleGroup::table_of(const AlertKey& key) const {
  return alert_table(*setup_.config, setup_.rules(), key.rule, config_host(key.host));
}

AlertBinding* RuleGroup::binding(const AlertKey& key, Milliseconds interval) {
  const auto found = bindings_.find(key);
  if (found != bindings_.end()) return found->second.get();
  if (!setup_.rules().has_rule(key.rule)) return nullptr;
  const ConfigHost* const host = config_host(key.host);
  return bindings_
      .emplace(key, std::make_unique<AlertBinding>(key, table_of(key), block_.engine_key, interval,
                                                   host == nullptr ? "" : host->spec))
      .first->second.get();
}

void RuleGroup::step(const std::string& rule, const std::string& host, const RuleTick& tick) {
  world_.metrics.add(WebMetric::rule_evaluations_total,
                     {{"result", std::string(truth_name(tick.truth))}});
  AlertBinding* const alert = binding({.rule = rule, .host = host}, tick.interval);
  if (alert == nullptr) return;
  alert->hold_unknown(tick.reason.kind == ReasonKind::host_down &&
                      setup_.config->host_down.severity != HostDownSeverity::none);
  alert->step(tick, output_);
}

void RuleGroup::restore(std::map<AlertKey, StoredAlert>& states) {
  for (auto at = states.begin(); at != states.end();) {
    const StoredAlert& stored = at->second;
    AlertBinding* taker = nullptr;
    for (const HostWatch& watch : watches_) {
      if (watch.binding->key() == stored.key) taker = watch.binding.get();
    }
    const bool is_rule = std::ranges::find(block_.names, stored.key.rule) != block_.names.end();
    const bool is_host = stored.key.host.empty() || config_host(stored.key.host) != nullptr;
    if (taker == nullptr && is_rule && is_host) {
      taker = binding({.rule = stored.key.rule, .host = stored.key.host},
                      Milliseconds(stored.interval_ms));
    }
    if (taker == nullptr) {
      ++at;
      continue;
    }
    taker->restore(stored);
    taker->change(taker->table(), clock_.wall(), output_);
    at = states.erase(at);
  }
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
  for (const HostWatch& watch : watches_) add(*watch.binding);
  return out;
}

void RuleGroup::adopt(GroupSetup setup) {
  const std::scoped_lock lock(mutex_);
  next_setup_ = std::move(setup);
}

std::chrono::nanoseconds RuleGroup::shortest_interval() const {
  return std::chrono::nanoseconds(static_cast<int64_t>(block_.shortest_interval * 1e9));
}

std::map<std::string, HostCondition> RuleGroup::hosts() const {
  const std::scoped_lock lock(mutex_);
  return host_states_;
}

void RuleGroup::run() {
  while (!stops_) {
    take_setup();
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
    }
    if (now >= next_keep_) {
      next_keep_ = now + kBetweenKeeps;
      for (const auto& [key, binding] : bindings_) binding->keep(output_);
    }
    flush();
    alive_ns_ = clock_.now().time_since_epoch().count();
  }
  flush();
}

// A rule that cannot run on hosts that have come is said, and tried again like a host.
void RuleGroup::reopen_if_due() {
  clock_.wait_until(clock_.now() + kLongestWait);
  if (clock_.now() < next_open_) return;
  if (const auto opened = open(); !opened) {
    world_.log(LogLevel::error, "rules cannot run",
               {{"rules", name_}, {"reason", opened.error().text()}});
    next_open_ = clock_.now() + setup_.config->fetch.backoff_max;
  }
}

void RuleGroup::watch_hosts() {
  const auto& ids = setup_.rules().host_ids;
  const WallTime at(
      std::chrono::floor<std::chrono::milliseconds>(clock_.wall().time_since_epoch()));
  std::map<std::string, HostCondition> states;
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string& name = setup_.config->hosts[ids[i]].name;
    const auto why =
        engine_ == nullptr ? std::optional<std::string>("no connection") : engine_->down(i);
    const HostCondition before = host_states_[name];
    states[name] = why ? HostCondition::down : HostCondition::up;
    if (before != HostCondition::down && why) {
      world_.log(LogLevel::warn, "host is down", {{"host", name}, {"reason", *why}});
    } else if (before == HostCondition::down && !why) {
      world_.log(LogLevel::info, "host is back", {{"host", name}});
    }
    for (const HostWatch& watch : watches_) {
      if (watch.host != ids[i]) continue;
      watch.binding->step({.truth = why ? RuleTruth::yes : RuleTruth::no, .at = at}, output_);
    }
  }
  if (engine_ == nullptr) step_all_unknown(at);
  const std::scoped_lock lock(mutex_);
  host_states_ = std::move(states);
}

// Of rules that cannot be evaluated at all.
void RuleGroup::step_all_unknown(WallTime at) {
  for (const auto& [key, binding] : bindings_) {
    binding->hold_unknown(setup_.config->host_down.severity != HostDownSeverity::none);
    binding->step({.truth = RuleTruth::unknown, .at = at, .reason = {ReasonKind::host_down}},
                  output_);
  }
}

void RuleGroup::take_setup() {
  std::optional<GroupSetup> next;
  {
    const std::scoped_lock lock(mutex_);
    next = std::exchange(next_setup_, std::nullopt);
  }
  if (!next) return;
  setup_ = *std::move(next);
  output_.sinks = &setup_.config->sinks;
  output_.most = static_cast<size_t>(setup_.config->alerts.max);
  const WallTime now = clock_.wall();
  for (const auto& [key, binding] : bindings_) binding->change(table_of(key), now, output_);
  for (size_t i = 0; i < watches_.size(); ++i) {
    watches_[i].host = setup_.watched[i];
    watches_[i].binding->change(
        host_down_table(*setup_.config, setup_.config->hosts[watches_[i].host]), now, output_);
  }
}

void RuleGroup::flush() {
  if (output_.batch.size() == 0) return;
  world_.post(std::exchange(output_.batch, {}));
}

}  // namespace pmjit
