// What one record says of the metrics and instances that are followed (spec archives.md §14.4,
// `update`).

#include <algorithm>

#include "runtime/archive/reader/set_numbers.h"
#include "runtime/client/archive_context/interpolation.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

bool is_number_type(int type) { return type <= pm_type::f64; }

// 32-bit integers stand in place, old floats may, everything else must not.
bool format_fits(int type, bool in_place) {
  if (type == pm_type::i32 || type == pm_type::u32) return in_place;
  return type == pm_type::f32 || !in_place;
}

// Nothing of it in the arena: between two fetches there may be any number of records.
Observed observed_block(const StoredBlock& block, MetricTrack& metric) {
  metric.blocks.sweep(metric.tracks);
  std::vector<std::byte> copy(block.data.begin(), block.data.end());
  to_host(block.type, copy);
  return {.bits = metric.blocks.add(std::move(copy)), .type = block.type};
}

// The bound takes a new observation or mark; it has not been scanned for since.
void assign(Bound& bound, double t, BoundState state, Observed value) {
  bound = {.t = t, .bits = value.bits, .nsec = value.nsec, .type = value.type, .state = state};
}
// A mark has no value: the word that stood there stays (spec §14.7 b).
void assign_mark(Bound& bound, double t) {
  bound.t = t;
  bound.state = BoundState::mark;
  bound.scanned = false;
}
void copy_bound(const Bound& from, Bound& to) {
  to = from;
  to.scanned = false;
}

}  // namespace

Result<void> Interpolation::update(Walk walk, bool search) {
  const double t = state_.since_start(reader_.record().stamp);
  if (reader_.record().mark) {
    if (walk != Walk::settle) update_mark(t, walk, search);
    return {};
  }
  for (const ValueSet& set : reader_.layout().sets) {
    if (set.count <= 0) continue;
    MetricTrack* metric = state_.known(set.pmid);
    if (metric == nullptr) continue;
    if (auto done = update_set(*metric, set, t, walk, search); !done) return done;
  }
  return {};
}

void Interpolation::update_mark(double t, Walk walk, bool search) {
  for (InstanceTrack* wanted : wanted_) {
    InstanceTrack& i = *wanted;
    const auto meet = [&](Bound& bound, Walk side) {
      assign_mark(bound, t);
      if (walk != side) {
        seen_mark_ = true;
      } else if (i.search && search) {
        i.search = false;
        ++done_;
        bound.scanned = true;
      }
    };
    if (t <= t_ && (t >= i.prior.t || i.prior.t > t_)) meet(i.prior, Walk::backward);
    if (t >= t_ && (t <= i.next.t || i.next.t < 0 || i.next.t < t_)) meet(i.next, Walk::forward);
  }
}

Result<void> Interpolation::update_set(MetricTrack& metric, const ValueSet& set, double t,
                                       Walk walk, bool search) {
  if (auto fits = reader_.check_set(set, metric.desc); !fits) return fits;
  const bool changed = metric.format_known && metric.in_place != set.in_place;
  if (changed || !format_fits(metric.desc.pm_type, set.in_place)) {
    const auto names = archives_.metadata().names.names(set.pmid);
    return fail(Error(Fault::format, "a value is stored in a way that does not fit its type")
                    .at("metric", names.empty() ? pmid_text(set.pmid) : std::string(names.front()))
                    .at("archive", archives_[reader_.position().member].name())
                    .at("time", iso_utc(reader_.record().stamp))
                    .pm_code(pm_err::E_LOGREC));
  }
  metric.in_place = set.in_place;
  metric.format_known = true;
  const RecordHead& head = reader_.record().head;
  // Old writers gave the one value of a singular metric any instance.
  const bool singular = metric.desc.indom == kNullId;
  if (metric.alike) {
    note_ahead(metric.alike->track, t);
    if (!concerns(metric.alike->track, t)) return {};
    if (const auto column = metric.alike->read(head, reader_.layout(), set)) {
      observe(metric.alike->track, t, {.bits = *column, .nsec = reader_.record().stamp.nsec}, walk,
              search);
      return {};
    }
    separate(metric);
  }
  const uint32_t count = singular ? 1 : static_cast<uint32_t>(set.count);
  metric.usual.resize(std::max<size_t>(metric.usual.size(), count), 0);
  const bool of_numbers = is_number_type(metric.desc.pm_type);
  if (of_numbers) {
    observed_.resize(count);
    numbers_of(head, reader_.layout(), set, words_, observed_);
  }
  for (uint32_t k = 0; k < count; ++k) {
    const std::byte* pair = head.bytes.data() + set.pairs + size_t{k} * 8;
    const auto id = static_cast<int32_t>(load_be<uint32_t>(pair));
    uint32_t& usual = metric.usual[k];
    if (usual >= metric.tracks.size() || (!singular && metric.tracks[usual].id != id)) {
      const auto found = metric.by_id.find(id);
      if (found == metric.by_id.end()) {
        reader_.note_unlisted(set, id);
        continue;
      }
      usual = found->second;
    }
    InstanceTrack& track = metric.tracks[usual];
    note_ahead(track, t);
    if (!concerns(track, t)) continue;
    Observed value;
    if (of_numbers) {
      value.bits = observed_[k];
    } else {
      value = observed_block(stored_block(head, reader_.layout(), set, k), metric);
    }
    value.nsec = reader_.record().stamp.nsec;
    observe(track, t, value, walk, search);
  }
  return {};
}

// What is met between where a search began to follow and where it stops.
void Interpolation::note_ahead(InstanceTrack& track, double t) const {
  if (ahead_.following()) track.latest = std::max(track.latest, t);
}

// Is an observation at `t` nearer than those that are known?
bool Interpolation::concerns(const InstanceTrack& i, double t) const {
  const bool lower = t <= t_ && (i.prior.t > t_ || t >= i.prior.t);
  const bool upper = t >= t_ && (i.next.t < t_ || t <= i.next.t);
  return lower || upper;
}

void Interpolation::observe(InstanceTrack& i, double t, Observed value, Walk walk, bool search) {
  const auto found = [&](Bound& bound, Walk side) {
    if (walk != side || !i.search || !search) return;
    i.search = false;
    ++done_;
    bound.scanned = true;
  };
  if (t <= t_ && (i.prior.t > t_ || t >= i.prior.t)) {
    if (i.prior.t < i.next.t && i.prior.t >= t_) copy_bound(i.prior, i.next);
    assign(i.prior, t, BoundState::value, value);
    found(i.prior, Walk::backward);
  }
  if (t >= t_ && (i.next.t < t_ || t <= i.next.t)) {
    if (i.prior.t < i.next.t && i.next.t <= t_) copy_bound(i.next, i.prior);
    assign(i.next, t, BoundState::value, value);
    found(i.next, Walk::forward);
  }
}

}  // namespace pmjit
