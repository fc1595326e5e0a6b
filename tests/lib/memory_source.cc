#include "tests/lib/memory_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/base/limits.h"

namespace pmjit::cases {
namespace {

class MemoryCursor final : public Cursor {
 public:
  MemoryCursor(const CaseRecording& recording, const FetchPlan& plan, Rosters& rosters)
      : recording_(recording), plan_(plan), rosters_(rosters) {}

  Result<bool> next(Block& block) override {
    block.clear();
    block.columns.resize(plan_.metrics.size());
    for (size_t i = 0; i < plan_.metrics.size(); ++i) {
      for (const Metric& metric : recording_.metrics) {
        if (metric.desc.pmid == plan_.metrics[i].pmid) block.columns[i].elem = metric.elem;
      }
    }
    const uint32_t rows_max = plan_.rows_max != 0 ? plan_.rows_max : limits::kBlockRowsMax;
    while (position_ < recording_.records.size() && block.records.size() < rows_max) {
      take(recording_.records[position_++], block);
    }
    return !block.records.empty();
  }

  double done() const override {
    const size_t all = recording_.records.size();
    return all == 0 ? 1 : static_cast<double>(position_) / static_cast<double>(all);
  }

 private:
  // A record without any of the plan's metrics is left out; a mark is kept.
  void take(const SampleRecord& record, Block& block) {
    const auto index = static_cast<uint32_t>(block.records.size());
    bool wanted = record.mark;
    for (const CaseValueSet& set : record.sets) {
      const PmId pmid = recording_.metrics[set.metric].desc.pmid;
      const auto found = std::ranges::find(plan_.metrics, pmid, &WantedMetric::pmid);
      if (found == plan_.metrics.end()) continue;
      append(set, record.stamp, index,
             block.columns[static_cast<size_t>(found - plan_.metrics.begin())]);
      wanted = true;
    }
    if (wanted) block.records.push_back({.stamp = record.stamp, .mark = record.mark});
  }

  void append(const CaseValueSet& set, Stamp stamp, uint32_t record, Column& column) {
    const Metric& metric = recording_.metrics[set.metric];
    std::vector<int32_t> ids;
    for (const CaseValue& value : set.values) ids.push_back(value.instance);
    RosterId roster_id = rosters_.intern(ids);
    if (metric.desc.indom == kNullId && !ids.empty()) roster_id = Rosters::kSingularId;
    const uint64_t first = column.grow(ids.size());
    const size_t bytes = elem_bytes(metric.elem);
    std::byte* to = column.values.data() + first * bytes;
    for (const CaseValue& value : set.values) {
      const uint64_t bits =
          metric.elem == Elem::text ? column.dictionary.add(value.text) : value.bits;
      std::memcpy(to, &bits, bytes);
      to += bytes;
    }
    column.rows.push_back({.stamp = stamp,
                           .roster_id = roster_id,
                           .status = set.status,
                           .record = record,
                           .offset = first});
  }

  const CaseRecording& recording_;
  FetchPlan plan_;
  Rosters& rosters_;
  size_t position_ = 0;
};

}  // namespace

Stamp MemorySource::start() const {
  return recording_.records.empty() ? kEpoch : recording_.records.front().stamp;
}

Stamp MemorySource::end() const {
  return recording_.records.empty() ? kEpoch : recording_.records.back().stamp;
}

Result<std::unique_ptr<Cursor>> MemorySource::open(const FetchPlan& plan, Rosters& rosters) const {
  return std::make_unique<MemoryCursor>(recording_, plan, rosters);
}

Result<Desc> MemorySource::describe(std::string_view name) const {
  const Metric* metric = recording_.metric(name);
  if (metric == nullptr) return fail(Fault::not_found, fmt::format("no metric {}", name));
  return metric->desc;
}

std::vector<std::string> MemorySource::leaves(std::string_view prefix) const {
  std::vector<std::string> names;
  for (const Metric& metric : recording_.metrics) {
    const bool below = metric.name.starts_with(prefix) && metric.name.size() > prefix.size() &&
                       metric.name[prefix.size()] == '.';
    if (prefix.empty() || metric.name == prefix || below) names.push_back(metric.name);
  }
  std::ranges::sort(names);
  return names;
}

std::optional<std::string> MemorySource::instance_name(InDomId indom, int32_t id,
                                                       Stamp when) const {
  const CaseDomain* domain = recording_.domain(indom);
  if (domain == nullptr) return std::nullopt;
  for (const cases::Instance& instance : domain->instances_at(when)) {
    if (instance.id == id) return instance.name;
  }
  return std::nullopt;
}

std::vector<Catalog::Instance> MemorySource::instances(InDomId indom) const {
  std::vector<Catalog::Instance> all;
  if (const CaseDomain* domain = recording_.domain(indom)) {
    for (const cases::Instance& instance : domain->instances_at({INT64_MAX, 0})) {
      all.push_back({instance.id, instance.name});
    }
  }
  std::ranges::sort(all, {}, &Catalog::Instance::id);
  return all;
}

std::vector<std::string> MemorySource::names_ever(InDomId indom) const {
  std::vector<std::string> all;
  if (const CaseDomain* domain = recording_.domain(indom)) {
    for (const cases::Instance& instance : domain->instances) all.push_back(instance.name);
    for (const Rename& rename : domain->renames) all.push_back(rename.instance.name);
  }
  return all;
}

}  // namespace pmjit::cases
