// A report of `pmjit eval -p` as its TOML file has it: columns with a header and an expression, and
// how they stand in lines.
//
//   what = "reads and writes of disks"
//   rows = "instance"
//   instance = "disk"
//
//   [[column]]
//   header = "r/s"
//   expr = 'rate(disk.dev.read)'
//   digits = 1
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/diag/diag.h"
#include "rules/daemon_config/config_problems.h"
#include "runtime/report/report_layout.h"

namespace pmjit {

struct ReportExpr {
  std::string text;  // without blanks around it
  // The text behind as many blanks as the file has bytes before it: its places are the file's.
  SourceText source{};
  bool has_place = false;  // else the source is the text alone
  std::string unit{};      // to which values are converted; empty: they stay
  ConfigPlace place{}, unit_place{};
};

struct NamedReport {
  SourceText file;
  bool is_own = false;            // the user's
  std::string what;               // a line about it
  ReportLayout layout;            // with a column for each of
  std::vector<ReportExpr> exprs;  // …
};

// The source is one of `problems`, which has what is wrong with it; none: it is no report.
[[nodiscard]] std::optional<NamedReport> read_report(uint32_t source, ConfigProblems& problems);

}  // namespace pmjit
