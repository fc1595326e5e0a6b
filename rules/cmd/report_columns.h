// -p REPORT: the columns of a named report as expressions over one archive or host. Counters become
// rates, values get the unit of the column, and columns whose metrics are not there are left out.
//
//   auto report = open_report(options.report);                  // the file is right
//   auto columns = columns_over(*report, options, compile_one); // and fits what is read
//   columns->expressions …                                      // one a column of columns->layout
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/driver/check.h"
#include "compiler/driver/driver.h"
#include "rules/check/findings.h"
#include "rules/cmd/command.h"
#include "rules/reports/report_file.h"
#include "runtime/base/result.h"
#include "runtime/model/recording.h"
#include "runtime/model/results.h"
#include "runtime/report/report_layout.h"

namespace pmjit {

[[nodiscard]] CommandOption report_option(std::string& report);

// The report that -p names. What is wrong with its file is in the error, as it is printed.
[[nodiscard]] Result<NamedReport> open_report(const std::string& word);
// Says an error of these functions: mistakes in the file have heads of their own.
void complain_of_report(const Error& error);

struct ReportColumns {
  ReportLayout layout;
  std::vector<std::string> expressions;  // of each column
  std::vector<std::string> notes;        // what is left out
  std::vector<PmId> metrics;             // that they read

  // Results are called by the headers of their columns; columns that are made of none go.
  void name_results(std::vector<ResultInfo>& infos);
  // The text of an expression in a note is its column's header.
  [[nodiscard]] std::string with_headers(std::string note) const;
};

struct ColumnsWanted {
  const CompileInput& definitions;  // its expressions do not count
  std::string host;                 // that has the metrics; empty: there are several
  bool raw = false;                 // counters stay what they are
  std::function<Compilation(const CompileInput&)> compile;
  // Gets what is wrong with a column, of its first source; or null.
  ConfigProblems* problems = nullptr;
};
// An error is printed as it is.
[[nodiscard]] Result<ReportColumns> columns_over(const NamedReport& report,
                                                 const ColumnsWanted& wanted);

// What is wrong with a TOML file as findings; it stands in files that the file names, too.
[[nodiscard]] std::vector<CheckedFile> findings_of(const ConfigProblems& problems);
// `check` of a report, in check_report.cc: its keys, and its expressions against a catalog.
struct ReportCheck {
  CompileInput definitions{};
  const Catalog* catalog = nullptr;  // or null: whether they parse
  CheckOptions how{};
};
[[nodiscard]] CheckedFile check_report(const SourceText& file, const ReportCheck& check);

// How the records of metrics usually come.
struct RecordRhythm {
  double interval = 0;  // seconds between them: what -p takes for -t; 0: they came less than twice
  bool in_groups = false;  // or often a moment after one another
};
[[nodiscard]] RecordRhythm rhythm_of(const Recording& source, const std::vector<PmId>& metrics);

}  // namespace pmjit
