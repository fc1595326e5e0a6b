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
    if (is_.goes_on && (!is_.prior || !is_plain(at) || !has_row(window, at))) {
      is_.given_up = true;
      return Fill::gives_up;
    }
    is_.goes_on = false;
    plan.sound = plan.sound && is_.prior && is_plain(at) && has_row(window, at);
    if (plan.sound) note_step(at, plan);
    append(window, at, rosters, out);
  }
  return Fill::done;
}

std::optional<GridColumn::Fill> GridColumn::follow(const GridWindow& window,
                                                   std::span<const GridTime> times,
                                                   const Plan& plan, Column& out) {
  if (!plan.sound || !decides_like(plan) || !reads_like(window, plan)) return std::nullopt;
  find_bases(window, plan);
  is_.lists = plan.to.lists;
  const size_t first = out.grow(plan.to.alike_lanes * plan.times);
  if (bytes_ == sizeof(uint64_t)) {
    follow_moves(plan, out.values.as<uint64_t>() + first);
  } else {
    follow_moves(plan, out.values.as<uint32_t>() + first);
  }
  times_ = times;
  is_.become(plan.to);
  for (std::optional<Observed>* row : {&is_.prior, &is_.next}) {
    if (!*row) continue;
    const Plan::Place place = plan.place_of(**row);
    (*row)->values = bases_[place.base] + place.offset * bytes_;
  }
  return plan.result;
}

// Lists are mostly the same ones, and to count who has them costs more than all else here.
void GridColumn::Position::become(const Position& other) {
  static_cast<Numbers&>(*this) = other;
  for (size_t i = 0; i < lists.size(); ++i) {
    if (lists[i] != other.lists[i]) lists[i] = other.lists[i];
  }
  if (plain_list != other.plain_list) plain_list = other.plain_list;
}

GridColumn::Plan::Place GridColumn::Plan::place_of(const Observed& row) const {
  if (from.prior && from.prior->is_like(row)) return {.base = Place::kPrior};
  if (from.next && from.next->is_like(row)) return {.base = Place::kNext};
  return {.base = Place::kBlocks + static_cast<uint32_t>(row.block - from.block),
          .offset = row.offset};
}

// The values of one more time, which are those of a row.
void GridColumn::Plan::add(const Observed& prior, size_t lanes) {
  const Place place = place_of(prior);
  if (!moves.empty() && moves.back().kind != Move::Kind::between &&
      moves.back().prior.base == place.base) {
    Move& last = moves.back();
    const uint64_t row = last.prior.offset, next = row + lanes * last.times;
    for (const auto& [kind, wanted] : {std::pair(Move::Kind::row, row), {Move::Kind::rows, next}}) {
      if (place.offset != wanted || (last.times > 1 && last.kind != kind)) continue;
      last.kind = kind;
      ++last.times;
      return;
    }
  }
  moves.push_back({.prior = place});
}

void GridColumn::note_step(const GridTime& at, Plan& plan) const {
  ++plan.times;
  const Moment moment = moment_of(at);
  if (moment.at_row) return plan.add(*is_.prior, is_.lists[is_.prior->list]->instances.size());
  plan.moves.push_back({.kind = Plan::Move::Kind::between,
                        .moment = static_cast<uint32_t>(plan.moments.size()),
                        .prior = plan.place_of(*is_.prior),
                        .next = plan.place_of(*is_.next),
                        .share = moment.share});
  plan.moments.push_back(moment);
}

// Where the values of each place are for this column: metrics that are logged together have theirs
// at the same places of each block.
void GridColumn::find_bases(const GridWindow& window, const Plan& plan) {
  bases_.assign({is_.prior ? is_.prior->values : nullptr, is_.next ? is_.next->values : nullptr});
  for (uint64_t i = plan.from.block; i < window.end() && i <= plan.to.block; ++i) {
    bases_.push_back(window.block(i).columns[options_.column].values.data());
  }
}

template <class Word>
void GridColumn::follow_moves(const Plan& plan, Word* to) const {
  if (plan.moves.empty()) return;  // no time had its rows, nor has the column a list
  const GridList& list = *is_.lists[plan.to.prior ? plan.to.prior->list : 0];
  const size_t lanes = list.order.size(), row_lanes = list.instances.size();
  const bool exact = exact_number_, alone = row_lanes == 1;
  const std::byte* const* const bases = bases_.data();
  const auto values_at = [&](const Plan::Place& place) {
    return reinterpret_cast<const Word*>(bases[place.base]) + place.offset;
  };
  for (const Plan::Move& move : plan.moves) {
    const Word* prior = values_at(move.prior);
    const bool rows = move.kind == Plan::Move::Kind::rows;
    if (move.kind == Plan::Move::Kind::between) {
      const Word* next = values_at(move.next);
      uint64_t bits = 0;
      if (alone && exact && put_share(move.share, *prior, *next, bits)) {
        *to = static_cast<Word>(bits);
      } else {
        write_between(plan.moments[move.moment], list, prior, next, to);
      }
    } else if (alone && move.times == 1) {
      *to = *prior;
    } else if (rows && list.in_order) {
      std::memcpy(to, prior, move.times * lanes * sizeof(Word));
    } else {
      for (uint32_t i = 0; i < move.times; ++i) {
        write_plain<Word>({}, prior + (rows ? i * row_lanes : 0), nullptr, to + i * lanes);
      }
    }
    to += move.times * lanes;
  }
}

// Would this column decide as the one of the plan did?
bool GridColumn::decides_like(const Plan& plan) const {
  const auto same = [](const std::optional<Observed>& one, const std::optional<Observed>& other) {
    return one.has_value() == other.has_value() && (!one || one->is_like(*other));
  };
  const Position& from = plan.from;
  return options_.desc.semantics == plan.options.desc.semantics &&
         options_.desc.indom == plan.options.desc.indom && options_.exact == plan.options.exact &&
         is_.block == from.block && is_.row == from.row && is_.given_up == from.given_up &&
         is_.ended == from.ended && is_.known == from.known && is_.goes_on == from.goes_on &&
         is_.changes == from.changes && gone_.empty() && is_.last == from.last &&
         is_.lists == from.lists && is_.roster_ids == from.roster_ids &&
         is_.plain_list == from.plain_list && is_.plain_id == from.plain_id &&
         is_.filled == from.filled && is_.all_alike == from.all_alike && is_.alike == from.alike &&
         is_.alike_lanes == from.alike_lanes && is_.alike_roster == from.alike_roster &&
         same(is_.prior, from.prior) && same(is_.next, from.next);
}

// Are the rows that the plan was made from this column's, too?
bool GridColumn::reads_like(const GridWindow& window, const Plan& plan) const {
  for (uint64_t i = plan.from.block; i < window.end() && i <= plan.to.block; ++i) {
    const std::vector<Column>& columns = window.block(i).columns;
    if (!columns[options_.column].rows.shares_list(columns[plan.options.column].rows)) return false;
  }
  return true;
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

bool GridColumn::interrupted(Stamp from, Stamp until) const {
  return options_.exact && options_.marks->last_between(from, until).has_value();
}

// Do all instances of the row before have a value, and nobody else?
bool GridColumn::is_plain(const GridTime& at) const {
  if (!gone_.empty()) return false;
  if (is_.prior->t == at.t) return true;
  if (holds()) return at.t <= is_.lists[is_.prior->list]->death;
  return !is_.next || is_.next->list == is_.prior->list;
}

// Of plain rows: has the time values?
bool GridColumn::has_row(const GridWindow& window, const GridTime& at) const {
  if (!is_.prior) return false;
  if (is_.prior->t == at.t) return true;
  if (!holds() && !is_.next) return false;
  return !window.marked() || !interrupted(is_.prior->stamp, holds() ? at.stamp : is_.next->stamp);
}

void GridColumn::append(GridWindow& window, const GridTime& at, Rosters& rosters, Column& out) {
  const bool plain = !is_.prior || is_plain(at);
  RosterId roster_id = Rosters::kNobodyId;
  size_t lanes = 0;
  if (!plain) {
    lay_out(window, at, rosters);
    lanes = results_.size();
    roster_id = results_id_;
  } else if (has_row(window, at)) {
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
  if (lanes != 0) {
    const uint64_t first = out.grow(lanes);
    if (bytes_ == sizeof(uint64_t)) {
      write(at, plain, out.values.as<uint64_t>() + first);
    } else {
      write(at, plain, out.values.as<uint32_t>() + first);
    }
  }
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
// so until the next row, but for marks and for instances whose lives end.
void GridColumn::lay_out(GridWindow& window, const GridTime& at, Rosters& rosters) {
  const Layout wanted = is_.prior->t == at.t ? Layout::at_row : Layout::between;
  const GridReturns& returns = window.returns();
  const bool stays = layout_ == wanted && at.t <= layout_until_ && !returns.marked();
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

// The values of `at`, one after the other.
template <class Word>
void GridColumn::write(const GridTime& at, bool plain, Word* to) const {
  if (plain) {
    const auto* prior = reinterpret_cast<const Word*>(is_.prior->values);
    const auto* next = is_.next ? reinterpret_cast<const Word*>(is_.next->values) : nullptr;
    return write_plain(moment_of(at), prior, next, to);
  }
  for (const Source& source : sources_) {
    const bool here = source.lane != kNone;
    const GridReturn prior =
        here ? GridReturn{.stamp = is_.prior->stamp,
                          .t = is_.prior->t,
                          .bits = number_bits(is_.prior->values, source.lane, bytes_)}
             : gone_[source.gone].last;
    uint64_t bits = prior.bits;
    if (counter_ && prior.t != at.t) {
      const GridReturn next =
          source.back != nullptr
              ? *source.back
              : GridReturn{.stamp = is_.next->stamp,
                           .t = is_.next->t,
                           .bits = number_bits(is_.next->values, source.next_lane, bytes_)};
      bits =
          between(moment_of(at, {prior.stamp, next.stamp, prior.t, next.t}), prior.bits, next.bits);
    }
    *to++ = static_cast<Word>(bits);
  }
}

// Between the row before and the one behind.
GridColumn::Moment GridColumn::moment_of(const GridTime& at) const {
  if (!counter_ || is_.prior->t == at.t) return {};
  return moment_of(at, {is_.prior->stamp, is_.next->stamp, is_.prior->t, is_.next->t});
}

GridColumn::Moment GridColumn::moment_of(const GridTime& at, const Ends& ends) const {
  Moment out{.at_row = false, .t_done = at.t - ends.t, .t_whole = ends.next - ends.t};
  const Nanos since = nanos(ends.from);
  const Nanos done = nanos(at.stamp) - since, whole = nanos(ends.until) - since;
  // Times that binary64 does not tell apart may be out of order.
  if (whole <= 0 || done < 0 || done > whole) return out;
  out.done = done;
  out.whole = whole;
  if (whole <= INT64_MAX) {
    out.share = {.done = static_cast<uint64_t>(done), .whole = static_cast<uint64_t>(whole)};
    out.share.inverse = UINT64_MAX / out.share.whole;
  }
  return out;
}

// Of rows that are alike: one value after the other.
template <class Word>
void GridColumn::write_plain(const Moment& moment, const Word* prior, const Word* next,
                             Word* to) const {
  const GridList& list = *is_.lists[is_.prior ? is_.prior->list : 0];
  const size_t lanes = list.order.size();
  if (counter_ && !moment.at_row) {
    write_between(moment, list, prior, next, to);
  } else if (lanes == 1) {
    *to = prior[list.order.front()];
  } else if (list.in_order) {
    std::memcpy(to, prior, lanes * sizeof(Word));
  } else {
    for (size_t i = 0; i < lanes; ++i) to[i] = prior[list.order[i]];
  }
}

// Nearly always a counter has risen, or not moved, and by so little that 64 bits are enough: half
// up. There is a division a value, all by the same number, whose inverse is known: the product with
// that is at most one too small.
inline bool GridColumn::put_share(const Share& share, uint64_t prior, uint64_t next,
                                  uint64_t& out) const {
  uint64_t product = 0;
  if (prior > next || (next & sign_bit_) != 0 || share.whole == 0 ||
      __builtin_mul_overflow(next - prior, share.done, &product)) {
    return false;
  }
  uint64_t part = static_cast<uint64_t>((UInt128{product} * share.inverse) >> 64);
  uint64_t rest = product - part * share.whole;
  const bool more = rest >= share.whole;
  part += more ? 1 : 0;
  rest -= more ? share.whole : 0;
  out = prior + part + (rest >= share.whole - rest ? 1 : 0);
  return true;
}

template <class Word>
void GridColumn::write_between(const Moment& moment, const GridList& list, const Word* prior,
                               const Word* next, Word* to) const {
  for (const uint32_t lane : list.order) {
    uint64_t bits = 0;
    if (!exact_number_ || !put_share(moment.share, prior[lane], next[lane], bits)) {
      bits = between(moment, prior[lane], next[lane]);
    }
    *to++ = static_cast<Word>(bits);
  }
}

uint64_t GridColumn::between(const Moment& moment, uint64_t prior, uint64_t next) const {
  const int type = options_.desc.pm_type;
  if (!exact_number_) {
    return counter_between({.type = type,
                            .prior = prior,
                            .next = next,
                            .done = moment.t_done,
                            .whole = moment.t_whole},
                           wrap_);
  }
  if (prior == next || moment.whole == 0) return prior;
  return exact_counter_between(
      {.type = type, .prior = prior, .next = next, .done = moment.done, .whole = moment.whole},
      wrap_);
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
