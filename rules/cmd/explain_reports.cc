// pmjit explain reports: what eval -p has. pmjit explain reports vmstat: the text of one, for those
// who want a report of their own.
#include <fmt/core.h>

#include <algorithm>

#include "rules/cmd/common.h"
#include "rules/cmd/text_file.h"
#include "rules/cmd/verbs.h"
#include "rules/reports/report_file.h"
#include "rules/reports/report_list.h"

namespace pmjit {

namespace {

Result<std::string> read_own_report(const std::string& path) {
  return read_user_file(path, FileKind::reports);
}

std::string what_of(const ListedReport& listed) {
  auto file = find_report(listed.path.empty() ? listed.name : listed.path, read_own_report);
  if (!file) return file.error().what();
  ConfigProblems problems;
  const auto report = read_report(problems.add_source(std::move(file->file)), problems);
  std::string out = report ? report->what : "has mistakes: pmjit eval -p " + listed.name;
  if (!listed.path.empty()) out += fmt::format("{}({})", out.empty() ? "" : " ", listed.path);
  return out;
}

int list_reports() {
  const std::vector<ListedReport> reports = listed_reports();
  size_t width = 0;
  for (const ListedReport& report : reports) width = std::max(width, report.name.size());
  for (const ListedReport& report : reports) {
    fmt::print("{:<{}}  {}\n", report.name, width, what_of(report));
  }
  fmt::print("\n`pmjit explain reports vmstat` prints the text of one.\n");
  if (const std::string folder = user_report_folder(); !folder.empty()) {
    fmt::print("Your own are {}/NAME.toml.\n", folder);
  }
  return kExitOk;
}

int print_reports(const std::vector<std::string>& names) {
  if (names.empty()) return list_reports();
  int status = kExitOk;
  for (const std::string& name : names) {
    const auto file = find_report(name, read_own_report);
    if (file) {
      fmt::print("{}", file->file.text);
    } else {
      complain(file.error().text());
      status = kExitErrors;
    }
  }
  return status;
}

}  // namespace

Command explain_reports_command() {
  auto names = std::make_shared<std::vector<std::string>>();
  return {
      .name = "reports",
      .what = "list the reports of eval -p, or print the text of one",
      .options = {{.names = "REPORT", .target = names.get(), .what = "reports to print"}},
      .run = [names] { return print_reports(*names); },
      .examples = {"pmjit explain reports", "pmjit explain reports vmstat > mine.toml"},
  };
}

}  // namespace pmjit
