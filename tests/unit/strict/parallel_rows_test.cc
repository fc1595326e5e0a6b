// A grid that threads evaluate in parts has the rows that it has in one go, whatever comes and
// goes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/driver/driver.h"
#include "rules/strict/archive_feeds.h"
#include "rules/strict/clock_feed.h"
#include "rules/strict/parallel_rows.h"
#include "rules/strict/rule_set.h"
#include "runtime/sched/tbb_executor.h"
#include "tests/unit/archive/changing_archive.h"
#include "tests/unit/turns.h"

namespace pmjit::strict {
namespace {

using test::ChangingArchive;

std::string text_of(const TaskRows& rows, const ResultBlock& block) {
  std::string out;
  for (size_t i = 0; i < block.times.size(); ++i) {
    out += fmt::format("{}.{:09}:", block.times[i].sec, block.times[i].nsec);
    for (const Column& column : block.columns) {
      const Row& row = column.rows[i];
      const size_t bytes = elem_bytes(column.elem);
      out += fmt::format(" | {}", row.status == kKnown);
      const auto instances = rows.rosters().instances(row.roster_id);
      for (size_t lane = 0; row.status == kKnown && lane < instances.size(); ++lane) {
        const uint64_t at = row.offset + lane;
        out += fmt::format(" {}=", instances[lane]);
        if (!column.is_valid(at)) {
          out += "?";
          continue;
        }
        for (size_t b = 0; b < bytes; ++b) {
          out += fmt::format("{:02x}", static_cast<int>(column.values.data()[at * bytes + b]));
        }
      }
    }
    out += "\n";
  }
  return out;
}

std::string all_of(TaskRows& rows) {
  std::string out;
  ResultBlock block;
  while (true) {
    const auto next = rows.next(block);
    if (!next) return out + next.error().text();
    if (*next == Feed::Next::end) return out;
    out += text_of(rows, block);
  }
}

TEST(RowsInParts, AreThoseInOneGo) {
  TbbExecutor executor(4);
  const std::vector<std::string> expressions{
      "rate(m1)", "rate(rate(m1)) > 0",  "some(rate(m2) > 5)", "sum(delta(m1))",
      "m2 + m4",  "rate(m1) > rate(m9)", "count(m2 > 20)",     "rate(m4)"};
  constexpr uint32_t kSeeds = test::turns(60);
  size_t in_parts = 0;
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    ChangingArchive made(seed, 120, true);
    const ArchivesSource source(made.take());
    CompileInput input;
    for (size_t k = 0; k < 3; ++k) {
      input.expressions.push_back({"<test>", expressions[(seed + 3 * k) % expressions.size()]});
    }
    const Nanos step = (seed % 3 == 0 ? 10 : seed % 3 == 1 ? 4 : 1) * 1'000'000'000LL;
    const ArchiveFeeds feeds(source);
    const RowsGrid grid{.feeds = feeds, .origin = source.start(), .step = step};
    const Compilation compiled = compile(input, feeds.catalog(), {.on_grid = true});
    ASSERT_TRUE(compiled.ok()) << compiled.rendered();
    const auto alone = TaskRows::open(compiled.program, grid, {});
    const auto parts = TaskRows::open(compiled.program, grid, {.executor = &executor});
    in_parts += dynamic_cast<RowsInParts*>(parts.get()) != nullptr ? 1 : 0;
    ASSERT_EQ(all_of(*alone), all_of(*parts)) << "seed " << seed;
  }
  EXPECT_GT(in_parts, kSeeds / 2);
}

TEST(RowsInParts, HaveTheTimesOfTheirs) {
  TbbExecutor executor(4);
  RuleSet set;
  ASSERT_TRUE(add_rules(set,
                        {.name = "<test>",
                         .text = "// pmjit: dialect=strict\n"
                                 "a = some_inst rate m1 > 5 count/sec && $minute - $hour > 3;\n"
                                 "b = rising ($minute == 16);\n"},
                        {.delta = 1}));
  ASSERT_EQ(set.errors, "");
  ChangingArchive made(1, 120, true);
  const ArchivesSource source(made.take());
  const ArchiveFeeds feeds(source);
  const ClockNames names(feeds.catalog(), feeds);
  for (const TaskRules& task : tasks_of(set)) {
    const Compilation compiled =
        compile_parsed(set.sources, task.roots, {}, names, {.on_grid = true});
    ASSERT_TRUE(compiled.ok()) << compiled.rendered();
    const RowsGrid grid{.feeds = feeds,
                        .origin = source.start(),
                        .step = 1'000'000'000,
                        .zone = Zone("Europe/Berlin")};
    const auto alone = TaskRows::open(compiled.program, grid, {});
    const auto parts = TaskRows::open(compiled.program, grid, {.executor = &executor});
    EXPECT_NE(dynamic_cast<RowsInParts*>(parts.get()), nullptr);
    EXPECT_EQ(all_of(*alone), all_of(*parts));
  }
}

}  // namespace
}  // namespace pmjit::strict
