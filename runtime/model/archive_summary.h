// ArchiveSummary: what is in an archive, or in several that are read as one: spans, sizes, gaps,
// what is logged how often, what takes the room. Made by runtime/archive/summary from the records
// alone, without a value being decoded; printed by runtime/report/archive_info/archive_report.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/model/desc.h"
#include "runtime/model/stamp.h"

namespace pmjit {

// Times of the first and the last thing of some kind.
struct TimeSpan {
  Stamp first{}, last{};
  [[nodiscard]] double seconds() const { return seconds_between(last, first); }
  friend bool operator==(const TimeSpan&, const TimeSpan&) = default;
};

struct FileSummary {
  std::string path{};
  uint64_t bytes = 0;   // as read
  uint64_t stored = 0;  // on disk; less where it is compressed
};

struct VolumeSummary {
  FileSummary file{};
  int32_t number = 0;
  uint64_t records = 0;  // marks not counted
  std::optional<TimeSpan> span{};
};

// One archive of those that are read as one.
struct MemberSummary {
  std::string name{}, timezone{};
  int version = 3;
  int32_t pid = 0;
  FileSummary metadata{};
  std::optional<FileSummary> index{};
  std::vector<VolumeSummary> volumes{};
};

// Why nothing was recorded for a while.
enum class GapCause : uint8_t {
  pause,    // no record for much longer than usual
  mark,     // the logger says that it was away
  archive,  // the next archive starts
  volume,   // a volume is missing
  damage,   // what follows in the volume cannot be read
};

struct Gap {
  Stamp from{};
  std::optional<Stamp> to{};  // none: nothing follows
  GapCause cause = GapCause::pause;
  friend bool operator==(const Gap&, const Gap&) = default;
};

struct MetricSummary {
  std::string name{};
  PmId pmid = kNullId;
  uint64_t records = 0, values = 0, errors = 0, bytes = 0;
};

// Metrics that come in one record.
struct GroupSummary {
  std::vector<uint32_t> metrics{};  // indices
  uint64_t records = 0, values = 0, bytes = 0;
  std::optional<double> interval{};  // seconds, the median; none: there is but one record
};

struct DomainSummary {
  InDomId indom = kNullId;
  std::vector<std::string> metrics{};
  uint64_t instances = 0, largest = 0;  // ever; in one set
  uint64_t sets = 0;                    // recorded: the first, and one a change
};

// An archive of a folder that is not read with the others.
struct LeftOutArchive {
  std::string name{}, why{};  // "it begins before web1 ends"
  [[nodiscard]] std::string text() const { return "archive " + name + ": " + why; }
};

struct ArchiveSummary {
  std::string host{};
  std::vector<MemberSummary> members{};  // by time
  std::optional<TimeSpan> span{};        // of the records; none: there is no record
  uint64_t records = 0, marks = 0;       // a mark is no record
  uint64_t values = 0, bytes = 0;        // of the records that were read
  uint64_t metrics_described = 0;        // metrics that the metadata have, with values or without
  std::optional<double> interval{};      // seconds, of the group that is logged most often
  std::vector<Gap> gaps{};               // in order of time
  bool more_pauses = false;              // shorter ones than those of `gaps`
  std::vector<GroupSummary> groups{};    // the largest first
  uint64_t other_records = 0;            // of groups beyond limits::kRecordGroupsMax
  std::vector<MetricSummary> metrics{};  // with at least one record; the largest first
  std::vector<DomainSummary> domains{};  // by number
  std::vector<std::string> warnings{};
  std::vector<Error> damage{};
  std::vector<LeftOutArchive> left_out{};  // of the folder
};

// A host of a folder with archives of several.
struct FolderHost {
  std::string name{};
  size_t archives = 0;
  TimeSpan span{};
  uint64_t bytes = 0;  // of data, as stored
};

struct FolderSummary {
  std::vector<FolderHost> hosts{};  // by name
  std::vector<LeftOutArchive> left_out{};
};

}  // namespace pmjit
