// RecordCounts: what records hold, by metric and by the metrics that come together. A record is
// looked up once, by its metrics; what its value sets add is then an array index away.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/archive/reader/record.h"
#include "runtime/model/archive_summary.h"

namespace pmjit {

// Typical: the median of a long row of numbers in little memory: every number of a short row; of a
// longer one every second, every fourth and so on, so that they come from all of it.
class Typical {
 public:
  void add(double value) {
    if (seen_++ % step_ != 0) return;
    kept_.push_back(value);
    if (kept_.size() < kKeptMax) return;
    for (size_t i = 0; i < kKeptMax / 2; ++i) kept_[i] = kept_[i * 2];
    kept_.resize(kKeptMax / 2);
    step_ *= 2;
  }
  [[nodiscard]] uint64_t seen() const { return seen_; }
  // None: nothing was added.
  [[nodiscard]] std::optional<double> median() const {
    if (kept_.empty()) return std::nullopt;
    std::vector<double> sorted = kept_;
    const auto middle = sorted.begin() + static_cast<ptrdiff_t>((sorted.size() - 1) / 2);
    std::ranges::nth_element(sorted, middle);
    return *middle;
  }

 private:
  static constexpr size_t kKeptMax = 1024;
  uint64_t seen_ = 0, step_ = 1;
  std::vector<double> kept_;
};

class RecordCounts {
 public:
  // After a gap there is no interval from the record before.
  void add(const RecordHead& head, const RecordLayout& layout, bool after_gap);
  // That came so far.
  [[nodiscard]] size_t metrics() const { return metrics_.size(); }

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

// Pauses: gaps between records. Which pause is a long one is known only when all records were seen,
// so the longest are kept; gaps that have a cause of their own are kept whatever their length.
class Pauses {
 public:
  // The next record. `cause`: why nothing came before it, where something says so.
  void add(Stamp stamp, std::optional<GapCause> cause);
  // The records end here, with the cause of the last gap where they do not end by themselves, and
  // its end where that is known.
  void end(std::optional<GapCause> cause, std::optional<Stamp> to);

  struct Found {
    std::vector<Gap> gaps;  // in order of time
    bool more = false;      // pauses that were not kept
  };
  // Gaps with a cause, and pauses of more than `least` seconds.
  [[nodiscard]] Found longer_than(double least) const;

 private:
  struct Pause {
    double seconds;
    Stamp from, to;
  };
  std::optional<Stamp> last_;
  std::vector<Gap> told_;
  std::vector<Pause> longest_;  // a heap, the shortest in front
  bool dropped_ = false;
};

}  // namespace pmjit
