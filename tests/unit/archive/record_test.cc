// Records of a data volume, byte by byte: what is sound, and every way in which one is not.
#include "runtime/archive/reader/record.h"

#include <gtest/gtest.h>

#include "runtime/archive/writer/encode.h"
#include "tests/unit/archive/support.h"

namespace pmjit::test {
namespace {

constexpr PmId kU64 = 0x0f000001, kFloat = 0x0f000002, kU32 = 0x0f000003, kText = 0x0f000004;

// A V2 archive of metrics of four types whose volume has the one record of `words`, framed.
ArchiveParts with_record(const std::vector<uint32_t>& words) {
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.version = Version::v2, .start = {.sec = 1000}}, *output);
  const auto add = [&](const char* name, PmId pmid, int type) {
    writer.add_metric(name, {.pmid = pmid,
                             .pm_type = type,
                             .indom = 0x0f000001,
                             .semantics = Semantics::instant,
                             .units = {}});
  };
  add("m.u64", kU64, 3);
  add("m.float", kFloat, 4);
  add("m.u32", kU32, 1);
  add("m.text", kText, 6);
  EXPECT_TRUE(writer.close().has_value());
  parts.erase({kIndexVolume});  // it has no entry
  ByteWriter record;
  const auto length = static_cast<uint32_t>(words.size() * 4 + 16);
  record.u32(length);
  put_stamp(record, {.sec = 1001}, Version::v2);
  for (const uint32_t word : words) record.u32(word);
  record.u32(length);
  const auto bytes = record.take();
  parts[{0}].insert(parts[{0}].end(), bytes.begin(), bytes.end());
  return parts;
}

std::string read(const std::vector<uint32_t>& words) {
  return content(open_parts(with_record(words)));
}

const std::string kRefused = "error -12373\n";
constexpr uint32_t kBlockU64 = 0x0300000c;

// One u64 metric, two instances. Sets end at byte 44, so block indices are (44 + 8) / 4 = 13 and
// 16.
std::vector<uint32_t> two_values() {
  return {1, kU64, 2, 1, 10, 13, 20, 16, kBlockU64, 0, 7, kBlockU64, 1, 8};
}

TEST(Record, BlocksInOrder) {
  EXPECT_EQ(read(two_values()), "+1.000 m.u64 [10]=7 [20]=4294967304\n");
}

TEST(Record, BlocksInAnyOrderAreFoundByTheirIndices) {
  auto words = two_values();
  std::swap(words[5], words[7]);
  EXPECT_EQ(read(words), "+1.000 m.u64 [10]=4294967304 [20]=7\n");
}

TEST(Record, SharedBlocksAreDamage) {
  auto words = two_values();
  words[7] = words[5];
  EXPECT_EQ(read(words), kRefused);
}

TEST(Record, GapsBeforeBetweenAndBehindBlocksAreDamage) {
  EXPECT_EQ(read({1, kU64, 1, 1, 10, 12, 0, kBlockU64, 0, 7}), kRefused);
  EXPECT_EQ(read({1, kU64, 2, 1, 10, 13, 20, 17, kBlockU64, 0, 7, 0, kBlockU64, 1, 8}), kRefused);
  EXPECT_EQ(read({1, kU64, 1, 1, 10, 11, kBlockU64, 0, 7, 0}), kRefused);
}

TEST(Record, BlockIndicesOutsideAreDamage) {
  for (const uint32_t index : {0u, 1u, 2u, 12u, 14u, 19u, 0x3fffffffu, 0xffffffffu}) {
    auto words = two_values();
    words[5] = index;
    EXPECT_EQ(read(words), kRefused) << index;
  }
}

TEST(Record, BlockLengthsThatCannotBeAreDamage) {
  for (const uint32_t length : {0u, 3u, 4u, 8u, 13u, 16u, 0xffffffu}) {
    auto words = two_values();
    words[8] = 0x03000000 | length;
    EXPECT_EQ(read(words), kRefused) << length;
  }
}

TEST(Record, ABlockOfAnotherTypeIsDamage) {
  auto words = two_values();
  words[8] = words[11] = 0x0600000c;
  EXPECT_EQ(read(words), kRefused);
  words[8] = words[11] = 0x0200000c;  // 64 and U64 are one width
  EXPECT_EQ(read(words), "+1.000 m.u64 [10]=7 [20]=4294967304\n");
}

// Writers before 1997; the reference takes such values as they lie in memory.
TEST(Record, UntypedBlocksAreLittleEndian) {
  EXPECT_EQ(read({1, kU64, 1, 1, 10, 11, 0x0000000c, 0x07000000, 0}), "+1.000 m.u64 [10]=7\n");
  EXPECT_EQ(read({1, kU64, 2, 1, 10, 13, 20, 16, 0x0000000c, 0x07000000, 0, kBlockU64, 0, 7}),
            "+1.000 m.u64 [10]=7 [20]=7\n");
}

TEST(Record, FloatsInPlaceAndInBlocks) {
  EXPECT_EQ(read({1, kFloat, 1, 0, 10, 0x3fc00000}), "+1.000 m.float [10]=1.5\n");
  EXPECT_EQ(read({1, kFloat, 1, 1, 10, 11, 0x04000008, 0x3fc00000}), "+1.000 m.float [10]=1.5\n");
  EXPECT_EQ(read({1, kFloat, 1, 2, 10, 11, 0x04000008, 0x3fc00000}), "+1.000 m.float [10]=1.5\n");
}

TEST(Record, AFormatThatContradictsTheTypeIsDamage) {
  EXPECT_EQ(read({1, kU64, 1, 0, 10, 7}), kRefused);
  EXPECT_EQ(read({1, kText, 1, 0, 10, 7}), kRefused);
  EXPECT_EQ(read({1, kU32, 1, 1, 10, 11, 0x01000008, 7}), kRefused);
  EXPECT_EQ(read({1, kU32, 1, 3, 10, 7}), kRefused);
}

TEST(Record, ARepeatedMetricCountsOnce) {
  EXPECT_EQ(read({2, kU32, 1, 0, 10, 7, kU32, 1, 0, 10, 8}), "+1.000 m.u32 [10]=7\n");
}

TEST(Record, RostersAreDeliveredAsTheyAre) {
  EXPECT_EQ(read({1, kU32, 3, 0, 30, 1, 10, 2, 30, 3}), "+1.000 m.u32 [30]=1 [10]=2 [30]=3\n");
}

TEST(Record, NoValuesAndErrorCodes) {
  EXPECT_EQ(read({2, kU32, 0, kU64, static_cast<uint32_t>(-12350)}),
            "+1.000 m.u32 none\n+1.000 m.u64 error -12350\n");
}

TEST(Record, CountsThatCannotBeAreDamage) {
  EXPECT_EQ(read({2, kU32, 1, 0, 10, 7}), kRefused);  // one set too few
  EXPECT_EQ(read({0xffffffff, kU32, 1, 0, 10, 7}), kRefused);
  EXPECT_EQ(read({1, kU32, 2, 0, 10, 7}), kRefused);  // one value too few
  EXPECT_EQ(read({1, kU32, 0x7fffffff, 0, 10, 7}), kRefused);
  EXPECT_EQ(read({1, kU32, 1, 0, 10, 7, 99}), kRefused);  // bytes that belong to nothing
  EXPECT_EQ(read({0, 1}), kRefused);                      // a mark with a tail
}

TEST(Record, AMetricNobodyAskedForIsWalkedOver) {
  const auto archive = open_parts(
      with_record({2, 0x12345678, 1, 1, 1, 16, kU32, 1, 0, 10, 7, 0x06000006, 0x61620000}));
  ASSERT_TRUE(archive.has_value());
  EXPECT_EQ(content(**archive), "+1.000 m.u32 [10]=7\n");
  EXPECT_EQ(content(**archive, {"m.u64"}), "");
}

TEST(Record, TextsEndAtTheirNul) {
  EXPECT_EQ(read({1, kText, 2, 1, 10, 13, 20, 15, 0x06000007, 0x6162007e, 0x06000005, 0x007e7e7e}),
            "+1.000 m.text [10]='ab' [20]=''\n");
}

}  // namespace
}  // namespace pmjit::test
