#include "rules/compat/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rules/compat/fetched_elements.h"
#include "rules/compat/value_report.h"
#include "runtime/base/file.h"
#include "runtime/base/limits.h"

namespace pmjit::pmie {

namespace {

// Of the time until the next one: how long hosts are waited for that did not answer last time, and
// for metadata.
constexpr double kBriefPart = 0.05, kMetadataPart = 0.5;

// Times that are evaluated at once. Where that cannot be done the next try is later and later.
constexpr size_t kBlockTimesMax = 256, kBlockTimesLeast = 4;
constexpr uint32_t kTriesInMax = 63;

// Archives are read every so many whole milliseconds, whatever is due when: one of 0.037 min, which
// is a little less than 2.22 s, every 2.219 s.
ReplayStep step_of(double delta) {
  const double milliseconds = std::floor(std::min(delta, limits::kReadStepSecondsMax) * 1000);
  const double sec = std::floor(milliseconds / 1000);
  return {.sec = static_cast<int64_t>(sec),
          .nsec = static_cast<int32_t>(milliseconds - sec * 1000) * 1000000};
}

}  // namespace

RuleRun::RuleRun(const RuleProgram& program, RuleSources& sources, Zone& zone,
                 const RunOptions& options, Put put)
    : program_(&program),
      sources_(sources),
      zone_(zone),
      options_(options),
      put_(std::move(put)),
      clock_(zone),
      evaluator_(
          program,
          options.plan != nullptr
              ? options.plan
              : plan_evaluation(program, task_numbers(program), options.proving),
          {.clock =
               [this](Variable variable) {
                 return variable == Variable::delta ? task_->delta : clock_.value(variable);
               },
           .read = [this](uint32_t node) { return task_->fetcher->read(node, evaluator_); },
           .perform = [this](uint32_t action, uint32_t rule) { return perform(action, rule); },
           .hand_over = hand_over()}),
      expansion_(evaluator_, sources.hosts(), sources.connections()),
      report_(options.verbose, sources.hosts()) {
  make_tasks(task_numbers(program));
}

std::vector<uint32_t> task_numbers(const RuleProgram& program) {
  std::vector<uint32_t> out;
  for (size_t i = 0; i < program.statements.size(); ++i) {
    const bool as_before = i > 0 && program.statements[i].delta == program.statements[i - 1].delta;
    out.push_back(i == 0 ? 0 : out.back() + (as_before ? 0 : 1));
  }
  return out;
}

void RuleRun::make_tasks(const std::vector<uint32_t>& numbers) {
  for (uint32_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == tasks_.size()) {
      tasks_.push_back(std::make_unique<Task>());
      tasks_.back()->delta = program_->statements[i].delta;
    }
    tasks_.back()->statements.push_back(i);
  }
  for (const auto& task : tasks_) {
    task->fetcher = std::make_unique<Fetcher>(*program_, roots(*task), sources_, options_.origin,
                                              step_of(task->delta));
    task->fetcher->on_unnamed(options_.unnamed);
  }
}

std::vector<uint32_t> RuleRun::roots(const Task& task) const {
  std::vector<uint32_t> out;
  for (const uint32_t i : task.statements) out.push_back(program_->statements[i].root);
  return out;
}

void RuleRun::set_due(Task& task) const {
  constexpr double kFirstRetry = 5;
  if (options_.retries && task.fetcher->waits()) {
    task.retry = std::min(task.retry == 0 ? kFirstRetry : 2 * task.retry, task.delta);
    task.due += task.retry;
    return;
  }
  if (task.retry != 0) {
    task.start = task.due;
    task.count = 0;
    task.retry = 0;
  }
  task.due = task.start + static_cast<double>(++task.count) * task.delta;
}

// Before the first that is due at the same time or later.
void RuleRun::reschedule() {
  Task& task = *tasks_.front();
  task.asked.reset();
  set_due(task);
  const auto behind = std::ranges::lower_bound(tasks_.begin() + 1, tasks_.end(), task.due, {},
                                               [](const auto& other) { return other->due; });
  std::rotate(tasks_.begin(), tasks_.begin() + 1, behind);
}

void RuleRun::begin(double start) {
  begun_ = true;
  for (const auto& task : tasks_) {
    task->count = 0;
    task->start = task->due = start;
    task->asked.reset();
  }
}

void RuleRun::begin_aligned(double now) {
  begin(now);
  for (const auto& task : tasks_) {
    task->start = task->due = std::ceil(now / task->delta) * task->delta;
  }
  std::ranges::stable_sort(tasks_, {}, [](const auto& task) { return task->due; });
}

std::optional<double> RuleRun::due() const {
  if (!begun_ || tasks_.empty()) return std::nullopt;
  return tasks_.front()->due;
}

// Values of metrics that are there now begin; the others go on.
void RuleRun::bind_waiting() {
  const bool moved = sources_.any_moved();
  const std::vector<uint32_t> changed = options_.bind_waiting();
  if (changed.empty() && !moved) return;
  if (!changed.empty()) {
    RunProgram now;
    if (options_.program_now) now = options_.program_now();
    if (now.program != nullptr) program_ = now.program;
    if (now.plan == nullptr) {
      now.plan = plan_evaluation(*program_, task_numbers(*program_), options_.proving);
    }
    evaluator_.take_changes(*program_, std::move(now.plan), changed);
  }
  for (const auto& task : tasks_) task->fetcher->bind(*program_, roots(*task));
  sources_.settle_moved();
}

bool RuleRun::may_bind(const Fetcher& fetcher) const {
  return options_.bind_waiting && (fetcher.waits() || sources_.any_moved());
}

Result<void> RuleRun::tick() {
  const Task& task = *tasks_.front();
  if (!task.asked && may_bind(*task.fetcher)) bind_waiting();
  if (task.asked) sources_.set_patience(span() * kMetadataPart);
  if (auto done = evaluate(*tasks_.front()); !done) return done;
  if (options_.keeps_little) tasks_.front()->fetcher->release();
  reschedule();
  return {};
}

uint64_t RuleRun::skip_missed(double now, double end) {
  uint64_t out = 0;
  const auto missed = [&](const Task& task) {
    return !task.asked && task.due <= end && task.due + task.delta <= now;
  };
  for (; due() && missed(*tasks_.front()); ++out) reschedule();
  return out;
}

double RuleRun::span() const {
  const auto shortest = std::ranges::min_element(
      tasks_, [](const auto& one, const auto& other) { return one->delta < other->delta; });
  return (*shortest)->delta;
}

void RuleRun::ask(double now) {
  std::vector<Task*> asked;
  for (const auto& task : tasks_) {
    if (task->due <= now && !task->asked) asked.push_back(task.get());
  }
  sources_.set_patience(span() * kMetadataPart);
  if (std::ranges::any_of(asked, [&](const Task* task) { return may_bind(*task->fetcher); })) {
    bind_waiting();
  }
  for (Task* const task : asked) {
    task->asked = now;
    sources_.set_tick(task->due, task->delta);
    task->fetcher->ask();
  }
}

std::optional<double> RuleRun::waits_until(double now) const {
  if (tasks_.empty() || !tasks_.front()->asked) return std::nullopt;
  const Task& task = *tasks_.front();
  const Fetcher::Pending pending = task.fetcher->pending();
  if (!pending.any) return std::nullopt;
  const double brief = *task.asked + span() * kBriefPart;
  const double until = pending.answering ? std::max(task.due + span(), brief) : brief;
  return now < until ? std::optional(until) : std::nullopt;
}

Result<void> run_until(RuleRun& run, double end, const std::function<bool()>& stop) {
  run.ask_meanwhile(stop);
  try {
    while (run.due() && *run.due() <= end && !stop()) {
      if (auto done = run.tick(); !done) return done;
    }
  } catch (const ReadingStopped&) {  // as if it had been asked before this tick
  }
  return {};
}

// Its time is one that was evaluated with others, or the first of such.
bool RuleRun::go_on_in_block(Task& task) {
  if (options_.proving == Proving::off || sources_.is_live()) return false;
  if (task.block == nullptr) {
    const std::vector<uint32_t> of = roots(task);
    task.block = std::make_unique<TimeBlock>(
        *program_, evaluator_.sharing(), of,
        TimeBlock::Threads{.executor = options_.executor, .from = options_.shared_from});
  }
  TimeBlock& block = *task.block;
  if (task.in_block && block.now() + 1 < block.times()) {
    block.go_to(block.now() + 1);
  } else {
    if (std::exchange(task.in_block, false)) {
      evaluator_.leave(block);
      task.fetcher->pass_ahead(block.times());
    }
    if (!begin_block(task)) return false;
  }
  task.fetcher->use_ahead(block.now());
  return true;
}

bool RuleRun::begin_block(Task& task) {
  if (!task.block->any() ||
      std::exchange(task.tries_in, task.tries_in - std::min(task.tries_in, 1U)) > 0) {
    return false;
  }
  const size_t times = task.fetcher->load_ahead(kBlockTimesMax);
  if (times >= kBlockTimesLeast) {
    task.in_block = task.block->begin(evaluator_, *task.fetcher, times, stop_);
  } else {
    task.block->refuse(task.fetcher->goes_ahead() ? Guard::no_block : Guard::one_by_one);
  }
  task.tried = task.in_block ? 0 : std::min(2 * task.tried + 1, kTriesInMax);
  task.tries_in = task.tried;
  if (!task.in_block) return false;
  evaluator_.enter(*task.block);
  // Nobody hears of statements to which nothing happens.
  const RunObserver* const observer = options_.observer;
  if (options_.verbose == Verbose::off && (observer == nullptr || observer->only_changes())) {
    task.block->list_visits(observer != nullptr);
  }
  return true;
}

void RuleRun::visit_listed(const Task& task) {
  evaluator_.pass_untrue(*task.block);
  counts_.statements += static_cast<uint32_t>(task.statements.size());
  const auto visits = task.block->visits();
  if (!visits.empty()) set_ctime();
  for (const TimeBlock::Visit& visit : visits) {
    statement_ = task.statements[visit.place];
    if (visit.evaluated) evaluator_.evaluate(program_->statements[statement_].root);
    if (visit.changed && options_.observer != nullptr) {
      options_.observer->evaluated(statement_, task.due);
    }
  }
}

void RuleRun::set_ctime() {
  ctime_ = time_text(zone_.local(static_cast<int64_t>(std::floor(task_->due))));
}

Result<void> RuleRun::evaluate(Task& task) {
  if (auto done = evaluate_all(task); !done) return done;
  if (options_.ways != nullptr) {
    for (const uint32_t root : roots(task)) {
      options_.ways->count(evaluator_, task.block.get(), root);
    }
  }
  return {};
}

Result<void> RuleRun::evaluate_all(Task& task) {
  task_ = &task;
  evaluator_.begin();
  if (!go_on_in_block(task)) {
    if (auto fetched = task.fetcher->fetch(task.due); !fetched) return fetched;
  }
  clock_.set(task.due);
  if (task.in_block && task.block->lists_visits()) {
    visit_listed(task);
    return {};
  }
  set_ctime();
  for (const uint32_t i : task.statements) {
    statement_ = i;
    evaluator_.evaluate(program_->statements[i].root);
    ++counts_.statements;
    if (options_.observer != nullptr) options_.observer->evaluated(i, task.due);
  }
  if (options_.verbose != Verbose::off) put_values(task);
  return {};
}

std::function<void(uint32_t, uint32_t)> RuleRun::hand_over() {
  if (!options_.hand_over) return {};
  return [this](uint32_t action, uint32_t rule) {
    ActionPlan out{.steps = {}, .nodes = {}, .when = task_->due};
    (void)plan(out, action, rule);
    options_.hand_over(statement_, std::move(out));
  };
}

// The node of the plan.
uint32_t RuleRun::plan(ActionPlan& out, uint32_t action, uint32_t rule) const {
  const PmieNode& node = program_->nodes[action];
  if (node.op == PmieOp::in_turn || node.op == PmieOp::until_true) {
    const uint32_t first = plan(out, node.left, rule);
    const uint32_t second = plan(out, node.right, rule);
    const bool both = node.op == PmieOp::in_turn;
    return out.join(both ? ActionPlan::Kind::in_turn : ActionPlan::Kind::until_one, first, second);
  }
  const bool cleans = options_.safe_shell && node.op == PmieOp::shell;
  const std::string text = expansion_.expand(node.arguments, rule, cleans ? &shell_safe : nullptr);
  const uint32_t root = program_->statements[statement_].root;
  return out.add_step({.id = action - program_->nodes[root].first,
                       .verb = std::string(symbol_of(node.op)),
                       .text = text.empty() ? std::nullopt : std::optional(text),
                       .hold_off = node.number,
                       .syslog_tag = node.syslog_tag,
                       .syslog_priority = node.op == PmieOp::syslog
                                              ? std::optional(node.syslog_priority)
                                              : std::nullopt});
}

std::optional<bool> RuleRun::perform(uint32_t action, uint32_t rule) {
  const PmieNode& node = program_->nodes[action];
  if (!hold_offs_.take(action, node.number, task_->due)) return std::nullopt;
  const std::string text = expansion_.expand(node.arguments, rule);
  const std::string shown = text.empty() ? "(null)" : text;  // Q19
  const std::string_view verb = symbol_of(node.op);
  if (options_.observer != nullptr) {
    options_.observer->performed(statement_, verb, shown, task_->due);
  }
  if (options_.act) {
    ++counts_.actions;
    return options_.act(node, text.empty() ? std::nullopt : std::optional(text), ctime_);
  }
  std::string line(verb);
  line.append(" ").append(ctime_).append(": ").append(shown) += '\n';
  put_(line);
  return true;
}

void RuleRun::put_values(const Task& task) {
  std::string out;
  for (const uint32_t i : task.statements) {
    const PmieStatement& statement = program_->statements[i];
    if (options_.verbose == Verbose::applet) {
      report_.put(out, evaluator_, statement.root);
      out += ' ';
      continue;
    }
    out += statement.name;
    if (options_.stamps) out += fmt::format(" ({})", ctime_);
    out += ": ";
    report_.put(out, evaluator_, statement.root);
    out += '\n';
  }
  out += '\n';
  put_(out);
}

bool HoldOffs::take(uint32_t action, double hold_off, double when) {
  // 0: it was never done, or at the beginning of 1970, which the reference takes for that.
  double& last = last_[action];
  // Without a hold-off also where time went back (-d).
  if (hold_off != 0 && last != 0 && when < last + hold_off) return false;
  last = when;
  return true;
}

void RuleClock::set(double when) {
  constexpr int64_t kHour = 3600, kDay = 24 * kHour;
  const auto sec = static_cast<int64_t>(std::floor(when));
  const int64_t gone = sec - at_;
  at_ = sec;
  const int64_t of_day = tm_.tm_hour * kHour + tm_.tm_min * 60 + tm_.tm_sec + gone;
  if (gone < 0 || gone >= kDay || of_day >= kDay) {
    tm_ = zone_.local(sec);
    return;
  }
  tm_.tm_hour = static_cast<int>(of_day / kHour);
  tm_.tm_min = static_cast<int>(of_day % kHour / 60);
  tm_.tm_sec = static_cast<int>(of_day % 60);
}

double RuleClock::value(Variable variable) const {
  switch (variable) {
    case Variable::minute: return tm_.tm_min;
    case Variable::hour: return tm_.tm_hour;
    case Variable::day: return tm_.tm_mday;
    case Variable::month: return tm_.tm_mon;
    case Variable::year: return tm_.tm_year + 1900;
    case Variable::day_of_week: return tm_.tm_wday;
    default: return 0;
  }
}

}  // namespace pmjit::pmie
