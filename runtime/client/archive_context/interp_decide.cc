// From the bounds around a time to the value set of a metric (spec archives.md §14.2, §14.4
// "decide").

#include <cmath>
#include <ranges>

#include "runtime/base/bits.h"
#include "runtime/client/archive_context/counter_value.h"
#include "runtime/client/archive_context/interpolation.h"
#include "runtime/model/fetched_values.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

bool is_whole_number(int type) { return type <= pm_type::u64; }

}  // namespace

bool Interpolation::has_value(const MetricTrack& metric, const InstanceTrack& i) const {
  if (exact_ && recorded_now(i)) return true;
  if (i.prior.state != BoundState::value || i.prior.t > t_) return false;
  if (metric.desc.semantics == Semantics::discrete) {
    return !(i.birth != -1 && i.birth > t_) && !(i.death != -1 && t_ > i.death) &&
           !interrupted(i.prior, t_, nsec_);
  }
  return i.next.state == BoundState::value && i.next.t >= t_ &&
         !interrupted(i.prior, i.next.t, i.next.nsec);
}

bool Interpolation::recorded_now(const InstanceTrack& i) const {
  const auto here = [&](const Bound& bound) {
    return bound.state == BoundState::value && bound.t == t_;
  };
  return here(i.prior) || here(i.next);
}

bool Interpolation::interrupted(const Bound& from, double until, int32_t nsec) const {
  return marks_ != nullptr &&
         marks_->last_between(stamp_of(from.t, from.nsec), stamp_of(until, nsec)).has_value();
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
  if (metric.alike) return decide_alike(metric, out);
  out.format = metric.in_place ? ValueFormat::in_place : ValueFormat::block;
  // Across a mark there is no rate: the values after it start a new count.
  const bool crossed = counter && seen_mark_ && metric.last_count > 0 && !exact_;
  if (crossed) {
    out.count = 0;
  } else if (type > pm_type::f64) {
    decide_blocks(metric, profile, out);
  } else {
    decide_numbers(metric, profile, out);
  }
  metric.last_count = out.count;
}

void Interpolation::decide_blocks(MetricTrack& metric, const Profile& profile, FetchedSet& out) {
  for (const InstanceTrack& track : metric.tracks) {
    if (!profile.wants(metric.desc.indom, track.id) || !has_value(metric, track)) continue;
    const Bound& known = in_force(metric, track);
    out.values.push_back(
        {.instance = track.id, .type = known.type, .block = metric.blocks[known.bits]});
  }
  out.count = static_cast<int32_t>(out.values.size());
}

void Interpolation::decide_numbers(MetricTrack& metric, const Profile& profile, FetchedSet& out) {
  metric.numbers.resize(metric.tracks.size());
  metric.instances.resize(metric.tracks.size());
  size_t count = 0;
  for (const InstanceTrack& track : metric.tracks) {
    if (!profile.wants(metric.desc.indom, track.id) || !has_value(metric, track)) continue;
    metric.instances[count] = track.id;
    metric.numbers[count++] = number(metric, track);
  }
  out.count = static_cast<int32_t>(count);
  out.numbers = std::span(metric.numbers).first(count);
  out.instances = std::span(metric.instances).first(count);
  if (!in_columns_) spread(metric.desc.pm_type, arena_, out);
}

// All instances have a value, or none.
void Interpolation::decide_alike(MetricTrack& metric, FetchedSet& out) {
  Alike& alike = *metric.alike;
  const bool counter = metric.desc.semantics == Semantics::counter;
  const bool crossed = counter && seen_mark_ && metric.last_count > 0 && !exact_;
  const bool any = has_value(metric, alike.track) && !crossed;
  out.format = metric.in_place ? ValueFormat::in_place : ValueFormat::block;
  out.count = metric.last_count = any ? static_cast<int32_t>(alike.instances().size()) : 0;
  if (!any) return;
  const Bound& known = in_force(metric, alike.track);
  std::span<const uint64_t> numbers = alike.column(known);
  if (known.t != t_ && counter) {
    const std::span<uint64_t> between = alike.room();
    for (size_t i = 0; i < between.size(); ++i) between[i] = number(metric, alike.lane(i));
    numbers = between;
  }
  out.numbers = numbers;
  out.instances = alike.instances();
  if (!in_columns_) spread(metric.desc.pm_type, arena_, out);
}

// The observation whose value holds at t_, unless that lies between two of a counter.
const Bound& Interpolation::in_force(const MetricTrack& metric, const InstanceTrack& i) const {
  if (i.prior.t == t_ || i.next.t != t_) return i.prior;
  if (i.next.state != BoundState::value) {
    // With a mark here the reference gives the word that it keeps beside it (spec §14.7 b).
    return metric.in_place && !exact_ ? i.next : i.prior;
  }
  // What is no number changes one fetch late in the reference (spec §14.6).
  const bool late = metric.desc.pm_type > pm_type::f64 && !exact_;
  return late ? i.prior : i.next;
}

// What the bounds around t_ make of a number: its bits.
uint64_t Interpolation::number(const MetricTrack& metric, const InstanceTrack& i) const {
  const Bound& known = in_force(metric, i);
  if (known.t == t_ || metric.desc.semantics != Semantics::counter) return known.bits;
  if (exact_ && is_whole_number(metric.desc.pm_type)) return exact_number(metric, i);
  return counter_between({.type = metric.desc.pm_type,
                          .prior = i.prior.bits,
                          .next = i.next.bits,
                          .done = t_ - i.prior.t,
                          .whole = i.next.t - i.prior.t},
                         wrap_);
}

uint64_t Interpolation::exact_number(const MetricTrack& metric, const InstanceTrack& i) const {
  if (i.prior.bits == i.next.bits) return i.prior.bits;  // often: nothing has been counted
  const Nanos prior = since_start(i.prior.t, i.prior.nsec);
  const Nanos whole = since_start(i.next.t, i.next.nsec) - prior;
  const Nanos done = since_start(t_, nsec_) - prior;
  // Only stamps that are damaged are so far away that their order is not known.
  if (whole <= 0 || done < 0 || done > whole) return i.prior.bits;
  return exact_counter_between({.type = metric.desc.pm_type,
                                .prior = i.prior.bits,
                                .next = i.next.bits,
                                .done = done,
                                .whole = whole},
                               wrap_);
}

Stamp Interpolation::stamp_of(double t, int32_t nsec) const {
  return stamp_from_nanos(nanos(archives_.start()) + since_start(t, nsec));
}

// Exactly the stamp that `t` is: it says which second, and `nsec` where in it.
Nanos Interpolation::since_start(double t, int32_t nsec) const {
  const int64_t beside = int64_t{nsec} - archives_.start().nsec;
  const double second = std::floor(t - static_cast<double>(beside) * 1e-9 + 0.5);
  return Nanos{truncated_i64(second)} * 1'000'000'000 + beside;
}

}  // namespace pmjit
