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

void Domain::replace(Stamp stamp, const std::vector<NamedInstance>& set) {
  settle();
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
  size_ = newest_.size();
  largest_ = std::max(largest_, size_);
}

bool Domain::change(Stamp stamp, const std::vector<NamedInstance>& delta) {
  if (stamps_.empty()) return false;
  stamps_.push_back(stamp);
  for (const NamedInstance& instance : delta) {
    const uint32_t history = history_of(instance.id);
    if (instance.gone) {
      if (!is_there(history)) return false;
      leave(history);
    } else if (!is_there(history)) {
      enter(history, instance.name);
    } else {
      continue;
    }
    changed(history);
  }
  largest_ = std::max(largest_, size_);
  return true;
}

bool Domain::is_there(uint32_t history) const {
  const auto& events = histories_[history].events;
  return !events.empty() && events_[events.back()].present;
}

// Of the newest set: it came, or went.
void Domain::changed(uint32_t history) {
  size_ += is_there(history) ? 1 : size_t{0} - 1;
  unsettled_.push_back(history);
}

// A set of many instances would be moved for each that comes or goes; so they are put into it
// together.
std::vector<Domain::Member> Domain::settled() const {
  const auto id_of = [this](uint32_t history) { return histories_[history].id; };
  std::vector<uint32_t> changes = unsettled_;
  std::ranges::sort(changes, {}, id_of);
  const auto repeated = std::ranges::unique(changes);
  changes.erase(repeated.begin(), repeated.end());
  std::vector<Member> out;
  out.reserve(size_);
  auto old = newest_.begin();
  for (const uint32_t history : changes) {
    const int32_t id = id_of(history);
    for (; old != newest_.end() && old->id < id; ++old) out.push_back(*old);
    if (old != newest_.end() && old->id == id) ++old;
    if (is_there(history)) out.push_back({.id = id, .history = history});
  }
  out.insert(out.end(), old, newest_.end());
  return out;
}

void Domain::settle() {
  if (unsettled_.empty()) return;
  newest_ = settled();
  unsettled_.clear();
}

std::vector<NamedInstance> Domain::newest_set() const {
  std::vector<NamedInstance> out;
  out.reserve(size_);
  for (const Member& member : settled()) {
    out.push_back({.id = member.id, .name = last_name(histories_[member.history]).name});
  }
  return out;
}

void Domain::merge(const Domain& other) {
  if (other.stamps_.empty()) return;
  if (stamps_.empty() || stamps_.back() < other.stamps_.front()) {
    append(other);
  } else {
    interleave(other);
  }
}

// All sets of `later` are: the first as a whole, the others as the changes that they are.
void Domain::append(const Domain& later) {
  SetWalk walk(later);
  if (!walk.next()) return;
  replace(walk.stamp(), {walk.instances().begin(), walk.instances().end()});
  auto event = std::ranges::upper_bound(later.events_, 0u, {}, &Event::set);
  for (uint32_t set = 1; set < later.stamps_.size(); ++set) {
    stamps_.push_back(later.stamps_[set]);
    for (; event != later.events_.end() && event->set == set; ++event) {
      const int32_t id = later.histories_[event->history].id;
      const uint32_t history = history_of(id);
      const bool there = is_there(history);
      if (event->present) {
        enter(history, event->name);
      } else if (there) {
        leave(history);
      }
      if (there != is_there(history)) changed(history);
    }
    largest_ = std::max(largest_, size_);
  }
}

void Domain::interleave(const Domain& other) {
  using Set = std::vector<NamedInstance>;
  Domain merged;
  SetWalk walks[] = {SetWalk(*this), SetWalk(other)};
  bool more[] = {walks[0].next(), walks[1].next()};
  while (more[0] || more[1]) {
    const Stamp stamp = more[0] && more[1] ? std::min(walks[0].stamp(), walks[1].stamp())
                                           : walks[more[0] ? 0 : 1].stamp();
    std::vector<Set> sets;
    for (size_t i : {0u, 1u}) {
      for (; more[i] && walks[i].stamp() == stamp; more[i] = walks[i].next()) {
        const Set set(walks[i].instances().begin(), walks[i].instances().end());
        if (i == 1) std::erase(sets, set);
        sets.push_back(set);
      }
    }
    for (const Set& set : sets) merged.replace(stamp, set);
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
