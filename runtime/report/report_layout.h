// ReportLayout: how the results of a named report (pmjit eval -p NAME) stand in lines, as those who
// know vmstat, iostat and sar expect them. The writer `report` prints them:
//
//   rows time      a line a time, a column a result; where it has instances, one for each
//   rows instance  a line a time and instance, as sar -d has them
//   rows block     the time on a line of its own, below it a line an instance, as iostat has them
//
// In lines of instances a result without instances stands in each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pmjit {

struct ReportColumn {
  std::string header;
  std::string group = {};          // stands above the headers of neighbours that share it
  size_t width = 0;                // at least
  std::optional<int> digits = {};  // after the point; none: those that matter
};

struct ReportLayout {
  enum class Rows : uint8_t { time, instance, block };
  Rows rows = Rows::time;
  std::string instance_header = {};
  std::vector<ReportColumn> columns = {};
  std::vector<size_t> column_of = {};  // of each result
  std::string interval = {};           // between times, as the head names it
};

}  // namespace pmjit
