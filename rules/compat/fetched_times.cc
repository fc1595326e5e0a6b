#include "rules/compat/fetched_times.h"

#include <algorithm>

#include "rules/compat/to_binary64.h"

namespace pmjit::pmie {

bool HostTimes::agree(const Profile& profile) {
  if (host_.ids.empty() || !rows_are_alike() || !find_lanes(profile)) return false;
  return !is_rate_ ||
         (host_.before_at != 0 && !host_.is_changed && host_.before.size() == host_.ids.size());
}

bool HostTimes::rows_are_alike() const {
  const auto rows = column_.rows.list().subspan(ahead_.place(), times_);
  const Row& first = rows.front();
  return first.roster_id != Rosters::kNobodyId && std::ranges::all_of(rows, [&](const Row& row) {
           return row.roster_id == first.roster_id && row.status == 0;
         });
}

bool HostTimes::find_lanes(const Profile& profile) {
  const InDomId indom = metric_.desc.indom;
  const auto there = ahead_.instances(place_, column_.rows[ahead_.place()]);
  if (indom == kNullId) {
    lanes_.assign(1, 0);
    return there.size() == 1;
  }
  const bool all_wanted = !profile.restricts(indom) || std::ranges::all_of(there, [&](int32_t id) {
    return profile.wants(indom, id);
  });
  if (!is_listed_) {
    lanes_ = host_.order;
    return all_wanted && std::ranges::equal(there, host_.delivered);
  }
  lanes_.clear();
  for (const int32_t id : host_.ids) {
    const auto found = std::ranges::find(there, id);
    if (found == there.end() || !profile.wants(indom, id)) return false;
    lanes_.push_back(static_cast<uint32_t>(found - there.begin()));
  }
  return true;
}

void HostTimes::take(double* out) {
  const auto rows = column_.rows.list().subspan(ahead_.place(), times_);
  const size_t n = lanes_.size();
  const uint64_t first = rows.front().offset;
  bool as_they_lie = elem_bytes(column_.elem) == sizeof(uint64_t) &&
                     rows.back().offset == first + (times_ - 1) * n;
  for (uint32_t i = 0; i < n; ++i) as_they_lie = as_they_lie && lanes_[i] == i;
  if (!as_they_lie) return gather(out);
  reals_of(metric_.desc.pm_type, {column_.values.as<uint64_t>() + first, times_ * n}, metric_.scale,
           out);
}

void HostTimes::gather(double* out) {
  std::vector<uint64_t> bits;
  bits.reserve(times_ * lanes_.size());
  const bool is_wide = elem_bytes(column_.elem) == sizeof(uint64_t);
  for (const Row& row : column_.rows.list().subspan(ahead_.place(), times_)) {
    for (const uint32_t lane : lanes_) {
      const uint64_t at = row.offset + lane;
      bits.push_back(is_wide ? column_.values.as<uint64_t>()[at]
                             : column_.values.as<uint32_t>()[at]);
    }
  }
  reals_of(metric_.desc.pm_type, bits, metric_.scale, out);
}

bool HostTimes::any_falls(const double* numbers) const {
  const size_t n = lanes_.size();
  return any_less(numbers, host_.before.data(), n) ||
         any_less(numbers + n, numbers, (times_ - 1) * n);
}

// No counter is less than before.
void HostTimes::take_rises(double* numbers, const double* stamps) {
  const size_t n = lanes_.size();
  std::vector<double> counts = host_.before;
  counts.insert(counts.end(), numbers, numbers + times_ * n);
  const double *before = counts.data(), *now = before + n;
  double before_at = host_.before_at;
  if (n == 1) {
    numbers[0] = (now[0] - before[0]) / (stamps[0] - before_at);
    for (size_t t = 1; t < times_; ++t) {
      numbers[t] = (now[t] - before[t]) / (stamps[t] - stamps[t - 1]);
    }
  } else {
    for (size_t t = 0; t < times_; ++t, before += n, now += n, numbers += n) {
      const double seconds = stamps[t] - before_at;
      before_at = stamps[t];
      for (size_t i = 0; i < n; ++i) numbers[i] = (now[i] - before[i]) / seconds;
    }
  }
  host_.before.assign(counts.end() - static_cast<ptrdiff_t>(n), counts.end());
  host_.before_at = stamps[times_ - 1];
}

bool FetchedTimes::add_host(const AheadTimes& ahead, size_t metric, const double* stamps,
                            const Profile& profile) {
  const size_t host = hosts_.size();
  hosts_.push_back({HostTimes(fetch_, host, state_.hosts[host], ahead, metric, times_), stamps});
  return hosts_.back().times.agree(profile);
}

bool FetchedTimes::read(bool wraps, double* numbers, double* stamps, uint8_t* known) {
  std::fill_n(known, times_, uint8_t{1});
  std::fill_n(stamps, times_, 0.0);
  state_.absence = FetchAbsence::none;
  bool all = true;
  size_t span = 0, before = 0;
  for (const OfHost& of : hosts_) span += of.times.span();
  std::vector<double> apart;
  for (size_t h = 0; h < hosts_.size(); ++h) {
    OfHost& of = hosts_[h];
    const size_t width = of.times.span();
    if (width != span) apart.resize(times_ * width);
    double* const own = width == span ? numbers : apart.data();
    of.times.read(wraps, own, of.stamps, [&](size_t t, const MissingValue& missing) {
      known[t] = 0;
      all = false;
      if (t + 1 == times_) note_absence(state_, missing.what, h, missing.element);
    });
    for (size_t t = 0; t < times_; ++t) {
      stamps[t] = std::max(stamps[t], of.stamps[t]);
      if (width != span) std::copy_n(own + t * width, width, numbers + t * span + before);
    }
    before += width;
  }
  return all;
}

}  // namespace pmjit::pmie
