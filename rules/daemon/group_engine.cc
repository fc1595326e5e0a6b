#include "rules/daemon/group_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <queue>
#include <set>
#include <utility>

#include "compiler/compat/pmie/rule_reader.h"
#include "compiler/compat/registry/derive.h"
#include "rules/compat/common_rules.h"
#include "rules/compat/fetched_elements.h"
#include "rules/compat/host_sources.h"
#include "rules/compat/replay.h"
#include "rules/strict/definitions.h"
#include "rules/strict/fleet_replay.h"

namespace pmjit {

namespace {

// How long hosts may take to say what metrics they have, before rules of pmie are evaluated.
constexpr std::chrono::nanoseconds kMetadataPatience = std::chrono::seconds(5);
constexpr std::chrono::nanoseconds kStopUnseen = std::chrono::milliseconds(50);
// Until rules are compiled again that could not be, or on hosts that lacked a metric.
constexpr std::chrono::nanoseconds kLookAgain = std::chrono::seconds(30),
                                   kLookAgainMost = std::chrono::minutes(15);
// Hosts have places in so many seconds of their interval, where there are more than so many.
constexpr double kPlacesMost = 10;
constexpr size_t kAskedTogether = 64;
// A clock that is set back further has no time to wait for (spec alerting.md §5.3).
constexpr Nanos kWaitedForMost = 60'000'000'000;

Stamp stamp_now(const Clock& clock) {
  return stamp_from_nanos(clock.wall().time_since_epoch().count());
}
double seconds_now(const Clock& clock) {
  return static_cast<double>(clock.wall().time_since_epoch().count()) / 1e9;
}
WallTime wall_of(double seconds) {
  return WallTime(std::chrono::milliseconds(std::llround(seconds * 1e3)));
}
// Where in an interval a host has its place, in seconds: always the same of one name (spec
// alerting.md §5.1).
double place_in_interval(std::string_view host, double delta) {
  const auto places = static_cast<uint64_t>(std::min(delta, kPlacesMost) * 1e3);
  if (places == 0) return 0;
  return static_cast<double>(spread_hash(host) % places) / 1e3;
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
        clock_(clock) {
    for (const strict::SetRule& rule : set_.rules) alerts_.push_back(alerts_of(rule.rule));
  }

  Result<void> open(strict::TaskOptions options, bool safe_shell) {
    options_ = std::move(options);
    safe_shell_ = safe_shell;
    auto replay = compiled();
    if (!replay) return fail(replay.error());
    go_on_with(*std::move(replay));
    return {};
  }

  // With windows that begin anew. What is wrong then is said, and tried again.
  void begin_anew() {
    auto replay = compiled();
    if (replay) return go_on_with(*std::move(replay));
    give_up(replay.error());
  }

  // When there is something to do again.
  Stamp run() {
    using Progress = strict::FleetReplay::Progress;
    look_again_if_due();
    if (replay_ == nullptr) return kStampMax;
    Stamp wakes = kStampMax;
    while (true) {
      const Instant began = clock_.now();
      const auto progress = replay_->advance();
      if (!progress) {
        give_up(progress.error());
        return kStampMax;
      }
      if (*progress == Progress::goes_on) {
        tell_cost(seconds_since(began, clock_));
        continue;
      }
      if (*progress == Progress::waits) wakes = replay_->wakes();
      break;
    }
    for (const std::string& warning : replay_->take_warnings()) sink_.warn(warning);
    const uint64_t missed = replay_->missed();
    if (missed > missed_) sink_.missed(missed - missed_);
    missed_ = missed;
    return std::min(wakes, tell_lacking());
  }

 private:
  [[nodiscard]] Result<std::unique_ptr<strict::FleetReplay>> compiled() {
    options_.origin = first_multiple(delta_, seconds_now(clock_));
    options_.leaves_out = true;
    return strict::FleetReplay::open(set_, fleet_, options_, clock_);
  }

  void go_on_with(std::unique_ptr<strict::FleetReplay> replay) {
    replay_ = std::move(replay);
    for (const std::string& note : replay_->notes()) sink_.warn(note);
    replay_->watch(*this);
    replay_->hand_over_to(
        [this](size_t rule, ActionPlan plan) {
          sink_.act(names_[rule], host_of(members_[rule]), std::move(plan));
        },
        safe_shell_);
    replay_->begin(*this);
    missed_ = 0;
    pause_ = kLookAgain;
    next_look_ = clock_.now() + pause_;
    next_lacking_ = options_.origin;
  }

  void tell_cost(double seconds) {
    sink_.worked(seconds);
    const double each = seconds / static_cast<double>(set_.rules.size());
    for (const strict::SetRule& rule : set_.rules) sink_.spent(rule.rule.name, each);
  }

  void give_up(const Error& why) {
    sink_.warn(why.text());
    replay_.reset();
    next_look_ = clock_.now() + kLookAgain;
  }

  // After a failure; or where a metric was not there: an agent may have come. Windows begin anew
  // only if so.
  void look_again_if_due() {
    const bool lacks = replay_ == nullptr || !replay_->lacking().empty();
    if (!lacks || clock_.now() < next_look_) return;
    if (replay_ == nullptr) return begin_anew();
    auto replay = compiled();
    if (!replay) {
      sink_.warn(replay.error().text());
    } else if ((*replay)->lacking().size() < replay_->lacking().size()) {
      return go_on_with(*std::move(replay));
    }
    pause_ = std::min(2 * pause_, kLookAgainMost);
    next_look_ = clock_.now() + pause_;
  }

  // Rules are unknown where they lack a metric, as those of pmie are. When again.
  Stamp tell_lacking() {
    if (replay_->lacking().empty()) return kStampMax;
    const Stamp now = stamp_now(clock_);
    if (now < next_lacking_) return next_lacking_;
    const double when = std::floor(seconds_now(clock_) / delta_) * delta_;
    next_lacking_ = stamp_from_nanos(std::llround((when + delta_) * 1e9));
    for (const strict::LackingRule& one : replay_->lacking()) {
      const strict::Rule& rule = set_.rules[one.rule].rule;
      if (rule.alert) {
        tell_lacking_alert(one, when);
        continue;
      }
      if (!rule.acts() && !sink_.wants(rule.name)) continue;
      for (const std::string& name : alerts_[one.rule]) {
        sink_.evaluated(name, one.host ? hosts_[*one.host].name : "",
                        {.truth = RuleTruth::unknown,
                         .at = wall_of(when),
                         .interval = interval_of(delta_),
                         .reason = {ReasonKind::no_metric}});
      }
    }
    return next_lacking_;
  }

  void tell_lacking_alert(const strict::LackingRule& one, double when) {
    const std::string host = one.host ? hosts_[*one.host].name : "";
    sink_.alert(
        set_.rules[one.rule].rule.name, host,
        {.reading = {.unknown = AlertReason{ReasonKind::no_metric}},
         .at = wall_of(when),
         .interval = interval_of(delta_),
         .bindings =
             [&host](AlertTick::Elements elements) {
               std::vector<RuleBinding> out;
               for (const auto& instance : elements) {
                 out.push_back({.host = host, .instance = instance});
               }
               return out;
             },
         // It has no task, and so no places of its parts.
         .plan =
             [this, &one, when](strict::Clause::When clause, const auto& about, bool again) {
               return replay_->steps().alert_plan({.rule = one.rule}, clause, about, when, again);
             }});
  }

  void tell_alert(const strict::Evaluated& evaluated, double when) {
    const strict::Rule& rule = set_.rules[evaluated.of->rule].rule;
    strict::AlertReading reading = strict::read_alert(*evaluated.task, *evaluated.of, rule);
    const std::optional<size_t> host = members_[evaluated.number];
    if (reading.unknown && reason_of(host).kind != ReasonKind::no_value) {
      reading.unknown = reason_of(host);
    }
    const strict::PlacedRule placed{.task = evaluated.task,
                                    .rule = evaluated.of,
                                    .number = evaluated.number,
                                    .row_host = evaluated.row_host};
    strict::RuleStepper& steps = replay_->steps();
    sink_.alert(
        rule.name, host_of(host),
        {.reading = reading,
         .at = wall_of(when),
         .interval = interval_of(delta_),
         .bindings =
             [&](AlertTick::Elements elements) { return steps.alert_bindings(placed, elements); },
         .plan =
             [&](strict::Clause::When clause, const auto& about, bool again) {
               return steps.alert_plan(*evaluated.of, clause, about, when, again);
             }});
  }

  void begin(const ReplaySchema& schema) override {
    names_ = schema.rules;
    members_.clear();
    std::map<std::string_view, size_t> places;
    for (const auto& member : fleet_.members()) places.emplace(member->name, places.size());
    for (const std::string& host : schema.hosts) {
      const auto place = places.find(host);
      members_.push_back(place == places.end() ? std::nullopt : std::optional(place->second));
    }
  }
  void put(const RuleTransition& event) override { (void)event; }
  void put(const RuleAction& event) override { (void)event; }  // handed over
  void end(double when, std::span<const RuleState> states) override { (void)when, (void)states; }

  void evaluated(std::span<const strict::Evaluated> rules, double when) override {
    sink_.ticked(seconds_now(clock_) - when - static_cast<double>(replay_->began_after()) / 1e9);
    for (const strict::Evaluated& rule : rules) {
      if (set_.rules[rule.of->rule].rule.alert) tell_alert(rule, when);
      if (!rule.truth || alerts_[rule.of->rule].empty()) continue;
      const std::string& name = names_[rule.number];
      if (set_.rules[rule.of->rule].rule.is_ruleset) {
        tell_ruleset(rule, when);
      } else if (acts(rule.of->rule) || sink_.wants(name)) {
        tell(name, rule, *rule.truth, when);
      }
    }
  }
  // A rule behind a true one is passed over, and counts as false.
  void tell_ruleset(const strict::Evaluated& set, double when) {
    const std::vector<strict::Clause>& clauses = set_.rules[set.of->rule].rule.clauses;
    auto name = alerts_[set.of->rule].begin();
    for (size_t i = 0; i < clauses.size(); ++i) {
      if (clauses[i].when != strict::Clause::When::holds) continue;
      const bool passed_over = set.clause && *set.clause < i;
      tell(*name++, set,
           passed_over ? RuleTruth::no : set.task->truth(*set.of->clauses[i].condition), when);
    }
  }
  void tell(const std::string& name, const strict::Evaluated& rule, RuleTruth truth, double when) {
    const std::optional<size_t> host = members_[rule.number];
    RuleTick tick{.truth = truth, .at = wall_of(when), .interval = interval_of(delta_)};
    if (truth == RuleTruth::unknown) tick.reason = reason_of(host);
    if (truth == RuleTruth::yes) tick.found = &rule.found;
    sink_.evaluated(name, host_of(host), tick);
  }

  [[nodiscard]] bool acts(size_t rule) const { return set_.rules[rule].rule.acts(); }
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
  strict::TaskOptions options_{};
  bool safe_shell_ = true;
  std::unique_ptr<strict::FleetReplay> replay_;  // null: it has failed
  std::chrono::nanoseconds pause_{kLookAgain};
  Instant next_look_{};                           // where it has failed, or a metric is not there
  Stamp next_lacking_{};                          // when what lacks a metric is unknown again
  uint64_t missed_ = 0;                           // that has been told
  std::vector<std::string> names_;                // of ReplaySchema::rules
  std::vector<std::optional<size_t>> members_;    // likewise: of the fleet; none: of all hosts
  std::vector<std::vector<std::string>> alerts_;  // of each rule of the set: their names
};

// Rules of pmie on one host.
class PmieHost final : public EventWriter {
 public:
  struct Parts {
    HostClient& client;
    const ConfigHost& host;
    DerivedMetrics& derived;
    pmie::CommonRules& rules;
    Zone zone;
    bool safe_shell = true;
    bool spread = false;  // it has a place in the interval; else it begins with it
  };
  PmieHost(const Parts& parts, EngineSink& sink, const Clock& clock)
      : host_(parts.host),
        sink_(sink),
        clock_(clock),
        zone_(parts.zone),
        safe_shell_(parts.safe_shell),
        spread_(parts.spread),
        sources_(parts.client.network(), parts.client.settings(), parts.derived,
                 {.tell = [this](const pmie::HostChange& change) { note(change); },
                  .refuse_bad_names = false,
                  .asks_ahead = true}),
        binding_(parts.rules, sources_) {
    sources_.add_default(parts.client, host_.name);
    binding_.begin();
  }

  // True: it can begin.
  Result<bool> bind() { return binding_.advance(); }
  // The same, whatever the host has said by now.
  Result<void> bind_now() { return binding_.give_up(); }
  void begin() {
    for (const pmie::ReaderMessage& message : binding_.messages()) tell(message);
    for (const auto& statement : program().statements) {
      shortest_ = std::min(shortest_, statement.delta);
    }
    if (spread_) place_ = place_in_interval(host_.name, shortest_);
    begin_anew();
  }

  void begin_anew() {
    replay_ = std::make_unique<Replay>(
        program(), sources_, zone_, stamp_now(clock_), *this,
        ReplayHooks{.bind_waiting = [this] { return binding_.take_changes(); },
                    .program_now = [this] { return binding_.program(); },
                    .plan = binding_.rules().plan,
                    .hand_over =
                        [this](uint32_t statement, ActionPlan plan) {
                          sink_.act(name_of(statement), host_.name, std::move(plan));
                        },
                    .safe_shell = safe_shell_,
                    .keeps_little = true,
                    .on_truth = [this](uint32_t statement, RuleTruth truth,
                                       double when) { evaluated(statement, truth, when); }});
    replay_->begin_aligned(own_now());
  }

  struct Next {
    Stamp at = kStampMax;     // when there is something to do again,
    bool may_answer = false;  // or before, for the host was asked
  };
  Next run() {
    while (replay_->due()) {
      const double now = own_now(), due = *replay_->due();
      if (due > now) return {.at = stamp_of(due)};
      if (const uint64_t missed = replay_->skip_missed(now, HUGE_VAL); missed > 0) {
        sink_.missed(missed);
        continue;
      }
      replay_->ask(now);
      if (std::exchange(asked_, due) != due) {
        binding_.look_again(interval_of(shortest()), clock_.now());
      }
      if (const auto until = replay_->waits_until(now)) {
        return {.at = stamp_of(*until), .may_answer = true};
      }
      const Instant began = clock_.now();
      marked_ = began;
      if (auto done = replay_->tick(); !done) {
        sink_.warn(done.error().text());
        return {};
      }
      sink_.worked(seconds_since(began, clock_));
      sink_.ticked(own_now() - due);
      last_tick_ = HostTick{.at = wall_of(due), .why_down = down_};
    }
    return {};
  }
  [[nodiscard]] const std::optional<HostTick>& last_tick() const { return last_tick_; }
  [[nodiscard]] double shortest() const { return shortest_; }

 private:
  // The host's own time is as much later as its place is behind the beginning of an interval.
  [[nodiscard]] double own_now() const { return seconds_now(clock_) - place_; }
  [[nodiscard]] Stamp stamp_of(double own) const {
    return stamp_from_nanos(static_cast<Nanos>(std::ceil((own + place_) * 1e9)));
  }
  void tell(const pmie::ReaderMessage& message) {
    std::string_view text = message.text;
    while (text.ends_with('\n')) text.remove_suffix(1);
    if (text.empty()) return;
    if (!message.absent.empty()) {
      return sink_.warn(fmt::format("{} has no {}: what reads it runs when it is there", host_.name,
                                    message.absent));
    }
    const std::string severity = message.severity.empty() ? "" : message.severity + ": ";
    sink_.warn(fmt::format("{}: {}{}", host_.name, severity, text));
  }
  [[nodiscard]] const pmie::RuleProgram& program() const { return binding_.rules().program; }
  [[nodiscard]] const std::string& name_of(uint32_t statement) const {
    return program().statements[statement].name;
  }
  void evaluated(uint32_t statement, RuleTruth truth, double when) {
    const pmie::PmieStatement& of = program().statements[statement];
    sink_.spent(of.name, seconds_since(std::exchange(marked_, clock_.now()), clock_));
    const bool acts = pmie::kind_of(program().nodes[of.root].op) == pmie::OpKind::rule;
    if (!acts && !sink_.wants(of.name)) return;
    const RuleTick at{.at = wall_of(when), .interval = interval_of(of.delta)};
    const std::vector<Replay::RuleOfSet> rules = replay_->rules_of(statement);
    if (rules.empty()) return tell(of.name, truth, found_[statement], at);
    for (size_t i = 0; i < rules.size(); ++i) {
      tell(name_in_ruleset(of.name, i), rules[i].truth, rules[i].found, at);
    }
  }
  void tell(const std::string& name, RuleTruth truth, const std::vector<RuleBinding>& found,
            RuleTick tick) {
    tick.truth = truth;
    if (truth == RuleTruth::unknown) {
      tick.reason = {down_ ? ReasonKind::host_down : ReasonKind::no_value};
    }
    if (truth == RuleTruth::yes) tick.found = &found;
    sink_.evaluated(name, host_.name, tick);
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

  const ConfigHost& host_;
  EngineSink& sink_;
  const Clock& clock_;
  Zone zone_;
  bool safe_shell_;
  bool spread_;
  double place_ = 0;  // seconds
  pmie::HostSources sources_;
  pmie::HostBinding binding_;
  std::unique_ptr<Replay> replay_;
  double shortest_ = HUGE_VAL;
  double asked_ = -1;  // the newest time at which it was
  std::optional<std::string> down_{};
  std::optional<HostTick> last_tick_{};
  Instant marked_{};                             // when the statement before was evaluated
  std::vector<std::vector<RuleBinding>> found_;  // of each statement: where it was true last
};

// Rules of pmie on all hosts of a block: bound together, then each at its own times. Nobody waits
// for anybody.
class PmieHosts {
 public:
  explicit PmieHosts(const Clock& clock) : clock_(clock) {}

  void add(std::unique_ptr<PmieHost> host) { hosts_.push_back(std::move(host)); }
  [[nodiscard]] bool empty() const { return hosts_.empty(); }
  [[nodiscard]] const PmieHost& operator[](size_t host) const { return *hosts_[host]; }

  // Lets hosts say what metrics they have, for a while. False: it was stopped.
  Result<bool> bind(Network& network, const std::function<bool()>& stop) {
    std::vector<PmieHost*> unbound;
    for (const auto& host : hosts_) unbound.push_back(host.get());
    const Instant end = clock_.now() + kMetadataPatience;
    while (!unbound.empty() && clock_.now() < end) {
      if (stop && stop()) return false;
      std::optional<Error> failure;
      std::erase_if(unbound, [&](PmieHost* host) {
        const auto bound = host->bind();
        if (!bound) failure = bound.error();
        return bound && *bound;
      });
      if (failure) return fail(*std::move(failure));
      if (!unbound.empty()) (void)network.run_some(std::min(end, clock_.now() + kStopUnseen));
    }
    for (PmieHost* const host : unbound) {
      if (auto done = host->bind_now(); !done) return fail(done.error());
    }
    for (const auto& host : hosts_) host->begin();
    queue_all();
    return true;
  }

  void begin_anew() {
    for (const auto& host : hosts_) host->begin_anew();
    queue_all();
  }

  // Evaluates what is due and has come. When there is something to do again.
  Stamp run() {
    const Stamp now = stamp_now(clock_);
    while (!queue_.empty() && queue_.top().first <= now) {
      asked_.push_back(queue_.top().second);
      queue_.pop();
    }
    Stamp out = kStampMax;
    std::erase_if(asked_, [&](uint32_t host) {
      const PmieHost::Next next = hosts_[host]->run();
      if (next.may_answer) {
        out = std::min(out, next.at);
      } else if (next.at < kStampMax) {
        queue_.emplace(next.at, host);
      }
      return !next.may_answer;
    });
    return queue_.empty() ? out : std::min(out, queue_.top().first);
  }

 private:
  using Waits = std::pair<Stamp, uint32_t>;  // until then, the host

  void queue_all() {
    queue_ = {};
    asked_.clear();
    for (uint32_t i = 0; i < hosts_.size(); ++i) asked_.push_back(i);
  }

  const Clock& clock_;
  std::vector<std::unique_ptr<PmieHost>> hosts_;
  std::priority_queue<Waits, std::vector<Waits>, std::greater<>> queue_;
  std::vector<uint32_t> asked_;  // who is not in it
};

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

  // False: the daemon is to end.
  Result<bool> read_rules(const Setup& setup) {
    const RulesBlock& block = setup.config.rules[setup.block.block];
    Zone zone;
    if (!setup.config.daemon.zone.empty()) zone = Zone(setup.config.daemon.zone);
    const bool safe_shell = setup.config.actions.shell != ShellAction::as_is;
    if (auto done = read_strict(setup.block, block, zone, safe_shell); !done) {
      return fail(done.error());
    }
    const bool any_pmie =
        std::ranges::any_of(setup.block.files, [](const auto& file) { return !file.strict; });
    return any_pmie ? read_pmie(setup, zone, safe_shell) : Result<bool>(true);
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
      const std::optional<HostTick> pmie = pmie_[host].last_tick();
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
    const bool is_spread = hosts_.size() > kAskedTogether;
    for (size_t i = 0; i < hosts_.size(); ++i) {
      pmie_.add(std::make_unique<PmieHost>(PmieHost::Parts{.client = fleet_->members()[i]->client,
                                                           .host = hosts_[i],
                                                           .derived = definitions_.metrics(),
                                                           .rules = *rules_,
                                                           .zone = zone,
                                                           .safe_shell = safe_shell,
                                                           .spread = is_spread},
                                           sink_, clock_));
    }
    auto bound = pmie_.bind(*network_, setup.stop);
    for (size_t i = 0; bound && *bound && i < hosts_.size(); ++i) {
      shortest_ = std::min(shortest_, pmie_[i].shortest());
    }
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
      strict::RuleSet& set = by_delta[rule.rule.delta];
      set.rules.push_back(std::move(rule));
    }
    for (auto& [delta, set] : by_delta) {
      shortest_ = std::min(shortest_, delta);
      set.sources = all.sources;
      set.macros = all.macros;
      strict::TaskOptions options{.zone = zone, .definition_files = definitions_.texts()};
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
  PmieHosts pmie_;                            // then all hosts
  Stamp latest_{};                            // that it was
  double shortest_ = HUGE_VAL;                // interval of any rule, in seconds
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
