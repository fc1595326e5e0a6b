// The metrics of a grid, and the ways in which each comes by its values.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "runtime/archive/recording/archives_source.h"
#include "runtime/archive/recording/marks.h"
#include "runtime/client/archive_context/grid_column.h"
#include "runtime/client/archive_context/grid_metric.h"
#include "runtime/client/archive_context/grid_window.h"

namespace pmjit {

// What the grid has of a metric: two rows side by side, and where these do not say it all any more,
// interpolation.
struct Gridded {
  WantedMetric wanted;
  Desc desc;
  Elem elem;
  const GridDomain* domain = nullptr;  // null: it is singular
  std::optional<GridColumn> column{};
  std::unique_ptr<GridMetric> metric{};  // beside a column: that goes on where it ends soon
  bool silent = false;  // it has no value anywhere: neither a column nor interpolation is needed
  size_t first = 0;     // time of the block that `metric` begins with
};

struct GridParts {
  const ArchivesSource& recorded;
  std::unique_ptr<Marks> marks{};                     // null: they are not seen
  std::unordered_map<InDomId, GridDomain> domains{};  // of the columns
  std::unique_ptr<GridWindow> window{};               // null: no metric has a column
  std::unique_ptr<RecordNotes> notes{};               // of texts
  std::vector<Gridded> metrics{};
  UndescribedMetrics& undescribed;  // of the archives
};

// Of a plan; refuses metrics whose values are no elements.
[[nodiscard]] Result<void> add_metrics(const FetchPlan& plan, GridParts& parts);
// Gives each number a column, whose rows a new window reads. False: interpolation says why.
bool open_columns(GridParts& parts, const Recording& reader, const GridWindow::Times& times,
                  bool goes_on);

// Finds the numbers that have no value anywhere. Of a recording that cannot be read to its end:
// none.
void find_silent(GridParts& parts);

}  // namespace pmjit
