#include "rules/reports/report_file.h"

#include <gtest/gtest.h>

#include "rules/reports/report_list.h"

namespace pmjit {
namespace {

std::optional<NamedReport> read(const std::string& text, ConfigProblems& problems) {
  return read_report(problems.add_source({.name = "mine.toml", .text = text}), problems);
}

Result<std::string> no_files(const std::string& path) { return fail(Fault::not_found, path); }

TEST(ReportFile, HasColumnsInOrder) {
  ConfigProblems problems;
  const auto report = read(R"(what = "disks"
rows = "block"
instance = "disk"
[[column]]
header = "r/s"
expr = '  rate(disk.dev.read) '
digits = 2
width = 9
group = "reads"
[[column]]
header = "MB"
expr = "a + b"
unit = "Mbyte"
)",
                           problems);
  ASSERT_TRUE(report) << problems.text();
  EXPECT_EQ(report->what, "disks");
  EXPECT_EQ(report->layout.rows, ReportLayout::Rows::block);
  EXPECT_EQ(report->layout.instance_header, "disk");
  ASSERT_EQ(report->layout.columns.size(), 2);
  EXPECT_EQ(report->layout.columns[0].digits, 2);
  EXPECT_EQ(report->layout.columns[0].width, 9);
  EXPECT_EQ(report->layout.columns[0].group, "reads");
  EXPECT_EQ(report->exprs[0].text, "rate(disk.dev.read)");
  EXPECT_EQ(report->exprs[1].unit, "Mbyte");
}

// Messages of the compiler have the lines of the file.
TEST(ReportFile, ExpressionsStandWhereTheyStand) {
  ConfigProblems problems;
  const std::string text = R"([[column]]
header = "a"
expr = 'x + y'
[[column]]
header = "b"
expr = "'odd\\name'"
)";
  const auto report = read(text, problems);
  ASSERT_TRUE(report) << problems.text();
  const SourceText& first = report->exprs[0].source;
  EXPECT_TRUE(report->exprs[0].has_place);
  EXPECT_EQ(first.text.size(), text.find("x + y") + 5);
  EXPECT_EQ(line_column(first, static_cast<uint32_t>(first.text.find('x'))).line, 3);
  EXPECT_EQ(first.text.find_first_not_of(" \n"), text.find("x + y"));
  const SourceText& escaped = report->exprs[1].source;
  EXPECT_FALSE(report->exprs[1].has_place);
  EXPECT_EQ(escaped.text, "'odd\\name'");
  EXPECT_EQ(escaped.first_line, 6);
}

TEST(ReportFile, ComplainsOfEachMistake) {
  ConfigProblems problems;
  EXPECT_FALSE(read(R"(what = "a\u0007b"
[[column]]
header = ""
expr = "x"
[[column]]
header = "b"
expr = "x"
unit = "2 sec"
width = -1
)",
                    problems));
  std::vector<std::string> messages;
  for (const ConfigProblem& problem : problems.all()) messages.push_back(problem.message);
  EXPECT_EQ(messages,
            (std::vector<std::string>{"`what` has control characters", "`header` is empty",
                                      "`width` is -1, not 0 to 100", "\"2 sec\" is not a unit"}));
}

TEST(ReportList, ReportsOfOursAreRight) {
  ::setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
  const auto reports = listed_reports();
  EXPECT_GE(reports.size(), 8);
  for (const ListedReport& listed : reports) {
    const auto found = find_report(listed.name, no_files);
    ASSERT_TRUE(found) << listed.name;
    EXPECT_FALSE(found->is_own);
    ConfigProblems problems;
    const auto report = read_report(problems.add_source(found->file), problems);
    ASSERT_TRUE(report) << problems.text();
    EXPECT_FALSE(report->what.empty());
    for (const ReportExpr& expr : report->exprs) EXPECT_TRUE(expr.has_place);
  }
}

TEST(ReportList, NearestNameIsOffered) {
  const auto found = find_report("iostats", no_files);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().what(), "no report iostats; did you mean iostat?");
  EXPECT_EQ(find_report("iostat.toml", no_files).error().what(), "iostat.toml");
}

}  // namespace
}  // namespace pmjit
