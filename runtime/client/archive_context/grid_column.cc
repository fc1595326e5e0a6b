#include "runtime/client/archive_context/grid_column.h"

#include <algorithm>
#include <cstring>

#include "runtime/model/pm_codes.h"

namespace pmjit {

GridColumn::GridColumn(const GridColumnOptions& options)
    : options_(options),
      counter_(options.desc.semantics == Semantics::counter),
      exact_number_(options.exact && options.desc.pm_type <= pm_type::u64),
      bytes_(elem_bytes(options.elem)) {}

GridColumn::Fill GridColumn::fill(GridWindow& window, std::span<const GridTime> times,
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
    if (options_.goes_on && (!prior_ || !is_plain(at) || !has_row(window, at))) {
      given_up_ = true;
      return Fill::gives_up;
    }
    options_.goes_on = false;
    append(window, at, rosters, out);
  }
  return Fill::done;
}

bool GridColumn::ends(GridWindow& window) {
  ended_ = may_change(window) && window.returns().last(options_.column) <= last_;
  return ended_;
}

// Makes `prior_` the last row that is not behind `t`, and `next_` the one that is.
GridColumn::Ready GridColumn::advance(GridWindow& window, double t) {
  while (!given_up_) {
    if (!next_) take(window);
    if (!next_ || next_->t > t) break;
    step(window);
  }
  // What was recorded before the window is not known.
  if (!prior_ && (next_ || window.ended()) && !window.from_start()) given_up_ = true;
  // Of values that hold some go when their instances do.
  if (!given_up_ && !changes_ && prior_ && holds() && t > lists_[prior_->list]->death) {
    changes_ = may_change(window);
    given_up_ = !changes_;
  }
  if (given_up_) return Ready::gives_up;
  if (next_ || ended_ || window.ended()) return Ready::yes;
  // A value that holds needs no observation behind it.
  const bool held = holds() && (prior_ || window.from_start()) && window.time() > t;
  return held ? Ready::yes : Ready::needs_more;
}

// The next row with values, where the window has it.
void GridColumn::take(GridWindow& window) {
  for (; block_ < window.end(); ++block_, row_ = 0) {
    const Column& from = window.block(block_).columns[options_.column];
    while (row_ < from.rows.size()) {
      const Row& row = from.rows[row_++];
      if (row.roster_id == Rosters::kNobodyId) continue;
      const double t = window.seconds(row.stamp);
      uint8_t slot = prior_ ? prior_->list : 0;
      given_up_ = t <= last_ || !take_list(window, row.roster_id, slot) ||
                  t < lists_[slot]->birth || t > lists_[slot]->death;
      if (given_up_) return;
      last_ = t;
      next_ = Observed{.stamp = row.stamp,
                       .t = t,
                       .values = from.values.data() + row.offset * bytes_,
                       .block = block_,
                       .list = slot};
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
  if (roster_id == roster_ids_[slot]) return true;
  auto list = window.list(options_.column, roster_id);
  if (!list->sound) return false;
  if (lists_[slot] == nullptr) {
    // Of a part of the recording: all instances are known from the first row on, or not at all.
    if (!window.from_start() && list->instances.size() != options_.instances) return false;
  } else if (list != lists_[slot] && list->instances != lists_[slot]->instances) {
    if (!may_change(window)) return false;
    changes_ = true;
    slot = slot == 0 ? 1 : 0;
  } else {
    roster_ids_[slot] = roster_id;
    return true;
  }
  lists_[slot] = std::move(list);
  roster_ids_[slot] = roster_id;
  return true;
}

// The row behind the time becomes the one before it.
void GridColumn::step(GridWindow& window) {
  if (changes_) {
    if (prior_ && prior_->list != next_->list) note_gone(window.returns());
    layout_ = Layout::none;
  }
  prior_ = next_;
  next_.reset();
}

// From the row before to the one behind: who goes, and who is back.
void GridColumn::note_gone(const GridReturns& returns) {
  const GridList& old = *lists_[prior_->list];
  const GridList& now = *lists_[next_->list];
  std::vector<Gone> gone;
  for (const Gone& one : gone_) {
    if (!std::ranges::binary_search(now.ranks, one.rank)) gone.push_back(one);
  }
  for (size_t i = 0; i < old.ranks.size(); ++i) {
    if (std::ranges::binary_search(now.ranks, old.ranks[i])) continue;
    const int32_t instance = old.instances[old.order[i]];
    Gone one{.rank = old.ranks[i],
             .instance = instance,
             .last = {.stamp = prior_->stamp,
                      .t = prior_->t,
                      .bits = number_bits(prior_->values, old.order[i], bytes_)}};
    if (!holds()) one.back = returns.next(options_.column, instance, prior_->t);
    if (holds() || one.back != nullptr) gone.push_back(one);
  }
  std::ranges::sort(gone, {}, &Gone::rank);
  gone_ = std::move(gone);
}

bool GridColumn::interrupted(Stamp from, Stamp until) const {
  return options_.exact && options_.marks->last_between(from, until).has_value();
}

// Do all instances of the row before have a value, and nobody else?
bool GridColumn::is_plain(const GridTime& at) const {
  if (!gone_.empty()) return false;
  if (prior_->t == at.t) return true;
  if (holds()) return at.t <= lists_[prior_->list]->death;
  return !next_ || next_->list == prior_->list;
}

// Of plain rows: has the time values?
bool GridColumn::has_row(const GridWindow& window, const GridTime& at) const {
  if (!prior_) return false;
  if (prior_->t == at.t) return true;
  if (!holds() && !next_) return false;
  return !window.marked() || !interrupted(prior_->stamp, holds() ? at.stamp : next_->stamp);
}

void GridColumn::append(GridWindow& window, const GridTime& at, Rosters& rosters, Column& out) {
  const bool plain = !prior_ || is_plain(at);
  RosterId roster_id = Rosters::kNobodyId;
  size_t lanes = 0;
  if (!plain) {
    lay_out(window, at, rosters);
    lanes = results_.size();
    roster_id = results_id_;
  } else if (has_row(window, at)) {
    const auto& list = lists_[prior_->list];
    if (plain_list_ != list || !rosters.knows(plain_id_)) {
      std::vector<int32_t> results;
      for (const uint32_t lane : list->order) results.push_back(list->instances[lane]);
      plain_list_ = list;
      plain_id_ = options_.desc.indom == kNullId ? Rosters::kSingularId : rosters.intern(results);
    }
    lanes = list->order.size();
    roster_id = plain_id_;
  }
  known_ |= lanes != 0;
  if (options_.exact && !known_) return;
  const uint64_t first = lanes == 0 ? out.count : out.grow(lanes);
  if (lanes != 0) {
    if (bytes_ == sizeof(uint64_t)) {
      write(at, plain, out.values.as<uint64_t>() + first);
    } else {
      write(at, plain, out.values.as<uint32_t>() + first);
    }
  }
  Row& row = out.rows.emplace_back();
  row.stamp = at.stamp;
  row.roster_id = roster_id;
  row.record = at.record;
  row.offset = first;
}

// Which instances have a value at a time, in the order of results, and what it is made of. It stays
// so until the next row, but for marks and for instances whose lives end.
void GridColumn::lay_out(GridWindow& window, const GridTime& at, Rosters& rosters) {
  const Layout wanted = prior_->t == at.t ? Layout::at_row : Layout::between;
  const GridReturns& returns = window.returns();
  const bool stays = layout_ == wanted && at.t <= layout_until_ && !returns.marked();
  if (stays && rosters.knows(results_id_)) return;
  layout_ = wanted;
  layout_until_ = kAlways;
  sources_.clear();
  results_.clear();
  const GridList& list = *lists_[prior_->list];
  const GridList* const next = next_ ? lists_[next_->list].get() : nullptr;
  const auto life_of = [&](int32_t instance) {
    return window.domain(options_.column)->instances.find(instance)->second.death;
  };
  const auto add = [&](int32_t instance, const Source& source) {
    if (holds()) {
      const double death = life_of(instance);
      if (at.t > death) return;
      layout_until_ = std::min(layout_until_, death);
    }
    results_.push_back(instance);
    sources_.push_back(source);
  };
  size_t gone = 0, behind = 0;
  for (size_t i = 0; i <= list.ranks.size(); ++i) {
    const uint32_t rank = i < list.ranks.size() ? list.ranks[i] : kNone;
    for (; gone < gone_.size() && gone_[gone].rank < rank; ++gone) {
      if (!counts(gone_[gone], at)) continue;
      add(gone_[gone].instance, {.gone = static_cast<uint32_t>(gone), .back = gone_[gone].back});
    }
    if (rank == kNone) break;
    while (next != nullptr && behind < next->ranks.size() && next->ranks[behind] < rank) ++behind;
    const bool there =
        next != nullptr && behind < next->ranks.size() && next->ranks[behind] == rank;
    const auto source = source_of(returns, at, list.order[i], there ? next->order[behind] : kNone);
    if (source) add(list.instances[list.order[i]], *source);
  }
  results_id_ = results_.empty() ? Rosters::kNobodyId : rosters.intern(results_);
}

// Of an instance that the row before has.
std::optional<GridColumn::Source> GridColumn::source_of(const GridReturns& returns,
                                                        const GridTime& at, uint32_t lane,
                                                        uint32_t next_lane) const {
  Source source{.lane = lane, .next_lane = next_lane};
  if (prior_->t == at.t) return source;
  Stamp until = at.stamp;
  if (!holds()) {
    if (next_lane == kNone) {
      const int32_t instance = lists_[prior_->list]->instances[lane];
      source.back = returns.next(options_.column, instance, prior_->t);
      if (source.back == nullptr) return std::nullopt;
    }
    until = source.back != nullptr ? source.back->stamp : next_->stamp;
  }
  if (interrupted(prior_->stamp, until)) return std::nullopt;
  return source;
}

// Has an instance that is gone a value?
bool GridColumn::counts(const Gone& gone, const GridTime& at) const {
  return !interrupted(gone.last.stamp, gone.back != nullptr ? gone.back->stamp : at.stamp);
}

// The values of `at`, one after the other.
template <class Word>
void GridColumn::write(const GridTime& at, bool plain, Word* to) const {
  if (plain) return write_plain(at, to);
  for (const Source& source : sources_) {
    const bool here = source.lane != kNone;
    const GridReturn prior =
        here ? GridReturn{.stamp = prior_->stamp,
                          .t = prior_->t,
                          .bits = number_bits(prior_->values, source.lane, bytes_)}
             : gone_[source.gone].last;
    uint64_t bits = prior.bits;
    if (counter_ && prior.t != at.t) {
      const GridReturn next =
          source.back != nullptr
              ? *source.back
              : GridReturn{.stamp = next_->stamp,
                           .t = next_->t,
                           .bits = number_bits(next_->values, source.next_lane, bytes_)};
      bits = between(at, {prior.stamp, next.stamp, prior.t, next.t}, prior.bits, next.bits);
    }
    *to++ = static_cast<Word>(bits);
  }
}

template <class Word>
void GridColumn::write_plain(const GridTime& at, Word* to) const {
  const GridList& list = *lists_[prior_->list];
  const size_t lanes = list.order.size();
  const auto* prior = reinterpret_cast<const Word*>(prior_->values);
  if (counter_ && prior_->t != at.t) {
    const auto* next = reinterpret_cast<const Word*>(next_->values);
    const Ends ends{prior_->stamp, next_->stamp, prior_->t, next_->t};
    for (size_t i = 0; i < lanes; ++i) {
      const uint32_t lane = list.order[i];
      to[i] = static_cast<Word>(between(at, ends, prior[lane], next[lane]));
    }
  } else if (list.in_order) {
    std::memcpy(to, prior, lanes * sizeof(Word));
  } else {
    for (size_t i = 0; i < lanes; ++i) to[i] = prior[list.order[i]];
  }
}

uint64_t GridColumn::between(const GridTime& at, const Ends& ends, uint64_t prior,
                             uint64_t next) const {
  const int type = options_.desc.pm_type;
  if (!exact_number_) {
    return counter_between({.type = type,
                            .prior = prior,
                            .next = next,
                            .done = at.t - ends.t,
                            .whole = ends.next - ends.t},
                           wrap_);
  }
  if (prior == next) return prior;  // often: nothing has been counted
  const Nanos since = nanos(ends.from);
  const Nanos done = nanos(at.stamp) - since, whole = nanos(ends.until) - since;
  // Times that binary64 does not tell apart may be out of order.
  if (whole <= 0 || done < 0 || done > whole) return prior;
  return exact_counter_between(
      {.type = type, .prior = prior, .next = next, .done = done, .whole = whole}, wrap_);
}

void GridColumn::keep_before(uint64_t block) {
  for (std::optional<Observed>* of : {&prior_, &next_}) {
    if (!*of || (*of)->home != kInWindow || (*of)->block >= block) continue;
    const std::optional<Observed>& other = of == &prior_ ? next_ : prior_;
    const uint8_t home = other && other->home == 0 ? 1 : 0;
    Buffer& to = kept_[home];
    to.resize(lists_[(*of)->list]->instances.size() * bytes_);
    std::memcpy(to.data(), (*of)->values, to.size());
    (*of)->values = to.data();
    (*of)->home = home;
  }
}

}  // namespace pmjit
