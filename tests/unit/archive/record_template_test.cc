// Records that are like one before are copied by a template. Nothing comes of that but time: blocks
// of one record, which are always walked, have the same, whatever byte of a record is another.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/archive/support.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

constexpr Stamp kAlikeStart{1'700'000'000, 0};
constexpr InDomId kAlikeDomain = 0x400001;

// Records of two shapes in turn, several of each in a row: numbers of all widths, texts, none, an
// error.
ArchiveParts alike_parts(int records, int in_a_row) {
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = kAlikeStart}, *output);
  const auto add = [&](PmId pmid, int type, InDomId indom) {
    writer.add_metric(fmt::format("m{}", pmid), {.pmid = pmid, .pm_type = type, .indom = indom});
  };
  add(1, pm_type::u64, kAlikeDomain);
  add(2, pm_type::u32, kAlikeDomain);
  add(3, pm_type::f32, kNullId);
  add(4, pm_type::string, kAlikeDomain);
  add(5, pm_type::f64, kNullId);
  add(6, pm_type::i32, kNullId);
  writer.set_instances(kAlikeDomain, {{1, "a"}, {2, "b"}, {3, "c"}}, kAlikeStart);
  std::mt19937_64 random(1);
  for (int k = 0; k < records; ++k) {
    const std::vector<int32_t> all{1, 2, 3}, one{kSingular};
    const std::vector<uint64_t> wide{random(), random(), random()};
    const std::vector<uint32_t> narrow{1u, static_cast<uint32_t>(random()), 3u};
    const std::vector<std::string> texts{"one", random() % 2 == 0 ? "two" : "six", "ten"};
    const auto bytes = [](const auto& values) { return std::as_bytes(std::span(values)); };
    std::vector<WrittenSet> sets{{.pmid = 1, .instances = all, .values = bytes(wide)},
                                 {.pmid = 3, .instances = one, .values = bytes(narrow).first(4)},
                                 {.pmid = 2, .instances = all, .values = bytes(narrow)}};
    if (k / in_a_row % 2 == 0) {
      sets.push_back({.pmid = 4, .instances = all, .texts = texts});
      sets.push_back({.pmid = 5, .instances = one, .values = bytes(wide).first(8)});
    } else {
      sets.push_back({.pmid = 5, .status = -12345});
      sets.push_back({.pmid = 6, .instances = one, .values = bytes(narrow).first(4)});
    }
    writer.put({kAlikeStart.sec + k, 0}, sets);
  }
  EXPECT_TRUE(writer.close().has_value());
  return parts;
}

TEST(RecordTemplate, HasWhatAWalkHas) {
  for (const int in_a_row : {1, 2, 9, 200}) {
    const auto archive = open_parts(alike_parts(200, in_a_row));
    ASSERT_TRUE(archive.has_value());
    const auto is_read = [&](const std::vector<std::string>& metrics) {
      const std::string walked = content(**archive, metrics, {.rows_max = 1});
      for (const uint32_t rows : {0u, 2u, 7u, 64u}) {
        EXPECT_EQ(content(**archive, metrics, {.rows_max = rows}), walked)
            << in_a_row << " in a row, " << rows << " a block";
      }
    };
    is_read({});
    is_read({"m4"});
    is_read({"m6", "m1"});
  }
}

TEST(RecordTemplate, DamageIsWhatItWas) {
  const ArchiveParts sound = alike_parts(14, 5);
  const size_t bytes = sound.at({0}).size();
  for (size_t at = bytes / 2; at < bytes; at += kPlaceStep) {
    for (const auto flip : {std::byte{1}, std::byte{0x80}}) {
      ArchiveParts parts = sound;
      parts.at({0})[at] ^= flip;
      const auto archive = open_parts(parts);
      if (!archive) continue;
      ASSERT_EQ(content(**archive), content(**archive, {}, {.rows_max = 1})) << at;
    }
  }
}

}  // namespace
}  // namespace pmjit::test
