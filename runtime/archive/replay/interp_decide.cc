// From the bounds around a time to the value set of a metric (spec archives.md §14.2, §14.4
// "decide").

#include <cstring>

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

void Interpolation::decide(MetricTrack& metric, const Profile& profile, FetchedSet& out) {
  const bool counter = metric.desc.semantics == Semantics::counter;
  out.format = metric.in_place ? ValueFormat::in_place : ValueFormat::block;
  int32_t error = 0;
  for (const InstanceTrack& track : metric.tracks) {
    if (!profile.wants(metric.desc.indom, track.id) || !has_value(metric, track)) continue;
    if (counter && metric.desc.pm_type > pm_type::f64) {
      error = pm_err::E_TYPE;
      break;
    }
    // Across a mark there is no rate: the values after it start a new count.
    if (counter && seen_mark_ && metric.last_count > 0) continue;
    put_value(metric, track, out);
  }
  if (error != 0) out.values.clear();
  out.count = error != 0 ? error : static_cast<int32_t>(out.values.size());
  metric.last_count = out.count;
}

void Interpolation::put_value(const MetricTrack& metric, const InstanceTrack& i, FetchedSet& out) {
  const int type = metric.desc.pm_type;
  Value value{.instance = i.id, .type = static_cast<uint8_t>(type)};
  if (type > pm_type::f64) {
    value.type = i.prior.value.type;
    value.block = *i.prior.value.block;  // outlives the fetch with its track's bound
    out.values.push_back(value);
    return;
  }
  uint64_t bits = i.prior.value.bits;
  if (i.prior.t != t_) {
    // With a mark here the reference gives the word that it keeps beside it (spec §14.7 b).
    const bool number_here = i.next.state == BoundState::value || metric.in_place;
    if (i.next.t == t_ && number_here) {
      bits = i.next.value.bits;
    } else if (metric.desc.semantics == Semantics::counter) {
      bits = counter_between({.type = type,
                              .prior = bits,
                              .next = i.next.value.bits,
                              .done = t_ - i.prior.t,
                              .whole = i.next.t - i.prior.t},
                             wrap_);
    }
  }
  if (metric.in_place) {
    value.word = static_cast<uint32_t>(bits);
  } else {
    const size_t bytes = number_bytes(type);
    std::byte* to = arena_.take(bytes);
    std::memcpy(to, &bits, bytes);
    value.block = {to, bytes};
  }
  out.values.push_back(value);
}

}  // namespace pmjit
