// What is counted of archives: hand-made ones, and damaged ones.
#include "runtime/archive/summary/summary.h"

#include <gtest/gtest.h>

#include "runtime/archive/summary/record_counts.h"
#include "runtime/base/limits.h"
#include "tests/unit/archive/support.h"

namespace pmjit::test {
namespace {

constexpr Desc kSingularLoad{.pmid = 0x0f000401, .pm_type = 1};
constexpr Desc kDiskReads{.pmid = 0x0f000402, .pm_type = 3, .indom = 0x0f000001};
constexpr int64_t kStart = 1'700'000'000;

Stamp after(int64_t sec) { return {.sec = kStart + sec}; }

// One archive, a record of `load` or of `reads` at a time.
class ArchiveUnderTest {
 public:
  explicit ArchiveUnderTest(int64_t start, Version version = Version::v3)
      : output_(memory_output(parts_)),
        writer_({.version = version, .start = after(start), .host = "h", .timezone = "CET-1"},
                *output_) {
    writer_.add_metric("load", kSingularLoad);
    writer_.add_metric("reads", kDiskReads);
  }
  void load(int64_t sec) {
    const int32_t one[] = {kSingular};
    const uint32_t value[] = {7};
    const WrittenSet sets[] = {
        {.pmid = kSingularLoad.pmid, .instances = one, .values = std::as_bytes(std::span(value))}};
    writer_.put(after(sec), sets);
  }
  void reads(int64_t sec, const std::vector<Catalog::Instance>& instances) {
    writer_.set_instances(kDiskReads.indom, instances, after(sec));
    std::vector<int32_t> ids;
    for (const auto& instance : instances) ids.push_back(instance.id);
    const std::vector<uint64_t> values(ids.size(), 1);
    const WrittenSet sets[] = {
        {.pmid = kDiskReads.pmid, .instances = ids, .values = std::as_bytes(std::span(values))}};
    writer_.put(after(sec), sets);
  }
  void error(int64_t sec) {
    const WrittenSet sets[] = {{.pmid = kSingularLoad.pmid, .status = -12350}};
    writer_.put(after(sec), sets);
  }
  ArchiveWriter* operator->() { return &writer_; }
  ArchiveParts& parts() {
    EXPECT_TRUE(writer_.close().has_value());
    return parts_;
  }

 private:
  ArchiveParts parts_;
  std::unique_ptr<ArchiveOutput> output_;
  ArchiveWriter writer_;
};

ArchiveSummary summary_of(const std::vector<ArchiveParts>& all) {
  std::vector<std::unique_ptr<Archive>> members;
  for (const ArchiveParts& parts : all) {
    auto opened = open_parts(parts);
    EXPECT_TRUE(opened.has_value());
    if (opened) members.push_back(*std::move(opened));
  }
  const auto archives = Archives::of(std::move(members));
  EXPECT_TRUE(archives.has_value());
  return summarize(**archives, {});
}

class Summary : public testing::TestWithParam<Version> {};

TEST_P(Summary, CountsByMetricAndByGroup) {
  ArchiveUnderTest made(0, GetParam());
  made.load(0);
  made.reads(1, {{1, "a"}, {2, "b"}});
  for (const int sec : {10, 20, 30}) made.load(sec);
  made.reads(31, {{2, "b"}, {3, "c"}, {4, "d"}});
  made.error(40);
  const ArchiveSummary summary = summary_of({made.parts()});

  EXPECT_EQ(summary.host, "h");
  ASSERT_EQ(summary.members.size(), 1u);
  EXPECT_EQ(summary.members[0].timezone, "CET-1");
  EXPECT_EQ(summary.members[0].version, static_cast<int>(GetParam()));
  EXPECT_EQ(summary.span, (TimeSpan{after(0), after(40)}));
  EXPECT_EQ(summary.records, 7u);
  EXPECT_EQ(summary.values, 9u);
  EXPECT_EQ(summary.metrics_described, 2u);
  EXPECT_EQ(summary.interval, 10.0);

  // A set: 8 bytes, 4 where there are values, 8 a pair, and a block of 12 where it is not in place.
  ASSERT_EQ(summary.metrics.size(), 2u);
  const MetricSummary &reads = summary.metrics[0], &load = summary.metrics[1];
  EXPECT_EQ(reads.name, "reads");
  EXPECT_EQ(reads.bytes, 2 * 12 + 5 * (8 + 12u));
  EXPECT_EQ(reads.values, 5u);
  EXPECT_EQ(load.bytes, 4 * 20 + 8u);
  EXPECT_EQ(load.records, 5u);
  EXPECT_EQ(load.values, 4u);
  EXPECT_EQ(load.errors, 1u);

  ASSERT_EQ(summary.groups.size(), 2u);
  for (const GroupSummary& group : summary.groups) {
    ASSERT_EQ(group.metrics.size(), 1u);
    const bool is_load = summary.metrics[group.metrics[0]].name == "load";
    EXPECT_EQ(group.interval, is_load ? 10.0 : 30.0);
    EXPECT_EQ(group.records, is_load ? 5u : 2u);
    EXPECT_EQ(group.values, is_load ? 4u : 5u);
  }
  EXPECT_EQ(summary.bytes, summary.groups[0].bytes + summary.groups[1].bytes);

  ASSERT_EQ(summary.domains.size(), 1u);
  EXPECT_EQ(summary.domains[0].instances, 4u);
  EXPECT_EQ(summary.domains[0].largest, 3u);
  EXPECT_EQ(summary.domains[0].sets, 2u);
  EXPECT_EQ(summary.domains[0].metrics, std::vector<std::string>{"reads"});
  EXPECT_TRUE(summary.gaps.empty());
  EXPECT_TRUE(summary.damage.empty());
}

TEST_P(Summary, MarksAndPausesAreGaps) {
  ArchiveUnderTest made(0, GetParam());
  for (const int sec : {0, 10, 20, 45, 55}) made.load(sec);
  made->mark(after(56));
  for (const int sec : {58, 68, 94}) made.load(sec);
  made->mark(after(95));
  const ArchiveSummary summary = summary_of({made.parts()});
  EXPECT_EQ(summary.marks, 2u);
  EXPECT_EQ(summary.records, 8u);
  // 25 seconds are not more than 2.5 times 10; 26 are.
  EXPECT_EQ(summary.gaps, (std::vector<Gap>{{after(55), after(58), GapCause::mark},
                                            {after(68), after(94), GapCause::pause},
                                            {after(94), std::nullopt, GapCause::mark}}));
}

TEST_P(Summary, VolumesOfTheirOwnAndOnesThatAreMissing) {
  ArchiveUnderTest made(0, GetParam());
  for (const int sec : {0, 10}) made.load(sec);
  made->new_volume();
  for (const int sec : {20, 30}) made.load(sec);
  made->new_volume();
  for (const int sec : {40, 50}) made.load(sec);
  ArchiveParts parts = made.parts();
  const ArchiveSummary whole = summary_of({parts});
  ASSERT_EQ(whole.members[0].volumes.size(), 3u);
  EXPECT_EQ(whole.members[0].volumes[1].span, (TimeSpan{after(20), after(30)}));
  EXPECT_EQ(whole.members[0].volumes[1].records, 2u);
  EXPECT_EQ(whole.members[0].volumes[1].file.bytes, parts.at({1}).size());
  EXPECT_TRUE(whole.gaps.empty());

  parts.erase({1});
  const ArchiveSummary holed = summary_of({parts});
  EXPECT_EQ(holed.gaps, (std::vector<Gap>{{after(10), after(40), GapCause::volume}}));
  EXPECT_EQ(holed.warnings.size(), 1u);
  EXPECT_TRUE(holed.damage.empty());
}

TEST_P(Summary, BehindDamageTheNextVolumeIsRead) {
  ArchiveUnderTest made(0, GetParam());
  for (const int sec : {0, 10, 20}) made.load(sec);
  made->new_volume();
  for (const int sec : {30, 40, 50}) made.load(sec);
  ArchiveParts parts = made.parts();
  const size_t record = (parts.at({0}).size() - label_bytes(GetParam())) / 3;
  for (const int32_t volume : {0, 1}) {
    auto& bytes = parts.at({volume});
    bytes[bytes.size() - record - 1] ^= std::byte{1};  // the last word of the second record
  }
  const ArchiveSummary summary = summary_of({parts});
  EXPECT_EQ(summary.records, 2u);
  ASSERT_EQ(summary.damage.size(), 2u);
  EXPECT_EQ(summary.damage[1].place(),
            "file test.1, offset " + std::to_string(label_bytes(GetParam()) + 2 * record - 4));
  EXPECT_EQ(summary.gaps, (std::vector<Gap>{{after(0), after(30), GapCause::damage},
                                            {after(30), after(50), GapCause::damage}}));
}

TEST_P(Summary, AMetricThatNothingDescribesIsDamage) {
  ArchiveUnderTest made(0, GetParam());
  for (const int sec : {0, 10, 20}) made.load(sec);
  ArchiveParts parts = made.parts();
  const size_t label = label_bytes(GetParam()), record = (parts.at({0}).size() - label) / 3;
  const size_t pmid_at = 2 * sizeof(uint32_t) + stamp_bytes(GetParam());
  parts.at({0})[label + record + pmid_at + 3] ^= std::byte{1};  // 60.1.1 becomes 60.1.0
  const ArchiveSummary summary = summary_of({parts});
  EXPECT_EQ(summary.records, 3u);
  ASSERT_EQ(summary.metrics.size(), 2u);
  EXPECT_EQ(summary.metrics[1].name, "");
  ASSERT_EQ(summary.damage.size(), 1u);
  EXPECT_EQ(summary.damage[0].place(), "file test.0, offset " + std::to_string(label + record));
  EXPECT_EQ(summary.damage[0].what(),
            "the record of " + iso_utc(after(10)) +
                " has values of 1 metric (PMID 60.1.0) that the archive does not describe");
}

TEST_P(Summary, SeveralArchives) {
  ArchiveUnderTest first(0, GetParam()), second(100, GetParam());
  for (const int sec : {0, 10}) first.load(sec);
  for (const int sec : {100, 110}) second.load(sec);
  const ArchiveSummary summary = summary_of({second.parts(), first.parts()});
  EXPECT_EQ(summary.members.size(), 2u);
  EXPECT_EQ(summary.records, 4u);
  EXPECT_EQ(summary.marks, 0u);
  EXPECT_EQ(summary.interval, 10.0);
  EXPECT_EQ(summary.gaps, (std::vector<Gap>{{after(10), after(100), GapCause::archive}}));
}

INSTANTIATE_TEST_SUITE_P(Versions, Summary, testing::Values(Version::v2, Version::v3));

TEST(Typical, MedianOfManyComesFromAllOfThem) {
  Typical few, many;
  for (const double value : {3.0, 1.0, 2.0}) few.add(value);
  EXPECT_EQ(few.median(), 2.0);
  EXPECT_EQ(Typical().median(), std::nullopt);
  for (int i = 0; i < 1'000'000; ++i) many.add(i);
  EXPECT_NEAR(*many.median(), 500'000, 2'000);
  EXPECT_EQ(many.seen(), 1'000'000u);
}

TEST(Pauses, TheLongestAreKept) {
  Pauses pauses;
  int64_t sec = 0;
  pauses.add(after(sec), {});
  for (int64_t i = 1; i <= 10'000; ++i) pauses.add(after(sec += i), {});
  const auto few = pauses.longer_than(9'990);
  EXPECT_EQ(few.gaps.size(), 10u);
  EXPECT_FALSE(few.more);
  EXPECT_EQ(few.gaps.back().to, after(sec));
  const auto all = pauses.longer_than(1);
  EXPECT_EQ(all.gaps.size(), limits::kGapsMax);
  EXPECT_TRUE(all.more);
}

}  // namespace
}  // namespace pmjit::test
