// Records that are read from a known place on are those that reading from the start gives.
#include "runtime/archive/recording/record_places.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>

#include "runtime/archive/recording/marks.h"
#include "tests/unit/archive/support.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

constexpr Desc kLong{.pmid = 1, .pm_type = 1, .indom = 9, .units = {}};
constexpr int64_t kPlacesStart = 1'000;
constexpr int kPlacedRecords = 150;

// Some megabytes: records a second apart, or at one time, and marks between them.
ArchiveParts long_parts(std::mt19937& random, int64_t start) {
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = {.sec = start}}, *output);
  writer.add_metric("long", kLong);
  std::vector<int32_t> all(4'000);
  std::iota(all.begin(), all.end(), 0);
  for (int i = 0; i < kPlacedRecords; ++i) {
    const Stamp stamp{.sec = start + i - (i % 5 == 4 ? 1 : 0)};
    if (i > 0 && random() % 8 == 0) writer.mark(stamp);
    const size_t count = random() % 3 == 0 ? 1 + random() % 5 : all.size();
    const std::vector<uint32_t> values(count, static_cast<uint32_t>(random()));
    const WrittenSet set{.pmid = kLong.pmid,
                         .instances = std::span(all).first(count),
                         .values = std::as_bytes(std::span(values))};
    writer.put(stamp, {&set, 1});
  }
  EXPECT_TRUE(writer.close().has_value());
  return parts;
}

RecordPlaces places_of(const Archives& archives) {
  RecordPlaces out;
  size_t member = 0;
  scan_heads(archives, kStampMin, kStampMax,
             [&](const MarkScan::Scanned& head, const Archive& archive) {
               while (&archives[member] != &archive) ++member;
               out.add(head, member);
             });
  return out;
}

struct ReadRecords {
  std::string records, values;  // blocks end elsewhere, so each by themselves
  uint64_t bytes = 0;
};

ReadRecords read_from(const Recording& source, Stamp from) {
  Rosters rosters;
  ReadRecords out;
  const auto cursor = source.open({.metrics = {{kLong.pmid}}, .from = from}, rosters);
  EXPECT_TRUE(cursor.has_value());
  Block block;
  while (*(*cursor)->next(block)) {
    out.bytes += block.bytes;
    for (const Record& record : block.records) {
      out.records += fmt::format("{}{} ", record.stamp.sec, record.mark ? "m" : "");
    }
    for (const Row& row : block.columns[0].rows) {
      uint32_t value = 0;
      std::memcpy(&value, block.columns[0].values.data() + row.offset * sizeof value, sizeof value);
      out.values += fmt::format("{}:{} ", rosters.instances(row.roster_id).size(), value);
    }
  }
  return out;
}

TEST(RecordPlaces, GiveTheSameRecords) {
  std::mt19937 random(1);
  for (uint32_t seed = 0; seed < turns(6); ++seed) {
    std::vector<std::unique_ptr<Archive>> members;
    for (uint32_t k = 0; k <= seed % 3; ++k) {
      members.push_back(*open_parts(long_parts(random, kPlacesStart + 1'000 * k)));
    }
    const ArchivesSource source(*Archives::of(std::move(members)));
    const RecordPlaces places = places_of(source.archives());
    const PlacedSource placed(source, places);
    for (int64_t second = -10; second < 1'000 * (seed % 3) + kPlacedRecords + 10; second += 37) {
      const Stamp from{.sec = kPlacesStart + second};
      const ReadRecords all = read_from(source, from), rest = read_from(placed, from);
      EXPECT_EQ(all.records, rest.records) << seed << " " << second;
      EXPECT_EQ(all.values, rest.values) << seed << " " << second;
    }
    const Stamp late{.sec = kPlacesStart + kPlacedRecords - 10};
    if (seed % 3 != 0) continue;
    EXPECT_LT(read_from(placed, late).bytes, 2'500'000u);
    EXPECT_GT(read_from(source, late).bytes, 2'500'000u);
  }
}

}  // namespace
}  // namespace pmjit::test
