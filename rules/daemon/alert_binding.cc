#include "rules/daemon/alert_binding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rules/sinks/alert_json.h"
#include "rules/sinks/alert_sinks.h"

namespace pmjit {

namespace {

constexpr ElementId kOnly{};
constexpr size_t kBindingsShown = 20;

std::string value_text(const RuleBinding& binding) {
  if (binding.text) return *binding.text;
  const bool known = !binding.values.empty() && !std::isnan(binding.values.front());
  return known ? fmt::format("{}", binding.values.front()) : "";
}

// `sda: 12.5, sdb: 3`
std::string bindings_text(const std::vector<RuleBinding>& found) {
  std::string out;
  for (size_t i = 0; i < std::min(found.size(), kBindingsShown); ++i) {
    if (i > 0) out += ", ";
    const std::string value = value_text(found[i]);
    out += found[i].instance.value_or(found[i].host.value_or(""));
    if (!value.empty()) out += (out.empty() ? "" : ": ") + value;
  }
  if (found.size() > kBindingsShown) {
    out += fmt::format(" and {} more", found.size() - kBindingsShown);
  }
  return out;
}

std::string body_for(const SinkBlock& sink, const ToldAlert& told) {
  return sink.type == SinkType::file ? event_line(told) : webhook_json(told, sink.name);
}

double seconds_of(WallTime at) { return static_cast<double>(at.time_since_epoch().count()) / 1e9; }

struct Telling {
  AlertEventKind kind;
  WallTime at;
  bool by_reload = false;  // not because of what a rule says
};

// Adds a message for each of its sinks that takes events.
void add_messages(const StoredAlert& alert, const Telling& telling, AlertOutput& out) {
  const auto [kind, at, by_reload] = telling;
  const ToldAlert told{.labels = alert.labels,
                       .notes = alert.notes,
                       .event = std::string(alert_event_text(kind)),
                       .since = alert.life.since,
                       .ended = alert.ended,
                       .value = alert.value,
                       .reason = alert.reason,
                       .episode = episode_id(alert.labels, alert.life.since),
                       .url = out.page};
  // Unknown and known come several times in an episode, and so do reloads.
  std::string dedup = fmt::format("{}/{}", told.episode, told.event);
  if (by_reload || kind == AlertEventKind::unknown || kind == AlertEventKind::known) {
    dedup += fmt::format("-{}", at.time_since_epoch().count() / 1'000'000);
  }
  for (const SinkBlock& sink : *out.sinks) {
    const bool hears = std::ranges::find(alert.sinks, sink.name) != alert.sinks.end();
    if (!hears || tells_levels(sink.type) || (alert.ended && !sink.send_resolved)) continue;
    out.batch.messages.push_back({.sink = sink.name,
                                  .dedup = dedup,
                                  .rule = alert.key.rule,
                                  .host = alert.key.host,
                                  .event = told.event,
                                  .body = body_for(sink, told),
                                  .created = at});
  }
}

std::vector<std::string> without(std::vector<std::string> names,
                                 const std::vector<std::string>& others) {
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::find(others, name) != others.end();
  });
  return names;
}

// Sinks that lose it hear that it has ended, and those that win it that it is there. Those that
// take levels compare it with what they had (AlertSinks).
void move_to_sinks(StoredAlert& alert, const std::vector<std::string>& sinks, WallTime at,
                   AlertOutput& out) {
  if (alert.sinks == sinks) return;
  using enum AlertEventKind;
  const bool is_unknown = alert.key.level == AlertBinding::kUnknownLevel;
  StoredAlert lost = alert, won = alert;
  lost.sinks = without(alert.sinks, sinks);
  lost.ended = at;
  won.sinks = without(sinks, alert.sinks);
  add_messages(lost, {.kind = is_unknown ? known : resolved, .at = at, .by_reload = true}, out);
  add_messages(won, {.kind = is_unknown ? unknown : firing, .at = at, .by_reload = true}, out);
  alert.sinks = sinks;
  out.batch.add(alert);
}

}  // namespace

AlertBinding::AlertBinding(AlertKey key, AlertTable table, std::string shape, Milliseconds interval,
                           std::string connection)
    : key_(std::move(key)),
      table_(std::move(table)),
      shape_(std::move(shape)),
      interval_(interval),
      connection_(std::move(connection)),
      elements_([&] {
        AlertRule rule = table_.rule;
        rule.life.interval = interval;
        return rule;
      }()) {}

LifeState AlertBinding::life() const {
  const auto found = elements_.states().find(kOnly);
  return found == elements_.states().end() ? LifeState{} : found->second.levels.front();
}

std::optional<AlertReason> AlertBinding::unknown() const {
  if (!unknown_.dark && !life().dark) return std::nullopt;
  return reason_;
}

StoredAlert AlertBinding::stored() const {
  return {.key = key_,
          .life = life(),
          .reason = alert_reason_text(reason_),
          .value = value_,
          .labels = labels_,
          .notes = notes_,
          .sinks = sinks_,
          .shape = shape_,
          .interval_ms = interval_.count()};
}

void AlertBinding::restore(const StoredAlert& stored) {
  if (stored.key.level == kUnknownLevel) {
    unknown_ = {.dark = stored.life.since, .noted = true};
    unknown_told_ = stored;
    return;
  }
  if (stored.life.phase == Phase::pending && stored.shape != shape_) return;
  elements_.restore(kOnly, {stored.life});
  labels_ = stored.labels;
  notes_ = stored.notes;
  sinks_ = stored.sinks;
  value_ = stored.value;
  reason_ = read_alert_reason(stored.reason).value_or(AlertReason{});
}

std::vector<StoredAlert> AlertBinding::states() const {
  std::vector<StoredAlert> out;
  if (is_active()) out.push_back(stored());
  if (unknown_told_) out.push_back(*unknown_told_);
  return out;
}

void AlertBinding::keep(AlertOutput& out) const {
  if (is_active()) out.batch.kept.push_back(stored());
}

std::vector<AlertEvent> AlertBinding::step_elements(const RuleTick& tick) {
  if (tick.truth == RuleTruth::unknown) return elements_.step_unknown(tick.at, tick.reason);
  if (tick.says == Says::gone) {
    const LevelTruths level{};
    return elements_.step({.at = tick.at, .levels = {&level, 1}});
  }
  const uint64_t holds = tick.truth == RuleTruth::yes ? 1 : 0, none = 0;
  const uint64_t clear = holds == 1 || tick.says == Says::between ? 0 : 1;
  const LevelTruths level{.holds = {&holds, 1}, .unknown = {&none, 1}, .clear = {&clear, 1}};
  return elements_.step({.at = tick.at, .lanes = {&kOnly, 1}, .levels = {&level, 1}});
}

AlertChanges AlertBinding::step(const RuleTick& tick, AlertOutput& out) {
  AlertChanges changes;
  take_interval(tick.interval);
  const bool was_active = is_active();
  // After a restart the first ones are as good as those of the episode.
  if (tick.found != nullptr && (!was_active || found_.empty())) found_ = *tick.found;
  if (tick.truth == RuleTruth::yes && !was_active) {
    if (out.board.size() >= out.most) {
      out.metrics.add(WebMetric::alerts_dropped_total, {});
      return changes;
    }
    begin_episode(tick.at);
  }
  const bool is_gone = tick.says == Says::gone;
  reason_ = tick.truth == RuleTruth::unknown || is_gone ? tick.reason : AlertReason{};
  const LifeState before = life();
  for (const AlertEvent& event : step_elements(tick)) {
    // The message about an end has the values from before it. One that ends an unknown comes first.
    const bool ends = event.kind == AlertEventKind::resolved;
    if (ends || (event.kind == AlertEventKind::known && !is_active())) {
      if (ends && !found_.empty()) write_notes(before.since, event.at);
      StoredAlert ended = stored();
      ended.life = before;
      ended.life.at = event.at;
      if (ends) ended.ended = event.at;
      tell(event.kind, ended, out);
      note(event.kind, event.at, event.reason, out);
      changes.add(event.kind);
      continue;
    }
    if (take(event, out)) changes.add(event.kind);
  }
  const LifeState after = life();
  const bool shows = after.phase != before.phase || after.dark != before.dark;
  if (shows || was_active != is_active()) show(out);
  changes.fires = after.phase == Phase::firing;
  if (step_unknown(tick, out)) changes.add(AlertEventKind::unknown);
  return changes;
}

// One that was kept may be of an interval that the rule has no more.
void AlertBinding::take_interval(Milliseconds interval) {
  if (interval == Milliseconds(0) || interval == interval_) return;
  interval_ = interval;
  elements_.set_interval(interval);
}

// As the rule is true for the first time: so a message after a restart says what it would have
// said.
void AlertBinding::begin_episode(WallTime at) {
  labels_ = table_.labels;
  sinks_ = table_.sinks;
  notes_.clear();
  value_ = found_.empty() ? "" : value_text(found_.front());
  write_notes(at, at);
}

void AlertBinding::write_notes(WallTime since, WallTime at) {
  const auto bindings = notes_.find("bindings");
  AlertLabels kept;
  if (bindings != notes_.end()) kept.insert(*bindings);
  notes_.clear();
  AlertLabels values = table_.constants;
  if (!found_.empty()) values.insert(found_.front().named.begin(), found_.front().named.end());
  Zone zone = table_.zone.empty() ? Zone() : Zone(table_.zone);
  const TextFacts facts{
      .host = key_.host,
      .instance = found_.empty() ? key_.instance : found_.front().instance.value_or(""),
      .value = value_,
      .connection = connection_,
      .rule = key_.rule,
      .severity = table_.severity(),
      .since = event_time_text(seconds_of(since), zone),
      .held = duration_text(whole_micros(seconds_of(at) - seconds_of(since))),
      .reason = alert_reason_text(reason_),
      .labels = labels_,
      .values = values};
  for (const auto& [name, text] : table_.notes) notes_[name] = expand_text(text, facts);
  const bool of_instance = !key_.instance.empty();
  if (!found_.empty() && !of_instance) notes_.try_emplace("bindings", bindings_text(found_));
  notes_.merge(kept);  // after a restart nobody knows them anew
}

// False: it is not told yet.
bool AlertBinding::take(const AlertEvent& event, AlertOutput& out) {
  using enum AlertEventKind;
  if (event.kind == unknown && holds_unknown_) {
    // To be told when the host is back, if it still holds.
    elements_.untell(event.element);
    return false;
  }
  note(event.kind, event.at, event.reason, out);
  // After a restart, as they were: nobody knows the values yet.
  if (!found_.empty()) write_notes(life().since, event.at);
  switch (event.kind) {
    case pending: out.batch.add(stored()); break;
    case inactive: out.batch.gone.insert(key_); break;
    default: tell(event.kind, stored(), out); break;
  }
  return true;
}

void AlertBinding::tell(AlertEventKind kind, const StoredAlert& alert, AlertOutput& out) const {
  add_messages(alert, {.kind = kind, .at = alert.ended.value_or(alert.life.at)}, out);
  out.batch.add(alert);
}

void AlertBinding::note(AlertEventKind kind, WallTime at, const AlertReason& reason,
                        AlertOutput& out) const {
  out.metrics.add(WebMetric::transitions_total, {{"event", std::string(alert_event_text(kind))}});
  out.batch.history.push_back({.at = at,
                               .key = key_,
                               .event = std::string(alert_event_text(kind)),
                               .severity = table_.severity(),
                               .value = value_,
                               .reason = alert_reason_text(reason)});
}

// The rule as a whole, while no alert of it is there that could say so itself. Has it been told
// now?
bool AlertBinding::step_unknown(const RuleTick& tick, AlertOutput& out) {
  const bool dark = tick.truth == RuleTruth::unknown && !is_active();
  const AlertReason why = dark ? tick.reason : AlertReason{};
  const auto dark_since = unknown_.dark;
  const auto event = unknown_.step(why, tick.at, elements_.rule().life.stale);
  if (!event) return false;
  if (*event == AlertEventKind::unknown && holds_unknown_) {
    unknown_.noted = false;  // to be told when the host is back, if it still holds
    return false;
  }
  note(*event, tick.at, why, out);
  if (*event == AlertEventKind::unknown && table_.tells_unknown) {
    AlertKey key = key_;
    key.level = kUnknownLevel;
    unknown_told_ = StoredAlert{
        .key = key,
        .life = {.phase = Phase::firing, .since = dark_since.value_or(tick.at), .at = tick.at},
        .reason = alert_reason_text(why),
        .labels = table_.unknown_labels,
        .notes = {{"summary", fmt::format("{} on {} is unknown: {}", key_.rule, key_.host,
                                          alert_reason_text(why))}},
        .sinks = table_.sinks,
        .shape = shape_,
        .interval_ms = interval_.count()};
    tell(AlertEventKind::unknown, *unknown_told_, out);
    return true;
  }
  if (*event == AlertEventKind::known && unknown_told_) {
    unknown_told_->ended = tick.at;
    tell(AlertEventKind::known, *unknown_told_, out);
    unknown_told_.reset();
  }
  return false;
}

void AlertBinding::show(AlertOutput& out) const {
  if (!is_active()) return out.board.drop(key_);
  const LifeState now = life();
  out.board.put(key_, {.labels = labels_,
                       .notes = notes_,
                       .firing = now.phase == Phase::firing,
                       .since = now.since,
                       .value = value_,
                       .unknown_since = now.dark,
                       .reason = now.dark ? alert_reason_text(reason_) : ""});
}

// An alert whose labels are others resolves under the old ones and fires under the new ones. Each
// goes to the sinks that it had then.
void AlertBinding::change(AlertTable table, WallTime at, AlertOutput& out) {
  const bool fires = life().phase == Phase::firing;
  const bool relabelled = fires && table.labels != labels_;
  std::vector<LifeState> levels;
  if (is_active()) levels.push_back(life());
  const bool retold = fires && !relabelled && table.notes != table_.notes;
  if (relabelled) {
    StoredAlert old = stored();
    old.ended = at;
    add_messages(old, {.kind = AlertEventKind::resolved, .at = at, .by_reload = true}, out);
    out.batch.add(std::move(old));
  }
  table_ = std::move(table);
  AlertRule rule = table_.rule;
  rule.life.interval = interval_;
  elements_ = AlertElements(rule);
  if (!levels.empty()) elements_.restore(kOnly, std::move(levels));
  if (relabelled) {
    labels_ = table_.labels;
    sinks_ = table_.sinks;
    write_notes(life().since, at);
    add_messages(stored(), {.kind = AlertEventKind::firing, .at = at, .by_reload = true}, out);
    out.batch.add(stored());
  } else if (retold) {
    write_notes(life().since, at);
    out.batch.add(stored());  // sinks that take levels get the new texts
  }
  reroute(at, out);
  if (is_active()) show(out);
}

void AlertBinding::reroute(WallTime at, AlertOutput& out) {
  if (life().phase == Phase::firing) {
    StoredAlert alert = stored();
    move_to_sinks(alert, table_.sinks, at, out);
  }
  sinks_ = table_.sinks;
  if (!unknown_told_) return;
  const std::vector<std::string> none;
  move_to_sinks(*unknown_told_, table_.tells_unknown ? table_.sinks : none, at, out);
}

void AlertBinding::remove(WallTime at, AlertOutput& out) {
  for (StoredAlert& alert : states()) resolve_removed(std::move(alert), at, out);
  (void)elements_.remove(at, {ReasonKind::removed});
  unknown_told_.reset();
}

void resolve_removed(StoredAlert alert, WallTime at, AlertOutput& out) {
  out.board.drop(alert.key);
  if (alert.life.phase != Phase::firing) {
    out.batch.gone.insert(alert.key);
    return;
  }
  alert.ended = at;
  alert.reason = alert_reason_text({ReasonKind::removed});
  out.metrics.add(WebMetric::transitions_total, {{"event", "resolved"}});
  out.batch.history.push_back({.at = at,
                               .key = alert.key,
                               .event = "resolved",
                               .value = alert.value,
                               .reason = alert.reason});
  add_messages(alert, {.kind = AlertEventKind::resolved, .at = at}, out);
  out.batch.add(std::move(alert));
}

}  // namespace pmjit
