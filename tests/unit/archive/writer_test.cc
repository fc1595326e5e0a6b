// What the writer puts on disk, byte for byte, and that the reader has it back.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/unit/archive/support.h"

namespace pmjit::test {
namespace {

constexpr Desc kReads{.pmid = 0x0f000401,
                      .pm_type = 1,
                      .indom = 0x0f000001,
                      .semantics = Semantics::counter,
                      .units = {.dim_count = 1}};
constexpr Desc kBytes{.pmid = 0x0f000402,
                      .pm_type = 3,
                      .indom = 0x0f000001,
                      .semantics = Semantics::counter,
                      .units = {.dim_space = 1}};
constexpr Desc kName{.pmid = 0x0f000403,
                     .pm_type = 6,
                     .indom = kNullId,
                     .semantics = Semantics::discrete,
                     .units = {}};

template <class T, size_t N>
Bytes raw(const T (&values)[N]) {
  return std::as_bytes(std::span(values));
}

ArchiveParts small_archive(Version version) {
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.version = version, .start = {1'700'000'000, 123'456'789}, .host = "h"},
                       *output);
  writer.add_metric("d.r", kReads);
  writer.add_metric("d.b", kBytes);
  writer.add_metric("d.n", kName);
  writer.set_instances(kReads.indom, {{2, "b"}, {1, "a"}}, {1'700'000'000, 123'456'789});
  const int32_t ids[] = {1, 2}, one[] = {kSingular};
  const uint32_t reads[] = {5, 6};
  const uint64_t bytes[] = {7, 8};
  const std::string names[] = {"xyz"};
  const WrittenSet sets[] = {{.pmid = kReads.pmid, .instances = ids, .values = raw(reads)},
                             {.pmid = kBytes.pmid, .instances = ids, .values = raw(bytes)},
                             {.pmid = kName.pmid, .instances = one, .texts = names}};
  writer.put({1'700'000'000, 123'456'789}, sets);
  const WrittenSet lost[] = {{.pmid = kReads.pmid}, {.pmid = kBytes.pmid, .status = -12350}};
  writer.put({1'700'000'001, 0}, lost);
  writer.mark({1'700'000'001, 1'000'000});
  writer.put({1'700'000'002, 0}, {sets, 1});
  EXPECT_TRUE(writer.close().has_value());
  return parts;
}

TEST(Writer, DataRecordsOfVersionTwo) {
  const auto parts = small_archive(Version::v2);
  EXPECT_EQ(
      hex_of(Bytes(parts.at({0})).subspan(132, 128)),
      hex_of(bytes_of_hex("00000080 6553f100 0001e240 00000003"
                          "0f000401 00000002 00000000 00000001 00000005 00000002 00000006"
                          "0f000402 00000002 00000001 00000001 00000019 00000002 0000001c"
                          "0f000403 00000001 00000001 ffffffff 0000001f"
                          "0300000c 00000000 00000007 0300000c 00000000 00000008 06000008 78797a00"
                          "00000080")));
}

TEST(Writer, StampsOfVersionThreeHaveTheLowWordFirst) {
  const auto parts = small_archive(Version::v3);
  EXPECT_EQ(hex_of(Bytes(parts.at({0})).subspan(808, 20)),
            hex_of(bytes_of_hex("00000084 6553f100 00000000 075bcd15 00000003")));
  EXPECT_EQ(hex_of(Bytes(parts.at({kIndexVolume})).subspan(808, 32)),
            hex_of(bytes_of_hex("6553f100 00000000 075bcd15 00000000"
                                "00000000 00000328 00000000 00000328")));
}

TEST(Writer, MetadataOfVersionTwo) {
  const auto parts = small_archive(Version::v2);
  const Bytes meta = Bytes(parts.at({kMetaVolume})).subspan(132);
  EXPECT_EQ(
      hex_of(meta.first(43)),
      hex_of(bytes_of_hex(
          "0000002b 00000001 0f000401 00000001 0f000001 00000001 00100000 00000001 00000003 642e72"
          "0000002b")));
  EXPECT_EQ(hex_of(meta.subspan(3 * 43)),
            hex_of(bytes_of_hex("00000030 00000002 6553f100 0001e240 0f000001 00000002 00000001 "
                                "00000002 00000000 00000002"
                                "61006200 00000030")));
}

TEST(Writer, SetsThatDifferByAFewAreDeltasInVersionThree) {
  using Set = std::vector<Catalog::Instance>;
  const std::vector<Set> sets = {
      {{1, "a"}, {2, "b"}, {3, "c"}},  // full: the first
      {{1, "a"}, {3, "c"}, {4, "d"}},  // a delta of two
      {{1, "a"}, {3, "c"}, {4, "d"}},  // not written
      {{1, "a"}, {3, "x"}, {4, "d"}},  // full: a delta has no word for a new name
      {{5, "e"}, {6, "f"}},            // full: it is shorter
  };
  for (const Version version : {Version::v2, Version::v3}) {
    ArchiveParts parts;
    const auto output = memory_output(parts);
    ArchiveWriter writer({.version = version, .start = {.sec = 1}}, *output);
    writer.add_metric("d.r", kReads);
    std::vector<size_t> bytes;
    for (size_t i = 0; i < sets.size(); ++i) {
      const size_t before = parts.at({kMetaVolume}).size();
      writer.set_instances(kReads.indom, sets[i], {.sec = static_cast<int64_t>(i + 1)});
      bytes.push_back(parts.at({kMetaVolume}).size() - before);
      const WrittenSet none{.pmid = kReads.pmid};
      writer.put({.sec = static_cast<int64_t>(i + 1)}, {&none, 1});
    }
    ASSERT_TRUE(writer.close().has_value());
    const size_t head = version == Version::v2 ? 28 : 32;
    EXPECT_EQ(bytes[0], head + 30);
    EXPECT_EQ(bytes[1], version == Version::v2 ? head + 30 : head + 18);
    EXPECT_EQ(bytes[2], 0u);
    EXPECT_EQ(bytes[3], head + 30);
    EXPECT_EQ(bytes[4], head + 20);
    const auto archive = open_parts(parts);
    ASSERT_TRUE(archive.has_value());
    for (size_t i = 0; i < sets.size(); ++i) {
      for (const auto& [id, name] : sets[i]) {
        EXPECT_EQ((*archive)->catalog().instance_name(kReads.indom, id,
                                                      {.sec = static_cast<int64_t>(i + 1)}),
                  name);
      }
    }
  }
}

TEST(Writer, LabelsNameTheirFile) {
  const auto parts = small_archive(Version::v3);
  for (const auto& [part, bytes] : parts) {
    const auto label = read_label(bytes, part.number);
    ASSERT_TRUE(label.has_value()) << part.number;
    EXPECT_EQ(label->host, "h");
    EXPECT_EQ(label->start, (Stamp{1'700'000'000, 123'456'789}));
  }
}

TEST(Writer, TheReaderHasItBack) {
  for (const Version version : {Version::v2, Version::v3}) {
    EXPECT_EQ(content(open_parts(small_archive(version))),
              "+0.000 d.b [1]=7 [2]=8\n+0.000 d.n 'xyz'\n+0.000 d.r [1]=5 [2]=6\n"
              "+0.877 d.b error -12350\n+0.877 d.r none\n+0.878 mark\n+1.877 d.r [1]=5 [2]=6\n");
  }
}

template <class T>
std::string round_trip(int pm_type, std::vector<T> values, Version version) {
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.version = version, .start = {.sec = 1}}, *output);
  writer.add_metric("m", {.pmid = 1, .pm_type = pm_type, .indom = 1, .units = {}});
  std::vector<int32_t> ids;
  std::vector<std::string> texts;
  for (size_t i = 0; i < values.size(); ++i) ids.push_back(static_cast<int32_t>(i));
  WrittenSet set{.pmid = 1, .instances = ids};
  if constexpr (std::is_same_v<T, std::string>)
    set.texts = values;
  else
    set.values = std::as_bytes(std::span(values));
  writer.put({.sec = 1}, {&set, 1});
  EXPECT_TRUE(writer.close().has_value());
  return content(open_parts(parts));
}

TEST(Writer, TheExtremesOfEveryType) {
  for (const Version v : {Version::v2, Version::v3}) {
    EXPECT_EQ(round_trip<int32_t>(0, {INT32_MIN, -1, INT32_MAX}, v),
              "+0.000 m [0]=-2147483648 [1]=-1 [2]=2147483647\n");
    EXPECT_EQ(round_trip<uint32_t>(1, {0, UINT32_MAX}, v), "+0.000 m [0]=0 [1]=4294967295\n");
    EXPECT_EQ(round_trip<int64_t>(2, {INT64_MIN, INT64_MAX}, v),
              "+0.000 m [0]=-9223372036854775808 [1]=9223372036854775807\n");
    EXPECT_EQ(round_trip<uint64_t>(3, {1, UINT64_MAX}, v),
              "+0.000 m [0]=1 [1]=18446744073709551615\n");
    EXPECT_EQ(round_trip<float>(4, {-1.5f, 3e38f}, v), "+0.000 m [0]=-1.5 [1]=3e+38\n");
    EXPECT_EQ(round_trip<double>(5, {-0.0, 1e308}, v), "+0.000 m [0]=-0 [1]=1e+308\n");
    EXPECT_EQ(round_trip<std::string>(6, {"", "a", "abcd", "abcde"}, v),
              "+0.000 m [0]='' [1]='a' [2]='abcd' [3]='abcde'\n");
    EXPECT_EQ(round_trip<std::string>(7, {"", "abc"}, v), "+0.000 m [0]='' [1]='abc'\n");
  }
}

TEST(Writer, VolumesAndRefusalToOverwrite) {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("pmjit-{}", getpid());
  std::filesystem::create_directory(folder);
  const std::string base = (folder / "a").string();
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto output = file_output(base);
    ArchiveWriter writer({.start = {.sec = 10}}, *output);
    writer.add_metric("m", {.pmid = 1, .pm_type = 1, .units = {}});
    for (uint32_t i = 0; i < 3; ++i) {
      if (i != 0) writer.new_volume();
      const int32_t one[] = {kSingular};
      const uint32_t value[] = {i};
      const WrittenSet set{.pmid = 1, .instances = one, .values = raw(value)};
      writer.put({.sec = 10 + i}, {&set, 1});
    }
    EXPECT_EQ(writer.close().has_value(), attempt == 0);
  }
  EXPECT_EQ(content(Archive::open(base)), "+0.000 m 0\n+1.000 m 1\n+2.000 m 2\n");
  std::filesystem::remove(base + ".1");
  EXPECT_EQ(content(Archive::open(base + ".meta")), "+0.000 m 0\n+2.000 mark\n+2.000 m 2\n");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace pmjit::test
