#include "runtime/archive/reader/record_piece.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "runtime/archive/archive.h"
#include "runtime/archive/reader/mark_scan.h"
#include "runtime/archive/reader/volume.h"
#include "runtime/archive/reader/volume_numbers.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

class RecordPieces final : public Pieces {
 public:
  RecordPieces(FetchPlan plan, RecordFiles files, const Metadata& metadata)
      : plan_(std::move(plan)),
        files_(files),
        metadata_(metadata),
        next_volume_(files.first.volume) {
    for (size_t i = 0; i < files_.volumes.size(); ++i) {
      bytes_all_ += files_.volumes[i].bytes;
      if (i < next_volume_) bytes_before_ += files_.volumes[i].bytes;
    }
  }

  std::unique_ptr<Piece> make_piece(Rosters& rosters, Buffer& bytes) const override {
    Decoder decoder(rosters);
    for (const WantedMetric& wanted : plan_.metrics) {
      const Desc& desc = metadata_.descs.at(wanted.pmid);
      decoder.add_metric(desc, *elem_from_pm(desc.pm_type));
    }
    if (plan_.checks_others) decoder.check_others();
    if (files_.undescribed != nullptr) decoder.know(metadata_.descs, listed_in(metadata_.domains));
    return std::make_unique<RecordPiece>(plan_, std::move(decoder), bytes, files_.undescribed,
                                         metadata_);
  }

  Result<bool> read(Piece& piece) override {
    while (!at_end_) {
      if (!volume_) {
        if (auto entered = enter_volume(); !entered) return std::unexpected(entered.error());
        if (is_behind_hole() && mark_behind_hole(piece)) return true;
      } else if (volume_->reaches(offset_)) {
        return read_here(static_cast<RecordPiece&>(piece));
      } else if (volume_->shrunk()) {
        return fail(damage_error(
            here().path,
            {.what = "the file became shorter while it was being read", .offset = offset_}));
      } else {
        leave_volume();
      }
    }
    return false;
  }

  Result<void> go_on_behind(const Piece& piece) override;
  uint32_t part() const override { return 0; }
  void pass_over(uint32_t part) override { at_end_ = at_end_ || part == 0; }

  double done() const override {
    if (at_end_ || bytes_all_ == 0) return 1;
    double read = static_cast<double>(bytes_before_);
    if (volume_) {  // which has more bytes than are stored where it is compressed
      read += static_cast<double>(here().bytes) * static_cast<double>(offset_) /
              static_cast<double>(volume_->size());
    }
    return read / static_cast<double>(bytes_all_);
  }

 private:
  const VolumeFile& here() const { return files_.volumes[next_volume_ - 1]; }
  Result<void> enter_volume();
  void leave_volume();
  bool is_behind_hole();
  bool mark_behind_hole(Piece& piece) const;
  Result<bool> read_here(RecordPiece& piece);

  FetchPlan plan_;
  RecordFiles files_;
  const Metadata& metadata_;
  size_t next_volume_;                 // index in files_.volumes
  std::optional<size_t> last_volume_;  // the last one that was entered
  std::optional<Volume> volume_;       // the one before it, while it is being read
  uint64_t offset_ = 0;                // of the next record in it
  uint64_t bytes_before_ = 0, bytes_all_ = 0;
  bool many_records_ = false;                           // in the piece before
  RecordPiece::Guess guess_ = RecordPiece::Guess::yes;  // until one was wrong
  bool at_end_ = false;
};

Result<void> RecordPieces::enter_volume() {
  auto volume = Volume::open(files_.volumes[next_volume_], &files_.label);
  ++next_volume_;  // not where an interrupt was thrown: then it is tried again
  if (volume) {
    volume_ = *std::move(volume);
    offset_ = std::max<uint64_t>(std::exchange(files_.first.offset, 0),
                                 label_bytes(files_.label.version));
    return {};
  }
  at_end_ = next_volume_ == files_.volumes.size();
  // A writer that died while it changed volumes leaves an empty file: nothing was lost.
  if (volume.error().pm_code() == pm_err::E_NODATA) return {};
  at_end_ = true;
  return std::unexpected(volume.error());
}

void RecordPieces::leave_volume() {
  bytes_before_ += here().bytes;
  volume_.reset();
  at_end_ = next_volume_ == files_.volumes.size();
}

// Of a volume that was just entered.
bool RecordPieces::is_behind_hole() {
  if (!volume_) return false;
  const auto before = std::exchange(last_volume_, next_volume_ - 1);
  return before && skips_volume(files_.volumes, *before, *last_volume_);
}

// A volume is missing before this one: its first record is behind a mark. False: that is not asked
// for.
bool RecordPieces::mark_behind_hole(Piece& piece) const {
  MarkScan scan(files_.label, files_.volumes, {.volume = next_volume_ - 1});
  const auto first = scan.next();
  if (!first || first->stamp < plan_.from) return false;
  static_cast<RecordPiece&>(piece).become_mark(first->stamp);
  return true;
}

Result<bool> RecordPieces::read_here(RecordPiece& piece) {
  const RecordPiece::Place place{.file = volume_->file(),
                                 .path = &here().path,
                                 .file_bytes = volume_->size(),
                                 .offset = offset_,
                                 .version = files_.label.version,
                                 .volume = next_volume_ - 1};
  const size_t wanted = plan_.piece_bytes != 0 ? plan_.piece_bytes : limits::kPieceBytes;
  const bool claimed = plan_.for_threads && !many_records_ && place.file->seeks_freely() &&
                       piece.claim(place, wanted, guess_);
  if (!claimed) {
    const auto sound = piece.load(place, wanted);
    if (!sound) return sound;
    at_end_ = !*sound;
  }
  offset_ += piece.size();
  many_records_ = piece.of_many_records();
  return true;
}

Result<void> RecordPieces::go_on_behind(const Piece& piece) {
  const RecordPiece::Place end = static_cast<const RecordPiece&>(piece).end();
  guess_ = RecordPiece::Guess::no;
  at_end_ = false;
  if (!volume_ || next_volume_ != end.volume + 1) {
    volume_.reset();
    next_volume_ = end.volume;
    bytes_before_ = 0;
    for (size_t i = 0; i < next_volume_; ++i) bytes_before_ += files_.volumes[i].bytes;
    if (auto entered = enter_volume(); !entered) return entered;
    last_volume_ = next_volume_ - 1;
  }
  offset_ = end.offset;
  return {};
}

}  // namespace

Result<Elem> column_elem(PmId pmid, const std::unordered_map<PmId, Desc>& descs,
                         const std::string& archive) {
  const auto found = descs.find(pmid);
  if (found == descs.end()) {
    return fail(Error(Fault::not_found, "Metric not defined in the PCP archive log")
                    .at("metric", pmid_text(pmid))
                    .at("archive", archive)
                    .pm_code(pm_err::E_PMID_LOG));
  }
  const auto elem = elem_from_pm(found->second.pm_type);
  if (!elem) {
    return fail(Error(Fault::unsupported, "values of event records are not supported yet")
                    .at("metric", pmid_text(pmid))
                    .at("archive", archive)
                    .help("pmval and pmdumplog print event records"));
  }
  return *elem;
}

Result<std::unique_ptr<Pieces>> open_record_pieces(const FetchPlan& plan, RecordFiles files,
                                                   const Metadata& metadata) {
  std::unordered_set<PmId> seen;
  for (const WantedMetric& wanted : plan.metrics) {
    const PmId pmid = wanted.pmid;
    if (auto elem = column_elem(pmid, metadata.descs, files.name); !elem) return fail(elem.error());
    if (!seen.insert(pmid).second) {
      return fail(Error(Fault::usage, "a plan names a metric twice").at("metric", pmid_text(pmid)));
    }
  }
  return std::make_unique<RecordPieces>(plan, files, metadata);
}

}  // namespace pmjit
