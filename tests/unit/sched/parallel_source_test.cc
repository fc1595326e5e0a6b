// Several threads give what one gives: records, rosters, values, marks and errors, in order.
#include "runtime/sched/parallel_source.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/archive/support.h"
#include "tests/unit/sched/executors.h"
#include "tests/unit/turns.h"

namespace pmjit::test {
namespace {

std::set<std::string> golden_archives() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(golden(""))) {
    if (entry.path().extension() == ".meta") names.insert(entry.path().stem());
  }
  return names;
}

std::string in_parallel(const Recording& source, unsigned threads, const FetchPlan& plan = {}) {
  TbbExecutor executor(threads);
  return content(ParallelSource(source, executor), {}, plan);
}

TEST(ParallelSource, GivesWhatTheSourceGives) {
  size_t compared = 0;
  for (const std::string& name : golden_archives()) {
    const auto archive = Archive::open(golden(name));
    if (!archive) continue;
    const std::string expected = content(**archive);
    for (const unsigned threads : {1u, 2u, 3u}) {
      for (const uint32_t piece_bytes : {0u, 1u, 333u, 5'000u}) {
        EXPECT_EQ(in_parallel(**archive, threads, {.piece_bytes = piece_bytes}), expected) << name;
        ++compared;
      }
    }
    EXPECT_EQ(in_parallel(**archive, 2, {.rows_max = 1, .piece_bytes = 700}), expected) << name;
  }
  EXPECT_GT(compared, 200u);
}

TEST(ParallelSource, GivesTheSameOnEveryExecutor) {
  const auto archive = Archive::open(golden("rec-v2"));
  ASSERT_TRUE(archive.has_value());
  const std::string expected = content(**archive);
  for_each_executor([&](Executor& executor) {
    for (const uint32_t bytes : {1u, 700u, 5'000u}) {
      EXPECT_EQ(content(ParallelSource(**archive, executor), {}, {.piece_bytes = bytes}), expected);
    }
  });
}

TEST(ParallelSource, EverySizeOfAPiece) {
  const auto archive = Archive::open(golden("vols-v3"));
  ASSERT_TRUE(archive.has_value());
  const std::string expected = content(**archive);
  TbbExecutor executor(2);
  for (uint32_t bytes = 1; bytes < 600; ++bytes) {
    EXPECT_EQ(content(**archive, {}, {.piece_bytes = bytes}), expected) << bytes;
    EXPECT_EQ(content(ParallelSource(**archive, executor), {}, {.piece_bytes = bytes}), expected)
        << bytes;
  }
}

TEST(ParallelSource, SeveralArchivesAndWindows) {
  auto archives = Archives::open(golden("multi"));
  ASSERT_TRUE(archives.has_value()) << archives.error().text();
  const ArchivesSource source(*std::move(archives));
  const int64_t first = source.start().sec, last = source.end().sec;
  ASSERT_GT(last, first);
  for (int64_t from = first - 1; from <= last; from += (last - first) / 7 + 1) {
    for (int64_t to = from; to <= last + 1; to += (last - first) / 7 + 1) {
      FetchPlan plan{.from = {.sec = from}, .to = {.sec = to}};
      const std::string expected = content(source, {}, plan);
      plan.piece_bytes = 200;
      EXPECT_EQ(in_parallel(source, 2, plan), expected) << from << " " << to;
    }
  }
}

// A record beyond the window ends its archive, not those behind it: stamps may be damaged.
TEST(ParallelSource, ARecordBeyondTheWindowEndsItsArchiveAlone) {
  const auto archive_of = [](const std::vector<int64_t>& seconds) {
    ArchiveParts parts;
    const auto output = memory_output(parts);
    ArchiveWriter writer({.start = {.sec = seconds.front()}}, *output);
    writer.add_metric("m", {.pmid = 1, .pm_type = 1, .units = {}});
    for (const int64_t second : seconds) {
      const int32_t one[] = {kSingular};
      const uint32_t values[] = {static_cast<uint32_t>(second)};
      const WrittenSet set{.pmid = 1, .instances = one, .values = std::as_bytes(std::span(values))};
      writer.put({.sec = second}, {&set, 1});
    }
    EXPECT_TRUE(writer.close().has_value());
    return *open_parts(parts);
  };
  std::vector<std::unique_ptr<Archive>> members;
  members.push_back(archive_of({100, 110, 120, 190, 200}));
  members.push_back(archive_of({210, 220, 500}));
  members.push_back(archive_of({600}));
  auto archives = Archives::of(std::move(members));
  ASSERT_TRUE(archives.has_value());
  const ArchivesSource source(*std::move(archives));
  for (const int64_t to : {115, 195, 205, 215, 230, 600}) {
    for (const uint32_t piece_bytes : {0u, 1u}) {
      const FetchPlan plan{.to = {.sec = to}, .piece_bytes = piece_bytes};
      const std::string expected = content(source, {}, plan);
      EXPECT_EQ(expected.find("+110") != std::string::npos, to >= 210) << expected;
      EXPECT_EQ(in_parallel(source, 3, plan), expected) << to;
    }
  }

  members.clear();
  members.push_back(archive_of({100, 110, 190}));
  members.push_back(archive_of({150, 160}));
  archives = Archives::of(std::move(members));
  ASSERT_TRUE(archives.has_value());
  const ArchivesSource overlapping(*std::move(archives));
  const std::string refused = content(overlapping, {}, {.to = {.sec = 175}, .piece_bytes = 1});
  EXPECT_TRUE(refused.ends_with(fmt::format("error {}\n", pm_err::E_LOGOVERLAP))) << refused;
  EXPECT_EQ(in_parallel(overlapping, 2, {.to = {.sec = 175}, .piece_bytes = 1}), refused);
}

TEST(ParallelSource, DamageIsToldWhereItIs) {
  for (const char* name : {"insts4", "vols-v3"}) {
    ArchiveParts parts = golden_parts(name);
    for (auto& [part, bytes] : parts) {
      if (part.number < 0) continue;
      for (size_t at = 0; at < bytes.size(); at += 3 * kPlaceStep) {
        const std::byte was = bytes[at];
        bytes[at] ^= std::byte{0x11};
        if (const auto archive = open_parts(parts)) {
          EXPECT_EQ(in_parallel(**archive, 2, {.piece_bytes = 100}), content(**archive)) << at;
        }
        bytes[at] = was;
      }
    }
  }
}

// Records of 20 KB, which threads find by their lengths and read for themselves.
std::vector<std::byte> volume_of_large_records(ArchiveParts& parts) {
  constexpr Desc kDesc{.pmid = 1, .pm_type = 3, .indom = 9, .units = {}};
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = {.sec = 1}}, *output);
  writer.add_metric("m", kDesc);
  std::vector<int32_t> ids;
  std::vector<uint64_t> values;
  for (int32_t i = 0; i < 1'000; ++i) ids.push_back(i * 3);
  for (int64_t record = 1; record <= 200; ++record) {
    values.assign(ids.size(), static_cast<uint64_t>(record) << 33);
    const WrittenSet set{.pmid = 1, .instances = ids, .values = std::as_bytes(std::span(values))};
    writer.put({.sec = record}, {&set, 1});
  }
  EXPECT_TRUE(writer.close().has_value());
  return parts[{0}];
}

TEST(ParallelSource, LargeRecords) {
  ArchiveParts parts;
  const std::vector<std::byte> whole = volume_of_large_records(parts);
  for (const size_t bytes : {whole.size(), whole.size() - 4, whole.size() / 2, size_t{150'000}}) {
    parts[{0}].resize(bytes);
    const auto archive = open_parts(parts);
    ASSERT_TRUE(archive.has_value());
    const std::string expected = content(**archive);
    for (const uint32_t piece_bytes : {0u, 1u, 30'000u, 5'000'000u}) {
      EXPECT_EQ(in_parallel(**archive, 2, {.piece_bytes = piece_bytes}), expected) << bytes;
    }
  }
}

// Once it is armed it ends, or cannot be read, at some place; reads of a few bytes, as those that
// find records, do not notice.
class FailingFile final : public File {
 public:
  FailingFile(std::vector<std::byte> bytes, uint64_t good, bool cut)
      : bytes_(memory_file(std::move(bytes))), good_(good), cut_(cut) {}
  void arm() { armed_ = true; }
  uint64_t size() const override { return met_ && cut_ ? good_ : bytes_->size(); }
  Result<size_t> read(uint64_t offset, std::span<std::byte> out) const override {
    if (armed_ && out.size() > 8 && offset + out.size() > good_) {
      met_ = true;
      if (!cut_) return fail(Error(Fault::io, "cannot be read"));
      out = out.first(static_cast<size_t>(good_ - std::min(good_, offset)));
    }
    return bytes_->read(offset, out);
  }

 private:
  std::unique_ptr<File> bytes_;
  uint64_t good_;
  bool cut_, armed_ = false;
  mutable std::atomic<bool> met_ = false;
};

TEST(ParallelSource, WhatIsFoundMayNotBeThereAnyMore) {
  ArchiveParts parts;
  const std::vector<std::byte> whole = volume_of_large_records(parts);
  for (const uint64_t good : {400'000u, 1'000'000u, 2'000'001u}) {
    for (const bool cut : {false, true}) {
      const auto read = [&](const auto& reader) {
        auto file = std::make_shared<FailingFile>(whole, good, cut);
        ArchiveFiles files{.name = "test", .meta = memory_file(parts[{kMetaVolume}])};
        files.volumes.push_back(
            {.path = "test.0", .bytes = whole.size(), .file = file, .store = nullptr});
        const auto archive = Archive::open(std::move(files));
        file->arm();
        return reader(**archive);
      };
      const std::string expected = read([](const Recording& archive) { return content(archive); });
      EXPECT_NE(expected.find("error"), std::string::npos);
      EXPECT_NE(expected.find("+5.000"), std::string::npos) << good << cut;
      EXPECT_EQ(read([](const Recording& archive) { return in_parallel(archive, 2); }), expected)
          << good << cut;
    }
  }
}

TEST(ParallelSource, TheErrorIsRepeated) {
  const auto archive = Archive::open(golden("bad-trailer"));
  ASSERT_TRUE(archive.has_value());
  const auto desc = (*archive)->catalog().describe("syn.ctr.u32");
  ASSERT_TRUE(desc.has_value());
  const FetchPlan plan{.metrics = {desc->pmid}, .piece_bytes = 50};
  TbbExecutor executor(2);
  Rosters rosters;
  auto cursor = ParallelSource(**archive, executor).open(plan, rosters);
  ASSERT_TRUE(cursor.has_value());
  Block block;
  size_t records = 0;
  while ((*cursor)->next(block).value_or(false)) records += block.records.size();
  EXPECT_EQ(records, 2u);
  for (int i = 0; i < 2; ++i) {
    const auto more = (*cursor)->next(block);
    ASSERT_FALSE(more.has_value());
    EXPECT_NE(more.error().text().find("bad-trailer.0, offset "), std::string::npos);
  }
  EXPECT_EQ((*cursor)->done(), 1);
}

// It is read before anybody knows that it is not wanted.
TEST(ParallelSource, DamageBehindTheWindowIsNotTold) {
  ArchiveParts parts = golden_parts("vols-v3");
  parts[{1}][40] ^= std::byte{1};  // its label's start
  parts[{1}][8] ^= std::byte{1};   // and process
  const auto archive = open_parts(parts);
  ASSERT_TRUE(archive.has_value());
  const std::string all = in_parallel(**archive, 2, {.piece_bytes = 1});
  EXPECT_TRUE(all.find("error") != std::string::npos) << all;
  const FetchPlan first{.to = (*archive)->start(), .piece_bytes = 1};
  const std::string expected = content(**archive, {}, first);
  EXPECT_EQ(expected.find("error"), std::string::npos) << expected;
  EXPECT_EQ(in_parallel(**archive, 2, first), expected);
}

TEST(ParallelSource, MayBeLeftInTheMiddle) {
  const auto archive = Archive::open(golden("rec-v2"));
  ASSERT_TRUE(archive.has_value());
  TbbExecutor executor(2);
  const ParallelSource source(**archive, executor);
  FetchPlan plan{.piece_bytes = 1};
  for (const auto& [pmid, desc] : (*archive)->metadata().descs) {
    if (elem_from_pm(desc.pm_type)) plan.metrics.push_back(pmid);
  }
  for (int i = 0; i < 8; ++i) {
    Rosters rosters;
    auto cursor = source.open(plan, rosters);
    ASSERT_TRUE(cursor.has_value());
    Block block;
    for (int k = 0; k < i; ++k) EXPECT_TRUE((*cursor)->next(block).value_or(false));
  }
}

// More instance lists than a slot keeps.
TEST(ParallelSource, InstancesThatChangeAllTheTime) {
  constexpr Desc kDesc{.pmid = 1, .pm_type = 1, .indom = 9, .units = {}};
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = {.sec = 1}}, *output);
  writer.add_metric("m", kDesc);
  for (int32_t i = 1; i < 9'000; ++i) {
    writer.set_instances(kDesc.indom, {{i, "a"}, {i + 1, "b"}}, {.sec = i});
    const int32_t ids[] = {i, i + 1};
    const uint32_t values[] = {7, static_cast<uint32_t>(i)};
    const WrittenSet set{.pmid = 1, .instances = ids, .values = std::as_bytes(std::span(values))};
    writer.put({.sec = i}, {&set, 1});
  }
  ASSERT_TRUE(writer.close().has_value());
  const auto archive = open_parts(parts);
  ASSERT_TRUE(archive.has_value());
  EXPECT_EQ(in_parallel(**archive, 2, {.piece_bytes = 4'000}), content(**archive));
}

}  // namespace
}  // namespace pmjit::test
