#include "runtime/sched/row_block.h"

#include <algorithm>
#include <set>
#include <utility>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr PmId kNobodys = 0x80000000;  // no collector's identifier has this bit

bool alike(const std::vector<LiveMetric>& one, const std::vector<LiveMetric>& other) {
  return std::ranges::equal(one, other, [](const LiveMetric& a, const LiveMetric& b) {
    return a.desc.pmid == b.desc.pmid && a.status == b.status;
  });
}

}  // namespace

RowBlock::RowBlock(std::vector<PlannedMetric> metrics, Rosters& rosters)
    : metrics_(std::move(metrics)), rosters_(rosters) {
  for (size_t i = 0; i < metrics_.size(); ++i) {
    names_.push_back(metrics_[i].name);
    if (metrics_[i].desc.indom != kNullId) instanced_.push_back(i);
    for (size_t k = 0; k < i && !metrics_[i].same; ++k) {
      if (metrics_[k].name == metrics_[i].name) metrics_[i].same = k;
    }
  }
  block_.columns.resize(metrics_.size());
  prepare();
}

void RowBlock::prepare() {
  block_.clear();
  for (size_t i = 0; i < metrics_.size(); ++i) block_.columns[i].elem = metrics_[i].elem;
}

std::shared_ptr<RowLayout> RowBlock::layout_of(const std::vector<OrPmError<Desc>>& descs) {
  std::vector<LiveMetric> metrics;
  for (size_t i = 0; i < metrics_.size(); ++i) {
    metrics.push_back(compared(metrics_[i].desc, descs[i]));
  }
  // A collector whose agents come and go has many in its life.
  std::erase_if(layouts_, [](const auto& layout) { return layout.expired(); });
  for (const auto& layout : layouts_) {
    auto known = layout.lock();
    if (alike(known->metrics, metrics)) return known;
  }
  const auto made = std::make_shared<RowLayout>(RowLayout{
      .metrics = std::move(metrics), .wanted = {}, .columns = wire::ResultColumns(rosters_)});
  layouts_.push_back(made);
  RowLayout& out = *made;
  std::set<InDomId> domains;
  for (size_t i = 0; i < metrics_.size(); ++i) {
    Desc desc = out.metrics[i].desc;
    const bool asked = out.metrics[i].status == 0 && !metrics_[i].same;
    if (asked) out.wanted.push_back(desc.pmid);
    if (asked && desc.indom != kNullId) domains.insert(desc.indom);
    // Nothing that a collector sends is of such a metric.
    if (!asked) desc.pmid |= kNobodys;
    out.columns.add_metric(desc, metrics_[i].elem);
  }
  // A collector tells only with an answer that an agent has come.
  if (out.wanted.empty()) out.wanted.push_back(out.metrics.front().desc.pmid);
  std::ranges::sort(out.wanted);
  const auto twice = std::ranges::unique(out.wanted);
  out.wanted.erase(twice.begin(), twice.end());
  out.domains.assign(domains.begin(), domains.end());
  return made;
}

Result<Stamp> RowBlock::append(Bytes pdu, RowLayout& layout) {
  const size_t row = block_.records.size();
  const auto stamp = layout.columns.append(pdu, block_);
  if (!stamp) return stamp;
  fill(*stamp, row, &layout, pm_err::E_VALUE);
  return stamp;
}

void RowBlock::append_refused(Stamp stamp, const RowLayout& layout, int32_t status) {
  fill(stamp, block_.records.size(), &layout, status);
}

void RowBlock::append_down(Stamp due) { fill(due, block_.records.size(), nullptr, kHostDown); }

// What the answer left out: metrics that the host lacks, and those that an agent does not deliver.
void RowBlock::fill(Stamp stamp, size_t row, const RowLayout* layout, int32_t otherwise) {
  block_.records.resize(row + 1, Record{.stamp = stamp});
  for (size_t i = 0; i < metrics_.size(); ++i) {
    Column& column = block_.columns[i];
    if (column.rows.size() > row) continue;
    if (metrics_[i].same) {
      const Column& same = block_.columns[*metrics_[i].same];
      column.append_row(same, same.rows[row], rosters_.size(same.rows[row].roster_id));
      continue;
    }
    const int32_t own = layout == nullptr ? 0 : layout->metrics[i].status;
    column.rows.push_back({.stamp = stamp,
                           .roster_id = Rosters::kNobodyId,
                           .status = own != 0 ? own : otherwise,
                           .record = static_cast<uint32_t>(row),
                           .offset = column.count});
  }
}

void RowBlock::take_back() {
  block_.records.pop_back();
  for (Column& column : block_.columns) column.rows.edit().pop_back();
}

void RowBlock::give(std::vector<Observations>& operands) {
  operands.resize(metrics_.size());
  for (size_t i = 0; i < metrics_.size(); ++i) {
    Observations& out = operands[i];
    swap_columns(out.column, block_.columns[i]);
    out.limits.assign(out.column.rows.size(), AgeLimit{});
    out.segments.clear();
  }
  prepare();
}

void RowBlock::keep_rosters(Rosters& rosters) const {
  for (const Column& column : block_.columns) {
    for (const Row& row : column.rows) rosters.keep(row.roster_id);
  }
}

}  // namespace pmjit
