#include "rules/actions/action_performer.h"

#include <syslog.h>

#include <array>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "rules/actions/child_process.h"

namespace pmjit {

namespace {

constexpr const char* kTag = "pmjit";
constexpr auto kOutcomeTexts =
    std::to_array<std::string_view>({"ok", "failed", "busy", "timeout", "off"});

}  // namespace

std::string_view action_outcome_text(ActionOutcome outcome) {
  return kOutcomeTexts.at(static_cast<size_t>(outcome));
}

void write_syslog(const PlannedAction& action) {
  ::openlog(action.syslog_tag.empty() ? kTag : action.syslog_tag.c_str(), LOG_PID, LOG_DAEMON);
  ::syslog(action.syslog_priority.value_or(LOG_NOTICE), "%s", action.text.value_or("").c_str());
  ::closelog();
}

ActionPerformer::ActionPerformer(ActionBounds bounds, ActionWorld world, const Clock& clock,
                                 const std::vector<StoredHold>& holds)
    : world_(std::move(world)), clock_(clock), bounds_(bounds) {
  for (const StoredHold& hold : holds) {
    done_[hold.key] = {.when = hold.when, .succeeded = hold.succeeded};
  }
  add_threads();
}

void ActionPerformer::add_threads() {
  while (threads_.size() < bounds_.concurrency) threads_.emplace_back([this] { run(); });
}

void ActionPerformer::change_bounds(ActionBounds bounds) {
  const std::scoped_lock lock(mutex_);
  bounds_ = bounds;
  add_threads();
}

std::vector<HoldKey> ActionPerformer::keep_only(
    const std::function<bool(const HoldKey& key)>& is_there) {
  const std::scoped_lock lock(mutex_);
  std::vector<HoldKey> gone;
  for (auto at = done_.begin(); at != done_.end();) {
    const bool stays = is_there(at->first);
    if (!stays) gone.push_back(at->first);
    at = stays ? std::next(at) : done_.erase(at);
  }
  return gone;
}

ActionBounds ActionPerformer::bounds() {
  const std::scoped_lock lock(mutex_);
  return bounds_;
}

void ActionPerformer::post(ActionJob job) {
  {
    const std::scoped_lock lock(mutex_);
    const bool fits = waiting_.size() < bounds_.queue && !stops_;
    if (fits && under_way_.emplace(job.rule, job.host).second) {
      waiting_.push_back(std::move(job));
      changed_.notify_one();
      return;
    }
  }
  for (const ActionPlan& plan : job.plans) {
    world_.done(job, plan.steps.front(), ActionOutcome::busy, "");
  }
}

void ActionPerformer::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stops_ = true;
    changed_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void ActionPerformer::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stops_ || !waiting_.empty(); });
    if (stops_) return;
    const ActionJob job = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    perform(job);
    lock.lock();
    under_way_.erase({job.rule, job.host});
  }
}

void ActionPerformer::perform(const ActionJob& job) {
  for (const ActionPlan& plan : job.plans) {
    if (plan.nodes.empty()) continue;
    (void)perform_node(job, plan, static_cast<uint32_t>(plan.nodes.size() - 1));
  }
}

bool ActionPerformer::perform_node(const ActionJob& job, const ActionPlan& plan, uint32_t index) {
  const ActionPlan::Node& node = plan.nodes[index];
  if (node.kind == ActionPlan::Kind::step) return perform_step(job, plan, plan.steps[node.step]);
  const bool first = perform_node(job, plan, node.first);
  if (node.kind == ActionPlan::Kind::until_one && first) return true;
  const bool second = perform_node(job, plan, node.second);
  return node.kind == ActionPlan::Kind::until_one ? second : first && second;
}

// What a hold-off puts off is as it was when it was done.
bool ActionPerformer::perform_step(const ActionJob& job, const ActionPlan& plan,
                                   const PlannedAction& action) {
  const HoldKey key{.rule = job.rule, .host = job.host, .action = action.id};
  {
    const std::scoped_lock lock(mutex_);
    const auto last = done_.find(key);
    const bool rests = last != done_.end() && action.hold_off > 0 && !plan.begins &&
                       plan.when < last->second.when + action.hold_off;
    if (rests) return last->second.succeeded;
  }
  StoredHold hold{.key = key, .when = plan.when};
  // Without a hold-off nothing has to be remembered.
  if (action.hold_off > 0 && !world_.hold(hold)) {
    world_.done(job, action, ActionOutcome::failed,
                "its hold-off cannot be kept: the state cannot be written");
    return false;
  }
  const auto [outcome, why] = perform_verb(job, action);
  hold.succeeded = outcome == ActionOutcome::ok;
  {
    const std::scoped_lock lock(mutex_);
    done_[key] = {.when = hold.when, .succeeded = hold.succeeded};
  }
  if (action.hold_off > 0) world_.held(hold);
  world_.done(job, action, outcome, why);
  return hold.succeeded;
}

std::pair<ActionOutcome, std::string> ActionPerformer::perform_verb(const ActionJob& job,
                                                                    const PlannedAction& action) {
  if (action.verb == "shell") {
    if (!bounds().shell) return {ActionOutcome::off, "[actions] shell is \"off\""};
    if (!action.text) return {ActionOutcome::ok, ""};
    return run_shell(*action.text);
  }
  if (action.verb == "syslog") {
    const std::scoped_lock lock(syslog_mutex_);
    world_.syslog(action);
    return {ActionOutcome::ok, ""};
  }
  if (action.verb == "stomp") {
    return {ActionOutcome::failed, "stomp is not supported by the daemon yet"};
  }
  world_.print(job, action);  // print, and alarm, which has no display here
  return {ActionOutcome::ok, ""};
}

std::pair<ActionOutcome, std::string> ActionPerformer::run_shell(const std::string& command) {
  const ProgramEnd end = run_program({.argv = {"/bin/sh", "-c", command},
                                      .environment = own_environment(),
                                      .time = bounds().time,
                                      .stop =
                                          [this] {
                                            const std::scoped_lock lock(mutex_);
                                            return stops_;
                                          }},
                                     clock_);
  if (end.ok()) return {ActionOutcome::ok, ""};
  std::string why = end.text();
  if (!end.output.empty()) why += ": " + end.output;
  return {end.timed_out ? ActionOutcome::timeout : ActionOutcome::failed, why};
}

}  // namespace pmjit
