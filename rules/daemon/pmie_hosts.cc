#include "rules/daemon/pmie_hosts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rules/compat/host_sources.h"
#include "rules/compat/replay.h"
#include "rules/daemon/engine_times.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// How long hosts may take to say what metrics they have, before rules are evaluated.
constexpr std::chrono::nanoseconds kMetadataPatience = std::chrono::seconds(5);

}  // namespace

// Rules of pmie on one host.
class PmieHost final : public EventWriter {
 public:
  PmieHost(const PmieHosts::Member& parts, EngineSink& sink, const Clock& clock)
      : host_(parts.host),
        sink_(sink),
        clock_(clock),
        zone_(parts.zone),
        safe_shell_(parts.safe_shell),
        member_(parts.member),
        rules_(parts.of_pmie),
        interval_(parts.interval),
        sources_(parts.member.client.network(), parts.member.client.settings(), parts.derived,
                 {.tell = [this](const pmie::HostChange& change) { note(change); },
                  .refuse_bad_names = false,
                  .asks_ahead = true}),
        binding_(parts.rules, sources_) {
    sources_.add_default(parts.member.client, host_.name);
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
    Next out = run_rules();
    out.at = std::min(out.at, tell_lost());
    return out;
  }
  [[nodiscard]] const std::optional<HostTick>& last_tick() const { return last_tick_; }
  [[nodiscard]] double shortest() const { return shortest_; }

 private:
  Next run_rules() {
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
  // Rules that are wrong on this host are none of the program's. They are unknown at each time, so
  // that their alerts do not go on as if nothing was. When again.
  Stamp tell_lost() {
    const double now = own_now();
    if (now < next_lost_) return stamp_of(next_lost_);
    const double when = std::floor(now / interval_) * interval_;
    next_lost_ = when + interval_;
    bool any = false;
    for (const BlockRule& rule : rules_) {
      const auto& statements = program().statements;
      const auto found = std::ranges::find(statements, rule.name, &pmie::PmieStatement::name);
      if (found != statements.end()) continue;
      any = true;
      if (!rule.acts && !sink_.wants(rule.name)) continue;
      for (const std::string& alert : rule.alerts) {
        sink_.evaluated(alert, host_.name,
                        {.truth = RuleTruth::unknown,
                         .at = wall_of(when),
                         .interval = interval_of(interval_),
                         .reason = {ReasonKind::pm_error, pm_err::E_CONV}});
      }
    }
    return any ? stamp_of(next_lost_) : kStampMax;
  }
  // The host's own time is as much later as its place is behind the beginning of an interval.
  [[nodiscard]] double own_now() const { return seconds_now(clock_) - place(); }
  [[nodiscard]] Stamp stamp_of(double own) const {
    return stamp_from_nanos(static_cast<Nanos>(std::ceil((own + place()) * 1e9)));
  }
  [[nodiscard]] double place() const {  // seconds
    if (!member_.place) return 0;
    return static_cast<double>(member_.place->after(nanos_of(std::min(shortest_, interval_)))) /
           1e9;
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
    if (rules.empty()) return tell(statement, of.name, truth, found_[statement], at);
    for (size_t i = 0; i < rules.size(); ++i) {
      tell(statement, name_in_ruleset(of.name, i), rules[i].truth, rules[i].found, at);
    }
  }
  void tell(uint32_t statement, const std::string& name, RuleTruth truth,
            const std::vector<RuleBinding>& found, RuleTick tick) {
    tick.truth = truth;
    if (truth == RuleTruth::unknown) {
      tick.reason = {why_unknown(statement)};
    }
    if (truth == RuleTruth::yes) tick.found = &found;
    sink_.evaluated(name, host_.name, tick);
  }
  [[nodiscard]] ReasonKind why_unknown(uint32_t statement) const {
    if (down_) return ReasonKind::host_down;
    const uint32_t root = program().statements[statement].root;
    for (uint32_t i = program().nodes[root].first; i <= root; ++i) {
      const pmie::PmieNode& node = program().nodes[i];
      const bool waits = node.op == pmie::PmieOp::fetch && program().fetches[node.fetch].waits();
      if (waits) return ReasonKind::no_metric;
    }
    return ReasonKind::no_value;
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
  const FleetMember& member_;
  const std::vector<BlockRule>& rules_;
  double interval_, next_lost_ = 0;  // seconds
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

PmieHosts::PmieHosts(const Clock& clock) : clock_(clock) {}
PmieHosts::~PmieHosts() = default;

void PmieHosts::add(const Member& member, EngineSink& sink) {
  hosts_.push_back(std::make_unique<PmieHost>(member, sink, clock_));
  unbound_.push_back(hosts_.back().get());
}

Result<bool> PmieHosts::bind_some() {
  if (!patient_until_) patient_until_ = clock_.now() + kMetadataPatience;
  std::optional<Error> failure;
  std::erase_if(unbound_, [&](PmieHost* host) {
    const auto bound = host->bind();
    if (!bound) failure = bound.error();
    return bound && *bound;
  });
  if (failure) return fail(*std::move(failure));
  return unbound_.empty() || clock_.now() >= *patient_until_;
}

Result<void> PmieHosts::begin() {
  for (PmieHost* const host : unbound_) {
    if (auto done = host->bind_now(); !done) return fail(done.error());
  }
  unbound_.clear();
  for (const auto& host : hosts_) host->begin();
  queue_all();
  return {};
}

void PmieHosts::begin_anew() {
  for (const auto& host : hosts_) host->begin_anew();
  queue_all();
}

Stamp PmieHosts::run() {
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

const std::optional<HostTick>& PmieHosts::last_tick(size_t host) const {
  return hosts_[host]->last_tick();
}

double PmieHosts::shortest() const {
  double out = HUGE_VAL;
  for (const auto& host : hosts_) out = std::min(out, host->shortest());
  return out;
}

void PmieHosts::queue_all() {
  queue_ = {};
  asked_.clear();
  for (uint32_t i = 0; i < hosts_.size(); ++i) asked_.push_back(i);
}

}  // namespace pmjit
