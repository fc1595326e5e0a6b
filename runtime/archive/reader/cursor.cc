#include "runtime/archive/reader/cursor.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "runtime/archive/archive.h"
#include "runtime/archive/reader/decode.h"
#include "runtime/archive/reader/volume.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

class RecordCursor final : public Cursor {
 public:
  RecordCursor(FetchPlan plan, CursorSource source, Decoder decoder)
      : plan_(std::move(plan)), source_(source), decoder_(std::move(decoder)) {
    for (const VolumeFile& volume : source_.volumes) bytes_all_ += volume.bytes;
  }

  Result<bool> next(Block& block) override {
    decoder_.prepare(block);
    while (!failure_ && !at_end_ && !full(block)) advance(block);
    if (!block.records.empty()) return true;
    if (failure_) return fail(*failure_);
    return false;
  }

  double done() const override {
    if (at_end_ || bytes_all_ == 0) return 1;
    double read = static_cast<double>(bytes_before_);
    if (volume_) {  // which has more bytes than are stored where it is compressed
      read += static_cast<double>(source_.volumes[next_volume_ - 1].bytes) *
              static_cast<double>(offset_) / static_cast<double>(volume_->size());
    }
    return read / static_cast<double>(bytes_all_);
  }

 private:
  bool full(const Block& block) const {
    const uint32_t records_max = plan_.rows_max != 0 ? plan_.rows_max : limits::kBlockRowsMax;
    return block.records.size() >= records_max ||
           decoder_.size_in_values() >= limits::kBlockValuesTarget;
  }
  void advance(Block& block);  // one record, or one step from volume to volume
  void enter_volume();
  void take(const RecordHead& head, Block& block);
  const std::string& path() const { return source_.volumes[next_volume_ - 1].path; }
  void stop(Damage damage) {
    if (volume_->shrunk()) damage.what = "the file became shorter while it was being read";
    damage.offset += offset_;
    failure_ = damage_error(path(), damage);
  }

  FetchPlan plan_;
  CursorSource source_;
  Decoder decoder_;
  size_t next_volume_ = 0;        // index in source_.volumes
  std::optional<Volume> volume_;  // the one before it, while it is being read
  uint64_t offset_ = 0;           // of the next record in it
  uint64_t bytes_before_ = 0, bytes_all_ = 0;
  bool at_end_ = false;
  std::optional<Error> failure_;
};

void RecordCursor::advance(Block& block) {
  if (!volume_) return enter_volume();
  if (!volume_->reaches(offset_)) {
    if (volume_->shrunk()) return stop({});
    bytes_before_ += source_.volumes[next_volume_ - 1].bytes;
    offset_ = 0;
    volume_.reset();
    at_end_ = next_volume_ == source_.volumes.size();
    return;
  }
  const auto bytes = volume_->window().record_at(offset_);
  if (!bytes) {
    failure_ = bytes.error().at("file", path());
    return;
  }
  const auto head = read_record_head(*bytes, source_.label.version);
  if (!head) return stop(head.error());
  take(*head, block);
}

void RecordCursor::enter_volume() {
  auto volume = Volume::open(source_.volumes[next_volume_++], &source_.label);
  if (!volume) {
    // A writer that died while it changed volumes leaves an empty file: nothing was lost.
    if (volume.error().pm_code() != pm_err::E_NODATA) failure_ = volume.error();
    at_end_ = next_volume_ == source_.volumes.size();
    return;
  }
  volume_ = *std::move(volume);
  offset_ = label_bytes(source_.label.version);
}

void RecordCursor::take(const RecordHead& head, Block& block) {
  if (head.stamp > plan_.to) {
    at_end_ = true;
    return;
  }
  if (head.stamp >= plan_.from) {
    if (head.sets == 0) {
      block.records.push_back({.stamp = head.stamp, .mark = true});
    } else if (auto taken = decoder_.decode(head, source_.label.version, block); !taken) {
      return stop(taken.error());
    }
  }
  offset_ += head.bytes.size();
  block.bytes += head.bytes.size();
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

Result<std::unique_ptr<Cursor>> open_cursor(const FetchPlan& plan, CursorSource source,
                                            const std::unordered_map<PmId, Desc>& descs,
                                            Rosters& rosters) {
  Decoder decoder(rosters);
  for (const PmId pmid : plan.metrics) {
    const auto elem = column_elem(pmid, descs, source.name);
    if (!elem) return fail(elem.error());
    if (!decoder.add_metric(descs.at(pmid), *elem)) {
      return fail(Error(Fault::usage, "a plan names a metric twice").at("metric", pmid_text(pmid)));
    }
  }
  return std::make_unique<RecordCursor>(plan, source, std::move(decoder));
}

}  // namespace pmjit
