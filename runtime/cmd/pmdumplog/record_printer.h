// RecordPrinter: data records as text. Numbers of a value set that are all of one kind, which is
// nearly everything ever recorded, go straight from the record into the output; the rest goes the
// way of one value at a time. Source: spec tools.md §2.13.
#pragma once

#include "runtime/archive/recording/records.h"
#include "runtime/cmd/pmdumplog/dump.h"
#include "runtime/cmd/pmdumplog/metric_text.h"
#include "runtime/model/fetched_values.h"

namespace pmjit {

class RecordPrinter {
 public:
  // No metrics: all of a record.
  RecordPrinter(Dump& dump, const std::vector<PmId>& metrics);

  // False: nothing of it is to be printed.
  [[nodiscard]] bool wants(const ReplayRecord& record, const RecordLayout& layout);
  // The record that was asked about last.
  void print(const ReplayRecord& record, const RecordLayout& layout);

 private:
  void print_set(const ReplayRecord& record, const RecordLayout& layout, const ValueSet& set,
                 MetricText& metric);
  bool print_numbers(const RecordHead& head, const ValueSet& set, const MetricText& metric);
  template <class Write>
  void print_lines(const ValueSet& set, const MetricText& metric, Write&& write);
  void print_one_by_one(const ReplayRecord& record, const RecordLayout& layout, const ValueSet& set,
                        const MetricText& metric);
  void print_events(const ReplayRecord& record, const RecordLayout& layout, const ValueSet& set,
                    const MetricText& metric);
  uint64_t size_of(const ReplayRecord& record, const RecordLayout& layout) const;

  Dump& dump_;
  MetricTexts texts_;
  std::unordered_map<PmId, size_t> slots_;  // place of a metric among the operands
  std::vector<const ValueSet*> shown_;
  Arena arena_;
  FetchedSet fetched_;
};

}  // namespace pmjit
