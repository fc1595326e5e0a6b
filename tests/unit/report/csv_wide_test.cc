#include <gtest/gtest.h>

#include "tests/unit/report/fixture.h"

namespace pmjit {
namespace {

TEST(CsvWide, AColumnAMetricAndInstance) {
  Lab lab;
  lab.block.times = {kNoon, {1'700'000'000, 250'000'000}, {1'700'000'001, 0}};
  const size_t reads =
      lab.add_column({.name = "disk.read", .elem = Elem::u64, .domain = kDiskDomain});
  const size_t load = lab.add_column({.name = "max(a, b)", .elem = Elem::f64});
  lab.add_row<uint64_t>(reads, lab.rosters.intern(std::vector<int32_t>{2, 0}), {5, UINT64_MAX});
  lab.add_row<uint64_t>(reads, lab.rosters.intern(std::vector<int32_t>{0, 1}), {7, 8});
  lab.block.columns[reads].mark_invalid(2, 1);
  lab.add_row<uint64_t>(reads, Rosters::kNobodyId, {});
  lab.add_unknown(load, -12351);
  lab.add_row<double>(load, Rosters::kSingularId, {0.1});
  lab.add_unknown(load, -12351);
  EXPECT_EQ(lab.print("csv-wide"),
            "time,disk.read[sda],\"disk.read[sd,b]\",\"disk.read[x \"\"y\"\"]\",\"max(a, b)\"\n"
            "2023-11-14T22:13:20Z,18446744073709551615,,5,\n"
            "2023-11-14T22:13:20.250Z,,8,,0.1\n"
            "2023-11-14T22:13:21Z,,,,\n");
}

TEST(CsvWide, InstancesOfOneNameAreToldApart) {
  Lab lab;
  lab.catalog.names = {{0, "sda"}, {3, "sdb"}, {4, "sda"}};
  lab.block.times = {kNoon, kNoon};
  const size_t m = lab.add_column({.name = "m", .elem = Elem::i32, .domain = kDiskDomain});
  lab.add_row<int32_t>(m, lab.rosters.intern(std::vector<int32_t>{0, 4}), {1, 2});
  lab.add_row<int32_t>(m, lab.rosters.intern(std::vector<int32_t>{4}), {3});
  EXPECT_EQ(lab.print("csv-wide"),
            "time,m[sda#0],m[sdb],m[sda#4]\n"
            "2023-11-14T22:13:20Z,1,,2\n2023-11-14T22:13:20Z,,,3\n");
}

TEST(CsvWide, OnlyTheInstancesThatWereAskedFor) {
  Lab lab;
  lab.only = {"sd,b"};
  lab.block.times = {kNoon};
  const size_t m = lab.add_column({.name = "m", .elem = Elem::text, .domain = kDiskDomain});
  lab.block.columns[m].dictionary.add("a \"text\"");
  lab.add_row<uint32_t>(m, lab.rosters.intern(std::vector<int32_t>{1}), {0});
  EXPECT_EQ(lab.print("csv-wide"), "time,\"m[sd,b]\"\n2023-11-14T22:13:20Z,\"a \"\"text\"\"\"\n");
}

TEST(CsvWide, ARosterInThePlaceOfAForgottenOneIsAnother) {
  Lab lab;
  lab.block.times = {kNoon};
  const size_t m = lab.add_column({.name = "m", .elem = Elem::i32, .domain = kDiskDomain});
  std::string out;
  Sink sink(out);
  const auto writer = make_csv_wide_writer(sink, {});
  writer->begin({.infos = lab.infos, .catalog = &lab.catalog, .rosters = &lab.rosters});
  for (const int32_t instance : {0, 2, 1}) {
    lab.block.columns[m].clear();
    lab.add_row<int32_t>(m, lab.rosters.intern(std::vector<int32_t>{instance}), {instance + 5});
    ASSERT_TRUE(write(*writer, lab.block));
    lab.rosters.forget_others();
  }
  ASSERT_TRUE(writer->end());
  EXPECT_EQ(out,
            "time,m[sda],\"m[sd,b]\",\"m[x \"\"y\"\"]\"\n2023-11-14T22:13:20Z,5,,\n"
            "2023-11-14T22:13:20Z,,,7\n2023-11-14T22:13:20Z,,6,\n");
}

TEST(CsvWide, OfALiveHostColumnsAreNamesAndComersHaveNone) {
  Lab lab;
  lab.block.times = {kNoon};
  const size_t m = lab.add_column({.name = "m", .elem = Elem::i32, .domain = kDiskDomain});
  std::string out;
  Sink sink(out);
  const auto writer = make_csv_wide_writer(sink, {});
  writer->begin(
      {.infos = lab.infos, .catalog = &lab.catalog, .rosters = &lab.rosters, .live = true});
  const auto tick = [&](std::vector<int32_t> instances, const std::vector<int32_t>& values) {
    lab.block.columns[m].clear();
    lab.add_row<int32_t>(m, lab.rosters.intern(instances), values);
    ASSERT_TRUE(write(*writer, lab.block));
  };
  tick({0, 1}, {5, 6});
  lab.catalog.names[7] = "sdz";
  ++lab.catalog.epoch;
  tick({0, 1, 7}, {5, 6, 9});
  // Another disk gets the identifier of one that has gone.
  lab.catalog.names[0] = "sd,b";
  lab.catalog.names[1] = "sda";
  ++lab.catalog.epoch;
  tick({0, 1, 7}, {6, 5, 9});
  ASSERT_TRUE(writer->end());
  EXPECT_EQ(out,
            "time,m[sda],\"m[sd,b]\",\"m[x \"\"y\"\"]\"\n2023-11-14T22:13:20Z,5,6,\n"
            "2023-11-14T22:13:20Z,5,6,\n2023-11-14T22:13:20Z,5,6,\n");
  EXPECT_EQ(writer->take_warnings(),
            std::vector<std::string>{"m[sdz] came after the header was written, so csv-wide has no "
                                     "column for it\n  help: -o csv has its values"});
}

TEST(CsvWide, AnInstanceThatNoDomainHasIsAnError) {
  Lab lab;
  lab.block.times = {kNoon};
  const size_t m = lab.add_column({.name = "m", .elem = Elem::i32, .domain = kDiskDomain});
  lab.add_row<int32_t>(m, lab.rosters.intern(std::vector<int32_t>{7}), {1});
  std::string out;
  Sink sink(out);
  const auto writer = make_csv_wide_writer(sink, {});
  writer->begin({.infos = lab.infos, .catalog = &lab.catalog, .rosters = &lab.rosters});
  const auto written = write(*writer, lab.block);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().what(), "instance 7 of m is in no instance domain of the archive");
}

}  // namespace
}  // namespace pmjit
