// RecordReader: the records of one or several archives as one sequence that is read in both
// directions. A position lies between two records; where two archives meet there is a virtual mark
// between the last record of the one and the first of the other (spec archives.md §10).
//
//   RecordReader reader(archives, BadVolumes::refuse);
//   reader.seek_forward(stamp);              near it, by the temporal index (spec §7)
//   while (auto step = reader.next()) { if (!*step) break; use(reader.record()); }
//
// A record is checked whole before it is given. What next() and previous() say of the end holds for
// the moment: a growing archive may have more later.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/archive/reader/record.h"
#include "runtime/archive/reader/undescribed.h"
#include "runtime/archive/reader/volume.h"
#include "runtime/archive/recording/archives.h"
#include "runtime/archive/recording/record_notes.h"
#include "runtime/model/described_metrics.h"

namespace pmjit {

// Volumes behind the first that cannot be entered: whose label is damaged, that do not decompress,
// that are gone by now. PCP's tools go on with the next volume and say nothing; a reader that has
// nothing to imitate tells.
//
//   auto entered = enter_volume(archive, 1, BadVolumes::pass_over);
//   if (!entered) return std::unexpected(entered.error());
//   if (!*entered) …                                       on with the next one
enum class BadVolumes : uint8_t { refuse, pass_over };

// The `i`th of the archive's volumes; none: there is nothing to be read. With pass_over a volume of
// another writer or host is entered too, as the reference does. One of another version is
// PM_ERR_LOGREC unless it is the last.
[[nodiscard]] Result<std::optional<Volume>> enter_volume(const Archive& archive, size_t i,
                                                         BadVolumes bad);

struct RecordPosition {
  size_t member = 0;
  size_t volume = 0;  // index in the member's volumes
  uint64_t offset = 0;
  // The last step went from archive to archive: one more that way tells whether they overlap.
  enum class Crossed : uint8_t { no, forward, backward } crossed = Crossed::no;
  friend bool operator==(const RecordPosition&, const RecordPosition&) = default;
};

struct ReplayRecord {
  Stamp stamp;
  bool mark = false;
  RecordHead head{};  // of a mark between archives: empty
  Version version = Version::v3;
};

// What is wrong at the end of an archive: as after a crash of its writer, or a copy that broke off.
// Contexts of archives take such an end for the end of the recording. Looks at the last record of
// each member; where that is not sound, for the place from which on nothing is.
[[nodiscard]] std::optional<Error> damaged_tail(const Archives& archives);

class RecordReader {
 public:
  RecordReader(const Archives& archives, BadVolumes bad_volumes);

  // True: record() is the one after (before) the position, which has moved behind (before) it.
  // False: there is none. The record's bytes are valid until the next call.
  [[nodiscard]] Result<bool> next();
  [[nodiscard]] Result<bool> previous();
  [[nodiscard]] const ReplayRecord& record() const { return record_; }
  [[nodiscard]] const RecordLayout& layout() const {
    return note_ != nullptr ? note_->layout : layout_;
  }

  [[nodiscard]] const RecordPosition& position() const { return position_; }
  void move_to(const RecordPosition& position) { position_ = position; }
  void move_to_start();
  void move_to_end();
  // Of records, each as often as it was read.
  [[nodiscard]] uint64_t bytes_read() const { return bytes_read_; }
  // From now on record() and layout() have the sets of their metrics alone. They outlive the
  // reader.
  void share(RecordNotes& notes) { notes_ = &notes; }
  // Metrics of records that are not described go there. It outlives the reader.
  void watch(UndescribedMetrics& undescribed) {
    undescribed_ = &undescribed;
    described_.emplace(archives_.metadata().descs);
  }
  // A reader that watches: does a set of the record fit its metric's type? What does not goes to
  // those, too.
  [[nodiscard]] Result<void> check_set(const ValueSet& set, const Desc& desc) const;
  // Likewise: a set of the record has an instance that was never in its domain.
  void note_unlisted(const ValueSet& set, int32_t instance) const;
  // Files are opened again when they are read.
  void close_files() { open_.clear(); }

  // Goes to where the reference starts to look for `when` (spec archives.md §7). False: it reads on
  // from there and does not look around. Forwards, for an entry of the index has that time, or the
  // last one an earlier; backwards, for the entry's volume is not there, and then nothing is found.
  [[nodiscard]] Result<bool> seek(Stamp when, bool forward);

 private:
  // The one of the position, open; null: there is nothing to be read in it.
  [[nodiscard]] Result<Volume*> volume();
  [[nodiscard]] Result<bool> take(Bytes bytes, uint64_t offset);
  [[nodiscard]] Result<void> read_record(Bytes bytes, uint64_t offset);
  void note_undescribed(uint64_t offset);
  void give(std::shared_ptr<const RecordNote> note);
  [[nodiscard]] RecordNotes::Place place_at(uint64_t offset) const {
    return {position_.member, position_.volume, offset};
  }
  [[nodiscard]] Result<bool> take_before(Volume& file, uint64_t first);
  [[nodiscard]] Result<bool> cross_forward();
  [[nodiscard]] Result<bool> cross_backward();
  bool give_mark(Stamp stamp);
  void move_to_end_of(size_t member);
  const std::vector<IndexEntry>& entries_of(size_t member);

  const Archives& archives_;
  BadVolumes bad_volumes_;
  RecordPosition position_;
  struct OpenVolume {
    size_t member, volume;
    Volume file;
  };
  std::vector<OpenVolume> open_;                                 // the last ones used, newest last
  std::vector<std::optional<std::vector<IndexEntry>>> entries_;  // by member
  ReplayRecord record_;
  RecordLayout layout_;
  uint64_t begin_ = 0;  // of the record, in its file
  uint32_t length_ = 0;
  RecordNotes* notes_ = nullptr;
  UndescribedMetrics* undescribed_ = nullptr;
  std::optional<DescribedMetrics> described_;
  std::shared_ptr<const RecordNote> note_;  // what record_ is of; null: layout_ has it
  uint64_t bytes_read_ = 0;
};

}  // namespace pmjit
