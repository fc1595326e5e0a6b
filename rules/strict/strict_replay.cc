#include "rules/strict/strict_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "rules/compat/fetched_elements.h"
#include "runtime/base/file.h"
#include "runtime/base/result.h"

namespace pmjit::strict {

namespace {

// Texts that only some tasks have said; those with a time in it stay such.
constexpr size_t kWarnedMax = 1'000;

}  // namespace

StrictReplay::StrictReplay(const RuleSet& set, const Feeds& feeds, const TaskOptions& options,
                           std::vector<std::string> connections)
    : set_(set),
      feeds_(feeds),
      options_(options),
      steps_(set, hosts_of(feeds), std::move(connections)) {}

Result<std::unique_ptr<StrictReplay>> StrictReplay::open(const RuleSet& set, const Feeds& feeds,
                                                         const TaskOptions& options,
                                                         std::vector<std::string> connections) {
  std::unique_ptr<StrictReplay> out(new StrictReplay(set, feeds, options, std::move(connections)));
  std::string errors;
  TaskOptions once = options;
  once.compile.read_once = read_definitions_once();
  for (TaskRules& rules : tasks_of(set, options.takes)) {
    auto task = options.leaves_out ? Task::open(set, rules, feeds, once)
                                   : Task::open(set, std::move(rules), feeds, once);
    if (task) {
      out->tasks_.push_back(*std::move(task));
    } else if (options.leaves_out && task.error().fault() == Fault::not_found) {
      out->open_without_lacking(rules, errors);
    } else {
      errors += task.error().text();
    }
  }
  // Where nothing is left nobody would wait.
  if (out->tasks_.empty()) {
    for (const LackingRule& one : out->lacking_) errors += one.text;
  }
  if (!errors.empty()) return fail(Fault::format, errors);
  out->number_rules();
  return out;
}

namespace {

TakesRule only(const RuleSet& set, size_t number) {
  return [&set, number](const SetRule& rule) {
    return static_cast<size_t>(&rule - set.rules.data()) == number;
  };
}

}  // namespace

// Each by itself, for one without its metrics holds up no other.
void StrictReplay::open_without_lacking(const TaskRules& rules, std::string& errors) {
  for (const TaskRule& one : rules.rules) {
    for (TaskRules& alone : tasks_of(set_, only(set_, one.rule))) {
      auto task = Task::open(set_, std::move(alone), feeds_, options_);
      if (task) {
        tasks_.push_back(*std::move(task));
      } else if (task.error().fault() == Fault::not_found) {
        lacking_.push_back({.rule = {.rule = one.rule}, .text = task.error().text()});
      } else {
        errors += task.error().text();
      }
    }
  }
}

std::vector<StrictReplay::Lacking> StrictReplay::lacking() const {
  std::vector<Lacking> out;
  for (const LackingRule& one : lacking_) {
    out.push_back({.rule = set_.rules[one.rule.rule].rule.name, .text = one.text});
  }
  return out;
}

Result<std::vector<std::string>> StrictReplay::look_again(Stamp now) {
  std::vector<std::string> out;
  if (steps_.hosts().size() > 1) return out;
  TaskOptions options = options_;
  for (auto one = lacking_.begin(); one != lacking_.end();) {
    const SetRule& rule = set_.rules[one->rule.rule];
    const auto step = std::max<Nanos>(std::llround(rule.rule.delta * 1e9), 1);
    const Nanos gone = std::max<Nanos>(nanos(now) - nanos(options_.origin), 0);
    options.origin = stamp_from_nanos(nanos(options_.origin) + (gone + step - 1) / step * step);
    const auto placed = std::ranges::find(placed_, &one->rule, &PlacedRule::rule);
    auto task =
        Task::open(set_, tasks_of(set_, only(set_, one->rule.rule)).front(), feeds_, options);
    if (!task && task.error().fault() != Fault::not_found) return fail(task.error());
    if (!task) {
      ++one;
      continue;
    }
    placed->task = task->get();
    placed->rule = &(*task)->rules().front();
    tasks_.push_back(*std::move(task));
    out.push_back(rule.rule.name);
    one = lacking_.erase(one);
  }
  if (!out.empty()) number_tasks();
  return out;
}

// In the order of the file, those of one rule in the order of the hosts.
void StrictReplay::number_rules() {
  for (const auto& task : tasks_) {
    for (const TaskRule& rule : task->rules())
      placed_.push_back({.task = task.get(), .rule = &rule});
  }
  // Those that may join have their places among them.
  if (steps_.hosts().size() == 1) {
    for (const LackingRule& one : lacking_) placed_.push_back({.task = nullptr, .rule = &one.rule});
  }
  std::ranges::stable_sort(placed_, {}, [](const PlacedRule& one) { return one.rule->rule; });
  for (size_t i = 0; i < placed_.size(); ++i) placed_[i].number = i;
  number_tasks();
}

void StrictReplay::number_tasks() {
  numbers_.assign(tasks_.size(), {});
  std::unordered_map<const Task*, Numbers*> of_task;
  for (size_t i = 0; i < tasks_.size(); ++i) of_task[tasks_[i].get()] = &numbers_[i];
  for (const PlacedRule& placed : placed_) {
    if (placed.task == nullptr) continue;
    Numbers& numbers = *of_task.at(placed.task);
    numbers.all.push_back(placed.number);
    if (!steps_.rests(placed)) {
      numbers.restless.push_back(placed.number);
      continue;
    }
    for (const ClauseRoots& clause : placed.rule->clauses) {
      const size_t root = *clause.condition;
      if (numbers.of_root.size() <= root) numbers.of_root.resize(root + 1);
      numbers.of_root[root].push_back(placed.number);
    }
  }
}

std::vector<std::string> StrictReplay::notes() const {
  std::vector<std::string> out;
  for (const auto& task : tasks_) {
    out.insert(out.end(), task->notes().begin(), task->notes().end());
  }
  return out;
}

// Tasks read the same hosts, so most warnings are those of each of them, sooner or later.
std::vector<std::string> StrictReplay::take_warnings() {
  std::vector<std::string> out;
  for (size_t task = 0; task < tasks_.size(); ++task) {
    for (std::string& warning : tasks_[task]->take_warnings()) {
      std::vector<uint64_t>& times = warned_[warning];
      times.resize(tasks_.size());
      const uint64_t said = *std::ranges::max_element(times);
      const bool news = ++times[task] > said;
      if (std::ranges::all_of(times, [&](uint64_t of_task) { return of_task == times[task]; })) {
        warned_.erase(warning);
      }
      if (news) out.push_back(std::move(warning));
    }
  }
  if (warned_.size() > kWarnedMax) warned_.clear();  // rather told again than kept for ever
  return out;
}

uint64_t StrictReplay::skipped() const {
  uint64_t out = 0;
  for (const auto& task : tasks_) out = std::max(out, task->skipped());
  return out;
}

Result<void> StrictReplay::run(EventWriter& writer, const std::function<bool()>& stop) {
  begin(writer);
  try {
    while (!stop()) {
      const auto progress = advance();
      if (!progress) {
        steps_.end(pmie::seconds_of(std::max(now_, options_.origin)));
        return fail(progress.error());
      }
      if (*progress == Progress::ended) break;
      check(*progress != Progress::waits, "a recording is all there");
    }
  } catch (const ReadingStopped&) {  // as if it had been asked before
  }
  end();
  return {};
}

void StrictReplay::begin(EventWriter& writer) {
  const std::vector<std::string>& hosts = steps_.hosts();
  ReplaySchema schema{.rules = {}, .start = pmie::seconds_of(options_.origin)};
  for (const PlacedRule& placed : placed_) {
    const TaskRule& rule = *placed.rule;
    schema.rules.push_back(set_.rules[rule.rule].rule.name);
    schema.alerts.push_back(set_.rules[rule.rule].rule.alert.has_value());
    if (hosts.size() == 1) continue;
    schema.numbers.push_back(rule.rule);
    schema.hosts.push_back(rule.on_host ? hosts[*rule.on_host] : rule.host.value_or(""));
  }
  steps_.begin(writer, schema);
}

// Where nobody knew the end, it is the time that was evaluated last.
void StrictReplay::end() {
  const Stamp end = options_.end != kStampMax ? options_.end : last_.value_or(options_.origin);
  steps_.end(pmie::seconds_of(end));
}

// Tasks due together: one whose rows have not come keeps the others waiting.
Result<StrictReplay::Progress> StrictReplay::advance() {
  if (ready_.empty()) {
    if (tasks_.empty() || out_of_rows()) return Progress::ended;
    while (by_due_.size() < tasks_.size()) {  // some have joined
      by_due_.emplace(tasks_[by_due_.size()]->due(), by_due_.size());
    }
    now_ = by_due_.begin()->first;
    if (now_ > options_.end) return Progress::ended;
  }
  std::vector<size_t> due;
  for (auto at = by_due_.begin(); at != by_due_.end() && at->first == now_; ++at) {
    due.push_back(at->second);
  }
  bool waits = false;
  for (const size_t i : due) {
    const auto there = tasks_[i]->advance();
    if (!there) return fail(there.error());
    if (tasks_[i]->due() != now_) {
      by_due_.erase({now_, i});
      by_due_.emplace(tasks_[i]->due(), i);
    }
    waits = waits || *there == Task::Advance::waits;
    if (*there == Task::Advance::evaluated) ready_.push_back(i);
  }
  if (waits) return Progress::waits;
  if (ready_.empty()) return Progress::goes_on;  // all of them begin later
  // Without an end only a row tells that there was such a time.
  if (options_.end == kStampMax && out_of_rows()) return Progress::ended;
  evaluate_ready();
  last_ = now_;
  return Progress::goes_on;
}

// Nobody knows the end, and every task that reads rows has had its last.
bool StrictReplay::out_of_rows() const {
  if (options_.end != kStampMax) return false;
  bool reads = false;
  for (const auto& task : tasks_) {
    if (!task->has_rows()) continue;
    if (!task->ended()) return false;
    reads = true;
  }
  return reads;
}

Stamp StrictReplay::wakes() const {
  Stamp out = kStampMax;
  for (const auto& task : tasks_) {
    if (task->due() == now_) out = std::min(out, task->wakes());
  }
  return out;
}

// Finds the rules of the ready tasks that must be evaluated, in the order of the file. With a
// watcher these are all of them.
void StrictReplay::find_to_evaluate() {
  to_evaluate_.clear();
  const auto take = [this](const std::vector<size_t>& numbers) {
    to_evaluate_.insert(to_evaluate_.end(), numbers.begin(), numbers.end());
  };
  for (const size_t task : ready_) {
    const Numbers& numbers = numbers_[task];
    const auto awake = tasks_[task]->awake();
    if (!awake || watcher_ != nullptr) {
      take(numbers.all);
      continue;
    }
    take(numbers.restless);
    for (const uint32_t root : *awake) {
      if (root < numbers.of_root.size()) take(numbers.of_root[root]);
    }
  }
  std::ranges::sort(to_evaluate_);
  const auto same = std::ranges::unique(to_evaluate_);
  to_evaluate_.erase(same.begin(), same.end());
}

void StrictReplay::evaluate_ready() {
  find_to_evaluate();
  ready_.clear();
  std::vector<Evaluated> evaluated;
  for (const size_t number : to_evaluate_) {
    Evaluated each = steps_.evaluate(placed_[number], pmie::seconds_of(now_));
    if (watcher_ != nullptr) {
      evaluated.push_back(std::move(each));
    } else {
      steps_.give_back(std::move(each));
    }
  }
  if (watcher_ != nullptr) watcher_->evaluated(evaluated, pmie::seconds_of(now_));
}

}  // namespace pmjit::strict
