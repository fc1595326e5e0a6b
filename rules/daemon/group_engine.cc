#include "rules/daemon/group_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <utility>

#include "compiler/compat/registry/derive.h"
#include "rules/daemon/engine_times.h"
#include "rules/daemon/pmie_hosts.h"
#include "rules/daemon/strict_tasks.h"
#include "rules/strict/definitions.h"

namespace pmjit {

namespace {

// Hosts have places in their interval where there are more than so many.
constexpr size_t kAskedTogether = 64;
// A clock that is set back further has no time to wait for (spec alerting.md §5.3).
constexpr Nanos kWaitedForMost = 60'000'000'000;

ClientSettings client_settings(const DaemonConfig& config, std::function<bool()> stop,
                               std::vector<std::string>& warnings) {
  ClientSettings out = installed_client_settings(warnings);
  out.stop = std::move(stop);
  out.connect_timeout = config.fetch.connect_timeout;
  if (config.fetch.timeout) out.request_timeout = *config.fetch.timeout;
  out.reconnect_delays.clear();
  using std::chrono::seconds;
  const auto longest = std::chrono::ceil<seconds>(config.fetch.backoff_max);
  auto delay = std::chrono::ceil<seconds>(config.fetch.backoff);
  for (; delay < longest; delay *= 2) out.reconnect_delays.push_back(delay);
  out.reconnect_delays.push_back(longest);
  out.reconnect_jitter = 0.2;
  return out;
}

class LiveEngine final : public GroupEngine {
 public:
  LiveEngine(const Setup& setup, EngineSink sink, const Clock& clock, Definitions definitions)
      : clock_(clock),
        sink_(std::move(sink)),
        network_(setup.network(clock)),
        definitions_(std::move(definitions)),
        pmie_(clock) {
    const RulesBlock& block = setup.config.rules[setup.block.block];
    for (const uint32_t host : block.host_ids) hosts_.push_back(setup.config.hosts[host]);
  }

  // False: no host is there.
  Result<bool> connect(const Setup& setup, Error& why) {
    std::vector<std::string> warnings;
    ClientSettings settings = client_settings(setup.config, setup.stop, warnings);
    settings.fetch_counts = &fetch_counts_;
    std::vector<FleetHost> named;
    for (const ConfigHost& host : hosts_) {
      auto spec = parse_host_spec(host.spec);
      if (!spec) return fail(spec_error(host.spec, spec.error()));
      if (auto refused = spec_refusal(*spec)) return fail(refused->at("host", host.name));
      named.push_back({.spec = *std::move(spec), .name = host.name});
    }
    auto fleet = HostFleet::open(*network_, std::move(named), settings);
    if (!fleet && fleet.error().fault() == Fault::usage) return fail(fleet.error());
    if (!fleet) {
      why = fleet.error();
      return false;
    }
    fleet_ = *std::move(fleet);
    return true;
  }

  // False: the daemon is to end.
  Result<bool> read_rules(const Setup& setup) {
    const RulesBlock& block = setup.config.rules[setup.block.block];
    Zone zone;
    if (!setup.config.daemon.zone.empty()) zone = Zone(setup.config.daemon.zone);
    const bool safe_shell = setup.config.actions.shell != ShellAction::as_is;
    if (auto done = read_strict(setup.block, block, zone, safe_shell); !done) {
      return fail(done.error());
    }
    return setup.block.has_pmie() ? read_pmie(setup, zone, safe_shell) : Result<bool>(true);
  }

  void run_some(Stamp until) override {
    begin_anew_if_set_back();
    for (const auto& tasks : strict_) until = std::min(until, tasks->run());
    until = std::min(until, pmie_.run());
    fleet_->wait(until);
  }

  // Of rules of both dialects: the newer time; of the same one that there was no answer.
  std::optional<HostTick> last_tick(size_t host) const override {
    std::optional<HostTick> out;
    const auto& health = fleet_->members()[host]->feeds.health();
    if (!strict_.empty() && health.ended()) {
      const auto& why = health.why_down();
      out = HostTick{.at = wall_of(pmie::seconds_of(*health.ended())),
                     .why_down = why ? std::optional(why->text()) : std::nullopt,
                     .late = health.late()};
    }
    if (!pmie_.empty()) {
      const std::optional<HostTick> pmie = pmie_.last_tick(host);
      const bool newer = pmie && (!out || pmie->at > out->at);
      if (newer || (pmie && pmie->at == out->at && pmie->why_down)) out = pmie;
    }
    if (out) out->interval = interval_of(shortest_);
    return out;
  }
  FetchCounts take_fetch_counts() override { return std::exchange(fetch_counts_, {}); }

 private:
  // Times that were evaluated would come again, and those that are due are far away.
  void begin_anew_if_set_back() {
    const Stamp now = stamp_now(clock_);
    if (nanos(now) + kWaitedForMost < nanos(latest_)) {
      sink_.warn(fmt::format("the clock was set back by {:.0f} s: windows begin anew",
                             static_cast<double>(nanos(latest_) - nanos(now)) / 1e9));
      for (const auto& tasks : strict_) tasks->begin_anew();
      pmie_.begin_anew();
      latest_ = now;
    }
    latest_ = std::max(latest_, now);
  }

  Result<bool> read_pmie(const Setup& setup, const Zone& zone, bool safe_shell) {
    const RulesBlock& block = setup.config.rules[setup.block.block];
    std::vector<pmie::CommonRuleFile> files;
    for (const BlockRuleFile& file : setup.block.files) {
      if (!file.strict) files.push_back({.text = file.text, .name = file.path});
    }
    rules_ = std::make_unique<pmie::CommonRules>(
        std::move(files),
        pmie::ReaderOptions{.program = "pmjit",
                            .delta = static_cast<double>(block.interval.count()) / 1e3,
                            .settings = setup.block.settings,
                            .takes = [&block = setup.block](std::string_view name) {
                              return block.has_rule(name);
                            }});
    std::ranges::copy_if(
        setup.block.rules, std::back_inserter(of_pmie_),
        [this](const BlockRule& rule) { return !strict_names_.contains(rule.name); });
    const bool is_spread = hosts_.size() > kAskedTogether;
    for (size_t i = 0; i < hosts_.size(); ++i) {
      pmie_.add({.member = *fleet_->members()[i],
                 .host = hosts_[i],
                 .derived = definitions_.metrics(),
                 .rules = *rules_,
                 .of_pmie = of_pmie_,
                 .interval = static_cast<double>(block.interval.count()) / 1e3,
                 .zone = zone,
                 .safe_shell = safe_shell,
                 .spread = is_spread},
                sink_);
    }
    auto bound = pmie_.bind(*network_, setup.stop);
    if (bound && *bound) shortest_ = std::min(shortest_, pmie_.shortest());
    return bound;
  }

  Result<void> read_strict(const RuleBlock& rules, const RulesBlock& block, const Zone& zone,
                           bool safe_shell) {
    strict::RuleSet all;
    for (const BlockRuleFile& file : rules.files) {
      if (!file.strict) continue;
      const auto added = strict::add_rules(
          all, {.name = file.path, .text = file.text},
          {.delta = static_cast<double>(block.interval.count()) / 1e3, .settings = rules.settings});
      if (!added) return fail(added.error());
    }
    std::map<double, strict::RuleSet> by_delta;
    for (strict::SetRule& rule : all.rules) {
      if (!rules.has_rule(rule.rule.name)) continue;
      strict_names_.insert(rule.rule.name);
      strict::RuleSet& set = by_delta[rule.rule.delta];
      set.rules.push_back(std::move(rule));
    }
    TickPlace places{.part = 1};
    for (const auto& [delta, set] : by_delta) places.part = std::min(places.part, places_part(set));
    // One place for all intervals, so that those that are due together ask together.
    places.most = std::min(places.most, nanos_of(rules.shortest_interval));
    for (auto& [delta, set] : by_delta) {
      shortest_ = std::min(shortest_, delta);
      set.sources = all.sources;
      set.macros = all.macros;
      strict::TaskOptions options{
          .zone = zone, .definition_files = definitions_.texts(), .places = places};
      options.compile.counter_wrap = std::getenv("PCP_COUNTER_WRAP") != nullptr;
      options.compile.equivalent = installed_equivalences();
      strict_.push_back(
          std::make_unique<StrictTasks>(std::move(set), delta, *fleet_, hosts_, sink_, clock_));
      if (auto done = strict_.back()->open(std::move(options), safe_shell); !done) return done;
    }
    return {};
  }

  const Clock& clock_;
  EngineSink sink_;
  std::vector<ConfigHost> hosts_;
  FetchCounts fetch_counts_;
  std::unique_ptr<Network> network_;
  Definitions definitions_;
  std::unique_ptr<HostFleet> fleet_;
  std::vector<std::unique_ptr<StrictTasks>> strict_;
  std::unique_ptr<pmie::CommonRules> rules_;  // of pmie; null: there are none
  RuleNames strict_names_;
  std::vector<BlockRule> of_pmie_;
  PmieHosts pmie_;              // then all hosts
  Stamp latest_{};              // that it was
  double shortest_ = HUGE_VAL;  // interval of any rule, in seconds
};

}  // namespace

Result<std::unique_ptr<GroupEngine>> GroupEngine::open(const Setup& setup, EngineSink sink,
                                                       const Clock& clock, Error& why) {
  std::string told;
  auto definitions = Definitions::load(setup.config.derived.files,
                                       [&told](std::string_view text) { told += text; });
  if (!definitions) return fail(definitions.error());
  if (!told.empty()) sink.warn(told);
  definitions->metrics().tell([](std::string_view) {});
  auto out = std::make_unique<LiveEngine>(setup, std::move(sink), clock, *std::move(definitions));
  const auto connected = out->connect(setup, why);
  if (!connected) return fail(connected.error());
  if (!*connected) return nullptr;
  const auto read = out->read_rules(setup);
  if (!read) return fail(read.error());
  if (!*read) {
    why = Error(Fault::io, "interrupted");
    return nullptr;
  }
  return out;
}

}  // namespace pmjit
