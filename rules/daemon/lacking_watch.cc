#include "rules/daemon/lacking_watch.h"

#include <algorithm>
#include <utility>

#include "rules/daemon/engine_times.h"
#include "runtime/client/host_fleet.h"

namespace pmjit {

namespace {

constexpr std::chrono::nanoseconds kLookAgain = std::chrono::seconds(30),
                                   kLookAgainMost = std::chrono::minutes(15);
constexpr std::chrono::nanoseconds kLookSoon = std::chrono::seconds(1);
// How long the last hosts that are asked may take to say what they have, before rules are compiled
// without them.
constexpr std::chrono::nanoseconds kPatience = std::chrono::seconds(5);
// Rules are evaluated between their answers.
constexpr size_t kAskedAtOnce = 32;
// What depends on an answer is asked behind it, so often.
constexpr int kRoundsMost = 5;

}  // namespace

void LackingWatch::begin(strict::AbsentMetrics absent) {
  absent_ = std::move(absent);
  answers_.reset();
  step_ = Step::idle;
  pause_ = kLookAgain;
  next_ = clock_.now() + pause_;
}

void LackingWatch::pause() {
  answers_.reset();
  step_ = Step::idle;
  pause_ = std::min(2 * pause_, kLookAgainMost);
  next_ = clock_.now() + pause_;
}

void LackingWatch::ask_all_later() {
  answers_.reset();
  step_ = Step::waits_to_ask_all;
  next_ = clock_.now() + kLookAgain;
}

void LackingWatch::ask_all_soon() {
  ask_all_later();
  next_ = clock_.now() + kLookSoon;
}

bool LackingWatch::has_answers() const {
  if (answers_ == nullptr) return false;
  for (size_t host = 0; host < fleet_.members().size(); ++host) {
    if (answers_->said(host) != nullptr) return true;
  }
  return false;
}

// Who is down is not asked: it is taken to be like others until it is back.
void LackingWatch::ask_all() { ask_everybody(false); }

void LackingWatch::ask_everybody(bool also_down) {
  HostQuestions all{.with_instances = false};
  const auto& members = fleet_.members();
  for (const auto& member : members) {
    const auto& asked = member->feeds.catalog().asked();
    all.names.insert(asked.begin(), asked.end());
  }
  answers_ = std::make_unique<FleetAnswers>(members, kAskedAtOnce);
  for (uint32_t host = 0; host < members.size(); ++host) {
    if (also_down || is_up(host)) answers_->ask(host, all);
  }
  rounds_ = 0;
  limit_patience();
}

void LackingWatch::limit_patience() {
  step_ = Step::asks_all;
  next_ = clock_.now() + kPatience;
}

bool LackingWatch::is_up(uint32_t host) const {
  const FleetMember& member = *fleet_.members()[host];
  return member.feeds.health().ended() ? !member.feeds.why_down() : !member.away;
}

void LackingWatch::ask_lacking() {
  answers_ = std::make_unique<FleetAnswers>(fleet_.members(), kAskedAtOnce);
  for (const auto& [host, metrics] : absent_) {
    if (is_up(host)) answers_->ask(host, {.names = {metrics.begin(), metrics.end()}});
  }
  step_ = Step::asks_lacking;
}

bool LackingWatch::has_more() const {
  return std::ranges::any_of(absent_, [&](const auto& of) {
    const HostAnswers* const said = answers_->said(of.first);
    return said != nullptr && std::ranges::any_of(said->descs, [](const auto& metric) {
             return metric.second.has_value();
           });
  });
}

bool LackingWatch::ready() {
  const bool due = clock_.now() >= next_;
  // Rules do not run then, so nobody else hears that a host is up again.
  if (step_ == Step::waits_to_ask_all && due) ask_everybody(true);
  if (step_ == Step::idle && due && !absent_.empty()) ask_lacking();
  if (step_ == Step::asks_lacking) {
    const bool all = answers_->settled();
    if (has_more()) {
      ask_all();
    } else if (all) {
      pause();
    }
  }
  if (step_ != Step::asks_all) return false;
  const bool all = answers_->settled();
  if (answers_->queues()) limit_patience();
  if (!all && clock_.now() < next_) return false;
  answers_->give_up();
  return true;
}

bool LackingWatch::asks_more() {
  if (++rounds_ > kRoundsMost || !answers_->ask_open()) return false;
  limit_patience();
  return true;
}

Stamp LackingWatch::wakes() const {
  const bool waits_for_hosts = step_ == Step::asks_lacking;
  if (waits_for_hosts || (step_ == Step::idle && absent_.empty())) return kStampMax;
  return stamp_from_nanos(nanos(stamp_now(clock_)) + (next_ - clock_.now()).count());
}

}  // namespace pmjit
