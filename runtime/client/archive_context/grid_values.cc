// The values of a grid: at a row, between two, and those that follow the plan of another column.

#include <algorithm>
#include <cstring>

#include "runtime/client/archive_context/grid_column.h"

namespace pmjit {

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

void GridColumn::Plan::add_between(const Observed& prior, const Observed& next,
                                   const Moment& moment) {
  const Place from = place_of(prior), until = place_of(next);
  const bool goes_on = !moves.empty() && moves.back().kind == Move::Kind::between &&
                       moves.back().prior.base == from.base && moves.back().next.base == until.base;
  if (goes_on) {
    ++moves.back().times;
  } else {
    moves.push_back({.kind = Move::Kind::between,
                     .first = static_cast<uint32_t>(spans.size()),
                     .prior = {.base = from.base},
                     .next = {.base = until.base}});
  }
  spans.push_back({.prior = from.offset, .next = until.offset, .share = moment.share});
  moments.push_back(moment);
}

void GridColumn::note_step(const GridTime& at, Plan& plan) const {
  ++plan.times;
  const Moment moment = moment_of(at);
  if (!moment.at_row) return plan.add_between(*is_.prior, *is_.next, moment);
  plan.add(*is_.prior, is_.lists[is_.prior->list]->instances.size());
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
  const bool alone = row_lanes == 1;
  const std::byte* const* const bases = bases_.data();
  const auto values_at = [&](const Plan::Place& place) {
    return reinterpret_cast<const Word*>(bases[place.base]) + place.offset;
  };
  for (const Plan::Move& move : plan.moves) {
    const Word* prior = values_at(move.prior);
    const bool rows = move.kind == Plan::Move::Kind::rows;
    if (move.kind == Plan::Move::Kind::between) {
      const Word* next = values_at(move.next);
      if (alone && exact_number_) {
        follow_between<Word>(plan, move.first, {to, move.times}, prior, next);
      } else {
        for (uint32_t i = 0; i < move.times; ++i) {
          const Plan::Span& span = plan.spans[move.first + i];
          write_between(plan.moments[move.first + i], list, prior + span.prior, next + span.next,
                        to + i * lanes);
        }
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

// Of a singular metric: one value after the other. Most of a host's are such.
template <class Word>
void GridColumn::follow_between(const Plan& plan, uint32_t first, std::span<Word> out,
                                const Word* prior, const Word* next) const {
  const Plan::Span* span = plan.spans.data() + first;
  const uint64_t sign_bit = sign_bit_;
  for (Word& to : out) {
    const uint64_t from = prior[span->prior], until = next[span->next];
    uint64_t bits = 0;
    if (!put_share(span->share, sign_bit, from, until, bits)) {
      bits = between(plan.moments[static_cast<size_t>(span - plan.spans.data())], from, until);
    }
    to = static_cast<Word>(bits);
    ++span;
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

void GridColumn::append_values(const GridTime& at, bool plain, size_t lanes, Column& out) const {
  const uint64_t first = out.grow(lanes);
  if (bytes_ == sizeof(uint64_t)) {
    write(at, plain, out.values.as<uint64_t>() + first);
  } else {
    write(at, plain, out.values.as<uint32_t>() + first);
  }
}

// The values of `at`, one after the other.
template <class Word>
void GridColumn::write(const GridTime& at, bool plain, Word* to) const {
  if (plain) {
    const auto* prior = reinterpret_cast<const Word*>(is_.prior->values);
    const auto* next = is_.next ? reinterpret_cast<const Word*>(is_.next->values) : nullptr;
    return write_plain(moment_of(at), prior, next, to);
  }
  std::optional<Moment> usual;  // of lanes that both rows have
  for (const Source& source : sources_) {
    const bool here = source.lane != kNone;
    uint64_t bits = here ? reinterpret_cast<const Word*>(is_.prior->values)[source.lane]
                         : gone_[source.gone].last.bits;
    if (counter_ && here && source.back == nullptr && is_.prior->t != at.t) {
      if (!usual) usual = moment_of(at);
      const uint64_t prior = bits,
                     next = reinterpret_cast<const Word*>(is_.next->values)[source.next_lane];
      if (!exact_number_ || !put_share(usual->share, sign_bit_, prior, next, bits)) {
        bits = between(*usual, prior, next);
      }
    } else if (counter_) {
      bits = returning(at, source, bits);
    }
    *to++ = static_cast<Word>(bits);
  }
}

// Of an instance that one of the rows lacks: it had `bits` last.
uint64_t GridColumn::returning(const GridTime& at, const Source& source, uint64_t bits) const {
  const bool here = source.lane != kNone;
  const Stamp from = here ? is_.prior->stamp : gone_[source.gone].last.stamp;
  const double t = here ? is_.prior->t : gone_[source.gone].last.t;
  if (t == at.t) return bits;
  const GridReturn next =
      source.back != nullptr
          ? *source.back
          : GridReturn{.stamp = is_.next->stamp,
                       .t = is_.next->t,
                       .bits = number_bits(is_.next->values, source.next_lane, bytes_)};
  return between(moment_of(at, {from, next.stamp, t, next.t}), bits, next.bits);
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
    const auto part = static_cast<uint64_t>(done), of = static_cast<uint64_t>(whole);
    out.share = {.done = part,
                 .whole = of,
                 .half = of / 2,
                 .inverse = UINT64_MAX / of,
                 .most = (UINT64_MAX - of / 2) / std::max<uint64_t>(part, 1)};
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
inline bool GridColumn::put_share(const Share& share, uint64_t sign_bit, uint64_t prior,
                                  uint64_t next, uint64_t& out) {
  const uint64_t delta = next - prior;
  if (prior > next || (next & sign_bit) != 0 || delta > share.most) return false;
  const uint64_t product = delta * share.done + share.half;
  const uint64_t part = static_cast<uint64_t>((UInt128{product} * share.inverse) >> 64);
  out = prior + part + (product - part * share.whole >= share.whole ? 1 : 0);
  return true;
}

template <class Word>
void GridColumn::write_between(const Moment& moment, const GridList& list, const Word* prior,
                               const Word* next, Word* to) const {
  const bool exact = exact_number_;
  const Share share = moment.share;
  const uint64_t sign_bit = sign_bit_;
  for (const uint32_t lane : list.order) {
    uint64_t bits = 0;
    if (!exact || !put_share(share, sign_bit, prior[lane], next[lane], bits)) {
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

}  // namespace pmjit
