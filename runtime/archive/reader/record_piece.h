// RecordPiece: whole records of one volume that follow each other, and their decoder. Or a mark
// alone, where one archive ends and another goes on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/archive/reader/mark_scan.h"
#include "runtime/archive/reader/record.h"
#include "runtime/archive/reader/undescribed.h"
#include "runtime/base/bytes.h"
#include "runtime/base/file.h"
#include "runtime/model/record_decoder.h"
#include "runtime/model/recording.h"

namespace pmjit {

class RecordPiece final : public Piece {
 public:
  struct Place {  // where a piece starts
    std::shared_ptr<const File> file{};
    const std::string* path = nullptr;  // for messages
    uint64_t file_bytes = 0;            // the file has had so many
    uint64_t offset = 0;
    Version version = Version::v3;
    size_t volume = 0;  // its index among those of the archive
  };

  // Of `plan` its limits; the decoder knows its metrics. Records are read into `buffer`. Metrics
  // that are not described go to `undescribed`, which may be null and outlives it.
  // `metadata` describe the decoder's.
  RecordPiece(const FetchPlan& plan, Decoder decoder, Buffer& buffer,
              UndescribedMetrics* undescribed, const Metadata& metadata);

  void prepare(Block& block) override { decoder_.prepare(block); }
  [[nodiscard]] uint32_t part() const override { return part_; }
  [[nodiscard]] Result<State> decode(Block& block) override;

  // Reads records from `place` on, about `wanted` bytes of them, one at least. False: what follows
  // them cannot be found, for decode() will fail on the last.
  [[nodiscard]] Result<bool> load(Place place, size_t wanted);
  // Finds them only, by their lengths, so that decode() reads them. False: there is none that is
  // whole; load() says what is wrong. May it guess, records are taken to be as long as the first
  // where one of that length ends and another begins at a multiple of it: values may look like that
  // too, and decode() notices.
  enum class Guess : bool { no, yes };
  [[nodiscard]] bool claim(Place place, size_t wanted, Guess guess);
  // Of what was loaded or claimed. Where there are many records in a piece claiming them costs as
  // much as reading them.
  [[nodiscard]] uint64_t size() const { return size_ + claimed_; }
  [[nodiscard]] bool of_many_records() const { return records_ >= kClaimedMax; }
  // Where it was decoded: what follows it. The file is not kept open.
  [[nodiscard]] Place end() const;
  void become_mark(Stamp stamp);
  void set_part(uint32_t part) { part_ = part; }

 private:
  static constexpr uint32_t kClaimedMax = 64;

  void start_at(Place place);
  [[nodiscard]] size_t read_words(uint64_t offset, std::span<std::byte> out) const;
  [[nodiscard]] bool guess(size_t wanted);
  [[nodiscard]] Result<bool> load_here(size_t wanted);
  [[nodiscard]] Result<void> load_claimed();
  [[nodiscard]] Result<void> read_first(size_t wanted);
  [[nodiscard]] Result<void> read_more(size_t bytes);
  void let_go();
  [[nodiscard]] bool full(const Block& block) const;
  void look_ahead(const RecordHead& first, const Block& block);
  void note_strangers(const RecordHead& of);
  [[nodiscard]] Error stop(Damage damage);

  Stamp from_, to_;
  uint32_t rows_max_, part_ = 0;
  Decoder decoder_;
  Place place_;
  UndescribedMetrics* undescribed_;
  const Metadata& metadata_;
  Buffer& buffer_;              // from a page border on
  Bytes bytes_{};               // of the records, and of what follows them in the buffer
  size_t size_ = 0, done_ = 0;  // bytes of whole records; of those that are decoded
  uint64_t claimed_ = 0;        // bytes of records behind them
  bool astray_ = false;         // the last of these records ends behind what was claimed
  uint32_t records_ = 0;
  std::optional<Stamp> mark_;
  // Records that are decoded at once, where they are alike: as many as that has been worth.
  std::vector<RecordHead> heads_;
  size_t heads_max_ = 1;
};

// The records of an archive in file order, volume after volume, in pieces.
struct VolumeFile;

// What is read of an archive, which outlives its reader.
struct RecordFiles {
  const std::string& name;
  const Label& label;
  const std::vector<VolumeFile>& volumes;
  UndescribedMetrics* undescribed = nullptr;  // of its records; null: they are not looked for
  MarkScan::Place first{};                    // of the first record that is read
};

// The type of a metric's column. Fault::not_found (PM_ERR_PMID_LOG): it is not described;
// Fault::unsupported: it has event records.
[[nodiscard]] Result<Elem> column_elem(PmId pmid, const std::unordered_map<PmId, Desc>& descs,
                                       const std::string& archive);

// Its pieces are RecordPieces. `metadata` outlive it.
[[nodiscard]] Result<std::unique_ptr<Pieces>> open_record_pieces(const FetchPlan& plan,
                                                                 RecordFiles files,
                                                                 const Metadata& metadata);

}  // namespace pmjit
