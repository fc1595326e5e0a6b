#include "rules/daemon/group_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "rules/daemon/engine_rules.h"
#include "rules/daemon/engine_times.h"
#include "runtime/sched/host_rows.h"

namespace pmjit {

namespace {

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
  LiveEngine(const Setup& setup, std::function<void(const std::string&)> warn, const Clock& clock,
             Definitions definitions)
      : clock_(clock),
        warn_(std::move(warn)),
        network_(setup.network(clock)),
        definitions_(std::move(definitions)) {
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
  Result<bool> open_rules(const Setup& setup, EngineSink sink) {
    for (size_t i = 0; i < hosts_.size(); ++i) sink.came(i, !fleet_->members()[i]->away);
    give_places(*fleet_, setup.places);
    return new_part(std::move(sink)).open(setup);
  }

  Result<void> add(const Setup& setup, EngineSink sink) override {
    auto begun = new_part(std::move(sink)).open_beside(setup);
    if (!begun) parts_.pop_back();
    return begun;
  }
  std::optional<Result<void>> added() const override { return parts_.back()->opened(); }
  void drop(size_t part) override {
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(part));
  }

  void run_some(Stamp until) override {
    begin_anew_if_set_back();
    for (const auto& part : parts_) until = std::min(until, part->run());
    fleet_->wait(until);
  }

  std::optional<HostTick> last_tick(size_t host) const override {
    std::optional<HostTick> out;
    double shortest = HUGE_VAL;
    for (const auto& part : parts_) {
      shortest = std::min(shortest, part->shortest());
      take_newer(out, part->last_tick(host));
    }
    if (out) out->interval = interval_of(shortest);
    return out;
  }
  FetchCounts take_fetch_counts() override { return std::exchange(fetch_counts_, {}); }

 private:
  EngineRules& new_part(EngineSink sink) {
    const EngineRules::World world{.clock = clock_,
                                   .network = *network_,
                                   .fleet = *fleet_,
                                   .hosts = hosts_,
                                   .definitions = definitions_};
    return *parts_.emplace_back(std::make_unique<EngineRules>(world, std::move(sink)));
  }
  // Times that were evaluated would come again, and those that are due are far away.
  void begin_anew_if_set_back() {
    const Stamp now = stamp_now(clock_);
    if (nanos(now) + kWaitedForMost < nanos(latest_)) {
      warn_(fmt::format("the clock was set back by {:.0f} s: windows begin anew",
                        static_cast<double>(nanos(latest_) - nanos(now)) / 1e9));
      for (const auto& part : parts_) part->begin_anew();
      latest_ = now;
    }
    latest_ = std::max(latest_, now);
  }

  const Clock& clock_;
  std::function<void(const std::string&)> warn_;
  std::vector<ConfigHost> hosts_;
  FetchCounts fetch_counts_;
  std::unique_ptr<Network> network_;
  Definitions definitions_;
  std::unique_ptr<HostFleet> fleet_;
  std::vector<std::unique_ptr<EngineRules>> parts_;
  Stamp latest_{};  // that it was
};

}  // namespace

void take_newer(std::optional<HostTick>& out, std::optional<HostTick> tick) {
  const bool is_newer = tick && (!out || tick->at > out->at);
  if (is_newer || (tick && tick->at == out->at && tick->why_down)) out = std::move(tick);
}

Result<std::unique_ptr<GroupEngine>> GroupEngine::open(const Setup& setup, EngineSink sink,
                                                       const Clock& clock, Error& why) {
  std::string told;
  auto definitions = Definitions::load(setup.config.derived.files,
                                       [&told](std::string_view text) { told += text; });
  if (!definitions) return fail(definitions.error());
  if (!told.empty()) sink.warn(told);
  definitions->metrics().tell([](std::string_view) {});
  auto out = std::make_unique<LiveEngine>(setup, sink.warn, clock, *std::move(definitions));
  const auto connected = out->connect(setup, why);
  if (!connected) return fail(connected.error());
  if (!*connected) return nullptr;
  const auto read = out->open_rules(setup, std::move(sink));
  if (!read) return fail(read.error());
  if (!*read) {
    why = Error(Fault::io, "interrupted");
    return nullptr;
  }
  return out;
}

}  // namespace pmjit
