// Damaged archives: which error, what is still delivered, and that nothing ever crashes.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/model/pm_codes.h"
#include "tests/unit/archive/support.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

struct BadCase {
  const char* name;
  int code;             // of opening; 0: it opens
  const char* ctr_u32;  // what syn.ctr.u32 still has
};

constexpr const char* kWhole = "10 21 43 17 17 100";

TEST(Damage, EveryClassOfTheSpecification) {
  for (const BadCase& bad :
       {BadCase{"bad-metatail", pm_err::E_LOGREC, ""}, BadCase{"bad-vol", pm_err::E_LABEL, ""},
        BadCase{"bad-version", pm_err::E_LABEL, ""}, BadCase{"bad-pid", pm_err::E_LABEL, ""},
        BadCase{"bad-rectype", pm_err::E_RECTYPE, ""},
        BadCase{"bad-feature", pm_err::E_FEATURE, ""}, BadCase{"bad-empty", pm_err::E_NODATA, ""},
        BadCase{"bad-noindex", 0, kWhole}, BadCase{"bad-index", 0, kWhole},
        BadCase{"bad-tail", 0, "10 21 43 17 17 error -12373"},
        BadCase{"bad-trailer", 0, "10 21 error -12373"}}) {
    const auto archive = Archive::open(golden(bad.name));
    if (bad.code != 0) {
      ASSERT_FALSE(archive.has_value()) << bad.name;
      EXPECT_EQ(archive.error().pm_code(), bad.code) << bad.name;
      EXPECT_NE(archive.error().place().find(bad.name), std::string::npos)
          << archive.error().text();
      EXPECT_FALSE(archive.error().help().empty());
      continue;
    }
    ASSERT_TRUE(archive.has_value()) << bad.name << archive.error().text();
    std::string values;
    const std::string text = content(**archive, {"syn.ctr.u32"});
    for (size_t at = 0, end; at < text.size(); at = end + 1) {
      end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      const bool is_error = line.starts_with("error");
      values += (values.empty() ? "" : " ") + (is_error ? line : line.substr(line.rfind(' ') + 1));
    }
    EXPECT_EQ(values, bad.ctr_u32) << bad.name;
  }
}

TEST(Damage, TheEndIsTheLastWholeRecord) {
  EXPECT_EQ((*Archive::open(golden("bad-tail")))->end(), (Stamp{1'700'000'040, 0}));
  EXPECT_EQ((*Archive::open(golden("bad-trailer")))->end(), (Stamp{1'700'000'050, 0}));
}

TEST(Damage, TheErrorIsRepeatedAndSaysWhere) {
  const auto archive = Archive::open(golden("bad-trailer"));
  ASSERT_TRUE(archive.has_value());
  Rosters rosters;
  const auto desc = (*archive)->catalog().describe("syn.ctr.u32");
  ASSERT_TRUE(desc.has_value());
  auto cursor = (*archive)->open({.metrics = {desc->pmid}}, rosters);
  Block block;
  ASSERT_TRUE((*cursor)->next(block).value_or(false));
  EXPECT_EQ(block.records.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    const auto more = (*cursor)->next(block);
    ASSERT_FALSE(more.has_value());
    EXPECT_NE(more.error().text().find("bad-trailer.0, offset "), std::string::npos);
  }
}

size_t lines(const std::string& text) {
  return static_cast<size_t>(std::ranges::count(text, '\n'));
}

// A prefix of a file is refused or has fewer records, and never more.
TEST(Damage, EveryPrefixOfEveryFile) {
  for (const char* name : {"insts4", "meta-v3"}) {
    const ArchiveParts whole = golden_parts(name);
    const std::string all = content(open_parts(whole));
    for (const auto& [part, bytes] : whole) {
      if (part.number == kIndexVolume) continue;
      for (size_t size = 0; size < bytes.size(); ++size) {
        ArchiveParts cut = whole;
        cut[part].resize(size);
        const std::string text = content(open_parts(cut));
        EXPECT_LE(lines(text), lines(all)) << name << " " << part.number << " " << size;
        if (part.number < 0) continue;
        const size_t error = text.find("error");
        EXPECT_TRUE(text.starts_with("refused") || all.starts_with(text.substr(0, error)));
      }
    }
  }
}

// Every byte of every file, every bit and all of them: an answer each time, of whatever kind.
TEST(Damage, EveryFlippedByte) {
  for (const char* name : {"insts4", "meta-v3", "wrap"}) {
    ArchiveParts parts = golden_parts(name);
    for (auto& [part, bytes] : parts) {
      for (size_t at = 0; at < bytes.size(); at += kPlaceStep) {
        std::byte& byte = bytes[at];
        const std::byte was = byte;
        for (const unsigned flip : {0xffu, 0x01u, 0x80u, 0x10u}) {
          byte = was ^ std::byte(static_cast<uint8_t>(flip));
          EXPECT_FALSE(content(open_parts(parts)).empty());
        }
        byte = was;
      }
    }
  }
}

TEST(Damage, ARecordCutAtEachBorderOfALongRecording) {
  const ArchiveParts whole = golden_parts("rec-v3");
  const Bytes volume = whole.at({0});
  const std::string all = content(open_parts(whole));
  for (size_t at = label_bytes(Version::v3); at < volume.size();) {
    for (const size_t size : {at, at + 1, at + 4, at + 16}) {
      ArchiveParts cut = whole;
      cut[{0}].resize(std::min(size, volume.size()));
      const std::string text = content(open_parts(cut));
      if (size == label_bytes(Version::v3)) {
        EXPECT_EQ(text, fmt::format("refused {}\n", pm_err::E_NODATA));
      } else {
        EXPECT_TRUE(all.starts_with(text.substr(0, text.find("error -12373"))));
        EXPECT_EQ(text.ends_with("error -12373\n"), size != at);
      }
    }
    at += load_be<uint32_t>(volume.data() + at);
  }
}

// Behind a sound record one that has the value of a 64-bit metric in place: there is no block to
// read.
TEST(Damage, AValueInPlaceThatNeedsABlock) {
  constexpr Desc kBytes{.pmid = 1, .pm_type = 3, .units = {}};
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = {.sec = 1}}, *output);
  writer.add_metric("m", kBytes);
  const int32_t one[] = {kSingular};
  const uint64_t values[] = {7};
  const WrittenSet set{.pmid = 1, .instances = one, .values = std::as_bytes(std::span(values))};
  writer.put({.sec = 1}, {&set, 1});
  ASSERT_TRUE(writer.close().has_value());
  const auto record = bytes_of_hex(
      "0000002c 0000000000000002 00000000 00000001 00000001 00000001 00000000"
      "ffffffff 00000007 0000002c");
  parts[{0}].insert(parts[{0}].end(), record.begin(), record.end());
  EXPECT_EQ(content(open_parts(parts)), fmt::format("+0.000 m 7\nerror {}\n", pm_err::E_LOGREC));
}

TEST(Damage, ALaterVolumeThatHasStartedIsNotEmpty) {
  for (size_t size = 1; size < 8; ++size) {
    ArchiveParts parts = golden_parts("vols-v3");
    parts[{1}].resize(size);
    EXPECT_TRUE(content(open_parts(parts)).ends_with(fmt::format("error {}\n", pm_err::E_LABEL)));
  }
}

// A mark stands for one that has lost all.
TEST(Damage, ALaterVolumeThatIsEmptyIsPassedOver) {
  for (const size_t size : {size_t{0}, label_bytes(Version::v3)}) {
    ArchiveParts parts = golden_parts("vols-v3");
    parts[{1}].resize(size);
    EXPECT_EQ(lines(content(open_parts(parts))), size == 0 ? 7u : 6u);
    parts[{2}].resize(size);
    const auto archive = open_parts(parts);
    EXPECT_EQ(lines(content(archive)), 3u);
    EXPECT_EQ((*archive)->end(), (Stamp{1'700'000'020, 0}));
  }
}

TEST(Damage, ALaterVolumeOfAnotherRecording) {
  ArchiveParts parts = golden_parts("vols-v3");
  parts[{1}][11] ^= std::byte{1};  // the pid of its label
  const auto archive = open_parts(parts);
  ASSERT_TRUE(archive.has_value());
  const std::string text = content(**archive);
  EXPECT_EQ(lines(text), 4u) << text;
  EXPECT_TRUE(text.ends_with(fmt::format("error {}\n", pm_err::E_LABEL))) << text;
}

}  // namespace
}  // namespace pmjit::test
