// RowBlock: answers of many hosts to the same fetch, as rows of the same columns. Private to
// runtime/sched.
//
//   RowBlock block(metrics, rosters);
//   auto layout = block.layout_of(descs);              // as this host describes them
//   auto stamp = block.append(pdu, *layout);           // a row in every column
//   block.append_down(due);                            // another host has none
//   block.give(wave.operands);
//
// Hosts that describe all metrics alike have one layout: what to ask for, and where it goes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/client/host_fetcher.h"
#include "runtime/model/feed.h"
#include "runtime/wire/result_columns.h"

namespace pmjit {

// As the program was compiled for it.
struct PlannedMetric {
  std::string name;
  Desc desc;
  Elem elem = Elem::f64;
  std::optional<size_t> same{};  // an earlier one is the same metric; it is asked for once
};

struct RowLayout {
  std::vector<LiveMetric> metrics;  // beside the plan's
  std::vector<PmId> wanted;         // ascending
  std::vector<InDomId> domains{};   // theirs, likewise
  wire::ResultColumns columns;
};

class RowBlock {
 public:
  // `rosters` outlives it; rosters of rows are ids in it.
  RowBlock(std::vector<PlannedMetric> metrics, Rosters& rosters);

  [[nodiscard]] const std::vector<PlannedMetric>& metrics() const { return metrics_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  // Indices of those with instances.
  [[nodiscard]] const std::vector<size_t>& instanced() const { return instanced_; }
  // `descs`: of names(). Hosts share it, and it goes with the last one that has it.
  [[nodiscard]] std::shared_ptr<RowLayout> layout_of(const std::vector<OrPmError<Desc>>& descs);
  [[nodiscard]] size_t layouts() const { return layouts_.size(); }

  // A row of each metric; the time is the host's own. Where the answer is refused there is none.
  [[nodiscard]] Result<Stamp> append(Bytes pdu, RowLayout& layout);
  // The same of a host that has none of the values: why not. A metric that it lacks keeps its own
  // reason.
  void append_refused(Stamp stamp, const RowLayout& layout, int32_t status);
  // The same of a host without an answer: kHostDown.
  void append_down(Stamp due);
  // The newest row of each goes.
  void take_back();
  [[nodiscard]] const Row& newest(size_t metric) const {
    return block_.columns[metric].rows.back();
  }
  // Moves all rows to the wave's operands, and takes the memory that is there.
  void give(std::vector<Observations>& operands);
  void keep_rosters(Rosters& rosters) const;

 private:
  void fill(Stamp stamp, size_t row, const RowLayout* layout, int32_t otherwise);
  void prepare();

  std::vector<PlannedMetric> metrics_;
  std::vector<std::string> names_;
  std::vector<size_t> instanced_;
  Rosters& rosters_;
  std::vector<std::weak_ptr<RowLayout>> layouts_;
  Block block_;
};

}  // namespace pmjit
