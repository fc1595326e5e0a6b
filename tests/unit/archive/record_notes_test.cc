// Readers that share notes give what one without them gives, of the metrics that were noted.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/archive/recording/records.h"
#include "runtime/model/fetched_values.h"
#include "tests/unit/archive/support.h"

namespace pmjit::test {
namespace {

std::unique_ptr<Archives> archives_of(ArchiveParts parts) {
  std::vector<std::unique_ptr<Archive>> members;
  auto archive = open_parts(parts);
  if (!archive) return nullptr;
  members.push_back(*std::move(archive));
  auto archives = Archives::of(std::move(members));
  return archives ? *std::move(archives) : nullptr;
}

// A record, its sets of `metrics` and their bytes.
std::string text_of_record(const RecordReader& reader, const std::vector<PmId>& metrics) {
  const ReplayRecord& record = reader.record();
  std::string out = fmt::format("{}.{} {}", record.stamp.sec, record.stamp.nsec, record.mark);
  for (const ValueSet& set : reader.layout().sets) {
    if (std::ranges::find(metrics, set.pmid) == metrics.end()) continue;
    out += fmt::format(" {}:{}", set.pmid, set.count);
    for (int32_t i = 0; i < set.count; ++i) {
      const Bytes pair = record.head.bytes.subspan(set.pairs + static_cast<uint32_t>(i) * 8, 8);
      out += " " + hex_of(set.in_place ? pair : pair.first(4));
      if (set.in_place) continue;
      const StoredBlock block =
          stored_block(record.head, reader.layout(), set, static_cast<uint32_t>(i));
      out += fmt::format("={}:{}", block.type, hex_of(block.data));
    }
  }
  return out + "\n";
}

// All records to the end, or to the damage, and back.
std::string text_of(const Archives& archives, const std::vector<PmId>& metrics,
                    RecordNotes* notes) {
  RecordReader reader(archives, BadVolumes::refuse);
  if (notes != nullptr) reader.share(*notes);
  std::string out;
  for (const bool forward : {true, false}) {
    for (;;) {
      const auto step = forward ? reader.next() : reader.previous();
      if (!step) out += step.error().text();
      if (!step || !*step) break;
      out += text_of_record(reader, metrics);
    }
  }
  return out;
}

// Of all records, once.
uint64_t bytes_read_with(const Archives& archives, RecordNotes& notes) {
  RecordReader reader(archives, BadVolumes::refuse);
  reader.share(notes);
  for (auto step = reader.next(); step && *step; step = reader.next()) {
  }
  return reader.bytes_read();
}

std::vector<PmId> some_metrics(const Archives& archives, size_t every) {
  std::vector<PmId> out;
  const auto& all = archives.metadata().pmids;
  for (size_t i = 0; i < all.size(); i += every) out.push_back(all[i]);
  return out;
}

TEST(RecordNotes, ReadersThatShareThemHaveWhatOneHas) {
  for (const char* name : {"types-v2", "types-v3", "rec-mark-v3", "insts4", "vols-v3", "meta-v3"}) {
    const auto archives = archives_of(golden_parts(name));
    ASSERT_TRUE(archives) << name;
    for (const size_t every : {1u, 2u, 3u}) {
      const std::vector<PmId> metrics = some_metrics(*archives, every);
      const std::string alone = text_of(*archives, metrics, nullptr);
      RecordNotes notes(metrics);
      EXPECT_EQ(text_of(*archives, metrics, &notes), alone) << name << ", who notes";
      EXPECT_EQ(text_of(*archives, metrics, &notes), alone) << name << ", who finds";
      EXPECT_EQ(text_of(*archives, {metrics.back()}, &notes),
                text_of(*archives, {metrics.back()}, nullptr))
          << name << ", one of them";
    }
  }
}

TEST(RecordNotes, TheSecondReaderReadsNothing) {
  const auto archives = archives_of(golden_parts("insts4"));
  ASSERT_TRUE(archives);
  RecordNotes notes(some_metrics(*archives, 2));
  const uint64_t first = bytes_read_with(*archives, notes);
  EXPECT_GT(first, 0);
  EXPECT_EQ(bytes_read_with(*archives, notes), 0);
}

TEST(RecordNotes, DamageIsToldToEachReader) {
  ArchiveParts parts = golden_parts("rec-v3");
  std::vector<std::byte>& volume = parts.at({0});
  volume[volume.size() / 2] ^= std::byte{0xff};
  volume.resize(volume.size() - 3);
  const auto archives = archives_of(parts);
  ASSERT_TRUE(archives);
  const std::vector<PmId> metrics = some_metrics(*archives, 2);
  const std::string alone = text_of(*archives, metrics, nullptr);
  RecordNotes notes(metrics);
  for (int reader = 0; reader < 3; ++reader) {
    EXPECT_EQ(text_of(*archives, metrics, &notes), alone) << reader;
  }
}

// Twice as much as they keep.
TEST(RecordNotes, OldOnesGo) {
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer({.start = {.sec = 1}}, *output);
  writer.add_metric("m", {.pmid = 1, .pm_type = pm_type::string, .indom = 1, .units = {}});
  constexpr int32_t kInstances = 2'000;
  std::vector<int32_t> ids;
  std::vector<std::string> texts;
  for (int32_t i = 0; i < kInstances; ++i) {
    ids.push_back(i);
    texts.push_back(i % 2 == 0 ? "even" : "this is odd");
  }
  const WrittenSet set{.pmid = 1, .instances = ids, .texts = texts};
  constexpr int64_t kBytesOfInstance = 8 + 8 + sizeof(Spot);  // its pair, its block, where that is
  constexpr size_t kBytesMax = kNotesBytesMax / 16;
  constexpr int64_t kRecords = 2 * kBytesMax / (kInstances * kBytesOfInstance);
  for (int64_t i = 1; i <= kRecords; ++i) writer.put({.sec = i}, {&set, 1});
  ASSERT_TRUE(writer.close().has_value());
  const auto archives = archives_of(parts);
  ASSERT_TRUE(archives);
  RecordNotes notes({1}, kBytesMax);
  const auto read_all = [&] {
    RecordReader reader(*archives, BadVolumes::refuse);
    reader.share(notes);
    int64_t records = 0;
    for (auto step = reader.next(); step && *step; step = reader.next()) ++records;
    return records;
  };
  EXPECT_EQ(read_all(), kRecords);
  EXPECT_LE(notes.bytes(), kBytesMax);
  EXPECT_GT(notes.bytes(), kBytesMax / 2);
  EXPECT_EQ(read_all(), kRecords) << "what has gone is read again";
}

}  // namespace
}  // namespace pmjit::test
