#include "runtime/archive/reader/domain.h"

#include <algorithm>
#include <utility>

namespace pmjit {

uint32_t Domain::history_of(int32_t id) {
  auto [it, is_new] = history_of_.try_emplace(id, static_cast<uint32_t>(histories_.size()));
  if (is_new) histories_.emplace_back();
  return it->second;
}

void Domain::enter(uint32_t history, uint32_t set, std::string_view name) {
  auto& events = histories_[history];
  if (!events.empty() && events.back().present && events.back().name == name) return;
  events.push_back({.set = set, .present = true, .name = name});
}

void Domain::leave(uint32_t history, uint32_t set) {
  histories_[history].push_back({.set = set, .present = false, .name = {}});
}

void Domain::replace(Stamp stamp, const std::vector<NamedInstance>& set) {
  const auto number = static_cast<uint32_t>(stamps_.size());
  stamps_.push_back(stamp);
  std::vector<Member> next;
  next.reserve(set.size());
  auto old = newest_.begin();
  for (const NamedInstance& instance : set) {
    for (; old != newest_.end() && old->id < instance.id; ++old) leave(old->history, number);
    const bool stays = old != newest_.end() && old->id == instance.id;
    const uint32_t history = stays ? old->history : history_of(instance.id);
    if (stays) ++old;
    enter(history, number, instance.name);
    next.push_back({.id = instance.id, .history = history});
  }
  for (; old != newest_.end(); ++old) leave(old->history, number);
  newest_ = std::move(next);
}

bool Domain::change(Stamp stamp, const std::vector<NamedInstance>& delta) {
  if (stamps_.empty()) return false;
  const auto number = static_cast<uint32_t>(stamps_.size());
  stamps_.push_back(stamp);
  for (const NamedInstance& instance : delta) {
    const auto at = std::ranges::lower_bound(newest_, instance.id, {}, &Member::id);
    const bool there = at != newest_.end() && at->id == instance.id;
    if (instance.gone) {
      if (!there) return false;
      leave(at->history, number);
      newest_.erase(at);
    } else if (!there) {
      const uint32_t history = history_of(instance.id);
      enter(history, number, instance.name);
      newest_.insert(at, {.id = instance.id, .history = history});
    }
  }
  return true;
}

uint64_t Domain::sets_until(Stamp when) const {
  return static_cast<uint64_t>(std::ranges::upper_bound(stamps_, when) - stamps_.begin());
}

std::optional<std::string_view> Domain::name(int32_t id, Stamp when) const {
  const auto found = history_of_.find(id);
  const auto sets = static_cast<uint32_t>(sets_until(when));
  if (found == history_of_.end() || sets == 0) return std::nullopt;
  const auto& events = histories_[found->second];
  const auto after = std::ranges::upper_bound(events, sets - 1, {}, &Event::set);
  if (after == events.begin() || !std::prev(after)->present) return std::nullopt;
  return std::prev(after)->name;
}

std::vector<Catalog::Instance> Domain::all() const {
  std::vector<Catalog::Instance> out;
  for (const auto& [id, history] : history_of_) {
    const auto& events = histories_[history];
    const Event& newest = events.back().present ? events.back() : events[events.size() - 2];
    out.push_back({.id = id, .name = std::string(newest.name)});
  }
  std::ranges::sort(out, {}, &Catalog::Instance::id);
  return out;
}

}  // namespace pmjit
