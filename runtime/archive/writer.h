// Writer: the smallest writer whose archives the real tools accept (spec archives.md §19.1), V2 and
// V3.
//
//   auto output = file_output("out/today");        // or memory_output(files) for tests
//   ArchiveWriter writer({.version = Version::v3, .start = t0, .host = "web01"}, *output);
//   writer.add_metric("disk.dev.read", desc);
//   writer.set_instances(desc.indom, {{1, "sda"}, {2, "sdb"}}, t0);
//   writer.put(t0, {{.pmid = desc.pmid, .instances = ids, .values =
//   std::as_bytes(std::span(reads))}}); if (auto closed = writer.close(); !closed) return
//   fail(closed.error());
//
// A call that cannot be honoured (a value set that does not fit its metric, a stamp before the last
// one) is our caller's bug and ends in check(). What the world refuses is remembered: the calls
// after it do nothing, and close() tells.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/base/bytes.h"
#include "runtime/base/result.h"
#include "runtime/model/catalog.h"

namespace pmjit {

// Where a writer's bytes go: files of a folder, or memory. Parts are created once and only ever
// appended to; one append is one write(), so that a reader of a growing archive never sees half a
// record.

// A volume by its number, or the metadata or index file by the number its label has.
struct ArchivePart {
  int32_t number = 0;
  friend auto operator<=>(const ArchivePart&, const ArchivePart&) = default;
};

class ArchiveOutput {
 public:
  virtual ~ArchiveOutput() = default;
  [[nodiscard]] virtual Result<void> create(ArchivePart part) = 0;
  [[nodiscard]] virtual Result<void> append(ArchivePart part, Bytes bytes) = 0;
};

// BASE.meta, BASE.index, BASE.0 …; refuses to overwrite.
[[nodiscard]] std::unique_ptr<ArchiveOutput> file_output(std::string base);

// The caller owns the bytes.
using ArchiveParts = std::map<ArchivePart, std::vector<std::byte>>;
[[nodiscard]] std::unique_ptr<ArchiveOutput> memory_output(ArchiveParts& parts);

struct ArchiveWriterOptions {
  Version version = Version::v3;
  Stamp start{};  // of the first record
  std::string host = "localhost";
  int32_t pid = 1;
  std::string timezone = "UTC", zoneinfo{};
  uint32_t features = 0;  // V3
};

// The values of one metric at one time.
struct WrittenSet {
  PmId pmid = kNullId;
  int32_t status = 0;                    // negative: a PM_ERR_* instead of values
  std::span<const int32_t> instances{};  // {kSingular} for a singular metric; empty: no values
  Bytes values{};                        // numbers of the metric's type, in the machine's order
  std::span<const std::string> texts{};  // of STRING and AGGREGATE metrics, instead of values
};

class ArchiveWriter {
 public:
  ArchiveWriter(ArchiveWriterOptions options, ArchiveOutput& output);

  void add_metric(const std::string& name, const Desc& desc);
  // The whole domain from `stamp` on, which is not after the next record's. The same set again is
  // not written; in V3 only what changed is, where that is shorter (spec §6.3).
  void set_instances(InDomId indom, std::vector<Catalog::Instance> instances, Stamp stamp);
  void put(Stamp stamp, std::span<const WrittenSet> sets);
  void mark(Stamp stamp);
  void new_volume();  // the next record starts it
  [[nodiscard]] Result<void> close();

 private:
  void start_file(ArchivePart part);
  void append(ArchivePart part, Bytes bytes);
  void append_record(Stamp stamp, Bytes record);
  void append_index(Stamp stamp, uint64_t meta_offset, uint64_t data_offset);
  [[nodiscard]] ArchivePart volume() const { return {volume_}; }

  ArchiveWriterOptions options_;
  ArchiveOutput& output_;
  std::unordered_map<PmId, Desc> descs_;
  std::unordered_map<InDomId, std::vector<Catalog::Instance>> domains_;
  int32_t volume_ = 0;
  uint64_t meta_bytes_ = 0, volume_bytes_ = 0;
  uint64_t last_record_ = 0;    // offset of the newest record in its volume
  uint64_t indexed_until_ = 0;  // volume_bytes_ at the newest index entry
  uint64_t indom_offset_ = 0;   // where the metadata written since the newest record starts
  bool wants_index_ = true;     // the next record starts a volume, or its instances are new
  std::optional<Stamp> last_stamp_, last_indexed_;
  std::optional<Error> failure_;
};

}  // namespace pmjit
