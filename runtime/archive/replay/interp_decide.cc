// From the bounds around a time to the value set of a metric (spec archives.md §14.2, §14.4
// "decide").

#include <cstring>
#include <ranges>

#include "runtime/archive/replay/counter_value.h"
#include "runtime/archive/replay/interpolation.h"
#include "runtime/model/pm_type.h"

namespace pmjit {

namespace {

size_t number_bytes(int type) { return type <= pm_type::u32 || type == pm_type::f32 ? 4 : 8; }

}  // namespace

bool Interpolation::has_value(const MetricTrack& metric, const InstanceTrack& i) const {
  if (i.prior.state != BoundState::value || i.prior.t > t_) return false;
  if (metric.desc.semantics == Semantics::discrete) {
    return !(i.birth != -1 && i.birth > t_) && !(i.death != -1 && t_ > i.death);
  }
  return i.next.state == BoundState::value && i.next.t >= t_;
}

// Counters that are no numbers have an error in the place of values. The reference, from the last
// instance to the first, sets the count to the error for one that would have a value, and takes one
// off for one that would not, whatever the count is by then.
int32_t Interpolation::count_of_no_numbers(const MetricTrack& metric,
                                           const Profile& profile) const {
  int32_t count = 0;
  for (const InstanceTrack& track : metric.tracks | std::views::reverse) {
    if (!profile.wants(metric.desc.indom, track.id)) continue;
    if (has_value(metric, track)) {
      count = pm_err::E_TYPE;
    } else if (count != 0) {
      --count;
    }
  }
  return count;
}

void Interpolation::decide(MetricTrack& metric, const Profile& profile, FetchedSet& out) {
  const int type = metric.desc.pm_type;
  const bool counter = metric.desc.semantics == Semantics::counter;
  if (counter && type > pm_type::f64) {
    out.count = metric.last_count = count_of_no_numbers(metric, profile);
    return;
  }
  const bool in_blocks = type <= pm_type::f64 && !metric.in_place;
  const size_t bytes = number_bytes(type);
  std::byte* room = arena_.take(in_blocks ? sizeof(uint64_t) * metric.tracks.size() : 0);
  out.format = metric.in_place ? ValueFormat::in_place : ValueFormat::block;
  for (const InstanceTrack& track : metric.tracks) {
    if (!profile.wants(metric.desc.indom, track.id) || !has_value(metric, track)) continue;
    // Across a mark there is no rate: the values after it start a new count.
    if (counter && seen_mark_ && metric.last_count > 0) continue;
    Value& value = out.values.emplace_back();
    value.instance = track.id;
    if (type > pm_type::f64) {
      value.type = track.prior.type;
      value.block = metric.blocks[track.prior.bits];
      continue;
    }
    value.type = static_cast<uint8_t>(type);
    const uint64_t bits = number(metric, track);
    if (metric.in_place) {
      value.word = static_cast<uint32_t>(bits);
    } else {
      std::memcpy(room, &bits, sizeof bits);  // what counts stands first
      value.block = {room, bytes};
      room += sizeof bits;
    }
  }
  out.count = static_cast<int32_t>(out.values.size());
  metric.last_count = out.count;
}

// What the bounds around t_ make of a number: its bits.
uint64_t Interpolation::number(const MetricTrack& metric, const InstanceTrack& i) const {
  const uint64_t bits = i.prior.bits;
  if (i.prior.t == t_) return bits;
  // With a mark here the reference gives the word that it keeps beside it (spec §14.7 b).
  const bool number_here = i.next.state == BoundState::value || metric.in_place;
  if (i.next.t == t_ && number_here) return i.next.bits;
  if (metric.desc.semantics != Semantics::counter) return bits;
  return counter_between({.type = metric.desc.pm_type,
                          .prior = bits,
                          .next = i.next.bits,
                          .done = t_ - i.prior.t,
                          .whole = i.next.t - i.prior.t},
                         wrap_);
}

}  // namespace pmjit
