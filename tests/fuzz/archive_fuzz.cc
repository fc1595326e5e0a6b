// An archive of arbitrary bytes as a Source: opened, every metric read as columns, in blocks of as
// many rows as usual and of one row each. Both give the same rows, twice, in bounded memory.
#include <algorithm>
#include <map>

#include "runtime/base/result.h"
#include "tests/fuzz/archive_input.h"
#include "tests/fuzz/archive_target.h"
#include "tests/fuzz/digest.h"

namespace pmjit::fuzz {
namespace {

using Content = std::map<PmId, Digest>;  // a metric's rows
constexpr PmId kRecords = kNullId;       // the times

void add_row(const Column& column, const Row& row, const Rosters& rosters, Digest& to) {
  to.add(row.stamp);
  to.add(static_cast<uint64_t>(row.status));
  const auto instances = rosters.instances(row.roster_id);
  check(row.offset + instances.size() <= column.count, "a row is outside of its column");
  to.add(std::as_bytes(instances));
  const size_t bytes = elem_bytes(column.elem);
  for (size_t lane = row.offset; lane < row.offset + instances.size(); ++lane) {
    to.add(uint64_t{column.is_valid(lane)});
    if (is_number(column.elem)) {
      to.add(Bytes(column.values.as<std::byte>() + lane * bytes, bytes));
    } else {
      to.add(column.dictionary[column.values.as<uint32_t>()[lane]]);
    }
  }
}

Content read_all(const Archive& archive, uint32_t rows_max) {
  Content content;
  FetchPlan plan{.metrics = {}, .rows_max = rows_max};
  for (const auto& [pmid, desc] : archive.metadata().descs) {
    if (elem_from_pm(desc.pm_type)) plan.metrics.push_back(pmid);
  }
  Rosters rosters;
  const auto cursor = archive.open(plan, rosters);
  check(cursor.has_value(), "metrics of known types can be read");
  Block block;
  auto more = (*cursor)->next(block);
  for (; more.value_or(false); more = (*cursor)->next(block)) {
    for (const auto& record : block.records) content[kRecords].add(record.stamp);
    for (size_t i = 0; i < block.columns.size(); ++i) {
      for (const Row& row : block.columns[i].rows) {
        add_row(block.columns[i], row, rosters, content[plan.metrics[i].pmid]);
      }
    }
  }
  if (!more) content[kRecords].add(more.error().text());
  return content;
}

}  // namespace

// The windows on files, the blocks, and what the metadata become.
const MemoryBound kMemory = {.fixed = 24u << 20, .per_byte = 400};

void run(Bytes all) {
  const auto archive = Archive::open(archive_files(take_apart_input(all)));
  if (archive) {
    const Content content = read_all(**archive, 0);
    check(read_all(**archive, 1) == content, "rows do not depend on the size of blocks");
  } else {
    check(archive.error().pm_code() < 0 && !archive.error().place().empty(),
          "a refusal has a number and a place");
  }
}

}  // namespace pmjit::fuzz
