// MarkScan: the marks of one archive, in their order. A mark is a record without value sets, so its
// head says it: of each record that, its stamp and its length are read, and nothing of its values.
// What is damaged inside of a record is not seen; a length that leads nowhere ends it.
//
//   MarkScan scan(archive.label(), archive.volumes(), {});
//   while (const auto record = scan.next()) if (record->mark) use(record->stamp);
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/archive/reader/volume.h"

namespace pmjit {

class MarkScan {
 public:
  struct Place {
    size_t volume = 0;    // index in the volumes
    uint64_t offset = 0;  // 0: of the first record
  };
  // Both outlive it. `from`: of the first record that is read.
  MarkScan(const Label& label, const std::vector<VolumeFile>& volumes, Place from)
      : label_(label), volumes_(volumes), next_volume_(from.volume), first_(from.offset) {}

  struct Scanned {
    Stamp stamp;
    bool mark = false;
    Place at{};
    bool behind_hole = false;  // a volume is missing between the record before and this one
  };
  // None: there is none, or the length of the one before leads to none.
  [[nodiscard]] std::optional<Scanned> next();
  // After the last one: there is nothing behind it; or a record that is cut short, as where a
  // writer died.
  [[nodiscard]] bool at_end() const { return at_end_; }
  [[nodiscard]] bool at_cut() const { return at_cut_; }

 private:
  // The last word of a record, and the head of the one behind it.
  static constexpr size_t kHeadBytes = 4 + 12 + 4, kReadBytes = 4 + kHeadBytes;

  [[nodiscard]] bool find_record();
  [[nodiscard]] bool enter_volume();
  [[nodiscard]] bool read_behind(uint64_t length);
  [[nodiscard]] size_t read(uint64_t offset, uint64_t passed_over, std::span<std::byte> out);

  const Label& label_;
  const std::vector<VolumeFile>& volumes_;
  size_t next_volume_;
  uint64_t first_;                     // in it; 0: behind its label
  std::optional<Volume> volume_;       // the one before it, while it is read
  std::optional<size_t> last_volume_;  // the last one that was entered
  bool behind_hole_ = false;           // of the next record
  uint64_t offset_ = 0;                // of the next record
  std::array<std::byte, kReadBytes> bytes_{};
  size_t got_ = 0;  // of the head of the next record, behind the first word of bytes_
  bool ended_ = false, at_end_ = false, at_cut_ = false;
};

}  // namespace pmjit
