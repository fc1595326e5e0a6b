// JUnit's XML: a suite a file, a case a test; a test that could not be run is an error. Coverage is
// a property of the suites.
#include <fmt/format.h>

#include <algorithm>

#include "rules/testing/reports.h"
#include "runtime/report/plot/text.h"

namespace pmjit {

namespace {

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

std::string case_text(const RuleTestResult& result) {
  std::string out = fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_text(result.file),
                                xml_text(result.name.empty() ? result.file : result.name));
  if (result.verdict == TestVerdict::passed) return out + "/>\n";
  const std::string_view tag = result.verdict == TestVerdict::failed ? "failure" : "error";
  std::string all;
  for (const std::string& fault : result.faults) all += fault;
  all += fmt::format("run it alone: {}", result.alone);
  return out + fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n", tag,
                           xml_text(first_line(result.faults.front())), xml_text(all));
}

std::string coverage_text(const std::vector<RuleCoverage>& coverage) {
  std::string out = "    <properties>\n";
  for (const RuleCoverage& rule : coverage) {
    out += fmt::format("      <property name=\"{}: {}\" value=\"fires in {}, silent in {}\"/>\n",
                       xml_text(rule.file), xml_text(rule.rule), rule.fires, rule.silent);
  }
  return out + "    </properties>\n";
}

std::string counts(std::span<const RuleTestResult> results) {
  const auto count = [&](TestVerdict verdict) {
    return std::ranges::count(results, verdict, &RuleTestResult::verdict);
  };
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", results.size(),
                     count(TestVerdict::failed), count(TestVerdict::not_run));
}

}  // namespace

std::string junit_report(const RuleTestReport& report) {
  std::string out = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n",
                                counts(report.results));
  const std::span<const RuleTestResult> all = report.results;
  for (size_t first = 0; first < all.size();) {
    size_t end = first;
    while (end < all.size() && all[end].file == all[first].file) ++end;
    const auto suite = all.subspan(first, end - first);
    out += fmt::format("  <testsuite name=\"{}\" {}>\n", xml_text(all[first].file), counts(suite));
    for (const RuleTestResult& result : suite) out += case_text(result);
    out += "  </testsuite>\n";
    first = end;
  }
  if (report.coverage) {
    out += "  <testsuite name=\"coverage of rules\" tests=\"0\" failures=\"0\" errors=\"0\">\n" +
           coverage_text(*report.coverage) + "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace pmjit
