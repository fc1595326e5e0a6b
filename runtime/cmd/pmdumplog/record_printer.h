// RecordPrinter: data records as text. Numbers of a value set that are all of one kind, which is
// nearly everything ever recorded, go straight from the record into the output; the rest goes the
// way of one value at a time. Source: spec tools.md §2.13.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/archive/reader/metadata.h"
#include "runtime/archive/recording/records.h"
#include "runtime/cmd/pmdumplog/dump.h"
#include "runtime/model/fetched_values.h"

namespace pmjit {

// MetricText: what stands before every value of a metric, made once: names do not change, and an
// instance list mostly is that of the record before. Source: spec tools.md §2.13.
class MetricText {
 public:
  MetricText(const Metadata& metadata, PmId pmid);

  // "    241.0.20 (val.set):"
  [[nodiscard]] std::string_view head() const { return head_; }
  // Of one value of an event metric, `    241.0.22 (val.eventset[0 or "zero"]): `
  [[nodiscard]] std::string head_of(int32_t instance, Stamp when) const;
  // Of a metric without descriptor: kNoType, and singular.
  static constexpr int kNoType = -2;
  [[nodiscard]] int type() const { return type_; }
  [[nodiscard]] bool singular() const { return singular_; }

  // The instances of a value set, `count` pairs {instance, value}, as of its time.
  void set_instances(const std::byte* pairs, uint32_t count, Stamp when);
  // `inst [1 or "one"] value `, or `value ` of a singular metric.
  [[nodiscard]] std::string_view before_value(uint32_t i) const {
    return std::string_view(texts_).substr(starts_[i] + kIndent.size(),
                                           starts_[i + 1] - starts_[i] - kIndent.size());
  }
  // The same with the indent of a line of its own.
  [[nodiscard]] std::string_view line(uint32_t i) const {
    return {texts_.data() + starts_[i], starts_[i + 1] - starts_[i]};
  }

 private:
  static constexpr std::string_view kIndent = "        ";
  std::string head_;
  int type_ = kNoType;
  bool singular_ = true;
  const Domain* domain_ = nullptr;
  std::vector<int32_t> instances_;  // of the last value set
  uint64_t epoch_ = 0;
  std::string texts_;
  std::vector<size_t> starts_{0};
};

// `1 or "one"`, `9 or ???`
[[nodiscard]] std::string instance_text(const Domain* domain, int32_t instance, Stamp when);

// The texts of all metrics met so far.
class MetricTexts {
 public:
  explicit MetricTexts(const Metadata& metadata) : metadata_(metadata) {}
  // `position`: of its value set in the record; records of one logging group look alike.
  [[nodiscard]] MetricText& of(PmId pmid, size_t position);

 private:
  struct Seen {
    PmId pmid = kNullId;
    MetricText* text = nullptr;
  };
  const Metadata& metadata_;
  std::unordered_map<PmId, MetricText> texts_;  // their addresses stay
  std::vector<Seen> seen_;
};

// The names of a metric as pmdumplog joins them: "disk.read or disk.dev.read".
inline std::string names_of(const Metadata& metadata, PmId pmid, std::string_view nameless) {
  std::string out;
  for (const std::string_view name : metadata.names.names(pmid)) {
    if (!out.empty()) out += " or ";
    out += name;
  }
  return out.empty() ? std::string(nameless) : out;
}

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
