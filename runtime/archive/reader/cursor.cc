#include "runtime/archive/reader/cursor.h"

#include <fmt/core.h>

#include <optional>

#include "runtime/archive/archive.h"
#include "runtime/archive/reader/decode.h"
#include "runtime/archive/reader/volume.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

// How far ahead of the reader pages are asked for; measured, see runtime/archive/README.md.
constexpr uint64_t kReadAhead = 4u << 20;

class RecordCursor final : public Cursor {
 public:
  RecordCursor(FetchPlan plan, CursorSource source, Decoder decoder)
      : plan_(std::move(plan)), source_(source), decoder_(std::move(decoder)) {
    for (const VolumeFile& volume : source_.volumes) bytes_all_ += volume.file->size();
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
    return static_cast<double>(bytes_before_ + offset_) / static_cast<double>(bytes_all_);
  }

 private:
  bool full(const Block& block) const {
    const uint32_t records_max = plan_.rows_max != 0 ? plan_.rows_max : limits::kBlockRowsMax;
    return block.records.size() >= records_max ||
           decoder_.values_in_block() >= limits::kBlockValuesTarget;
  }
  void advance(Block& block);  // one record, or one step from volume to volume
  void enter_volume();
  void take(const RecordHead& head, Block& block);
  void stop(Damage damage, uint64_t base) {
    damage.offset += base;
    failure_ = damage_error(source_.volumes[volume_].path, damage);
  }

  FetchPlan plan_;
  CursorSource source_;
  Decoder decoder_;
  size_t volume_ = 0;           // index of the volume at hand
  bool entered_ = false;        // its label has been checked
  Bytes bytes_;                 // all of it
  uint64_t offset_ = 0;         // of the next record in it
  uint64_t asked_until_ = 0;    // pages before this have been asked for
  uint64_t bytes_before_ = 0, bytes_all_ = 0;
  bool at_end_ = false;
  std::optional<Error> failure_;
};

void RecordCursor::advance(Block& block) {
  if (!entered_) return enter_volume();
  if (offset_ == bytes_.size()) {
    bytes_before_ += bytes_.size();
    offset_ = 0;
    entered_ = false;
    at_end_ = ++volume_ == source_.volumes.size();
    return;
  }
  if (offset_ + kReadAhead / 2 > asked_until_) {
    asked_until_ = offset_ + kReadAhead;
    source_.volumes[volume_].file->will_read(offset_, kReadAhead);
  }
  const auto head = read_record_head(bytes_.subspan(offset_), source_.label.version);
  if (!head) return stop(head.error(), offset_);
  take(*head, block);
}

void RecordCursor::enter_volume() {
  const VolumeFile& volume = source_.volumes[volume_];
  auto bytes = whole_file(*volume.file, volume.path);
  if (!bytes) {
    failure_ = bytes.error();
    return;
  }
  const auto label = read_label(*bytes, volume.number);
  if (!label) return stop(label.error(), 0);
  if (!same_recording(*label, source_.label)) {
    return stop({.what = "label differs from that of the first volume", .pm_code = pm_err::kLabel}, 0);
  }
  bytes_ = *bytes;
  offset_ = label_bytes(label->version);
  asked_until_ = 0;
  entered_ = true;
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
      return stop(taken.error(), offset_);
    }
  }
  offset_ += head.bytes.size();
  block.bytes += head.bytes.size();
}

}  // namespace

Result<std::unique_ptr<Cursor>> open_cursor(const FetchPlan& plan, CursorSource source,
                                            const std::unordered_map<PmId, Desc>& descs,
                                            Rosters& rosters) {
  Decoder decoder(rosters);
  for (const PmId pmid : plan.metrics) {
    const auto found = descs.find(pmid);
    if (found == descs.end()) {
      return fail(Error(Fault::not_found, "Metric not defined in the PCP archive log")
                      .at("metric", pmid_text(pmid))
                      .at("archive", source.name)
                      .pm_code(pm_err::kPmidLog));
    }
    const auto elem = elem_from_pm(found->second.pm_type);
    if (!elem) {
      return fail(Error(Fault::unsupported, "values of event records are not supported yet")
                      .at("metric", pmid_text(pmid))
                      .at("archive", source.name)
                      .help("pmval and pmdumplog print event records"));
    }
    if (!decoder.add_metric(found->second, *elem)) {
      return fail(Error(Fault::usage, "a plan names a metric twice").at("metric", pmid_text(pmid)));
    }
  }
  return std::make_unique<RecordCursor>(plan, source, std::move(decoder));
}

}  // namespace pmjit
