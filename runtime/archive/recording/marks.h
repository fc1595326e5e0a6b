// Marks: where a recording is interrupted: at its marks, where a volume is missing, and behind the
// last record of an archive that another follows. Read as far as somebody asks, without what lies
// between (mark_scan.h).
//
//   Marks marks(archives);
//   marks.last_between(before, stamp)
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/archive/reader/mark_scan.h"
#include "runtime/archive/recording/archives.h"
#include "runtime/model/archive_summary.h"

namespace pmjit {

class ArchivesSource;

class Marks {
 public:
  // `archives` outlive it.
  explicit Marks(const Archives& archives);
  // Those that all_marks() gave.
  explicit Marks(std::vector<Stamp> all) : borders_(std::move(all)) {}

  [[nodiscard]] bool any();
  // Does every record's length lead to the next one, or the last record's beyond the end, as where
  // a writer died? All heads are read. Of known marks: yes.
  [[nodiscard]] bool lengths_fit();
  // The last mark after `from`, up to and including `until`. The list ends at the first damaged
  // record: the reader of values reports the damage.
  [[nodiscard]] std::optional<Stamp> last_between(Stamp from, Stamp until);

 private:
  [[nodiscard]] bool read_record();

  const Archives* archives_ = nullptr;       // null: all are known
  std::optional<MarkScan> scan_;             // of the archive that is read; none: all was
  size_t member_ = 0;                        // which one that is
  std::optional<MarkScan::Scanned> last_{};  // the record before, in its archive
  bool lengths_fit_ = true;
  std::vector<Stamp> borders_, read_;  // both ascending
  struct Answer {
    Stamp from, until;
    std::optional<Stamp> mark;
  };
  // Metrics that are logged together ask the same, and groups of them take turns.
  std::array<std::optional<Answer>, 16> answers_{};
};

// All of them, ascending. The whole recording is read, and it fails where that is damaged.
[[nodiscard]] Result<std::vector<Stamp>> all_marks(const ArchivesSource& recorded);

// Between which records nothing was recorded, for there is a mark or another archive begins. Heads
// alone are read; the list ends at the first damaged record.
[[nodiscard]] std::vector<Gap> interruptions(const Archives& archives);

// Where records are earlier than the one before: the clock was set, or a stamp is damaged.
//
//   StepsBack steps;
//   steps.add(head, archive);                                   each record and mark, in order
//   if (const auto warning = steps.warning()) complain(*warning);
class StepsBack {
 public:
  void add(const MarkScan::Scanned& head, const Archive& archive);
  void add(Stamp stamp, const std::string& path, uint64_t offset);
  // Of the first one, and how many there are.
  [[nodiscard]] std::optional<std::string> warning() const;

 private:
  std::optional<Stamp> last_;
  std::string first_;
  size_t count_ = 0;
};

// The heads of the records that a window reads, marks too: from where the index leads, to the
// second record beyond it in a row, for a single one may be damaged.
using UseHead = std::function<void(const MarkScan::Scanned& head, const Archive& archive)>;
void scan_heads(const Archives& archives, Stamp from, Stamp to, const UseHead& use);

[[nodiscard]] std::optional<std::string> steps_back(const Archives& archives, Stamp from, Stamp to);

}  // namespace pmjit
