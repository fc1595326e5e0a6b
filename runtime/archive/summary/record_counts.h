// RecordCounts: what records hold, by metric and by the metrics that come together. A record is
// looked up once, by its metrics; what its value sets add is then an array index away.
#pragma once

#include <unordered_map>
#include <vector>

#include "runtime/archive/reader/record.h"
#include "runtime/archive/summary/typical.h"
#include "runtime/model/archive_summary.h"

namespace pmjit {

class RecordCounts {
 public:
  // After a gap there is no interval from the record before.
  void add(const RecordHead& head, const RecordLayout& layout, bool after_gap);

  // The interval of the group that is logged most often; none: no group came twice.
  [[nodiscard]] std::optional<double> shortest_interval() const;
  // Metrics and groups, the largest first. `name` says what a metric is called.
  template <class Name>
  void give(ArchiveSummary& out, Name name) const {
    give_counts(out);
    for (MetricSummary& metric : out.metrics) metric.name = name(metric.pmid);
  }

 private:
  struct Group {
    GroupSummary counts{};
    std::optional<Stamp> last{};
    uint64_t gaps = 0;  // when `last` was
    Typical intervals{};
  };
  Group* group_of(const RecordLayout& layout);
  uint32_t metric_of(PmId pmid);
  void give_counts(ArchiveSummary& out) const;

  std::vector<MetricSummary> metrics_;
  std::unordered_map<PmId, uint32_t> metric_of_;
  std::vector<Group> groups_;
  std::unordered_multimap<uint64_t, uint32_t> group_of_;  // by a hash of its metrics
  std::vector<uint32_t> others_;                          // metrics of a record without a group
  uint64_t values_ = 0, bytes_ = 0, gaps_ = 0, other_records_ = 0;
};

}  // namespace pmjit
