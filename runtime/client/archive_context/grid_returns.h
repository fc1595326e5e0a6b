// GridReturns: where instances that had gone are observed again. Interpolation goes from the last
// observation before a pause to the first one behind it, however long that is; so of instances that
// go somebody has to look ahead. It is done once, for all metrics of a grid: a second pass over the
// records, where any instance has gone.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/client/archive_context/grid_lists.h"
#include "runtime/model/recording.h"

namespace pmjit {

// An observation of a number.
struct GridReturn {
  Stamp stamp;
  double t = 0;       // seconds since the start of the recording
  uint64_t bits = 0;  // of a narrow number the lower ones
};

class GridReturns {
 public:
  // Of the columns of the plan; `lists` of each.
  GridReturns(const ArchivesSource& recorded, const FetchPlan& plan,
              const std::vector<const GridDomain*>& domains);

  // False: rows of the column are damaged, not in order of time, or beside the lives of their
  // instances; or there are too many returns.
  [[nodiscard]] bool sound(uint32_t column) const { return !failed_ && columns_[column].sound; }
  // Seconds since the start of the recording: of the column's last row.
  [[nodiscard]] double last(uint32_t column) const { return columns_[column].last; }
  // Are there marks anywhere?
  [[nodiscard]] bool marked() const { return marked_; }
  // The first behind `t`, which is the instance's last observation before it went. Null: none.
  [[nodiscard]] const GridReturn* next(uint32_t column, int32_t instance, double t) const;

 private:
  struct ColumnReturns {
    std::unordered_map<int32_t, std::vector<GridReturn>> of;
    double last = -kAlways;
    bool sound = true;
  };
  // Columns that have had the same rows so far, as metrics that are logged together have. Processes
  // that end are many: those that are gone are known once for all metrics of processes.
  struct Group {
    std::vector<uint32_t> columns;
    GridLists* lists = nullptr;  // of their domain
    RosterId roster_id = Rosters::kNobodyId;
    std::shared_ptr<const GridList> list{};
    double last = -kAlways;
    bool sound = true;
    std::unordered_set<int32_t> gone{};  // and not back yet
  };
  [[nodiscard]] size_t count_gone() const;
  void split_groups(const Block& block);
  void take(const Block& block, const Rosters& rosters, Stamp start, Group& group);
  void change(const Block& block, const Row& row, GridReturn at, const GridList& list,
              Group& group);

  std::vector<ColumnReturns> columns_;
  std::vector<Group> groups_;
  bool marked_ = false, failed_ = false;
  size_t count_ = 0;  // of returns
};

// The bits of a column's value.
[[nodiscard]] uint64_t number_bits(const std::byte* values, size_t lane, size_t bytes);

}  // namespace pmjit
