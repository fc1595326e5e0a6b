// GridWindow: the records of all metrics of a grid, each read and decoded once: a block after the
// other, kept while a metric still has rows to take from it.
//
//   window.read()        one more block, numbered from 0 on
//   window.block(n)      while first() <= n < end()
//   window.release(n)    those before it are not looked at any more
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/client/archive_context/grid_lists.h"
#include "runtime/client/archive_context/grid_returns.h"

namespace pmjit {

class GridWindow {
 public:
  enum class Read : uint8_t {
    block,
    end,   // of the recording
    full,  // the blocks that are kept are as many as may be
    // Records are damaged or not in order of time. Then interpolation.h alone says which values
    // there are.
    doubtful,
  };

  // `metrics`, each once, are the columns; `domains` are theirs, null for singular ones. Records
  // are those from some time before the first on; of a recording that begins not long before all.
  // The window outlives neither the recording nor the domains.
  struct Wanted {
    std::vector<WantedMetric> metrics;
    std::vector<const GridDomain*> domains;
  };
  // Of a grid: its first time, and as TimeGrid has it.
  struct Times {
    Stamp from;
    Nanos step = 0;
    bool certain = false;
  };
  // `reader` gives the records of `recorded`.
  [[nodiscard]] static Result<std::unique_ptr<GridWindow>> open(const ArchivesSource& recorded,
                                                                const Recording& reader,
                                                                Wanted wanted, const Times& times);

  [[nodiscard]] Read read();
  [[nodiscard]] uint64_t first() const { return first_; }
  [[nodiscard]] uint64_t end() const { return first_ + blocks_.size(); }
  [[nodiscard]] const Block& block(uint64_t number) const {
    return blocks_[number - first_]->block;
  }
  // When a record of it was.
  [[nodiscard]] double seconds(uint64_t number, uint32_t record) const {
    return blocks_[number - first_]->seconds[record];
  }
  void release(uint64_t before);
  // Of a row of the column.
  [[nodiscard]] std::shared_ptr<const GridList> list(uint32_t column, RosterId roster_id) {
    return lists_.find(domains_[column])->second.of(rosters_, roster_id);
  }
  [[nodiscard]] const GridDomain* domain(uint32_t column) const { return domains_[column]; }
  // Of all that the plan has; found when somebody asks first. Only from_start().
  [[nodiscard]] const GridReturns& returns();

  // Are these all records from the recording's beginning on?
  [[nodiscard]] bool from_start() const { return from_start_; }
  [[nodiscard]] bool ended() const { return state_ == Read::end; }
  [[nodiscard]] bool doubtful() const { return state_ == Read::doubtful; }
  // Has a mark been met? Borders between archives are marks, too.
  [[nodiscard]] bool marked() const { return !marks_.empty(); }
  // Is one of them from `from` on, and not behind `until`? Seconds since the start of the
  // recording.
  [[nodiscard]] bool marked(double from, double until) const {
    const auto mark = std::ranges::lower_bound(marks_, from);
    return mark != marks_.end() && *mark <= until;
  }
  // Is it known that no mark is there, up to a time? Reads on for that, some blocks at most.
  [[nodiscard]] bool is_unmarked(double until);
  // Of the record that was read last; each one of the metrics before is there.
  [[nodiscard]] double time() const { return time_; }
  // Since it was asked before.
  [[nodiscard]] uint64_t bytes_read() { return std::exchange(bytes_, 0); }

 private:
  GridWindow(const ArchivesSource& recorded, Wanted wanted, Stamp from, bool from_start);
  struct Kept {
    Block block{};
    std::vector<double> seconds{};  // of each record since the start of the recording
    uint64_t size = 0;              // in values
  };

  void forget_rosters();
  [[nodiscard]] bool in_order(Kept& kept);

  const ArchivesSource& recorded_;
  FetchPlan plan_;
  std::vector<const GridDomain*> domains_;
  std::unordered_map<const GridDomain*, GridLists> lists_;
  std::optional<GridReturns> returns_;
  Stamp start_;
  bool from_start_;
  Rosters rosters_;  // before the cursor, which uses them
  std::unique_ptr<Cursor> cursor_;
  std::deque<std::unique_ptr<Kept>> blocks_;
  std::vector<std::unique_ptr<Kept>> spare_;
  uint64_t first_ = 0, bytes_ = 0;
  uint64_t size_ = 0;  // of the blocks that are kept
  double time_ = -1;
  std::vector<double> marks_;  // ascending
  Read state_ = Read::block;
};

}  // namespace pmjit
