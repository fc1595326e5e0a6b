#include "tests/unit/archive_context/grid_text.h"

#include <fmt/format.h>

#include <cstring>

#include "runtime/archive/recording/marks.h"
#include "runtime/base/result.h"
#include "runtime/model/fetched_values.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::test {

namespace {

std::string value_text(const Column& column, uint64_t at) {
  uint64_t bits = 0;
  const size_t bytes = elem_bytes(column.elem);
  std::memcpy(&bits, column.values.data() + at * bytes, bytes);
  if (is_number(column.elem)) return fmt::format("{:x}", bits);
  return std::string(column.dictionary[static_cast<uint32_t>(bits)]);
}

std::string grid_row_text(const Row& row, const Column& column, const Rosters& rosters) {
  std::string out = fmt::format("{}.{:09}", row.stamp.sec, row.stamp.nsec);
  if (row.status < 0) return out + fmt::format(" error {}\n", row.status);
  uint64_t at = row.offset;
  for (const int32_t instance : rosters.instances(row.roster_id)) {
    out += fmt::format(" {}={}", instance, column.is_valid(at) ? value_text(column, at) : "?");
    ++at;
  }
  return out + "\n";
}

}  // namespace

GridText interpolated_text(const ArchivesSource& recorded, const TimeGrid& grid,
                           const WantedMetric& wanted) {
  Rosters rosters;
  const Desc& desc = *recorded.archives().metadata().desc(wanted.pmid);
  const bool exact = wanted.between == Between::exact;
  Marks marks(recorded.archives());
  ReplayContext context(recorded.archives(), BadVolumes::refuse);
  context.set_between(wanted.between, exact ? &marks : nullptr);
  context.set_mode(ReplayMode::interpolated, grid.origin, grid.step);
  GridText out;
  Stamp last = kStampMin;
  bool known = false;
  RosterId last_roster_id = Rosters::kNobodyId;
  Fetched fetched;
  while (true) {
    const Stamp time = stamp_from_nanos(nanos(context.now()));
    if (time > grid.end) return out;
    if (const auto done = context.fetch({&wanted.pmid, 1}, {}, fetched); !done) {
      out.whole = done.error().pm_code() == pm_err::E_EOL;
      return out;
    }
    if (marks.last_between(last, time)) known = false;
    last = time;
    known |= fetched.sets.front().count != 0;
    if (exact && !known) continue;
    Column column{.elem = *elem_from_pm(desc.pm_type)};
    append_set(fetched.sets.front(), desc, {.stamp = time}, last_roster_id, rosters, column);
    out.rows += grid_row_text(column.rows.front(), column, rosters);
  }
}

GriddedTexts gridded_texts(const GridSource& source, const FetchPlan& plan) {
  GriddedTexts out{.metrics = std::vector<GridText>(plan.metrics.size())};
  Rosters rosters;
  const auto cursor = source.open(plan, rosters);
  check(cursor.has_value(), "the grid can be read");
  Block block;
  auto more = (*cursor)->next(block);
  for (; more.value_or(false); more = (*cursor)->next(block)) {
    out.bytes += block.bytes;
    for (size_t i = 0; i < out.metrics.size(); ++i) {
      for (const Row& row : block.columns[i].rows) {
        check(row.record < block.records.size(), "no row is behind the last time");
        check(row.stamp == block.records[row.record].stamp, "a row has the stamp of its time");
        out.metrics[i].rows += grid_row_text(row, block.columns[i], rosters);
      }
    }
  }
  out.bytes += block.bytes;
  for (GridText& text : out.metrics) text.whole = more.has_value();
  return out;
}

}  // namespace pmjit::test
