#include "runtime/archive/reader/domain.h"

#include <algorithm>
#include <utility>

namespace pmjit {

uint32_t Domain::history_of(int32_t id) {
  auto [it, is_new] = history_of_.try_emplace(id, static_cast<uint32_t>(histories_.size()));
  if (is_new) histories_.push_back({.id = id, .events = {}});
  return it->second;
}

void Domain::enter(uint32_t history, std::string_view name) {
  auto& events = histories_[history].events;
  if (!events.empty()) {
    const Event& now = events_[events.back()];
    if (now.present && now.name == name) return;
  }
  events.push_back(static_cast<uint32_t>(events_.size()));
  events_.push_back({.set = static_cast<uint32_t>(stamps_.size() - 1),
                     .history = history,
                     .present = true,
                     .name = name});
}

void Domain::leave(uint32_t history) {
  histories_[history].events.push_back(static_cast<uint32_t>(events_.size()));
  events_.push_back({.set = static_cast<uint32_t>(stamps_.size() - 1),
                     .history = history,
                     .present = false,
                     .name = {}});
}

bool Domain::repeats_newest(const std::vector<NamedInstance>& set) const {
  return std::ranges::equal(set, newest_, [this](const NamedInstance& a, const Member& b) {
    return a.id == b.id && a.name == events_[histories_[b.history].events.back()].name;
  });
}

void Domain::replace(Stamp stamp, const std::vector<NamedInstance>& set) {
  if (!stamps_.empty() && stamps_.back() == stamp && repeats_newest(set)) return;
  stamps_.push_back(stamp);
  std::vector<Member> next;
  next.reserve(set.size());
  auto old = newest_.begin();
  for (const NamedInstance& instance : set) {
    for (; old != newest_.end() && old->id < instance.id; ++old) leave(old->history);
    const bool stays = old != newest_.end() && old->id == instance.id;
    const uint32_t history = stays ? old->history : history_of(instance.id);
    if (stays) ++old;
    enter(history, instance.name);
    next.push_back({.id = instance.id, .history = history});
  }
  for (; old != newest_.end(); ++old) leave(old->history);
  newest_ = std::move(next);
  largest_ = std::max(largest_, newest_.size());
}

bool Domain::change(Stamp stamp, const std::vector<NamedInstance>& delta) {
  if (stamps_.empty()) return false;
  stamps_.push_back(stamp);
  for (const NamedInstance& instance : delta) {
    const auto at = std::ranges::lower_bound(newest_, instance.id, {}, &Member::id);
    const bool there = at != newest_.end() && at->id == instance.id;
    if (instance.gone) {
      if (!there) return false;
      leave(at->history);
      newest_.erase(at);
    } else if (!there) {
      const uint32_t history = history_of(instance.id);
      enter(history, instance.name);
      newest_.insert(at, {.id = instance.id, .history = history});
    }
  }
  largest_ = std::max(largest_, newest_.size());
  return true;
}

void Domain::merge(const Domain& other) {
  Domain merged;
  SetWalk ours(*this), theirs(other);
  bool more_of_ours = ours.next(), more_of_theirs = theirs.next();
  const auto take = [&merged](SetWalk& walk, bool& more) {
    const auto set = walk.instances();
    merged.replace(walk.stamp(), {set.begin(), set.end()});
    more = walk.next();
  };
  while (more_of_ours || more_of_theirs) {
    if (more_of_ours && (!more_of_theirs || ours.stamp() <= theirs.stamp())) {
      take(ours, more_of_ours);
    } else {
      take(theirs, more_of_theirs);
    }
  }
  *this = std::move(merged);
}

uint64_t Domain::sets_until(Stamp when) const {
  return static_cast<uint64_t>(std::ranges::upper_bound(stamps_, when) - stamps_.begin());
}

std::optional<std::string_view> Domain::name(int32_t id, Stamp when) const {
  const auto name = name_at(id, when);
  if (!name) return std::nullopt;
  return *name;
}

bool SetWalk::next() {
  if (set_ == domain_->stamps_.size()) return false;
  ++set_;
  const auto& events = domain_->events_;
  if (event_ == events.size() || events[event_].set != set_ - 1) return true;
  merged_.clear();
  auto old = instances_.begin();
  for (; event_ < events.size() && events[event_].set == set_ - 1; ++event_) {
    const int32_t id = domain_->histories_[events[event_].history].id;
    for (; old != instances_.end() && old->id < id; ++old) merged_.push_back(*old);
    if (old != instances_.end() && old->id == id) ++old;
    if (events[event_].present) merged_.push_back({.id = id, .name = events[event_].name});
  }
  merged_.insert(merged_.end(), old, instances_.end());
  std::swap(instances_, merged_);
  return true;
}

}  // namespace pmjit
