#include "runtime/client/archive_context/interpolation.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr double kSlack = 0.001;  // seconds beyond either end that a fetch may still ask for

Error end_of_archive() {
  return Error(Fault::not_found, "End of PCP archive log").pm_code(pm_err::E_EOL);
}

// Does a failed read end the search like the end of the data, or does it end the fetch?
bool ends_fetch(const Error& error) { return error.pm_code() == pm_err::E_LOGREC; }

// Before its first or after its last observation, or outside its life: nothing to look for.
bool before_data(const InstanceTrack& i, double t) {
  return (i.first >= 0 && t < i.first) || (i.birth >= 0 && t < i.birth) ||
         (i.death >= 0 && t > i.death);
}
bool after_data(const InstanceTrack& i, double t) {
  return (i.last >= 0 && t > i.last) || (i.birth >= 0 && t < i.birth) ||
         (i.death >= 0 && t > i.death);
}

bool lies_before(const RecordPosition& a, const RecordPosition& b) {
  return std::tie(a.member, a.volume, a.offset) < std::tie(b.member, b.volume, b.offset);
}

}  // namespace

void Interpolation::reposition(Stamp when) {
  lost_ = true;
  state_.reposition(state_.since_start(when));
}

Result<void> AskedBounds::check(double t) {
  if (t < -kSlack) return fail(end_of_archive());
  if (t <= end_ + kSlack) return {};
  const auto end = archives_.end();
  if (!end) return {};  // not known: go and look
  end_ = seconds_between(*end, archives_.start());
  if (t > end_) return fail(end_of_archive());
  return {};
}

Result<void> Interpolation::fetch(Stamp when, bool forward, std::span<const PmId> metrics,
                                  const Profile& profile, Fetched& out) {
  t_ = state_.since_start(when);
  nsec_ = when.nsec;
  forward_ = forward;
  in_columns_ = out.in_columns;
  out.stamp = when;
  if (auto inside = bounds_.check(t_); !inside) return inside;
  arena_.clear();
  gather(metrics, profile);
  if (!forward || (lost_ && placed_)) ahead_.give_up();
  placed_ = true;
  if (lost_) {
    if (auto found = find_place(when, t_, forward); !found) return found;
  }
  seen_mark_ = false;
  bool rolled = false;
  if (auto done = lower_bounds(rolled); !done) return done;
  if (auto done = upper_bounds(rolled); !done) return done;
  out.sets.resize(metrics.size());
  for (size_t i = 0; i < metrics.size(); ++i) {
    FetchedSet& set = out.sets[i];
    set.pmid = metrics[i];
    set.values.clear();
    set.numbers = {};
    set.instances = {};
    if (metrics_[i] == nullptr || metrics_[i]->desc.pm_type == pm_type::nosupport) {
      set.count = metrics[i] == kNullId ? 0 : pm_err::E_PMID_LOG;
    } else {
      decide(*metrics_[i], profile, set);
    }
  }
  return {};
}

void Interpolation::gather(std::span<const PmId> metrics, const Profile& profile) {
  metrics_.clear();
  wanted_.clear();
  for (const PmId pmid : metrics) {
    MetricTrack* metric = pmid == kNullId ? nullptr : state_.track(pmid);
    metrics_.push_back(metric);
    if (metric == nullptr) continue;
    const InDomId domain = metric->desc.indom;
    if (metric->alike && profile.restricts(domain)) separate(*metric);
    for (InstanceTrack& track : metric->in_use()) {
      if (metric->alike || profile.wants(domain, track.id)) wanted_.push_back(&track);
    }
  }
}

// From where the index leads, record by record to where the next one (forward) or the one before
// (backward) is on the far side of t. Damage is met again, and told, by whoever reads on.
Result<void> Interpolation::find_place(Stamp when, double t, bool forward) {
  if (auto sought = reader_.seek(when, forward); !sought) return std::unexpected(sought.error());
  while (true) {
    const RecordPosition here = reader_.position();
    const auto step = forward ? reader_.previous() : reader_.next();
    if (!step || !*step) break;
    const double at = state_.since_start(reader_.record().stamp);
    if (forward ? at <= t : at > t) {
      reader_.move_to(here);
      break;
    }
    if (auto done = update(Walk::settle, false); !done) return done;
  }
  for (MetricTrack* metric : metrics_) {
    if (metric != nullptr) metric->last_count = -1;
  }
  lost_ = false;
  return {};
}

// Takes the place to t: what lies between is seen on the way.
Result<void> Interpolation::roll() {
  while (true) {
    const RecordPosition here = reader_.position();
    const auto step = forward_ ? reader_.next() : reader_.previous();
    if (!step && ends_fetch(step.error())) return std::unexpected(step.error());
    if (!step || !*step) break;
    const double at = state_.since_start(reader_.record().stamp);
    if (forward_ ? at > t_ : at < t_) {
      // The reference cannot go back over the border between two archives: its mark is lost.
      const bool lost = forward_ && reader_.position().crossed != RecordPosition::Crossed::no;
      if (!lost) reader_.move_to(here);
      break;
    }
    if (auto done = update(forward_ ? Walk::forward : Walk::backward, false); !done) return done;
  }
  return {};
}

// Nearly always it is in order: no end is known.
template <class Before, class Key>
void Interpolation::order_list(Before before, Key key) {
  if (!std::ranges::is_sorted(list_, before, key)) std::ranges::stable_sort(list_, before, key);
}

void Interpolation::begin_list() {
  list_.clear();
  at_ = no_end_ = head_ = done_ = 0;
}

// Each of its instances goes on by itself, with what all had so far.
void Interpolation::separate(MetricTrack& metric) {
  InstanceTrack* const all = &metric.alike->track;
  const size_t others = metric.tracks.size() - 1;
  for (size_t i = 0; i <= others; ++i) metric.tracks[i] = metric.alike->lane(i);
  // Where a list had the one; a metric may have been asked for twice.
  const auto replace_in = [&](std::vector<InstanceTrack*>& list) -> std::optional<size_t> {
    const auto found = std::ranges::find(list, all);
    if (found == list.end()) return std::nullopt;
    const auto place = found - list.begin();
    list.insert(found + 1, others, nullptr);
    std::ranges::transform(metric.tracks, list.begin() + place, [](auto& i) { return &i; });
    return static_cast<size_t>(place);
  };
  while (const auto place = replace_in(wanted_)) {
    if (*place < at_) at_ += others;
  }
  if (!all->search && std::ranges::find(list_, all) != list_.end()) done_ += others;
  while (const auto place = replace_in(list_)) {
    if (*place < no_end_) no_end_ += others;
    if (*place < head_) head_ += others;
  }
  metric.alike.reset();
}

Result<void> Interpolation::lower_bounds(bool& rolled) {
  begin_list();
  for (; at_ < wanted_.size(); ++at_) {
    const Bound& known = wanted_[at_]->prior;
    if (before_data(*wanted_[at_], t_)) continue;
    if ((known.t < 0 || known.t > t_) && list_.empty() && !std::exchange(rolled, true)) {
      if (forward_) {
        if (auto done = roll(); !done) return done;
      }
    }
    InstanceTrack& i = *wanted_[at_];
    const bool unknown = i.prior.state == BoundState::undefined && !i.prior.scanned;
    const bool late = i.prior.t > t_ && (!forward_ || !i.prior.scanned);
    const bool at_mark = i.next.state == BoundState::mark && i.prior.t == t_;
    if (!unknown && !late && !at_mark) continue;
    i.search = true;
    list_.push_back(&i);
  }
  if (list_.empty()) return {};
  order_list(std::greater<>(), &InstanceTrack::first);
  RecordPosition moved = reader_.position();
  while (done_ < list_.size()) {
    const auto step = reader_.previous();
    if (!step && ends_fetch(step.error())) return std::unexpected(step.error());
    if (!step || !*step) break;
    const double at = state_.since_start(reader_.record().stamp);
    if (!forward_ && at >= t_) moved = reader_.position();
    if (at > t_) ahead_.give_up();
    if (auto done = update(Walk::backward, true); !done) return done;
    for (; head_ < list_.size() && list_[head_]->first >= at; ++head_) {
      give_up(*list_[head_], list_[head_]->prior);
    }
  }
  for (; head_ < list_.size(); ++head_) {
    InstanceTrack& i = *list_[head_];
    const bool none = i.prior.state == BoundState::undefined || i.prior.t > t_;
    if (none && i.first < t_) i.first = t_;
    i.prior.scanned = true;
    i.search = false;
  }
  reader_.move_to(moved);
  return {};
}

Result<void> Interpolation::upper_bounds(bool& rolled) {
  begin_list();
  for (; at_ < wanted_.size(); ++at_) {
    const Bound& known = wanted_[at_]->next;
    if (after_data(*wanted_[at_], t_)) continue;
    if ((known.t < 0 || known.t < t_) && list_.empty() && !std::exchange(rolled, true)) {
      if (!forward_) {
        if (auto done = roll(); !done) return done;
      }
    }
    InstanceTrack& i = *wanted_[at_];
    const bool unknown = i.next.state == BoundState::undefined && !i.next.scanned;
    const bool early = i.next.t < t_ && (forward_ || !i.next.scanned);
    const bool at_mark = i.prior.state == BoundState::mark && i.next.t == t_;
    if (!unknown && !early && !at_mark) continue;
    i.search = true;
    list_.push_back(&i);
  }
  if (list_.empty()) return {};
  order_list(std::less<>(), &InstanceTrack::last);
  // Those whose end is not known stand first; only data can end the search for them.
  const auto known =
      std::ranges::find_if(list_, [](double last) { return last >= 0; }, &InstanceTrack::last);
  head_ = no_end_ = static_cast<size_t>(known - list_.begin());
  RecordPosition moved = reader_.position();
  ahead_.begin();
  while (done_ < list_.size()) {
    const auto step = step_ahead();
    if (!step && ends_fetch(step.error())) return std::unexpected(step.error());
    if (!step || !*step) break;
    const double at = state_.since_start(reader_.record().stamp);
    if (forward_ && at <= t_) moved = reader_.position();
    if (auto done = update(Walk::forward, true); !done) return done;
    ahead_.met(reader_.position(), at, at > t_);
    for (; head_ < list_.size() && list_[head_]->last <= at; ++head_) {
      give_up(*list_[head_], list_[head_]->next);
    }
  }
  for (size_t k = 0; k < list_.size(); ++k) {
    if (k >= no_end_ && k < head_) continue;
    InstanceTrack& i = *list_[k];
    if (i.next.t < t_ && (i.last < 0 || t_ < i.last)) i.last = t_;
    i.next.scanned = true;
    i.search = false;
  }
  reader_.move_to(moved);
  return {};
}

// The next record of a search forward. What an earlier one has read is not read again where that
// would tell nothing.
Result<bool> Interpolation::step_ahead() {
  if (ahead_.covers(reader_.position(), state_.size()) && nothing_ahead()) {
    reader_.move_to(ahead_.end());
  }
  const RecordPosition before = reader_.position();
  auto step = reader_.next();
  if (!step || !*step || reader_.record().mark) ahead_.stopped(before, state_.size());
  return step;
}

// Of all that are followed: either what is nearest on this side is known, or there is nothing more.
bool Interpolation::nothing_ahead() const {
  return head_ == list_.size() && state_.all_instances([&](const InstanceTrack& i) {
    return i.next.t >= t_ || i.latest <= ahead_.time();
  });
}

// There is no observation on this side: the search for it ends.
void Interpolation::give_up(InstanceTrack& track, Bound& bound) {
  if (!std::exchange(track.search, false)) return;
  bound.scanned = true;
  ++done_;
}

void ReadAhead::met(const RecordPosition& behind, double t, bool beyond) {
  time_ = t;
  if (!from_ && beyond) from_ = behind;
  if (farthest_ && !lies_before(*farthest_, behind)) return;
  if (farthest_ && t <= latest_) given_up_ = true;
  farthest_ = behind;
  latest_ = t;
}

void ReadAhead::stopped(const RecordPosition& before, size_t metrics) {
  if (from_ && lies_before(*from_, before)) {
    known_ = {.from = *from_, .end = before, .metrics = metrics};
  }
  from_.reset();
}

bool ReadAhead::covers(const RecordPosition& position, size_t metrics) const {
  return following() && known_ && known_->metrics == metrics &&
         !lies_before(position, known_->from) && lies_before(position, known_->end);
}

}  // namespace pmjit
