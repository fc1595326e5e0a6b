// Records are taken to be as long as the one before. Here values look as if a record of that length
// ended among them and another began, and several threads still give what one gives.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/base/bytes.h"
#include "runtime/sched/parallel_source.h"
#include "tests/unit/archive/support.h"
#include "tests/unit/sched/executors.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

constexpr int32_t kBasesEnd = kSanitized ? 103 : 112;
constexpr size_t kHeadBytes = 32, kPairBytes = 8, kBlockBytes = 12;  // of a record of one metric

// One metric of 8-byte values. Records of `base` instances, but every third has more.
ArchiveParts parts_of(int64_t start, int32_t base, bool volumes) {
  constexpr Desc kDesc{.pmid = 1, .pm_type = 3, .indom = 9, .units = {}};
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = {.sec = start}}, *output);
  writer.add_metric("m", kDesc);
  for (int32_t record = 0; record < 60; ++record) {
    if (volumes && record % 25 == 24) writer.new_volume();
    std::vector<int32_t> ids;
    std::vector<uint64_t> values;
    for (int32_t i = 0; i < base + (record % 3 == 2 ? 17 : 0); ++i) {
      ids.push_back(i);
      values.push_back(static_cast<uint64_t>(record) << 33 | static_cast<uint64_t>(i));
    }
    const WrittenSet set{.pmid = 1, .instances = ids, .values = std::as_bytes(std::span(values))};
    writer.put({.sec = start + record}, {&set, 1});
  }
  EXPECT_TRUE(writer.close().has_value());
  return parts;
}

// Where the value at `offset` of a volume is whole: 8 bytes that may be anything.
bool is_value(Bytes volume, size_t offset) {
  size_t record = label_bytes(Version::v3);
  for (;;) {
    if (record + 4 > volume.size()) return false;
    const size_t length = load_be<uint32_t>(volume.data() + record);
    if (offset < record + length) {
      const size_t count = (length - kHeadBytes - 4) / (kPairBytes + kBlockBytes);
      const size_t blocks = record + kHeadBytes + count * kPairBytes;
      return offset >= blocks && offset + 8 <= record + length - 4 &&
             (offset - blocks) % kBlockBytes == 4;
    }
    record += length;
  }
}

// At every place where `records` times the length of a record ends after its begin. How many.
size_t deceive(std::vector<std::byte>& volume, size_t records) {
  size_t done = 0;
  size_t record = label_bytes(Version::v3);
  while (record + 4 <= volume.size()) {
    const auto length = load_be<uint32_t>(volume.data() + record);
    const size_t at = record + records * length - 4;
    if (is_value(volume, at)) {
      std::copy_n(volume.data() + record, 4, volume.data() + at);
      std::copy_n(volume.data() + record, 4, volume.data() + at + 4);
      ++done;
    }
    record += length;
  }
  return done;
}

// Of a piece that has so many records.
uint32_t bytes_of(int32_t base, size_t records) {
  const size_t length = kHeadBytes + 4 + static_cast<size_t>(base) * (kPairBytes + kBlockBytes);
  return static_cast<uint32_t>((records - 1) * length + 1);
}

std::string in_parallel(const Recording& source, Executor& executor, uint32_t piece_bytes) {
  return content(ParallelSource(source, executor), {}, {.piece_bytes = piece_bytes});
}

TEST(Guess, AValueThatLooksLikeTheEndOfARecord) {
  TbbExecutor executor(3);
  size_t deceived = 0;
  for (const bool volumes : {false, true}) {
    for (int32_t base = 100; base < kBasesEnd; ++base) {
      for (const size_t records : {2u, 3u, 5u, 14u}) {
        ArchiveParts parts = parts_of(1, base, volumes);
        for (auto& [part, bytes] : parts) {
          if (part.number >= 0) deceived += deceive(bytes, records);
        }
        const auto archive = open_parts(parts);
        ASSERT_TRUE(archive.has_value());
        const std::string expected = content(**archive);
        EXPECT_EQ(expected.find("error"), std::string::npos);
        EXPECT_EQ(in_parallel(**archive, executor, bytes_of(base, records)), expected);
      }
    }
  }
  EXPECT_GT(deceived, turns(100));
}

// The threads are in the next archive already.
TEST(Guess, AcrossArchives) {
  TbbExecutor executor(8);
  for (int32_t base = 100; base < kBasesEnd; ++base) {
    for (const size_t records : {2u, 3u, 5u, 14u}) {
      std::vector<std::unique_ptr<Archive>> members;
      for (const int64_t start : {1, 1'000, 2'000}) {
        ArchiveParts parts = parts_of(start, base, true);
        for (auto& [part, bytes] : parts) {
          if (part.number >= 0) deceive(bytes, records);
        }
        auto archive = open_parts(parts);
        ASSERT_TRUE(archive.has_value());
        members.push_back(*std::move(archive));
      }
      auto archives = Archives::of(std::move(members));
      ASSERT_TRUE(archives.has_value());
      const ArchivesSource source(*std::move(archives));
      EXPECT_EQ(in_parallel(source, executor, bytes_of(base, records)), content(source));
    }
  }
}

// Damage in the middle of what was guessed is told as if nothing had been.
TEST(Guess, DamageAmongRecordsThatAreNotLookedAt) {
  TbbExecutor executor(2);
  ArchiveParts parts = parts_of(1, 100, false);
  for (size_t at = label_bytes(Version::v3); at < parts[{0}].size(); at += 331 * kPlaceStep) {
    const std::byte was = parts[{0}][at];
    parts[{0}][at] ^= std::byte{0x55};
    if (const auto archive = open_parts(parts)) {
      EXPECT_EQ(in_parallel(**archive, executor, 9'000), content(**archive)) << at;
    }
    parts[{0}][at] = was;
  }
}

}  // namespace
}  // namespace pmjit::test
