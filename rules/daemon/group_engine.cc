#include "rules/daemon/group_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "compiler/compat/pmie/rule_reader.h"
#include "compiler/compat/registry/derive.h"
#include "rules/compat/fetched_elements.h"
#include "rules/compat/host_sources.h"
#include "rules/compat/replay.h"
#include "rules/strict/definitions.h"
#include "rules/strict/fleet_replay.h"
#include "runtime/client/net/asio_network.h"

namespace pmjit {

namespace {

constexpr double kMetadataPatience = 5;  // seconds, for a host whose rules are read

Stamp stamp_now(const Clock& clock) {
  return stamp_from_nanos(clock.wall().time_since_epoch().count());
}
double seconds_now(const Clock& clock) {
  return static_cast<double>(clock.wall().time_since_epoch().count()) / 1e9;
}
WallTime wall_of(double seconds) {
  return WallTime(std::chrono::milliseconds(std::llround(seconds * 1e3)));
}
Milliseconds interval_of(double delta) { return Milliseconds(std::llround(delta * 1e3)); }
Stamp first_multiple(double delta, double now) {
  return stamp_from_nanos(static_cast<Nanos>(std::llround(std::ceil(now / delta) * delta * 1e9)));
}

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

// Strict rules of one interval, over all hosts, as their answers come.
class StrictTasks final : public EventWriter, public strict::ReplayWatcher {
 public:
  StrictTasks(strict::RuleSet set, double delta, const HostFleet& fleet,
              const std::vector<ConfigHost>& hosts, EngineSink& sink, const Clock& clock)
      : set_(std::move(set)),
        delta_(delta),
        fleet_(fleet),
        hosts_(hosts),
        sink_(sink),
        clock_(clock) {}

  Result<void> open(const strict::TaskOptions& options, bool safe_shell) {
    auto replay = strict::FleetReplay::open(set_, fleet_, options, clock_);
    if (!replay) return fail(replay.error());
    replay_ = *std::move(replay);
    for (const std::string& note : replay_->notes()) sink_.warn(note);
    replay_->watch(*this);
    replay_->hand_over_to(
        [this](size_t rule, ActionPlan plan) {
          sink_.act(names_[rule], host_of(members_[rule]), std::move(plan));
        },
        safe_shell);
    replay_->begin(*this);
    return {};
  }

  // When there is something to do again.
  Stamp run() {
    using Progress = strict::FleetReplay::Progress;
    Stamp wakes = kStampMax;
    while (!failed_) {
      const auto progress = replay_->advance();
      failed_ = !progress;
      if (failed_) sink_.warn(progress.error().text());
      if (failed_ || *progress == Progress::ended) break;
      if (*progress == Progress::goes_on) continue;
      wakes = replay_->wakes();
      break;
    }
    for (const std::string& warning : replay_->take_warnings()) sink_.warn(warning);
    return wakes;
  }

 private:
  void begin(const ReplaySchema& schema) override {
    names_ = schema.rules;
    std::map<std::string_view, size_t> places;
    for (const auto& member : fleet_.members()) places.emplace(member->name, places.size());
    for (const std::string& host : schema.hosts) {
      const auto place = places.find(host);
      members_.push_back(place == places.end() ? std::nullopt : std::optional(place->second));
    }
    found_.resize(names_.size());
  }
  void put(const RuleTransition& event) override {
    if (event.transition.to == RuleTruth::yes) found_[event.rule] = event.bindings;
  }
  void put(const RuleAction& event) override { (void)event; }  // handed over
  void end(double when, std::span<const RuleState> states) override { (void)when, (void)states; }

  void evaluated(std::span<const strict::Evaluated> rules, double when) override {
    sink_.ticked(seconds_now(clock_) - when);
    const uint64_t skipped = replay_->skipped();
    if (skipped > skipped_) sink_.missed(skipped - skipped_);
    skipped_ = skipped;
    for (const strict::Evaluated& rule : rules) {
      if (!rule.truth) continue;
      const std::string& name = names_[rule.number];
      if (!acts(rule) && !sink_.wants(name)) continue;
      const std::optional<size_t> host = members_[rule.number];
      RuleTick tick{.truth = *rule.truth, .at = wall_of(when), .interval = interval_of(delta_)};
      if (tick.truth == RuleTruth::unknown) tick.reason = reason_of(host);
      if (tick.truth == RuleTruth::yes) tick.found = &found_[rule.number];
      sink_.evaluated(name, host_of(host), tick);
    }
  }

  [[nodiscard]] bool acts(const strict::Evaluated& rule) const {
    const strict::Rule& of = set_.rules[rule.of->rule].rule;
    return of.is_ruleset || !of.clauses.front().verbs.empty();
  }
  // Empty: the rule is about all of them.
  [[nodiscard]] std::string host_of(std::optional<size_t> member) const {
    return member ? hosts_[*member].name : "";
  }
  [[nodiscard]] AlertReason reason_of(std::optional<size_t> host) const {
    if (!host) return {ReasonKind::no_value};
    const HostFeeds& feeds = fleet_.members()[*host]->feeds;
    if (!feeds.why_down()) return {ReasonKind::no_value};
    return {feeds.health().late() ? ReasonKind::late : ReasonKind::host_down};
  }

  strict::RuleSet set_;
  double delta_;
  const HostFleet& fleet_;
  const std::vector<ConfigHost>& hosts_;
  EngineSink& sink_;
  const Clock& clock_;
  std::unique_ptr<strict::FleetReplay> replay_;
  bool failed_ = false;
  uint64_t skipped_ = 0;
  std::vector<std::string> names_;               // of ReplaySchema::rules
  std::vector<std::optional<size_t>> members_;   // likewise: of the fleet; none: of all hosts
  std::vector<std::vector<RuleBinding>> found_;  // likewise: where each was true last
};

// Rules of pmie on one host.
class PmieHost final : public EventWriter, public pmie::RuleReader::Messages {
 public:
  struct Parts {
    HostClient& client;
    const ConfigHost& host;
    DerivedMetrics& derived;
    Zone zone;
    bool safe_shell = true;
  };
  PmieHost(const Parts& parts, EngineSink& sink, const Clock& clock)
      : host_(parts.host),
        sink_(sink),
        clock_(clock),
        zone_(parts.zone),
        safe_shell_(parts.safe_shell),
        sources_(parts.client.network(), parts.client.settings(), parts.derived,
                 {.tell = [this](const pmie::HostChange& change) { note(change); },
                  .refuse_bad_names = false}) {
    sources_.add_default(parts.client, host_.name);
  }

  Result<void> read(const RuleBlock& block, double delta) {
    reader_ = std::make_unique<pmie::RuleReader>(
        sources_, *this,
        pmie::ReaderOptions{.program = "pmjit", .delta = delta, .settings = block.settings});
    for (const BlockRuleFile& file : block.files) {
      if (file.strict) continue;
      sources_.set_patience(kMetadataPatience);
      if (auto done = reader_->read(file.text, file.path); !done) return fail(done.error());
    }
    replay_ = std::make_unique<Replay>(
        reader_->program(), sources_, zone_, stamp_now(clock_), *this,
        ReplayHooks{.bind_waiting = [this] { return reader_->bind_waiting(); },
                    .hand_over =
                        [this](uint32_t statement, ActionPlan plan) {
                          sink_.act(name_of(statement), host_.name, std::move(plan));
                        },
                    .safe_shell = safe_shell_,
                    .on_truth = [this](uint32_t statement, RuleTruth truth,
                                       double when) { evaluated(statement, truth, when); }});
    replay_->begin_aligned(seconds_now(clock_));
    return {};
  }

  // When there is something to do again.
  Stamp run() {
    while (replay_->due()) {
      const double now = seconds_now(clock_), due = *replay_->due();
      if (due > now) return stamp_of(due);
      if (const uint64_t missed = replay_->skip_missed(now, HUGE_VAL); missed > 0) {
        sink_.missed(missed);
        continue;
      }
      replay_->ask(now);
      if (const auto until = replay_->waits_until(now)) return stamp_of(*until);
      if (auto done = replay_->tick(); !done) {
        sink_.warn(done.error().text());
        return kStampMax;
      }
      sink_.ticked(seconds_now(clock_) - due);
    }
    return kStampMax;
  }
  [[nodiscard]] const std::optional<std::string>& down() const { return down_; }

 private:
  static Stamp stamp_of(double seconds) {
    return stamp_from_nanos(static_cast<Nanos>(std::ceil(seconds * 1e9)));
  }
  [[nodiscard]] const std::string& name_of(uint32_t statement) const {
    return reader_->program().statements[statement].name;
  }
  void evaluated(uint32_t statement, RuleTruth truth, double when) {
    const pmie::RuleProgram& program = reader_->program();
    const pmie::PmieStatement& of = program.statements[statement];
    const bool acts = pmie::kind_of(program.nodes[of.root].op) == pmie::OpKind::rule;
    if (!acts && !sink_.wants(of.name)) return;
    RuleTick tick{.truth = truth, .at = wall_of(when), .interval = interval_of(of.delta)};
    if (truth == RuleTruth::unknown) {
      tick.reason = {down_ ? ReasonKind::host_down : ReasonKind::no_value};
    }
    if (truth == RuleTruth::yes) tick.found = &found_[statement];
    sink_.evaluated(of.name, host_.name, tick);
  }
  void note(const pmie::HostChange& change) {
    down_.reset();
    if (change.why != nullptr) down_ = change.why->text();
  }
  void begin(const ReplaySchema& schema) override { found_.resize(schema.rules.size()); }
  void put(const RuleTransition& event) override {
    if (event.transition.to == RuleTruth::yes) found_[event.rule] = event.bindings;
  }
  void put(const RuleAction& event) override { (void)event; }  // handed over
  void end(double when, std::span<const RuleState> states) override { (void)when, (void)states; }
  void put(std::string_view text) override {
    while (text.ends_with('\n')) text.remove_suffix(1);
    if (!text.empty()) sink_.warn(fmt::format("{}: {}", host_.name, text));
  }
  void log(std::string_view severity, std::string_view text) override {
    sink_.warn(fmt::format("{}: {}: {}", host_.name, severity, text));
  }

  const ConfigHost& host_;
  EngineSink& sink_;
  const Clock& clock_;
  Zone zone_;
  bool safe_shell_;
  pmie::HostSources sources_;
  std::unique_ptr<pmie::RuleReader> reader_;
  std::unique_ptr<Replay> replay_;
  std::optional<std::string> down_{};
  std::vector<std::vector<RuleBinding>> found_;  // of each statement: where it was true last
};

class LiveEngine final : public GroupEngine {
 public:
  LiveEngine(const Setup& setup, EngineSink sink, const Clock& clock, Definitions definitions)
      : clock_(clock),
        sink_(std::move(sink)),
        network_(make_network(clock)),
        definitions_(std::move(definitions)) {
    const RulesBlock& block = setup.config.rules[setup.block.block];
    for (const uint32_t host : block.host_ids) hosts_.push_back(setup.config.hosts[host]);
  }

  // False: no host is there.
  Result<bool> connect(const Setup& setup, Error& why) {
    std::vector<std::string> warnings;
    ClientSettings settings = client_settings(setup.config, setup.stop, warnings);
    std::vector<FleetHost> named;
    for (const ConfigHost& host : hosts_) {
      auto spec = parse_host_spec(host.spec);
      if (!spec) return fail(spec_error(host.spec, spec.error()));
      if (auto refused = not_built(*spec)) return fail(refused->at("host", host.name));
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

  Result<void> read_rules(const Setup& setup) {
    const RulesBlock& block = setup.config.rules[setup.block.block];
    Zone zone;
    if (!setup.config.daemon.zone.empty()) zone = Zone(setup.config.daemon.zone);
    const bool safe_shell = setup.config.actions.shell != ShellAction::as_is;
    const double delta = static_cast<double>(block.interval.count()) / 1e3;
    if (auto done = read_strict(setup.block, block, zone, safe_shell); !done) return done;
    const bool any_pmie =
        std::ranges::any_of(setup.block.files, [](const auto& file) { return !file.strict; });
    if (!any_pmie) return {};
    for (size_t i = 0; i < hosts_.size(); ++i) {
      pmie_.push_back(
          std::make_unique<PmieHost>(PmieHost::Parts{.client = fleet_->members()[i]->client,
                                                     .host = hosts_[i],
                                                     .derived = definitions_.metrics(),
                                                     .zone = zone,
                                                     .safe_shell = safe_shell},
                                     sink_, clock_));
      if (auto done = pmie_.back()->read(setup.block, delta); !done) return done;
    }
    return {};
  }

  void run_some(Stamp until) override {
    for (const auto& tasks : strict_) until = std::min(until, tasks->run());
    for (const auto& host : pmie_) until = std::min(until, host->run());
    fleet_->wait(until);
  }

  std::optional<std::string> down(size_t host) const override {
    if (!strict_.empty()) {
      const auto& why = fleet_->members()[host]->feeds.why_down();
      if (why) return why->text();
    }
    if (!pmie_.empty() && pmie_[host]->down()) return pmie_[host]->down();
    return std::nullopt;
  }

 private:
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
      if (!block.has_rule(rule.rule.name)) continue;
      strict::RuleSet& set = by_delta[rule.rule.delta];
      set.rules.push_back(std::move(rule));
    }
    for (auto& [delta, set] : by_delta) {
      set.sources = all.sources;
      set.macros = all.macros;
      strict::TaskOptions options{.origin = first_multiple(delta, seconds_now(clock_)),
                                  .zone = zone,
                                  .definition_files = definitions_.texts()};
      options.compile.counter_wrap = std::getenv("PCP_COUNTER_WRAP") != nullptr;
      options.compile.equivalent = installed_equivalences();
      strict_.push_back(
          std::make_unique<StrictTasks>(std::move(set), delta, *fleet_, hosts_, sink_, clock_));
      if (auto done = strict_.back()->open(options, safe_shell); !done) return done;
    }
    return {};
  }

  const Clock& clock_;
  EngineSink sink_;
  std::vector<ConfigHost> hosts_;
  std::unique_ptr<Network> network_;
  Definitions definitions_;
  std::unique_ptr<HostFleet> fleet_;
  std::vector<std::unique_ptr<StrictTasks>> strict_;
  std::vector<std::unique_ptr<PmieHost>> pmie_;  // of each host, where there are rules of pmie
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
  if (auto done = out->read_rules(setup); !done) return fail(done.error());
  return out;
}

}  // namespace pmjit
