// For people.
#include <fmt/format.h>

#include <algorithm>

#include "rules/testing/reports.h"
#include "runtime/testing/case_file.h"

namespace pmjit {

namespace {

std::string title(const RuleTestResult& result) {
  return result.name.empty() ? result.file
                             : fmt::format("{}:{}: {}", result.file, result.line, result.name);
}

std::string result_text(const RuleTestResult& result) {
  if (result.verdict == TestVerdict::passed) return fmt::format("ok    {}\n", title(result));
  std::string out = fmt::format("{}  {}\n", result.verdict == TestVerdict::failed ? "FAIL" : "----",
                                title(result));
  for (const std::string& fault : result.faults) {
    for (const std::string& line : cases::split_lines(fault)) out += fmt::format("  {}\n", line);
  }
  return out + fmt::format("  run it alone: {}\n", result.alone);
}

std::string_view what_lacks(const RuleCoverage& rule) {
  if (rule.fires == 0 && rule.silent == 0) return "is never known";
  return rule.fires == 0 ? "never fires" : "is never silent";
}

std::string coverage_text(const std::vector<RuleCoverage>& coverage) {
  std::string out;
  for (const RuleCoverage& rule : coverage) {
    if (rule.covered()) continue;
    out += fmt::format("{}: {} {} (fires in {}, silent in {})\n", rule.file, rule.rule,
                       what_lacks(rule), rule.fires, rule.silent);
  }
  return out + fmt::format("coverage: {} of {} rules fire in a test and are silent in another\n",
                           std::ranges::count_if(coverage, &RuleCoverage::covered),
                           coverage.size());
}

}  // namespace

std::string text_report(const RuleTestReport& report) {
  std::string out;
  for (const RuleTestResult& result : report.results) out += result_text(result);
  if (report.coverage) out += coverage_text(*report.coverage);
  out += fmt::format("tests: {} passed, {} failed", report.count(TestVerdict::passed),
                     report.count(TestVerdict::failed));
  const size_t not_run = report.count(TestVerdict::not_run);
  return out + (not_run == 0 ? "\n" : fmt::format(", {} could not be run\n", not_run));
}

}  // namespace pmjit
