#include "runtime/archive/summary/summary.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "runtime/archive/format/decompressor.h"
#include "runtime/archive/format/names.h"
#include "runtime/archive/reader/undescribed.h"
#include "runtime/archive/recording/marks.h"
#include "runtime/archive/recording/records.h"
#include "runtime/archive/summary/record_counts.h"
#include "runtime/model/bulk.h"

namespace pmjit {

namespace {

constexpr double kPauseIntervals = 2.5;  // that long without a record is a gap

uint64_t stored_bytes(const std::string& path, uint64_t otherwise) {
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(path, unknown);
  return unknown ? otherwise : bytes;
}

MemberSummary member_of(const Archive& archive) {
  const Label& label = archive.label();
  // Archives in memory have no files.
  const FileSet files = find_files(archive.name()).value_or(FileSet{});
  MemberSummary out{.name = archive.name(),
                    .timezone = label.timezone,
                    .version = static_cast<int>(label.version),
                    .pid = label.pid};
  const uint64_t meta = archive.meta_bytes();
  out.metadata = {.path = files.meta.empty() ? archive.name() + ".meta" : files.meta,
                  .bytes = meta,
                  .stored = stored_bytes(files.meta, meta)};
  if (!archive.index().empty()) {
    const uint64_t index =
        label_bytes(label.version) + archive.index().size() * index_entry_bytes(label.version);
    out.index = {.path = files.index.empty() ? archive.name() + ".index" : files.index,
                 .bytes = index,
                 .stored = stored_bytes(files.index, index)};
  }
  for (const VolumeFile& volume : archive.volumes()) {
    // What a compressed volume has in it shows when it is read.
    const bool plain = take_apart(volume.path).compression == Compression::none;
    out.volumes.push_back(
        {.file = {.path = volume.path, .bytes = plain ? volume.bytes : 0, .stored = volume.bytes},
         .number = volume.number});
  }
  return out;
}

std::vector<DomainSummary> domains_of(const Metadata& metadata) {
  std::vector<DomainSummary> out;
  for (const InDomId indom : metadata.indoms) {
    const Domain* domain = metadata.domain(indom);
    if (domain == nullptr) continue;
    out.push_back({.indom = indom,
                   .instances = domain->all().size(),
                   .largest = domain->largest_set(),
                   .sets = domain->set_count()});
  }
  std::ranges::sort(out, {}, &DomainSummary::indom);
  for (const auto& leaf : metadata.names.leaves()) {
    const Desc* desc = metadata.desc(leaf.pmid);
    if (desc == nullptr) continue;
    const auto at = std::ranges::lower_bound(out, desc->indom, {}, &DomainSummary::indom);
    if (at != out.end() && at->indom == desc->indom) at->metrics.emplace_back(leaf.name);
  }
  for (DomainSummary& domain : out) std::ranges::sort(domain.metrics);
  return out;
}

class SummaryPass {
 public:
  SummaryPass(const Archives& archives, const std::function<void(double)>& progress)
      : archives_(archives),
        progress_(progress),
        reader_(archives, BadVolumes::refuse),
        listed_(listed_in(archives.metadata().domains)) {
    for (size_t i = 0; i < archives.size(); ++i) {
      out_.members.push_back(member_of(archives[i]));
      for (const std::string& warning : archives[i].warnings()) {
        out_.warnings.push_back(archives[i].name() + ": " + warning);
      }
    }
    if (const auto end = archives.end()) end_ = *end;
    if (end_) seconds_all_ = seconds_between(*end_, archives.start());
  }

  ArchiveSummary run() {
    while (step()) {
    }
    // Behind damage there may be records that can be seen, but not reached.
    pauses_.end(cause_, cause_ == GapCause::damage ? end_ : std::nullopt);
    const Metadata& metadata = archives_.metadata();
    out_.host = archives_.label().host;
    out_.metrics_described = metadata.pmids.size();
    out_.domains = domains_of(metadata);
    out_.interval = counts_.shortest_interval();
    auto found = pauses_.longer_than(out_.interval ? *out_.interval * kPauseIntervals : HUGE_VAL);
    out_.gaps = std::move(found.gaps);
    out_.more_pauses = found.more;
    counts_.give(out_, [&](PmId pmid) {
      if (metadata.desc(pmid) == nullptr) return std::string();
      const auto names = metadata.names.names(pmid);
      return names.empty() ? pmid_text(pmid) : std::string(names.front());
    });
    if (const auto steps = steps_.warning()) out_.warnings.push_back(*steps);
    if (auto damage = undescribed_.error_until(kStampMax)) {
      if (damage->fault() == Fault::not_found) {
        out_.warnings.push_back(damage->text());
      } else {
        out_.damage.push_back(*std::move(damage));
      }
    }
    return std::move(out_);
  }

 private:
  // One record, mark or damage; false: there is no more.
  bool step() {
    const auto more = reader_.next();
    if (!more) return skip(more.error());
    if (!*more) return false;
    const RecordPosition& at = reader_.position();
    VolumeSummary& volume = out_.members[at.member].volumes[at.volume];
    volume.file.bytes = std::max(volume.file.bytes, at.offset);
    if (at.crossed != RecordPosition::Crossed::no) {
      cause_ = GapCause::archive;
    } else if (reader_.record().mark) {
      ++out_.marks;
      cause_ = GapCause::mark;
    } else {
      take(volume, at);
    }
    return true;
  }

  void take(VolumeSummary& volume, const RecordPosition& at) {
    const RecordHead& head = reader_.record().head;
    const Stamp stamp = reader_.record().stamp;
    if (last_ && last_->member == at.member && !cause_) {
      const auto& volumes = out_.members[at.member].volumes;
      const int64_t skipped = int64_t{volumes[at.volume].number} - volumes[last_->volume].number;
      if (skipped > 1) cause_ = GapCause::volume;
    }
    last_ = at;
    steps_.add(stamp, archives_[at.member].volumes()[at.volume].path,
               at.offset - head.bytes.size());
    const size_t known = counts_.metrics();
    counts_.add(head, reader_.layout(), cause_.has_value());
    if (counts_.metrics() > known) note_undescribed(at, head);
    pauses_.add(stamp, std::exchange(cause_, std::nullopt));
    ++volume.records;
    extend(volume.span, stamp);
    extend(out_.span, stamp);
    ++out_.records;
    if (progress_ && seconds_all_ > 0) {
      progress_(seconds_between(stamp, archives_.start()) / seconds_all_);
    }
  }

  // A record has metrics that none before it had. The reader is behind it.
  void note_undescribed(const RecordPosition& at, const RecordHead& head) {
    const UndescribedMetrics::Place place{.path = archives_[at.member].volumes()[at.volume].path,
                                          .offset = at.offset - head.bytes.size(),
                                          .stamp = head.stamp};
    for (const ValueSet& set : reader_.layout().sets) {
      const Desc* const desc = archives_.metadata().desc(set.pmid);
      if (desc == nullptr) {
        undescribed_.add(set.pmid, place);
      } else if (const auto instance = stranger(*desc, set, head)) {
        undescribed_.add({.pmid = set.pmid, .instance = *instance}, archives_.metadata(), place);
      }
    }
  }

  // An instance of the set that was never in its domain.
  std::optional<int32_t> stranger(const Desc& desc, const ValueSet& set, const RecordHead& head) {
    if (set.count <= 0 || (set.count == 1 && desc.indom == kNullId)) return std::nullopt;
    std::vector<int32_t> list(static_cast<size_t>(set.count));
    bulk::instances(head.bytes.data() + set.pairs, static_cast<uint32_t>(set.count), list.data());
    return listed_.stranger(desc.indom, list);
  }

  static void extend(std::optional<TimeSpan>& span, Stamp stamp) {
    if (!span) span = TimeSpan{.first = stamp, .last = stamp};
    span->first = std::min(span->first, stamp);
    span->last = std::max(span->last, stamp);
  }

  // What follows damage in a volume cannot be found: on with the next volume.
  bool skip(const Error& error) {
    out_.damage.push_back(error);
    // Two archives overlap: nothing is damaged, and the reader goes on when it is asked again.
    if (error.pm_code() == pm_err::E_LOGOVERLAP) return true;
    cause_ = GapCause::damage;
    RecordPosition at = reader_.position();
    if (++at.volume == out_.members[at.member].volumes.size()) {
      at.volume = 0;
      if (++at.member == out_.members.size()) return false;
    }
    at.offset = label_bytes(archives_[at.member].label().version);
    at.crossed = RecordPosition::Crossed::no;
    reader_.move_to(at);
    return true;
  }

  const Archives& archives_;
  const std::function<void(double)>& progress_;
  RecordReader reader_;
  RecordCounts counts_;
  Pauses pauses_;
  StepsBack steps_;
  UndescribedMetrics undescribed_;
  ListedInstances listed_;
  ArchiveSummary out_;
  std::optional<GapCause> cause_;       // of the gap before the next record
  std::optional<RecordPosition> last_;  // of the record before
  std::optional<Stamp> end_;            // of the last record, where one is whole
  double seconds_all_ = 0;
};

}  // namespace

ArchiveSummary summarize(const Archives& archives, const std::function<void(double)>& progress) {
  return SummaryPass(archives, progress).run();
}

}  // namespace pmjit
