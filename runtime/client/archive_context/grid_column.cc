#include "runtime/client/archive_context/grid_column.h"

#include <algorithm>
#include <cstring>

#include "runtime/model/pm_codes.h"

namespace pmjit {

GridColumn::GridColumn(const GridColumnOptions& options)
    : options_(options),
      counter_(options.desc.semantics == Semantics::counter),
      exact_number_(options.exact && options.desc.pm_type <= pm_type::u64),
      bytes_(elem_bytes(options.elem)) {
  is_.goes_on = options.goes_on;
  if (options.desc.pm_type == pm_type::i32) sign_bit_ = uint64_t{1} << 31;
  if (options.desc.pm_type == pm_type::i64) sign_bit_ = uint64_t{1} << 63;
}

GridColumn::Fill GridColumn::fill(GridWindow& window, std::span<const GridTime> times,
                                  Rosters& rosters, Column& out, Plan& plan) {
  times_ = times;
  plan.options = options_;
  plan.from = is_;
  plan.moves.clear();
  plan.spans.clear();
  plan.moments.clear();
  plan.times = 0;
  plan.sound = true;
  plan.result = fill_times(window, rosters, out, plan);
  plan.to = is_;
  plan.sound =
      plan.sound && plan.result != Fill::gives_up && !is_.changes && gone_.empty() && is_.all_alike;
  return plan.result;
}

GridColumn::Fill GridColumn::fill_times(GridWindow& window, Rosters& rosters, Column& out,
                                        Plan& plan) {
  for (; is_.filled < times_.size(); ++is_.filled) {
    const GridTime& at = times_[is_.filled];
    switch (advance(window, at.t)) {
      case Ready::needs_more: return Fill::needs_more;
      case Ready::gives_up: return Fill::gives_up;
      case Ready::yes: break;
    }
    if (!options_.exact && may_see_mark(window, at.t)) {
      is_.given_up = true;
      return Fill::gives_up;
    }
    if (at.behind_mark) {
      is_.known = false;
      is_.goes_on = false;
    }
    const bool plain = is_.prior && is_plain(at), has_values = plain && has_row(window, at);
    if (is_.goes_on && !has_values) {
      is_.given_up = true;
      return Fill::gives_up;
    }
    is_.goes_on = false;
    plan.sound = plan.sound && has_values;
    if (plan.sound) note_step(at, plan);
    if (is_.prior && !plain) lay_out(window, at, rosters);
    append(at, {.plain = plain, .has_values = has_values}, rosters, out);
  }
  return Fill::done;
}

bool GridColumn::ends(GridWindow& window) {
  is_.ended = may_change(window) && window.returns().last(options_.column) <= is_.last;
  return is_.ended;
}

// Makes `is_.prior` the last row that is not behind `t`, and `is_.next` the one that is.
GridColumn::Ready GridColumn::advance(GridWindow& window, double t) {
  while (!is_.given_up) {
    if (!is_.next) take(window);
    if (!is_.next || is_.next->t > t) break;
    step(window);
  }
  // What was recorded before the window is not known.
  if (!is_.prior && (is_.next || window.ended()) && !window.from_start()) is_.given_up = true;
  // Of values that hold some go when their instances do.
  if (!is_.given_up && !is_.changes && is_.prior && holds() &&
      t > is_.lists[is_.prior->list]->death) {
    is_.changes = may_change(window);
    is_.given_up = !is_.changes;
  }
  if (is_.given_up) return Ready::gives_up;
  if (is_.next || is_.ended || window.ended()) return Ready::yes;
  // A value that holds needs no observation behind it; interpolation looks for one, up to a mark,
  // and may fail.
  const bool found = !options_.certain || window.marked(t, kAlways);
  const bool held = found && holds() && (is_.prior || window.from_start()) && window.time() > t;
  return held ? Ready::yes : Ready::needs_more;
}

// Where a mark is between the rows around a time libpcp's values depend on what was asked before.
// Of a value that holds the row before is enough.
bool GridColumn::may_see_mark(const GridWindow& window, double t) const {
  const double prior = is_.prior ? is_.prior->t : -kAlways;
  const double next = holds() ? t : is_.next ? is_.next->t : kAlways;
  return window.marked() && window.marked(std::min(prior, options_.asked_from), next);
}

// The next row with values, where the window has it.
void GridColumn::take(GridWindow& window) {
  for (; is_.block < window.end(); ++is_.block, is_.row = 0) {
    const Column& from = window.block(is_.block).columns[options_.column];
    while (is_.row < from.rows.size()) {
      const Row& row = from.rows[is_.row];
      const uint32_t at = is_.row++;
      if (row.roster_id == Rosters::kNobodyId) continue;
      const double t = window.seconds(is_.block, row.record);
      uint8_t slot = is_.prior ? is_.prior->list : 0;
      is_.given_up = t <= is_.last || !take_list(window, row.roster_id, slot) ||
                     t < is_.lists[slot]->birth || t > is_.lists[slot]->death;
      if (is_.given_up) return;
      is_.last = t;
      Observed& next =
          is_.next.emplace(Observed{});  // in place: a copy would wait for what was just written
      next.stamp = row.stamp;
      next.t = t;
      next.values = from.values.data() + row.offset * bytes_;
      next.block = is_.block;
      next.row = at;
      next.offset = row.offset;
      next.list = slot;
      return;
    }
  }
}

// Is it known of instances that go when they are back?
bool GridColumn::may_change(GridWindow& window) const {
  if (!window.from_start()) return false;
  const GridReturns& returns = window.returns();
  return returns.sound(options_.column) && (options_.exact || !returns.marked());
}

// The place of a row's list: `slot`, which is that of the row before, where that is the same.
// False: the closed form does not hold for it.
bool GridColumn::take_list(GridWindow& window, RosterId roster_id, uint8_t& slot) {
  if (roster_id == is_.roster_ids[slot]) return true;
  auto list = window.list(options_.column, roster_id);
  if (!list->sound) return false;
  // Who is not there is looked for to the end.
  const bool all_there = list->order.size() == options_.instances;
  if (options_.certain && !all_there && !may_change(window)) return false;
  if (is_.lists[slot] == nullptr) {
    // Of a part of the recording: all instances are known from the first row on, or not at all.
    if (!window.from_start() && !all_there) return false;
  } else if (list != is_.lists[slot] && list->instances != is_.lists[slot]->instances) {
    if (!may_change(window)) return false;
    is_.changes = true;
    slot = slot == 0 ? 1 : 0;
  } else {
    is_.roster_ids[slot] = roster_id;
    return true;
  }
  is_.lists[slot] = std::move(list);
  is_.roster_ids[slot] = roster_id;
  return true;
}

// The row behind the time becomes the one before it.
void GridColumn::step(GridWindow& window) {
  if (is_.changes) {
    if (is_.prior && is_.prior->list != is_.next->list) note_gone(window);
    layout_ = Layout::none;
  }
  is_.prior = is_.next;
  is_.next.reset();
}

// From the row before to the one behind: who goes, and who is back.
void GridColumn::note_gone(GridWindow& window) {
  const GridReturns& returns = window.returns();
  const GridList& old = *is_.lists[is_.prior->list];
  const GridList& now = *is_.lists[is_.next->list];
  std::vector<Gone> gone;
  // Is the rank among those that are there now? To be asked in rising order.
  const auto is_there = [&, k = size_t{0}](uint32_t rank) mutable {
    while (k < now.ranks.size() && now.ranks[k] < rank) ++k;
    return k < now.ranks.size() && now.ranks[k] == rank;
  };
  for (auto is_back = is_there; const Gone& one : gone_) {
    const bool is_over = one.death < is_.next->t;
    if (!is_over && !is_back(one.rank)) gone.push_back(one);
  }
  auto stays = is_there;
  for (size_t i = 0; i < old.ranks.size(); ++i) {
    if (stays(old.ranks[i])) continue;
    const int32_t instance = old.instances[old.order[i]];
    Gone one{.rank = old.ranks[i],
             .instance = instance,
             .last = {.stamp = is_.prior->stamp,
                      .t = is_.prior->t,
                      .bits = number_bits(is_.prior->values, old.order[i], bytes_)}};
    if (holds()) {
      one.death = death_of(window, instance);
    } else {
      one.back = returns.next(options_.column, instance, is_.prior->t);
    }
    if (holds() || one.back != nullptr) gone.push_back(one);
  }
  std::ranges::sort(gone, {}, &Gone::rank);
  gone_ = std::move(gone);
}

// Mostly asked again of the same two rows, at the next time.
bool GridColumn::interrupted(Stamp from, Stamp until) const {
  if (!options_.exact) return false;
  if (!asked_.known || asked_.from != from || asked_.until != until) {
    asked_ = {.known = true,
              .marked = options_.marks->last_between(from, until).has_value(),
              .from = from,
              .until = until};
  }
  return asked_.marked;
}

// Do all instances of the row before have a value, and nobody else?
bool GridColumn::is_plain(const GridTime& at) const {
  if (!gone_.empty()) return false;
  if (is_.prior->t == at.t) return true;
  if (holds()) return at.t <= is_.lists[is_.prior->list]->death;
  return !is_.next || is_.next->list == is_.prior->list;
}

// Of a plain row before it: has the time values?
bool GridColumn::has_row(const GridWindow& window, const GridTime& at) const {
  if (is_.prior->t == at.t) return true;
  if (!holds() && !is_.next) return false;
  return !window.marked() || !interrupted(is_.prior->stamp, holds() ? at.stamp : is_.next->stamp);
}

void GridColumn::append(const GridTime& at, Found found, Rosters& rosters, Column& out) {
  RosterId roster_id = Rosters::kNobodyId;
  size_t lanes = 0;
  if (is_.prior && !found.plain) {
    lanes = results_.size();
    roster_id = results_id_;
  } else if (found.has_values) {
    const auto& list = is_.lists[is_.prior->list];
    if (is_.plain_list != list || !rosters.knows(is_.plain_id)) {
      std::vector<int32_t> results;
      for (const uint32_t lane : list->order) results.push_back(list->instances[lane]);
      is_.plain_list = list;
      is_.plain_id =
          options_.desc.indom == kNullId ? Rosters::kSingularId : rosters.intern(results);
    }
    lanes = list->order.size();
    roster_id = is_.plain_id;
  }
  is_.known |= lanes != 0;
  if (options_.exact && !is_.known) return;
  append_row(at, roster_id, lanes, out);
  if (lanes != 0) append_values(at, found.plain, lanes, out);
}

// Before its values.
void GridColumn::append_row(const GridTime& at, RosterId roster_id, size_t lanes, Column& out) {
  if (is_.all_alike) {
    if (is_.alike == 0) {
      is_.alike_roster = roster_id;
      is_.alike_lanes = lanes;
    }
    if (is_.alike == is_.filled && roster_id == is_.alike_roster && lanes == is_.alike_lanes) {
      ++is_.alike;
      return;
    }
    GridRows rows;
    rows.start(times_);
    finish(rows, out);
    out.rows.edit().reserve(times_.size());
  }
  Row& row = out.rows.emplace_back();
  row.stamp = at.stamp;
  row.roster_id = roster_id;
  row.record = at.record;
  row.offset = out.count;
}

void GridColumn::finish(GridRows& rows, Column& out) {
  if (is_.all_alike && is_.alike != 0)
    out.rows = rows.of(is_.alike_roster, is_.alike_lanes, is_.alike);
  is_.all_alike = false;
}

// Which instances have a value at a time, in the order of results, and what it is made of. It stays
// so until the next row. It changes earlier where an instance's life ends, and at marks where
// values hold. A mark between two observations counts for all times between them.
void GridColumn::lay_out(GridWindow& window, const GridTime& at, Rosters& rosters) {
  const Layout wanted = is_.prior->t == at.t ? Layout::at_row : Layout::between;
  const GridReturns& returns = window.returns();
  const bool stays = layout_ == wanted && at.t <= layout_until_ && !(holds() && returns.marked());
  if (stays && rosters.knows(results_id_)) return;
  layout_ = wanted;
  layout_until_ = kAlways;
  sources_.clear();
  results_.clear();
  const GridList& list = *is_.lists[is_.prior->list];
  const GridList* const next = is_.next ? is_.lists[is_.next->list].get() : nullptr;
  const bool all_live = !holds() || at.t <= list.death;  // those of the row before
  const auto add = [&](int32_t instance, const Source& source, double death) {
    if (at.t > death) return;
    layout_until_ = std::min(layout_until_, death);
    results_.push_back(instance);
    sources_.push_back(source);
  };
  // Does a mark stand between the two rows? The same for all instances that both have.
  const bool cut = wanted == Layout::between && (holds() || is_.next) &&
                   interrupted(is_.prior->stamp, holds() ? at.stamp : is_.next->stamp);
  size_t gone = 0, behind = 0;
  for (size_t i = 0; i <= list.ranks.size(); ++i) {
    const uint32_t rank = i < list.ranks.size() ? list.ranks[i] : kNone;
    for (; gone < gone_.size() && gone_[gone].rank < rank; ++gone) {
      if (!counts(gone_[gone], at)) continue;
      const Gone& one = gone_[gone];
      add(one.instance, {.gone = static_cast<uint32_t>(gone), .back = one.back}, one.death);
    }
    if (rank == kNone) break;
    while (next != nullptr && behind < next->ranks.size() && next->ranks[behind] < rank) ++behind;
    const bool there =
        next != nullptr && behind < next->ranks.size() && next->ranks[behind] == rank;
    const uint32_t next_lane = there ? next->order[behind] : kNone;
    if (cut && (holds() || there)) continue;
    const auto source = source_of(returns, at, list.order[i], next_lane);
    if (!source) continue;
    const int32_t instance = list.instances[list.order[i]];
    add(instance, *source, all_live ? kAlways : death_of(window, instance));
  }
  if (holds() && all_live) layout_until_ = std::min(layout_until_, list.death);
  results_id_ = results_.empty() ? Rosters::kNobodyId : rosters.intern(results_);
}

double GridColumn::death_of(const GridWindow& window, int32_t instance) const {
  return window.domain(options_.column)->instances.find(instance)->second.death;
}

// Of an instance that the row before has; no mark is before the row behind.
std::optional<GridColumn::Source> GridColumn::source_of(const GridReturns& returns,
                                                        const GridTime& at, uint32_t lane,
                                                        uint32_t next_lane) const {
  Source source{.lane = lane, .next_lane = next_lane};
  if (is_.prior->t == at.t || holds() || next_lane != kNone) return source;
  const int32_t instance = is_.lists[is_.prior->list]->instances[lane];
  source.back = returns.next(options_.column, instance, is_.prior->t);
  if (source.back == nullptr || interrupted(is_.prior->stamp, source.back->stamp)) {
    return std::nullopt;
  }
  return source;
}

// Has an instance that is gone a value?
bool GridColumn::counts(const Gone& gone, const GridTime& at) const {
  return !interrupted(gone.last.stamp, gone.back != nullptr ? gone.back->stamp : at.stamp);
}

void GridColumn::keep_before(uint64_t block) {
  for (std::optional<Observed>* of : {&is_.prior, &is_.next}) {
    if (!*of || (*of)->home != kInWindow || (*of)->block >= block) continue;
    const std::optional<Observed>& other = of == &is_.prior ? is_.next : is_.prior;
    const uint8_t home = other && other->home == 0 ? 1 : 0;
    Buffer& to = kept_[home];
    to.resize(is_.lists[(*of)->list]->instances.size() * bytes_);
    std::memcpy(to.data(), (*of)->values, to.size());
    (*of)->values = to.data();
    (*of)->home = home;
  }
}

}  // namespace pmjit
