// Plans and blocks: windows of time, block sizes, and plans that cannot be.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "runtime/base/file.h"
#include "runtime/base/limits.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/archive/support.h"

namespace pmjit::test {
namespace {

TEST(Cursor, RecordsOutsideTheWindowAreLeftOut) {
  const auto archive = Archive::open(golden("mark-v3"));
  ASSERT_TRUE(archive.has_value());
  const auto window = [&](int64_t from, int64_t to) {
    const int64_t start = (*archive)->start().sec;
    return content(**archive, {"mk.ctr"},
                   {.metrics = {}, .from = {.sec = start + from}, .to = {.sec = start + to}});
  };
  EXPECT_EQ(window(10, 20), "+10.000 mk.ctr 200\n+20.000 mk.ctr 300\n");
  EXPECT_EQ(window(20, 40), "+20.000 mk.ctr 300\n+20.001 mark\n+40.000 mk.ctr 1000\n");
  EXPECT_EQ(window(71, 99), "");
  EXPECT_EQ(window(-9, -1), "");
}

TEST(Cursor, BeforeTheDamageItDoesNotMatter) {
  const auto archive = Archive::open(golden("bad-trailer"));
  ASSERT_TRUE(archive.has_value());
  const Stamp to{(*archive)->start().sec + 5, 0};
  EXPECT_EQ(content(**archive, {"syn.ctr.i32"}, {.metrics = {}, .to = to}),
            "+0.000 syn.ctr.i32 10\n");
}

TEST(Cursor, BlocksOfAnySizeHoldTheSame) {
  for (const char* name : {"rec-mark-v3", "types-v2", "vols-v3"}) {
    const auto archive = Archive::open(golden(name));
    ASSERT_TRUE(archive.has_value());
    const std::string all = content(**archive);
    for (const uint32_t rows : {1u, 2u, 7u}) {
      EXPECT_EQ(content(**archive, {}, {.metrics = {}, .rows_max = rows}), all) << name << rows;
    }
  }
}

TEST(Cursor, GoesOnWhereAnInterruptStoppedIt) {
  const auto archive = Archive::open(golden("vols-v3"));
  ASSERT_TRUE(archive.has_value());
  Rosters rosters;
  auto cursor = (*archive)->open({.metrics = {(*archive)->metadata().pmids.front()}}, rosters);
  ASSERT_TRUE(cursor.has_value());
  Block block;
  stop_reading_when([] { return true; });
  for (int i = 0; i < 3; ++i) EXPECT_THROW((void)(*cursor)->next(block), ReadingStopped);
  stop_reading_when(nullptr);
  EXPECT_TRUE((*cursor)->next(block).value_or(false));
}

TEST(Cursor, BlocksAreBounded) {
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = {.sec = 1}}, *output);
  writer.add_metric("m", {.pmid = 1, .pm_type = 1, .indom = 1, .units = {}});
  const std::vector<int32_t> ids(1000, 5);
  const std::vector<uint32_t> values(1000, 6);
  const WrittenSet set{.pmid = 1, .instances = ids, .values = std::as_bytes(std::span(values))};
  for (int64_t i = 1; i <= 300; ++i) writer.put({.sec = i}, {&set, 1});
  ASSERT_TRUE(writer.close().has_value());
  const auto archive = open_parts(parts);
  ASSERT_TRUE(archive.has_value());
  Rosters rosters;
  auto cursor = (*archive)->open({.metrics = {1}}, rosters);
  Block block;
  uint64_t records = 0, bytes = 0;
  while ((*cursor)->next(block).value_or(false)) {
    EXPECT_LE(block.columns[0].count, limits::kBlockValuesTarget + 1000);
    EXPECT_EQ(block.columns[0].run_at(0, rosters).rows, block.records.size());
    EXPECT_LE((*cursor)->done(), 1.0);
    records += block.records.size();
    bytes += block.bytes;
  }
  EXPECT_EQ(records, 300u);
  EXPECT_EQ(bytes, parts[{0}].size() - label_bytes(Version::v3));
  EXPECT_EQ((*cursor)->done(), 1.0);
}

TEST(Cursor, PlansThatCannotBe) {
  const auto archive = Archive::open(golden("rec-v3"));
  ASSERT_TRUE(archive.has_value());
  Rosters rosters;
  const auto unknown = (*archive)->open({.metrics = {0x12345678}}, rosters);
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().pm_code(), pm_err::E_PMID_LOG);
  const auto event = (*archive)->catalog().describe("sample.event.records");
  ASSERT_TRUE(event.has_value());
  const auto events = (*archive)->open({.metrics = {event->pmid}}, rosters);
  ASSERT_FALSE(events.has_value());
  EXPECT_EQ(events.error().fault(), Fault::unsupported);
  const auto desc = (*archive)->catalog().describe("sample.colour");
  const auto twice = (*archive)->open({.metrics = {desc->pmid, desc->pmid}}, rosters);
  ASSERT_FALSE(twice.has_value());
  EXPECT_EQ(twice.error().fault(), Fault::usage);
}

TEST(Cursor, LeavesAndUnknownNames) {
  const auto archive = Archive::open(golden("types-v2"));
  ASSERT_TRUE(archive.has_value());
  const Catalog& catalog = (*archive)->catalog();
  EXPECT_EQ(catalog.leaves("").size(), 21u);
  EXPECT_EQ(catalog.leaves("syn.ctr").size(), 7u);
  EXPECT_EQ(catalog.leaves("syn.ctr.i32"), std::vector<std::string>{"syn.ctr.i32"});
  EXPECT_TRUE(catalog.leaves("syn.ct").empty());
  EXPECT_EQ(catalog.describe("syn.ctr").error().pm_code(), pm_err::E_NAME);
}

}  // namespace
}  // namespace pmjit::test
