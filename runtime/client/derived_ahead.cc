#include "runtime/client/derived_ahead.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/base/limits.h"

namespace pmjit {

namespace {

// What an evaluation lacks, instances or history, it has after some times. What refuses as often as
// this does so through the block.
constexpr int kRefusalsMax = 8;

// Of all derived metrics and a block of times, some 40 MB. Where there are more they are evaluated
// when they are fetched.
constexpr size_t kRowsMax = 1u << 20;

size_t place_of(std::span<const PmId> metrics, PmId metric) {
  return static_cast<size_t>(std::ranges::find(metrics, metric) - metrics.begin());
}

}  // namespace

DerivedAhead::DerivedAhead(AheadTimes& source, Deriver& deriver, Wanted wanted)
    : source_(source),
      deriver_(deriver),
      metrics_(std::move(wanted.metrics)),
      recorded_(std::move(wanted.recorded)),
      descs_(std::move(wanted.descs)),
      profile_(std::move(wanted.profile)) {
  for (size_t i = 0; i < metrics_.size(); ++i) {
    if (!metrics_[i].derived) {
      place_.push_back(place_of(recorded_, metrics_[i].pmid));
      continue;
    }
    place_.push_back(made_.size());
    Made& made = made_.emplace_back();
    made.metric = i;
    for (const PmId operand : deriver.operands(metrics_[i].pmid)) {
      made.operands.push_back({.place = place_of(recorded_, operand)});
    }
  }
}

bool DerivedAhead::serves(std::span<const PmId> metrics, const Profile& profile) const {
  return profile == profile_ && std::ranges::equal(metrics, metrics_, {}, {}, &Metric::pmid);
}

void DerivedAhead::serve(Fetched& out) {
  out.stamp = time(place());
  out.sets.resize(metrics_.size());
  for (size_t i = 0; i < metrics_.size(); ++i) take(i, place(), profile_, out.sets[i]);
  pass(1);
}

bool DerivedAhead::load() {
  if (!source_.load()) return false;
  if (!ready_ && made_.size() * times() > kRowsMax) return false;
  if (std::exchange(ready_, true)) return true;
  if (rosters_.crowded()) rosters_.forget_others();
  for (Made& made : made_) evaluate(made);
  source_.look_at(std::nullopt);
  return true;
}

void DerivedAhead::pass(size_t times) {
  source_.pass(times);
  ready_ = ready_ && place() < this->times();
}

const Column& DerivedAhead::column(size_t metric) const {
  return metrics_[metric].derived ? made_[place_[metric]].column : source_.column(place_[metric]);
}

std::span<const int32_t> DerivedAhead::instances(size_t metric, const Row& row) const {
  return metrics_[metric].derived ? rosters_.instances(row.roster_id)
                                  : source_.instances(place_[metric], row);
}

void DerivedAhead::take(size_t metric, size_t row, const Profile& profile, FetchedSet& out) {
  if (!metrics_[metric].derived) return source_.take(place_[metric], row, profile, out);
  Made& made = made_[place_[metric]];
  const Row& at = made.column.rows[row];
  const auto instances = rosters_.instances(at.roster_id);
  out.pmid = metrics_[metric].pmid;
  out.count = at.status < 0 ? at.status : static_cast<int32_t>(instances.size());
  out.format = format_of(desc(made));
  out.values.clear();
  out.instances = instances;
  if (elem_bytes(made.column.elem) == sizeof(uint64_t)) {
    out.numbers = {made.column.values.as<uint64_t>() + at.offset, instances.size()};
    return;
  }
  const uint32_t* const narrow = made.column.values.as<uint32_t>() + at.offset;
  made.numbers.assign(narrow, narrow + instances.size());
  out.numbers = made.numbers;
}

// All times of the block from the next one on. Rows of those before stand for nothing.
void DerivedAhead::evaluate(Made& made) {
  made.column.clear();
  made.column.elem = *elem_from_pm(desc(made).pm_type);
  for (size_t row = 0; row < place(); ++row) {
    made.column.rows.push_back({.roster_id = Rosters::kNobodyId});
  }
  int refusals = made.operands.empty() ? kRefusalsMax : 0;
  for (size_t row = place(); row < times();) {
    const size_t stretch = refusals < kRefusalsMax ? find_stretch(made, row) : 1;
    if (stretch > 1 && evaluate_stretch(made, row, stretch)) {
      refusals = 0;
      row += stretch;
      continue;
    }
    if (stretch > 1) ++refusals;
    evaluate_one(made, row++);
  }
}

// From `row` on: how many times bring the same instances of each operand, all of which the profile
// wants, with a value each; as many as fit a call.
size_t DerivedAhead::find_stretch(Made& made, size_t row) {
  size_t out = times() - row;
  uint64_t lanes = 1;
  for (Operand& operand : made.operands) {
    const Column& from = source_.column(operand.place);
    const Row& first = from.rows[row];
    if (first.status != 0 || first.roster_id == Rosters::kNobodyId) return 1;
    const InDomId indom = descs_[operand.place].indom;
    operand.instances.clear();
    operand.lanes.clear();
    const auto there = source_.instances(operand.place, first);
    for (size_t i = 0; i < there.size(); ++i) {
      if (!profile_.wants(indom, there[i])) continue;
      operand.instances.push_back(there[i]);
      operand.lanes.push_back(static_cast<int32_t>(i));
    }
    if (operand.instances.empty()) return 1;
    lanes = std::max<uint64_t>(lanes, operand.lanes.size());
    size_t alike = 1;
    while (alike < out && from.rows[row + alike].roster_id == first.roster_id &&
           from.rows[row + alike].status == 0) {
      ++alike;
    }
    out = alike;
  }
  return std::min<size_t>(out, std::max<uint64_t>(1, limits::kLanesPerCall / lanes));
}

bool DerivedAhead::evaluate_stretch(Made& made, size_t row, size_t times) {
  stamps_.clear();
  for (size_t t = 0; t < times; ++t) stamps_.push_back(time(row + t));
  columns_.clear();
  for (Operand& operand : made.operands) {
    const Column& from = source_.column(operand.place);
    operand.values.clear();
    for (size_t t = 0; t < times; ++t) {
      operand.values.push_back(from.values.data() +
                               from.rows[row + t].offset * elem_bytes(from.elem));
    }
    columns_.push_back({.pmid = recorded_[operand.place],
                        .instances = operand.instances,
                        .lanes = operand.lanes,
                        .values = operand.values});
  }
  MadeColumn result;
  if (!deriver_.evaluate_columns(metrics_[made.metric].pmid, stamps_, columns_, result)) {
    return false;
  }
  const size_t lanes = result.instances.size();
  const RosterId roster =
      desc(made).indom == kNullId ? Rosters::kSingularId : rosters_.intern(result.instances);
  const uint64_t offset = made.column.grow(times * lanes);
  const size_t bytes = elem_bytes(made.column.elem);
  std::memcpy(made.column.values.data() + offset * bytes, result.values, times * lanes * bytes);
  for (size_t t = 0; t < times; ++t) {
    made.column.rows.push_back(
        {.stamp = stamps_[t], .roster_id = roster, .offset = offset + t * lanes});
  }
  return true;
}

void DerivedAhead::evaluate_one(Made& made, size_t row) {
  source_.look_at(row);
  arena_.clear();
  fetched_.stamp = time(row);
  fetched_.sets.resize(made.operands.size());
  for (size_t i = 0; i < made.operands.size(); ++i) {
    const size_t place = made.operands[i].place;
    source_.take(place, row, profile_, fetched_.sets[i]);
    spread(descs_[place].pm_type, arena_, fetched_.sets[i]);
  }
  deriver_.begin_fetch();
  deriver_.evaluate(metrics_[made.metric].pmid, fetched_, set_);
  append_set(set_, desc(made), {.stamp = fetched_.stamp}, made.last_roster, rosters_, made.column);
}

}  // namespace pmjit
