#include "rules/compat/run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "rules/compat/fetched_elements.h"
#include "rules/compat/value_report.h"
#include "runtime/base/limits.h"

namespace pmjit::pmie {

namespace {

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
    : program_(program),
      sources_(sources),
      zone_(zone),
      options_(options),
      put_(std::move(put)),
      clock_(zone),
      evaluator_(
          program, task_numbers(program),
          {.clock =
               [this](Variable variable) {
                 return variable == Variable::delta ? task_->delta : clock_.value(variable);
               },
           .read = [this](uint32_t node) { return task_->fetcher->read(node, evaluator_); },
           .perform = [this](uint32_t action, uint32_t rule) { return perform(action, rule); }},
          options.proving),
      expansion_(evaluator_, sources.hosts(), sources.connections()),
      report_(options.verbose, sources.hosts()),
      actions_(program) {
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
      tasks_.back()->delta = program_.statements[i].delta;
    }
    tasks_.back()->statements.push_back(i);
  }
  for (const auto& task : tasks_) {
    std::vector<uint32_t> roots;
    for (const uint32_t i : task->statements) roots.push_back(program_.statements[i].root);
    task->fetcher =
        std::make_unique<Fetcher>(program_, roots, sources_, options_.origin, step_of(task->delta));
    task->fetcher->on_unnamed(options_.unnamed);
  }
}

// Before the first that is due at the same time or later.
void RuleRun::reschedule() {
  std::unique_ptr<Task> task = std::move(tasks_.front());
  tasks_.erase(tasks_.begin());
  task->due = start_ + static_cast<double>(++task->count) * task->delta;
  const auto behind =
      std::ranges::find_if(tasks_, [&](const auto& other) { return other->due >= task->due; });
  tasks_.insert(behind, std::move(task));
}

void RuleRun::begin(double start) {
  start_ = start;
  begun_ = true;
  for (const auto& task : tasks_) {
    task->count = 0;
    task->due = start;
  }
}

std::optional<double> RuleRun::due() const {
  if (!begun_ || tasks_.empty()) return std::nullopt;
  return tasks_.front()->due;
}

Result<void> RuleRun::tick() {
  if (auto done = evaluate(*tasks_.front()); !done) return done;
  reschedule();
  return {};
}

uint64_t RuleRun::skip_missed(double now) {
  uint64_t out = 0;
  for (; due() && *due() + tasks_.front()->delta <= now; ++out) reschedule();
  return out;
}

Result<void> run_until(RuleRun& run, double end, const std::function<bool()>& stop) {
  while (run.due() && *run.due() <= end && !stop()) {
    if (auto done = run.tick(); !done) return done;
  }
  return {};
}

Result<void> RuleRun::evaluate(Task& task) {
  task_ = &task;
  evaluator_.begin();
  if (auto fetched = task.fetcher->fetch(); !fetched) return fetched;
  clock_.set(task.due);
  ctime_ = time_text(zone_.local(static_cast<int64_t>(std::floor(task.due))));
  for (const uint32_t i : task.statements) {
    statement_ = i;
    evaluator_.evaluate(program_.statements[i].root);
    if (options_.observer != nullptr) options_.observer->evaluated(i, task.due);
  }
  if (options_.verbose != Verbose::off) put_values(task);
  return {};
}

std::optional<bool> RuleRun::perform(uint32_t action, uint32_t rule) {
  const auto text = actions_.perform(action, rule, expansion_, task_->due);
  if (!text) return std::nullopt;
  const std::string_view verb = symbol_of(program_.nodes[action].op);
  put_(fmt::format("{} {}: {}\n", verb, ctime_, *text));
  if (options_.observer != nullptr) {
    options_.observer->performed(statement_, verb, *text, task_->due);
  }
  return true;
}

void RuleRun::put_values(const Task& task) {
  std::string out;
  for (const uint32_t i : task.statements) {
    const PmieStatement& statement = program_.statements[i];
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

std::optional<std::string> Actions::perform(uint32_t action, uint32_t rule,
                                            const Expansion& expansion, double when) {
  const PmieNode& node = program_.nodes[action];
  // 0: it was never done, or at the beginning of 1970, which the reference takes for that.
  double& last = last_[action];
  // Without a hold-off also where time went back (-d).
  const bool is_held = node.number != 0 && last != 0 && when < last + node.number;
  if (is_held) return std::nullopt;
  last = when;
  std::string text = expansion.expand(node.arguments, rule);
  return text.empty() ? "(null)" : text;  // Q19
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
