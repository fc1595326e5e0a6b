#include "runtime/client/archive_context/grid_column.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "runtime/client/archive_context/interp_state.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

GridDomain GridDomain::of(const Archives& archives, InDomId indom) {
  GridDomain out;
  const Domain* domain = archives.metadata().domain(indom);
  if (domain == nullptr) return out;
  std::vector<int32_t> ids;
  for (const auto& instance : domain->instances_ever()) ids.push_back(instance.id);
  uint32_t rank = 0;
  for (const int32_t id : result_order(ids)) {
    Instance& instance = out.instances[id];
    instance.rank = rank++;
    if (!keeps_lives(*domain)) continue;
    const auto seconds = [&](Stamp stamp) { return seconds_between(stamp, archives.start()); };
    if (const auto birth = domain->birth(id)) instance.birth = seconds(*birth);
    if (const auto death = domain->death(id)) instance.death = seconds(*death);
  }
  return out;
}

GridColumn::GridColumn(const GridColumnOptions& options)
    : options_(options),
      counter_(options.desc.semantics == Semantics::counter),
      exact_number_(options.exact && options.desc.pm_type <= pm_type::u64) {}

GridColumn::Fill GridColumn::fill(const GridWindow& window, std::span<const GridTime> times,
                                  Rosters& rosters, Column& out) {
  // Behind a mark libpcp's values depend on what was asked before.
  if (!options_.exact && window.marked()) given_up_ = true;
  for (; filled_ < times.size(); ++filled_) {
    const GridTime& at = times[filled_];
    switch (advance(window, at.t)) {
      case Ready::needs_more: return Fill::needs_more;
      case Ready::gives_up: return Fill::gives_up;
      case Ready::yes: break;
    }
    if (at.behind_mark) {
      known_ = false;
      options_.goes_on = false;
    }
    if (options_.goes_on && !has_value(window, at)) {
      given_up_ = true;
      return Fill::gives_up;
    }
    options_.goes_on = false;
    append(window, at, rosters, out);
  }
  return Fill::done;
}

// Makes `prior_` the last row that is not behind `t`, and `next_` the one that is.
GridColumn::Ready GridColumn::advance(const GridWindow& window, double t) {
  while (!given_up_) {
    if (!next_) take(window);
    if (!next_ || next_->t > t) break;
    prior_ = next_;
    next_.reset();
  }
  // Of what was recorded before the window nothing is known.
  if (!given_up_ && !prior_ && next_ && !window.from_start()) given_up_ = true;
  // Behind the time at which the first instance has gone each is on its own.
  const bool holds = options_.desc.semantics == Semantics::discrete;
  if (holds && t > death_) given_up_ = true;
  if (given_up_) return Ready::gives_up;
  if (next_) return Ready::yes;
  if (window.ended()) {
    // A metric without a row: one before the window may hold.
    if (prior_ || window.from_start()) return Ready::yes;
    given_up_ = true;
    return Ready::gives_up;
  }
  // A value that holds needs no observation behind it.
  const bool held = holds && (prior_ || window.from_start()) && window.time() > t;
  return held ? Ready::yes : Ready::needs_more;
}

// The next row with values, where the window has it.
void GridColumn::take(const GridWindow& window) {
  for (; block_ < window.end(); ++block_, row_ = 0) {
    const Column& from = window.block(block_).columns[options_.column];
    while (row_ < from.rows.size()) {
      const Row& row = from.rows[row_++];
      if (row.roster_id == Rosters::kNobodyId) continue;
      const double t = window.seconds(row.stamp);
      if (t <= last_ || !fits(window, row.roster_id, t) || t > death_) {
        given_up_ = true;
        return;
      }
      last_ = t;
      next_ = Observation{.stamp = row.stamp,
                          .t = t,
                          .values = from.values.data() + row.offset * elem_bytes(options_.elem),
                          .block = block_};
      return;
    }
  }
}

// Has a row the instances that all have?
bool GridColumn::fits(const GridWindow& window, RosterId roster_id, double t) {
  if (roster_id == roster_id_) return true;
  const auto instances = window.rosters().instances(roster_id);
  if (instances_.empty() ? !adopt(window, instances, t)
                         : !std::ranges::equal(instances, instances_)) {
    return false;
  }
  roster_id_ = roster_id;
  return true;
}

// Takes the instances of the first row for those of all. False: they are not each one's once, or
// interpolation follows others besides, of which there may be rows before the window.
bool GridColumn::adopt(const GridWindow& window, std::span<const int32_t> instances, double t) {
  instances_.assign(instances.begin(), instances.end());
  results_ = instances_;
  if (options_.domain == nullptr) return instances.size() == 1;
  const auto& known = options_.domain->instances;
  if (!window.from_start() && instances.size() != known.size()) return false;
  std::vector<uint32_t> ranks;
  for (const int32_t id : instances) {
    const auto found = known.find(id);
    if (found == known.end() || found->second.birth > t) return false;
    death_ = std::min(death_, found->second.death);
    ranks.push_back(found->second.rank);
  }
  order_.resize(instances.size());
  std::iota(order_.begin(), order_.end(), 0u);
  if (!std::ranges::is_sorted(ranks)) {
    std::ranges::sort(order_, {}, [&](uint32_t lane) { return ranks[lane]; });
    std::ranges::transform(order_, results_.begin(), [&](uint32_t lane) { return instances[lane]; });
    std::ranges::sort(ranks);
  } else {
    order_.clear();
  }
  return std::ranges::adjacent_find(ranks) == ranks.end();
}

bool GridColumn::interrupted(const GridWindow& window, Stamp until) const {
  return options_.exact && window.marked() &&
         options_.marks->last_between(prior_->stamp, until).has_value();
}

bool GridColumn::has_value(const GridWindow& window, const GridTime& at) {
  if (!prior_) return false;
  if (prior_->t == at.t) return true;
  if (options_.desc.semantics == Semantics::discrete) return !interrupted(window, at.stamp);
  return next_ && !interrupted(window, next_->stamp);
}

void GridColumn::append(const GridWindow& window, const GridTime& at, Rosters& rosters,
                        Column& out) {
  const bool any = has_value(window, at);
  known_ |= any;
  if (options_.exact && !known_) return;
  RosterId roster_id = Rosters::kNobodyId;
  const uint64_t first = out.count;
  if (any) {
    if (options_.domain == nullptr) {
      roster_id = Rosters::kSingularId;
    } else {
      if (results_id_ == Rosters::kNobodyId || !rosters.knows(results_id_)) {
        results_id_ = rosters.intern(results_);
      }
      roster_id = results_id_;
    }
    out.grow(results_.size());
    if (elem_bytes(options_.elem) == sizeof(uint64_t)) {
      write(at, out.values.as<uint64_t>() + first);
    } else {
      write(at, out.values.as<uint32_t>() + first);
    }
  }
  Row& row = out.rows.emplace_back();
  row.stamp = at.stamp;
  row.roster_id = roster_id;
  row.record = at.record;
  row.offset = first;
}

// The values of `at`, one after the other.
template <class Word>
void GridColumn::write(const GridTime& at, Word* to) const {
  const size_t lanes = results_.size();
  const auto* prior = reinterpret_cast<const Word*>(prior_->values);
  const auto lane_of = [&](size_t i) { return order_.empty() ? i : order_[i]; };
  if (counter_ && prior_->t != at.t) {
    const auto* next = reinterpret_cast<const Word*>(next_->values);
    for (size_t i = 0; i < lanes; ++i) {
      const size_t lane = lane_of(i);
      to[i] = static_cast<Word>(between(at, prior[lane], next[lane]));
    }
  } else if (order_.empty()) {
    std::memcpy(to, prior, lanes * sizeof(Word));
  } else {
    for (size_t i = 0; i < lanes; ++i) to[i] = prior[order_[i]];
  }
}

uint64_t GridColumn::between(const GridTime& at, uint64_t prior, uint64_t next) const {
  const int type = options_.desc.pm_type;
  if (!exact_number_) {
    return counter_between({.type = type,
                            .prior = prior,
                            .next = next,
                            .done = at.t - prior_->t,
                            .whole = next_->t - prior_->t},
                           wrap_);
  }
  if (prior == next) return prior;  // often: nothing has been counted
  const Nanos since = nanos(prior_->stamp);
  const Nanos done = nanos(at.stamp) - since, whole = nanos(next_->stamp) - since;
  // Times that binary64 does not tell apart may be out of order.
  if (whole <= 0 || done < 0 || done > whole) return prior;
  return exact_counter_between(
      {.type = type, .prior = prior, .next = next, .done = done, .whole = whole}, wrap_);
}

void GridColumn::keep_before(uint64_t block) {
  for (std::optional<Observation>* of : {&prior_, &next_}) {
    if (!*of || (*of)->home != kInWindow || (*of)->block >= block) continue;
    const std::optional<Observation>& other = of == &prior_ ? next_ : prior_;
    const uint8_t home = other && other->home == 0 ? 1 : 0;
    Buffer& to = kept_[home];
    to.resize(results_.size() * elem_bytes(options_.elem));
    std::memcpy(to.data(), (*of)->values, to.size());
    (*of)->values = to.data();
    (*of)->home = home;
  }
}

}  // namespace pmjit
