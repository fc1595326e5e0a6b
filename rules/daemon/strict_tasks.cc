#include "rules/daemon/strict_tasks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "rules/compat/fetched_elements.h"
#include "rules/daemon/engine_times.h"

namespace pmjit {

namespace {

Stamp first_multiple(double delta, double now) {
  return stamp_from_nanos(static_cast<Nanos>(std::llround(std::ceil(now / delta) * delta * 1e9)));
}

}  // namespace

StrictTasks::StrictTasks(strict::RuleSet set, double delta, const HostFleet& fleet,
                         const std::vector<ConfigHost>& hosts, EngineSink& sink, const Clock& clock)
    : set_(std::move(set)),
      delta_(delta),
      fleet_(fleet),
      hosts_(hosts),
      sink_(sink),
      clock_(clock),
      lacking_watch_(fleet, clock) {
  for (const strict::SetRule& rule : set_.rules) alerts_.push_back(alerts_of(rule.rule));
}

Result<void> StrictTasks::open(strict::TaskOptions options, bool safe_shell) {
  options_ = std::move(options);
  safe_shell_ = safe_shell;
  auto replay = compiled();
  if (!replay) return fail(replay.error());
  go_on_with(*std::move(replay));
  return {};
}

void StrictTasks::open_beside(strict::TaskOptions options, bool safe_shell) {
  options_ = std::move(options);
  safe_shell_ = safe_shell;
  begin_anew();
}

void StrictTasks::begin_anew() {
  begins_anew_ = true;
  lacking_watch_.ask_all();
}

Stamp StrictTasks::run() {
  using Progress = strict::FleetReplay::Progress;
  if (opened_ && !*opened_) return kStampMax;
  compile_again_if_ready();
  if (replay_ == nullptr) return std::min(lacking_watch_.wakes(), tell_lacking());
  Stamp wakes = lacking_watch_.wakes();
  ran_ = stamp_now(clock_);
  while (true) {
    const Instant began = clock_.now();
    const auto progress = replay_->advance();
    if (!progress) {
      sink_.warn(progress.error().text());
      replay_.reset();
      lacking_watch_.ask_all_later();
      return lacking_watch_.wakes();
    }
    if (*progress == Progress::goes_on) {
      tell_cost(seconds_since(began, clock_));
      continue;
    }
    if (*progress == Progress::waits) wakes = std::min(wakes, replay_->wakes());
    break;
  }
  for (const std::string& warning : replay_->take_warnings()) sink_.warn(warning);
  const uint64_t missed = replay_->missed();
  if (missed > missed_) sink_.missed(missed - missed_);
  missed_ = missed;
  return std::min(wakes, tell_lacking());
}

Result<std::unique_ptr<strict::FleetReplay>> StrictTasks::compiled() {
  const Stamp from = options_.goes_on.value_or(stamp_now(clock_));
  options_.origin = first_multiple(delta_, pmie::seconds_of(from));
  if (options_.goes_on == options_.origin) {  // it has begun
    options_.origin = first_multiple(delta_, pmie::seconds_of(from) + delta_);
  }
  options_.leaves_out = true;
  return strict::FleetReplay::open(set_, fleet_, options_, clock_);
}

void StrictTasks::go_on_with(std::unique_ptr<strict::FleetReplay> replay) {
  opened_.emplace();
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
  begins_anew_ = false;
  lacking_watch_.begin(replay_->absent());
  next_lacking_ = options_.origin;
}

void StrictTasks::tell_cost(double seconds) {
  sink_.worked(seconds);
  const double each = seconds / static_cast<double>(set_.rules.size());
  for (const strict::SetRule& rule : set_.rules) sink_.spent(rule.rule.name, each);
}

void StrictTasks::give_up(const Error& why) {
  replay_.reset();
  const bool is_mistake = lacking_watch_.has_answers();
  if (!opened_ && is_mistake) {
    opened_ = fail(why);
    return;
  }
  if (!opened_) opened_.emplace();
  if (!is_mistake) return lacking_watch_.ask_all_soon();  // nobody has said anything
  sink_.warn(why.text());
  lacking_watch_.ask_all_later();
}

void StrictTasks::compile_again_if_ready() {
  if (!lacking_watch_.ready()) return;
  options_.goes_on = replay_ != nullptr && !begins_anew_ ? std::optional(ran_) : std::nullopt;
  auto replay = [&] {
    const FleetAnswers::Catalogs answering = lacking_watch_.catalogs();
    return compiled();
  }();
  if (lacking_watch_.asks_more()) return;
  if (!replay && (begins_anew_ || replay_ == nullptr)) return give_up(replay.error());
  if (!replay) {
    sink_.warn(replay.error().text());
    return lacking_watch_.pause();
  }
  const bool runs_on_more =
      replay_ == nullptr || (*replay)->lacking().size() < replay_->lacking().size();
  if (runs_on_more || begins_anew_) return go_on_with(*std::move(replay));
  lacking_watch_.pause();
}

// What does not run: rules without their metrics, or all of them while no host says what it has.
std::vector<strict::LackingRule> StrictTasks::lacking() const {
  if (replay_ != nullptr) return replay_->lacking();
  std::vector<strict::LackingRule> out;
  if (!opened_) return out;
  for (size_t rule = 0; rule < set_.rules.size(); ++rule) {
    if (strict::looks_beyond_host(set_.rules[rule])) {
      out.push_back({.rule = rule});
      continue;
    }
    for (uint32_t host = 0; host < hosts_.size(); ++host) {
      out.push_back({.rule = rule, .host = host});
    }
  }
  return out;
}

Stamp StrictTasks::tell_lacking() {
  const Stamp now = stamp_now(clock_);
  if (now < next_lacking_) return next_lacking_;
  const std::vector<strict::LackingRule> lacking = this->lacking();
  if (lacking.empty()) return kStampMax;
  const double when = std::floor(seconds_now(clock_) / delta_) * delta_;
  next_lacking_ = stamp_from_nanos(std::llround((when + delta_) * 1e9));
  for (const strict::LackingRule& one : lacking) {
    const strict::Rule& rule = set_.rules[one.rule].rule;
    const AlertReason why = replay_ ? AlertReason{ReasonKind::no_metric} : reason_of(one.host);
    if (rule.alert) {
      tell_lacking_alert(one, why, when);
      continue;
    }
    if (!rule.acts() && !sink_.wants(rule.name)) continue;
    for (const std::string& name : alerts_[one.rule]) {
      sink_.evaluated(name, one.host ? hosts_[*one.host].name : "",
                      {.truth = RuleTruth::unknown,
                       .at = wall_of(when),
                       .interval = interval_of(delta_),
                       .reason = why});
    }
  }
  return next_lacking_;
}

void StrictTasks::tell_lacking_alert(const strict::LackingRule& one, AlertReason why, double when) {
  const std::string host = one.host ? hosts_[*one.host].name : "";
  sink_.alert(set_.rules[one.rule].rule.name, host,
              {.reading = {.unknown = why},
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
               .plan = [this, &one, when](strict::Clause::When clause, const auto& about,
                                          bool again) -> std::optional<ActionPlan> {
                 if (replay_ == nullptr) return std::nullopt;
                 return replay_->steps().alert_plan({.rule = one.rule}, clause, about, when, again);
               }});
}

void StrictTasks::tell_alert(const strict::Evaluated& evaluated, double when) {
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
  sink_.alert(rule.name, host_of(host),
              {.reading = reading,
               .at = wall_of(when),
               .interval = interval_of(delta_),
               .bindings =
                   [&](AlertTick::Elements elements) {
                     auto out = steps.alert_bindings(placed, elements);
                     strict::RuleStepper::add_named(placed, out);
                     return out;
                   },
               .plan =
                   [&](strict::Clause::When clause, const auto& about, bool again) {
                     return steps.alert_plan(*evaluated.of, clause, about, when, again);
                   }});
}

void StrictTasks::begin(const ReplaySchema& schema) {
  names_ = schema.rules;
  members_.clear();
  std::map<std::string_view, size_t> places;
  for (const auto& member : fleet_.members()) places.emplace(member->name, places.size());
  for (const std::string& host : schema.hosts) {
    const auto place = places.find(host);
    members_.push_back(place == places.end() ? std::nullopt : std::optional(place->second));
  }
}

void StrictTasks::put(const RuleTransition& event) { (void)event; }
void StrictTasks::put(const RuleAction& event) { (void)event; }  // handed over
void StrictTasks::end(double when, std::span<const RuleState> states) { (void)when, (void)states; }
void StrictTasks::evaluated(std::span<const strict::Evaluated> rules, double when) {
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

void StrictTasks::tell_ruleset(const strict::Evaluated& set, double when) {
  const std::vector<strict::Clause>& clauses = set_.rules[set.of->rule].rule.clauses;
  auto name = alerts_[set.of->rule].begin();
  for (size_t i = 0; i < clauses.size(); ++i) {
    if (clauses[i].when != strict::Clause::When::holds) continue;
    const bool passed_over = set.clause && *set.clause < i;
    tell(*name++, set, passed_over ? RuleTruth::no : set.task->truth(*set.of->clauses[i].condition),
         when);
  }
}

void StrictTasks::tell(const std::string& name, const strict::Evaluated& rule, RuleTruth truth,
                       double when) {
  const std::optional<size_t> host = members_[rule.number];
  RuleTick tick{.truth = truth, .at = wall_of(when), .interval = interval_of(delta_)};
  if (truth == RuleTruth::unknown) tick.reason = reason_of(host);
  if (truth == RuleTruth::yes) tick.found = &rule.found;
  sink_.evaluated(name, host_of(host), tick);
}

bool StrictTasks::acts(size_t rule) const { return set_.rules[rule].rule.acts(); }
std::string StrictTasks::host_of(std::optional<size_t> member) const {
  return member ? hosts_[*member].name : "";
}

AlertReason StrictTasks::reason_of(std::optional<size_t> host) const {
  if (!host) return {ReasonKind::no_value};
  const HostFeeds& feeds = fleet_.members()[*host]->feeds;
  if (!feeds.why_down()) return {ReasonKind::no_value};
  return {feeds.health().late() ? ReasonKind::late : ReasonKind::host_down};
}

}  // namespace pmjit
