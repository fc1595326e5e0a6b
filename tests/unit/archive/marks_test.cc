// Marks that are found by the heads of records are those that stand between the records that a
// cursor gives.
#include "runtime/archive/recording/marks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "runtime/archive/recording/archives_source.h"
#include "tests/unit/archive/support.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

constexpr Desc kQueues{.pmid = 1, .pm_type = 1, .indom = 9, .units = {}};
constexpr int64_t kMarksStart = 1'000;

// Records a second apart, some of many values, and marks between them.
ArchiveParts parts_with_marks(std::mt19937& random, int64_t start, int records) {
  constexpr size_t kManyValues = 3'000;  // more than are read with the head of the record before
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = {.sec = start}}, *output);
  writer.add_metric("queues", kQueues);
  std::vector<int32_t> all(kManyValues);
  std::iota(all.begin(), all.end(), 0);
  const std::vector<uint32_t> values(kManyValues, 7);
  for (int i = 0; i < records; ++i) {
    const Stamp stamp{.sec = start + i};
    if (i > 0 && random() % 4 == 0) writer.mark(stamp);
    const size_t count = random() % 3 == 0 ? kManyValues : 1 + random() % 5;
    const WrittenSet set{.pmid = kQueues.pmid,
                         .instances = std::span(all).first(count),
                         .values = std::as_bytes(std::span(values).first(count))};
    writer.put(stamp, {&set, 1});
  }
  EXPECT_TRUE(writer.close().has_value());
  return parts;
}

std::vector<Stamp> found_between(Marks& marks, Stamp from, Stamp until) {
  std::vector<Stamp> out;
  while (const auto mark = marks.last_between(from, until)) {
    out.insert(out.begin(), *mark);
    until = stamp_from_nanos(nanos(*mark) - 1);
  }
  return out;
}

TEST(Marks, AreThoseBetweenTheRecords) {
  std::mt19937 random(1);
  for (uint32_t seed = 0; seed < turns(60); ++seed) {
    std::vector<std::unique_ptr<Archive>> members;
    for (uint32_t k = 0; k <= seed % 3; ++k) {
      members.push_back(*open_parts(parts_with_marks(random, kMarksStart + 100 * k, 30)));
    }
    const ArchivesSource source(*Archives::of(std::move(members)));
    const std::vector<Stamp> all = *all_marks(source);
    Marks marks(source.archives());
    // Asked for as a grid asks: as far as the time that is next.
    Stamp before{.sec = kMarksStart};
    for (int64_t second = 7; second < 400; second += 7) {
      const Stamp now{.sec = kMarksStart + second};
      std::vector<Stamp> wanted;
      std::ranges::copy_if(all, std::back_inserter(wanted),
                           [&](Stamp mark) { return mark > before && mark <= now; });
      EXPECT_EQ(found_between(marks, before, now), wanted) << seed << " " << second;
      before = now;
    }
    EXPECT_EQ(Marks(source.archives()).any(), !all.empty());
    EXPECT_TRUE(Marks(source.archives()).lengths_fit());
  }
}

// A hole in the numbers of volumes is one; a volume with a label and no record is none, as where
// the logger was told twice to go on in a new one.
TEST(Marks, StandWhereAVolumeIsMissing) {
  enum class Second : uint8_t { whole, label_only, empty, missing };
  for (const Second second : {Second::whole, Second::label_only, Second::empty, Second::missing}) {
    ArchiveParts parts = golden_parts("vols-v3");
    std::vector<std::byte>& volume = parts.at({1});
    if (second == Second::label_only) volume.resize(label_bytes(Version::v3));
    if (second == Second::empty) volume.clear();
    if (second == Second::missing) parts.erase({1});
    std::vector<std::unique_ptr<Archive>> one;
    one.push_back(*open_parts(parts));
    const ArchivesSource source(*Archives::of(std::move(one)));
    const bool marked = second == Second::empty || second == Second::missing;
    EXPECT_EQ(Marks(source.archives()).any(), marked) << static_cast<int>(second);
    EXPECT_EQ(all_marks(source)->size(), marked ? 1u : 0u) << static_cast<int>(second);
    const Stamp start = source.start();  // there are three records a volume, 10 s apart
    EXPECT_EQ(Marks(source.archives())
                  .last_between({start.sec + 20, start.nsec}, {start.sec + 60, start.nsec})
                  .has_value(),
              marked)
        << static_cast<int>(second);
  }
}

TEST(Marks, EndWhereALengthLeadsNowhere) {
  std::mt19937 random(2);
  for (uint32_t seed = 0; seed < turns(60); ++seed) {
    ArchiveParts parts = parts_with_marks(random, kMarksStart, 40);
    std::vector<std::byte>& volume = parts.at({0});
    if (seed % 2 == 0) {
      volume.resize(volume.size() / 2 + random() % 1'000);
    } else {
      constexpr size_t kDamaged = 40'000;  // more than a record has
      const size_t from = volume.size() / 2;
      std::fill_n(volume.begin() + static_cast<ptrdiff_t>(from), kDamaged, std::byte{0xff});
    }
    std::vector<std::unique_ptr<Archive>> one;
    one.push_back(*open_parts(parts));
    const ArchivesSource source(*Archives::of(std::move(one)));
    EXPECT_FALSE(all_marks(source)) << seed;
    // Those before the damage are there.
    Rosters rosters;
    auto cursor = *source.open({}, rosters);
    std::vector<Stamp> read;
    Block block;
    for (auto more = cursor->next(block); more && *more; more = cursor->next(block)) {
      for (const Record& record : block.records) read.push_back(record.stamp);
    }
    Marks marks(source.archives());
    EXPECT_EQ(found_between(marks, kStampMin, kStampMax), read) << seed;
    EXPECT_EQ(marks.lengths_fit(), seed % 2 == 0) << seed << ": a last record may be cut short";
  }
}

TEST(Interruptions, LieBetweenTheRecordsAroundThem) {
  constexpr WrittenSet kSet{.pmid = kQueues.pmid};
  const auto recorded = [&](int64_t start, bool ends_marked) {
    ArchiveParts parts;
    const auto output = memory_output(parts);
    ArchiveWriter writer({.start = {.sec = start}}, *output);
    writer.add_metric("queues", kQueues);
    writer.put({.sec = start}, {&kSet, 1});
    writer.put({.sec = start + 10}, {&kSet, 1});
    writer.mark({.sec = start + 11});
    writer.mark({.sec = start + 12});
    writer.put({.sec = start + 30}, {&kSet, 1});
    if (ends_marked) writer.mark({.sec = start + 31});
    EXPECT_TRUE(writer.close().has_value());
    return *open_parts(parts);
  };
  std::vector<std::unique_ptr<Archive>> members;
  members.push_back(recorded(1'000, false));
  members.push_back(recorded(2'000, true));
  const auto archives = *Archives::of(std::move(members));
  const auto gap = [](int64_t from, std::optional<int64_t> to, GapCause cause) {
    Gap out{.from = {.sec = from}, .cause = cause};
    if (to) out.to = Stamp{.sec = *to};
    return out;
  };
  EXPECT_EQ(interruptions(*archives),
            (std::vector<Gap>{
                gap(1'010, 1'030, GapCause::mark), gap(1'030, 2'000, GapCause::archive),
                gap(2'010, 2'030, GapCause::mark), gap(2'030, std::nullopt, GapCause::mark)}));
}

}  // namespace
}  // namespace pmjit::test
