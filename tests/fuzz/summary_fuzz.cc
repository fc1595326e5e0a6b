// What `pmjit info` makes of an archive of arbitrary bytes, or of two: every volume is gone through
// to its end or its first damage, twice with one result, and both reports can be made of it.
#include <cmath>
#include <string>

#include "runtime/archive/summary/summary.h"
#include "runtime/base/result.h"
#include "runtime/report/archive_info/archive_report.h"
#include "tests/fuzz/archive_input.h"
#include "tests/fuzz/archive_target.h"

namespace pmjit::fuzz {
namespace {

void check_summary(const ArchiveSummary& summary, size_t bytes) {
  uint64_t records = 0, values = 0;
  for (const MemberSummary& member : summary.members) {
    for (const VolumeSummary& volume : member.volumes) {
      records += volume.records;
      check(volume.file.bytes <= bytes + 1024, "as many bytes as there are");  // a sound file's
      check(volume.span.has_value() == (volume.records > 0), "records have a span");
    }
  }
  check(records == summary.records, "every record is in a volume");
  check(summary.bytes <= bytes + 1024, "records have no more bytes than their files");
  check(summary.span.has_value() == (records > 0), "records have a span");
  for (const MetricSummary& metric : summary.metrics) values += metric.values;
  check(values == summary.values, "every value is a metric's");
}

}  // namespace

const MemoryBound kMemory = {.fixed = 8u << 20, .per_byte = 400};

void run(Bytes all) {
  const auto archives = open_archives(take_apart_input(all));
  if (archives) {
    const auto summarized = [&] { return summarize(*archives, {}); };
    const ArchiveSummary summary = summarized();
    check_summary(summary, all.size());
    const ArchiveSummary again = summarized();
    for (const ArchiveReport& report : archive_reports()) {
      const ArchiveReportOptions options{.zone = Zone("UTC"), .width = 80};
      check(report.make(summary, options) == report.make(again, options), "two passes agree");
    }
  }
}

}  // namespace pmjit::fuzz
