// The look-ups of Domain; how it is built stands in domain.cc.
#include <algorithm>
#include <iterator>
#include <ranges>
#include <tuple>

#include "runtime/archive/reader/domain.h"
#include "runtime/base/near.h"

namespace pmjit {

const Domain::History* Domain::find(int32_t id) const {
  const auto found = history_of_.find(id);
  return found == history_of_.end() ? nullptr : &histories_[found->second];
}

const Domain::Event* Domain::event_at(const History& history, uint32_t set) const {
  const auto after = std::ranges::upper_bound(history.events, set, {},
                                              [this](uint32_t i) { return events_[i].set; });
  if (after == history.events.begin()) return nullptr;
  const Event& event = events_[*std::prev(after)];
  return event.present ? &event : nullptr;
}

const Domain::Event& Domain::last_name(const History& history) const {
  const Event& last = events_[history.events.back()];
  return last.present ? last : events_[history.events[history.events.size() - 2]];
}

uint32_t Domain::last_set(const History& history, size_t event) const {
  const bool holds_on = event + 1 == history.events.size();
  return (holds_on ? static_cast<uint32_t>(stamps_.size())
                   : events_[history.events[event + 1]].set) -
         1;
}

std::vector<int32_t> Domain::changed_between(Stamp from, Stamp to) const {
  const auto first = static_cast<uint32_t>(sets_until(from)),
             end = static_cast<uint32_t>(sets_until(to));
  std::vector<int32_t> out;
  auto event = std::ranges::lower_bound(events_, first, {}, &Event::set);
  for (; event != events_.end() && event->set < end; ++event) {
    out.push_back(histories_[event->history].id);
  }
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

OrPmCode<std::vector<NamedInstance>> Domain::instances_at(Stamp when) const {
  const auto sets = static_cast<uint32_t>(sets_until(when));
  if (sets == 0) return std::unexpected(pm_err::E_INDOM_LOG);
  std::vector<NamedInstance> out;
  for (const History& history : histories_) {
    const Event* event = event_at(history, sets - 1);
    if (event != nullptr) out.push_back({.id = history.id, .name = event->name});
  }
  std::ranges::sort(out, {}, &NamedInstance::id);
  return out;
}

OrPmCode<int32_t> Domain::id_at(std::string_view name, Stamp when) const {
  const auto set = instances_at(when);
  if (!set) return std::unexpected(set.error());
  const auto exact = std::ranges::find(*set, name, &NamedInstance::name);
  if (exact != set->end()) return exact->id;
  const auto by_word = std::ranges::find_if(
      *set, [name](const NamedInstance& one) { return matches_first_word(one.name, name); });
  if (by_word != set->end()) return by_word->id;
  return std::unexpected(pm_err::E_INST_LOG);
}

OrPmCode<std::string_view> Domain::name_at(int32_t id, Stamp when) const {
  const auto sets = static_cast<uint32_t>(sets_until(when));
  if (sets == 0) return std::unexpected(pm_err::E_INDOM_LOG);
  const History* history = find(id);
  const Event* event = history == nullptr ? nullptr : event_at(*history, sets - 1);
  if (event == nullptr) return std::unexpected(pm_err::E_INST_LOG);
  return event->name;
}

std::optional<std::string_view> Domain::held_name(int32_t id, Stamp when) const {
  const uint64_t sets = sets_until(when);
  const History* history = find(id);
  if (history == nullptr) return std::nullopt;
  for (const uint32_t event : history->events | std::views::reverse) {
    if (events_[event].set < sets && events_[event].present) return events_[event].name;
  }
  return std::nullopt;
}

std::vector<NamedInstance> Domain::instances_ever() const {
  std::vector<std::pair<uint32_t, NamedInstance>> found;  // by age of the last set that has it
  found.reserve(histories_.size());
  for (const History& history : histories_) {
    const Event& named = last_name(history);
    const Event& last = events_[history.events.back()];
    const auto age = last.present ? 0 : static_cast<uint32_t>(stamps_.size()) - last.set;
    found.push_back({age, {.id = history.id, .name = named.name}});
  }
  std::ranges::sort(found, {}, [](const auto& one) { return std::pair(one.first, one.second.id); });
  std::vector<NamedInstance> out;
  out.reserve(found.size());
  for (const auto& [age, instance] : found) out.push_back(instance);
  return out;
}

OrPmCode<int32_t> Domain::id_ever(std::string_view name) const {
  // The newest set that has a match; there an exact match before one by first word, then the lowest
  // identifier.
  using Match = std::tuple<uint32_t, bool, int64_t>;  // set, exact, -id
  std::optional<Match> best;
  for (const History& history : histories_) {
    for (size_t i = 0; i < history.events.size(); ++i) {
      const Event& event = events_[history.events[i]];
      if (!event.present) continue;
      const bool exact = event.name == name;
      if (!exact && !matches_first_word(event.name, name)) continue;
      const Match match(last_set(history, i), exact, -int64_t{history.id});
      if (!best || match > *best) best = match;
    }
  }
  if (!best) return std::unexpected(pm_err::E_INST_LOG);
  return static_cast<int32_t>(-std::get<2>(*best));
}

OrPmCode<std::string_view> Domain::name_ever(int32_t id) const {
  const History* history = find(id);
  if (history == nullptr) return std::unexpected(pm_err::E_INST_LOG);
  return last_name(*history).name;
}

std::vector<Catalog::Instance> Domain::all() const {
  std::vector<Catalog::Instance> out;
  out.reserve(histories_.size());
  for (const History& history : histories_) {
    out.push_back({.id = history.id, .name = std::string(last_name(history).name)});
  }
  std::ranges::sort(out, {}, &Catalog::Instance::id);
  return out;
}

std::vector<std::string> Domain::names_ever() const {
  std::vector<std::string> out;
  for (const Event& event : events_) {
    if (event.present) out.emplace_back(event.name);
  }
  return out;
}

std::optional<Stamp> Domain::birth(int32_t id) const {
  const History* history = find(id);
  if (history == nullptr) return std::nullopt;
  return stamps_[events_[history->events.front()].set];
}

std::optional<Stamp> Domain::death(int32_t id) const {
  const History* history = find(id);
  if (history == nullptr) return std::nullopt;
  const Event& last = events_[history->events.back()];
  if (last.present) return std::nullopt;
  return stamps_[last.set];
}

}  // namespace pmjit
