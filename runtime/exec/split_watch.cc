#include "runtime/exec/split_watch.h"

#include <fmt/core.h>

#include <ranges>

namespace pmjit {

SplitWatch::SplitWatch(const Program& program, Rosters& rosters, bool on_grid)
    : program_(program), rosters_(rosters), last_(program.operands.size()) {
  std::vector<bool> lane_by_lane(program.slots.size());
  for (const ProgramRoot& root : program.roots) lane_by_lane[root.slot.index] = true;
  for (const Step& step : program.steps | std::views::reverse) {
    if (step.kind == StepKind::sets || step.kind == StepKind::proven) continue;
    if (!lane_by_lane[step.out.index]) continue;
    for (const StepInput& input : step.inputs) {
      if (input.slot.known()) lane_by_lane[input.slot.index] = true;
    }
  }
  for (const ProgramOperand& operand : program.operands) {
    watched_.push_back(!on_grid && operand.desc.indom != kNullId &&
                       lane_by_lane[operand.slot.index]);
  }
}

std::optional<Error> SplitWatch::cut(Wave& wave) {
  auto end = static_cast<uint32_t>(wave.groups.size());
  std::optional<Error> out;
  Found found;
  for (uint32_t i = 0; i < wave.operands.size(); ++i) {
    if (!watched_[i]) continue;
    const uint32_t group = first_split(wave, i, found);
    if (group >= end) continue;
    end = group;
    out = Error(Fault::unsupported,
                fmt::format(
                    "{}: instances are logged in separate records, which is not evaluated yet",
                    program_.operands[i].metric))
              .at("time", iso_utc(wave.groups[group].t))
              .help("-T with an earlier time gives what is before it");
  }
  if (!out) return out;
  wave.groups.resize(end);
  for (Observations& observations : wave.operands) {
    RowList& rows = observations.column.rows;
    while (!rows.empty() && rows.back().record >= end) rows.edit().pop_back();
    if (observations.like == kNoIndex) observations.limits.resize(rows.size());
  }
  return out;
}

void SplitWatch::keep_rosters() const {
  for (const Last& last : last_) rosters_.keep(last.roster);
}

uint32_t SplitWatch::first_split(const Wave& wave, uint32_t operand, Found& found) {
  const Last before = last_[operand];
  const bool alike =
      found.operand != kNoIndex && wave.by_source.source_of.empty() && found.before == before &&
      wave.operands[operand].column.rows.shares_list(wave.operands[found.operand].column.rows);
  if (alike) {
    last_[operand] = found.after;
    return found.group;
  }
  const uint32_t group = find_split(wave, operand);
  found = {.operand = operand, .before = before, .after = last_[operand], .group = group};
  return group;
}

uint32_t SplitWatch::find_split(const Wave& wave, uint32_t operand) {
  Last& last = last_[operand];
  for (const Row& row : wave.operands[operand].column.rows) {
    const uint64_t segment = wave.segment_of(operand, row.record);
    const bool follows = last.roster.known() && last.segment == segment;
    if (follows && row.roster_id != last.roster && apart(row.roster_id, last.roster))
      return row.record;
    last = Last{row.roster_id, segment};
  }
  return static_cast<uint32_t>(wave.groups.size());
}

bool SplitWatch::apart(RosterId now, RosterId then) {
  const auto a = rosters_.instances(rosters_.sorted(now));
  const auto b = rosters_.instances(rosters_.sorted(then));
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (a[i] == b[k]) return false;
    a[i] < b[k] ? ++i : ++k;
  }
  return !a.empty() && !b.empty();
}

}  // namespace pmjit
