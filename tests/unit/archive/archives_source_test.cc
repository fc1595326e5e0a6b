// Several archives as one source: one after the other, a mark where they meet.
#include "runtime/archive/recording/archives_source.h"

#include <gtest/gtest.h>

#include "runtime/archive/recording/records.h"
#include "tests/unit/archive/support.h"

namespace pmjit::test {
namespace {

constexpr Desc kMemberReads{.pmid = 1, .pm_type = 1, .indom = 9, .units = {}};
constexpr Desc kMemberLoad{.pmid = 2, .pm_type = 1, .units = {}};

// An archive of two records, ten seconds apart, of metrics that it alone describes.
std::unique_ptr<Archive> archive_of(int64_t start, const std::vector<std::string>& metrics,
                                    const std::string& disk) {
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = {.sec = start}}, *output);
  for (const std::string& name : metrics)
    writer.add_metric(name, name == "load" ? kMemberLoad : kMemberReads);
  writer.set_instances(kMemberReads.indom, {{5, disk}}, {.sec = start});
  for (uint32_t i = 0; i < 2; ++i) {
    const std::vector<uint32_t> value{static_cast<uint32_t>(start) + i};
    const std::vector<int32_t> one{kSingular}, disks{5};
    std::vector<WrittenSet> sets;
    for (const std::string& name : metrics) {
      sets.push_back({.pmid = name == "load" ? kMemberLoad.pmid : kMemberReads.pmid,
                      .instances = name == "load" ? one : disks,
                      .values = std::as_bytes(std::span(value))});
    }
    writer.put({.sec = start + 10 * i}, sets);
  }
  EXPECT_TRUE(writer.close().has_value());
  auto archive = open_parts(parts);
  EXPECT_TRUE(archive.has_value());
  return *std::move(archive);
}

ArchivesSource three(int64_t second, int64_t third) {
  std::vector<std::unique_ptr<Archive>> members;
  members.push_back(archive_of(third, {"reads"}, "sdb"));
  members.push_back(archive_of(100, {"reads"}, "sda"));
  members.push_back(archive_of(second, {"load"}, "sda"));
  auto archives = Archives::of(std::move(members));
  EXPECT_TRUE(archives.has_value());
  return ArchivesSource(*std::move(archives));
}

// Two archives whose records have a metric that none of them describes.
ArchivesSource with_a_stranger() {
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = {.sec = 100}}, *output);
  writer.add_metric("load", kMemberLoad);
  const std::vector<uint32_t> value{7};
  const std::vector<int32_t> one{kSingular};
  const WrittenSet set{
      .pmid = kMemberLoad.pmid, .instances = one, .values = std::as_bytes(std::span(value))};
  constexpr uint8_t kItems[] = {kMemberLoad.pmid, 5, kMemberLoad.pmid, 6, 5};  // of PMIDs
  for (int64_t i = 0; i < std::ssize(kItems); ++i) writer.put({.sec = 100 + i}, {&set, 1});
  EXPECT_TRUE(writer.close().has_value());
  const size_t label = label_bytes(Version::v3), item_at = 2 * 4 + stamp_bytes(Version::v3) + 3;
  auto& volume = parts.at({0});
  const size_t record = (volume.size() - label) / std::size(kItems);
  for (size_t i = 0; i < std::size(kItems); ++i) {
    volume[label + i * record + item_at] = std::byte{kItems[i]};
  }
  std::vector<std::unique_ptr<Archive>> members;
  members.push_back(*open_parts(parts));
  members.push_back(archive_of(200, {"reads"}, "sda"));
  return ArchivesSource(*Archives::of(std::move(members)));
}

constexpr std::string_view kStrangers =
    "records from 1970-01-01T00:01:41Z on have values of 2 metrics (PMIDs 0.0.5, 0.0.6) that the "
    "archive does not describe";

TEST(ArchivesSource, SaysWhatRecordsHaveThatNothingDescribes) {
  const ArchivesSource source = with_a_stranger();
  Rosters rosters;
  const auto cursor = source.open({.metrics = {kMemberLoad.pmid}}, rosters);
  ASSERT_TRUE(cursor.has_value());
  EXPECT_FALSE(source.undescribed().error_until(kStampMax).has_value());
  Block block;
  while ((*cursor)->next(block).value_or(false)) {
  }
  ASSERT_TRUE(source.undescribed().error_until(kStampMax).has_value());
  EXPECT_EQ(source.undescribed().error_until(kStampMax)->what(), kStrangers);
}

TEST(ArchivesSource, SaysTheSameOfRecordsThatAreReadOneByOne) {
  const ArchivesSource source = with_a_stranger();
  RecordReader reader(source.archives(), BadVolumes::refuse);
  reader.watch(source.undescribed());
  while (reader.next().value_or(false)) {
  }
  ASSERT_TRUE(source.undescribed().error_until(kStampMax).has_value());
  EXPECT_EQ(source.undescribed().error_until(kStampMax)->what(), kStrangers);
}

TEST(ArchivesSource, RecordsComeByTimeWithMarksBetween) {
  const ArchivesSource source = three(150, 200);
  EXPECT_EQ(source.start(), (Stamp{100, 0}));
  EXPECT_EQ(source.end(), (Stamp{210, 0}));
  const std::string all =
      "+0.000 reads [5]=100\n"
      "+10.000 reads [5]=101\n"
      "+50.000 mark\n"
      "+50.000 load 150\n"
      "+60.000 load 151\n"
      "+100.000 mark\n"
      "+100.000 reads [5]=200\n"
      "+110.000 reads [5]=201\n";
  EXPECT_EQ(content(source), all);
  EXPECT_EQ(content(source, {}, {.rows_max = 1}), all);
}

TEST(ArchivesSource, OfTheWindowOnly) {
  const ArchivesSource source = three(150, 200);
  EXPECT_EQ(content(source, {"reads"}, {.from = {155, 0}, .to = {205, 0}}),
            "+100.000 mark\n+100.000 reads [5]=200\n");
  EXPECT_EQ(content(source, {"reads"}, {.to = {199, 0}}),
            "+0.000 reads [5]=100\n+10.000 reads [5]=101\n+50.000 mark\n");
}

TEST(ArchivesSource, MetadataAreThoseOfAll) {
  const ArchivesSource source = three(150, 200);
  const Catalog& catalog = source.catalog();
  EXPECT_EQ(catalog.leaves(""), (std::vector<std::string>{"load", "reads"}));
  EXPECT_EQ(catalog.instance_name(kMemberReads.indom, 5, {199, 0}), "sda");
  EXPECT_EQ(catalog.instance_name(kMemberReads.indom, 5, {200, 0}), "sdb");
  EXPECT_NE(catalog.domain_epoch(kMemberReads.indom, {199, 0}),
            catalog.domain_epoch(kMemberReads.indom, {200, 0}));
  EXPECT_EQ(catalog.describe("other").error().pm_code(), pm_err::E_NAME);
}

TEST(ArchivesSource, WhatOverlapsIsRefusedWhereItIsReached) {
  const ArchivesSource source = three(109, 200);
  EXPECT_EQ(content(source, {"reads"}),
            "+0.000 reads [5]=100\n+10.000 reads [5]=101\nerror -12401\n");
}

TEST(ArchivesSource, OneArchiveIsJustThat) {
  auto archives = Archives::open(golden("types-v3"));
  ASSERT_TRUE(archives.has_value());
  const ArchivesSource source(*std::move(archives));
  EXPECT_EQ(content(source), content(Archive::open(golden("types-v3"))));
}

}  // namespace
}  // namespace pmjit::test
