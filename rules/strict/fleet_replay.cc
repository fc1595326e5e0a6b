#include "rules/strict/fleet_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/strict_rules/tree.h"
#include "rules/compat/fetched_elements.h"

namespace pmjit::strict {

namespace {

// One place for all intervals, so that those that are due together ask together.
TickPlace places_of(const RuleSet& set) {
  TickPlace out{.part = places_part(std::ranges::any_of(set.rules, joins_hosts))};
  for (const SetRule& one : set.rules) {
    out.most = std::min(out.most, static_cast<Nanos>(std::llround(one.rule.delta * 1e9)));
  }
  return out;
}

std::vector<std::string> connections_of(const HostFleet& fleet) {
  std::vector<std::string> out;
  for (const auto& member : fleet.members()) out.push_back(member->client.spec().text);
  return out;
}

}  // namespace

FleetReplay::FleetReplay(const RuleSet& set, const HostFleet& fleet, const TaskOptions& options,
                         const Clock& clock)
    : set_(set),
      fleet_(fleet),
      options_(options),
      clock_(clock),
      steps_(set, hosts_of(fleet), connections_of(fleet)),
      lateness_(fleet.members().size(), wall_now()) {}

Result<std::unique_ptr<FleetReplay>> FleetReplay::open(const RuleSet& set, const HostFleet& fleet,
                                                       const TaskOptions& options,
                                                       const Clock& clock) {
  if (!fleet.members().front()->place) give_places(fleet, places_of(set));
  std::unique_ptr<FleetReplay> out(new FleetReplay(set, fleet, options, clock));
  std::string errors = out->open_rows();
  errors += out->open_together();
  if (!errors.empty()) return fail(Fault::format, errors);
  return out;
}

std::string FleetReplay::open_rows() {
  bodies_ = compile_bodies(set_, fleet_, options_);
  if (!bodies_.errors.empty()) return bodies_.errors;
  for (const FleetBody& body : bodies_.bodies) {
    for (const BodyTask& of : body.tasks) {
      for (const auto& rows : body.batches) {
        const auto step = static_cast<Nanos>(std::llround(of.rules.delta * 1e9));
        const Nanos begins_after = rows->begins_after(step);
        TaskOptions options = options_;
        if (options_.goes_on && step > 0) options.origin = first_due(step, begins_after);
        auto task = Task::over(set_, of.rules, of.compiled, *rows, options);
        if (!task) return task.error().text();
        rows_.push_back(
            {.rows = rows.get(), .task = *std::move(task), .begins_after = begins_after});
      }
    }
  }
  return {};
}

// The first time that begins at these hosts behind the moment until which rules have run.
Stamp FleetReplay::first_due(Nanos step, Nanos begins_after) const {
  Nanos due = nanos(options_.origin);
  const auto is_to_come = [&](Nanos time) {
    return time + begins_after > nanos(*options_.goes_on);
  };
  while (is_to_come(due - step)) due -= step;
  while (!is_to_come(due)) due += step;
  return stamp_from_nanos(due);
}

std::string FleetReplay::open_together() {
  std::string errors;
  std::vector<const Ast*> asts;
  std::vector<TaskRules> all = tasks_of(set_, looks_beyond_host);
  for (const TaskRules& rules : all) {
    for (const ParsedRoot& root : rules.roots) asts.push_back(root.ast);
  }
  fleet_.expect(metrics_in(asts));
  for (TaskRules& rules : all) {
    auto task = Task::open(set_, rules, fleet_, options_);
    if (task) {
      together_.push_back(*std::move(task));
    } else if (options_.leaves_out && task.error().fault() == Fault::not_found) {
      errors += open_without_lacking(rules);
    } else {
      errors += task.error().text();
    }
  }
  return errors;
}

// Each by itself, for one without its metrics holds up no other.
std::string FleetReplay::open_without_lacking(const TaskRules& rules) {
  std::string errors;
  for (const TaskRule& one : rules.rules) {
    const TakesRule takes = [&](const SetRule& rule) {
      return static_cast<size_t>(&rule - set_.rules.data()) == one.rule;
    };
    for (TaskRules& alone : tasks_of(set_, takes)) {
      auto task = Task::open(set_, std::move(alone), fleet_, options_);
      if (task) {
        together_.push_back(*std::move(task));
      } else if (task.error().fault() == Fault::not_found) {
        bodies_.lacking.push_back({.rule = one.rule});
        note_absent_anywhere();
        bodies_.notes.push_back(fmt::format("{} does not run: a metric is missing\n{}",
                                            set_.rules[one.rule].rule.name, task.error().text()));
      } else {
        errors += task.error().text();
      }
    }
  }
  return errors;
}

// Of a rule over all hosts: one that does not run, whichever host it is that lacks a metric.
void FleetReplay::note_absent_anywhere() {
  for (uint32_t host = 0; host < fleet_.members().size(); ++host) {
    const auto& missing = fleet_.members()[host]->feeds.catalog().missing();
    if (!missing.empty()) bodies_.absent[host].insert(missing.begin(), missing.end());
  }
}

std::vector<std::string> FleetReplay::notes() const {
  std::vector<std::string> out = bodies_.notes;
  for (const auto& task : together_) {
    out.insert(out.end(), task->notes().begin(), task->notes().end());
  }
  return out;
}

std::vector<std::string> FleetReplay::take_warnings() {
  std::vector<std::string> out;
  const auto add = [&](Task& task) {
    for (std::string& warning : task.take_warnings()) {
      if (std::ranges::find(out, warning) == out.end()) out.push_back(std::move(warning));
    }
  };
  for (const RowTask& of : rows_) add(*of.task);
  for (const auto& task : together_) add(*task);
  return out;
}

uint64_t FleetReplay::skipped() const {
  uint64_t out = 0;
  for (const RowTask& of : rows_) out = std::max(out, of.task->skipped());
  for (const auto& task : together_) out = std::max(out, task->skipped());
  return out;
}

uint64_t FleetReplay::missed() const {
  uint64_t out = 0;
  for (const RowTask& of : rows_) out += of.task->skipped() * of.rows->row_hosts().size();
  for (const auto& task : together_) out += task->skipped();
  return out;
}

void FleetReplay::begin(EventWriter& writer) { steps_.begin(writer, number_rules()); }

// In the order of the files, those of one rule in the order of the hosts.
ReplaySchema FleetReplay::number_rules() {
  const std::vector<std::string>& hosts = steps_.hosts();
  ReplaySchema out{.rules = {}, .start = pmie::seconds_of(options_.origin)};
  const auto add = [&](size_t rule, const std::string& host) {
    out.rules.push_back(set_.rules[rule].rule.name);
    out.alerts.push_back(set_.rules[rule].rule.alert.has_value());
    out.hosts.push_back(host);
    out.numbers.push_back(rule);
  };
  for (const auto& task : together_) {
    for (const TaskRule& rule : task->rules()) {
      placed_.push_back({.task = task.get(), .rule = &rule});
    }
  }
  std::ranges::stable_sort(placed_, {}, [](const PlacedRule& one) { return one.rule->rule; });
  first_number_.resize(set_.rules.size());
  auto next = placed_.begin();
  for (size_t rule = 0; rule < set_.rules.size(); ++rule) {
    first_number_[rule] = out.rules.size();
    for (; next != placed_.end() && next->rule->rule == rule; ++next) {
      next->number = out.rules.size();
      const auto& on = next->rule->on_host;
      add(rule, on ? hosts[*on] : next->rule->host.value_or(""));
    }
    if (looks_beyond_host(set_.rules[rule])) continue;
    for (const std::string& host : hosts) add(rule, host);
  }
  return out;
}

Result<FleetReplay::Progress> FleetReplay::advance() {
  bool goes_on = false, all_ended = true;
  const auto take = [&](Progress progress) {
    goes_on = goes_on || progress == Progress::goes_on;
    all_ended = all_ended && progress == Progress::ended;
  };
  for (RowTask& of : rows_) {
    const auto progress = advance_rows(of);
    if (!progress) return progress;
    take(*progress);
  }
  for (const auto& task : together_) {
    const auto progress = advance_together(*task);
    if (!progress) return progress;
    take(*progress);
  }
  if (all_ended) return Progress::ended;
  return goes_on ? Progress::goes_on : Progress::waits;
}

Result<FleetReplay::Progress> FleetReplay::advance_rows(RowTask& of) {
  if (of.task->ended()) return Progress::ended;
  if (wall_now() < of.task->wakes()) return Progress::waits;
  const auto next = of.task->next_wave();
  if (!next) return fail(next.error());
  if (*next == Feed::Next::end) return Progress::ended;
  if (*next == Feed::Next::nothing_yet) return Progress::waits;
  std::vector<uint32_t> hosts;
  Stamp due;
  began_after_ = of.begins_after;
  while (const auto row = of.task->next_row()) {
    const uint32_t host = of.rows->row_hosts()[row->index];
    due = *of.task->now();
    const double now = pmie::seconds_of(due);
    for (const TaskRule& rule : of.task->rules()) {
      evaluated_.push_back(steps_.evaluate({.task = of.task.get(),
                                            .rule = &rule,
                                            .number = first_number_[rule.rule] + host,
                                            .row_host = &steps_.hosts()[host]},
                                           now));
    }
    tell_watcher(now);
    if (of.rows->answered(*row)) hosts.push_back(host);
    last_ = std::max(last_.value_or(due), due);
  }
  const Stamp ended = wall_now();
  const Stamp began = stamp_from_nanos(nanos(due) + of.begins_after);
  for (const uint32_t host : hosts) lateness_.add(host, began, ended);
  return Progress::goes_on;
}

Result<FleetReplay::Progress> FleetReplay::advance_together(Task& task) {
  if (task.due() > options_.end || task.ended()) return Progress::ended;
  const auto there = task.advance();
  if (!there) return fail(there.error());
  if (*there == Task::Advance::waits) return Progress::waits;
  if (*there == Task::Advance::begins_later) return Progress::goes_on;
  if (options_.end == kStampMax && task.ended()) return Progress::ended;
  const double now = pmie::seconds_of(*task.now());
  began_after_ = 0;
  for (const auto& member : fleet_.members()) {
    if (member->place) began_after_ = std::max(began_after_, member->place->after(task.step()));
  }
  for (const PlacedRule& placed : placed_) {
    if (placed.task == &task) evaluated_.push_back(steps_.evaluate(placed, now));
  }
  tell_watcher(now);
  last_ = std::max(last_.value_or(*task.now()), *task.now());
  return Progress::goes_on;
}

void FleetReplay::tell_watcher(double when) {
  if (watcher_ != nullptr) watcher_->evaluated(evaluated_, when);
  evaluated_.clear();
}

Stamp FleetReplay::wakes() const {
  Stamp out = kStampMax;
  for (const RowTask& of : rows_) {
    if (!of.task->ended()) out = std::min(out, of.task->wakes());
  }
  for (const auto& task : together_) {
    if (!task->ended()) out = std::min(out, task->wakes());
  }
  return out;
}

void FleetReplay::end() {
  const Stamp end = options_.end != kStampMax ? options_.end : last_.value_or(options_.origin);
  steps_.end(pmie::seconds_of(end));
}

}  // namespace pmjit::strict
