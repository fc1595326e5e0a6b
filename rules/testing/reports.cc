#include "rules/testing/reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "runtime/report/plot/svg_text.h"
#include "runtime/report/text/quoting.h"
#include "runtime/testing/case_file.h"

namespace pmjit {

namespace {

constexpr TestFormat kFormats[] = {
    {"text", "one line per test, what differs, a summary", text_report},
    {"junit", "JUnit's XML, for continuous integration", junit_report},
    {"json", "JSON lines, one object per test", json_report},
};

// JSON lines: an object a test, an object a rule (coverage), and a summary.
constexpr std::string_view kVerdicts[] = {"passed", "failed", "not run"};

std::string result_json(const RuleTestResult& result) {
  std::string faults;
  for (const std::string& fault : result.faults) {
    if (!faults.empty()) faults += ',';
    faults += json_text(fault);
  }
  return fmt::format(
      R"({{"event":"test","file":{},"test":{},"line":{},"result":"{}","faults":[{}]}})"
      "\n",
      json_text(result.file), result.name.empty() ? "null" : json_text(result.name), result.line,
      kVerdicts[static_cast<size_t>(result.verdict)], faults);
}

// JUnit's XML: a suite a file, a case a test; a test that could not be run is an error. Coverage is
// a property of the suites.
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

std::string coverage_properties(const std::vector<RuleCoverage>& coverage) {
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
  if (coverage.empty()) {
    return "coverage: of files of rules alone, and no test names one in a line `#: rules: FILE`\n";
  }
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

std::span<const TestFormat> test_formats() { return kFormats; }

size_t RuleTestReport::count(TestVerdict verdict) const {
  return static_cast<size_t>(std::ranges::count(results, verdict, &RuleTestResult::verdict));
}

std::string json_report(const RuleTestReport& report) {
  std::string out;
  for (const RuleTestResult& result : report.results) out += result_json(result);
  if (report.coverage) {
    for (const RuleCoverage& rule : *report.coverage) {
      out += fmt::format(R"({{"event":"rule","file":{},"rule":{},"fires":{},"silent":{}}})"
                         "\n",
                         json_text(rule.file), json_text(rule.rule), rule.fires, rule.silent);
    }
  }
  return out +
         fmt::format(R"({{"event":"summary","tests":{},"passed":{},"failed":{},"not_run":{}}})"
                     "\n",
                     report.results.size(), report.count(TestVerdict::passed),
                     report.count(TestVerdict::failed), report.count(TestVerdict::not_run));
}

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
           coverage_properties(*report.coverage) + "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

std::string text_report(const RuleTestReport& report) {
  std::string out;
  for (const RuleTestResult& result : report.results) out += result_text(result);
  if (report.coverage) out += coverage_text(*report.coverage);
  out += fmt::format("tests: {} passed, {} failed", report.count(TestVerdict::passed),
                     report.count(TestVerdict::failed));
  const size_t not_run = report.count(TestVerdict::not_run);
  return out + (not_run == 0 ? "\n" : fmt::format(", {} could not be run\n", not_run));
}

std::vector<RuleCoverage> coverage_of(std::span<const RuleTestOutcome> outcomes) {
  std::vector<RuleCoverage> out;
  std::map<std::pair<std::string, std::string>, size_t> index;
  for (const RuleTestOutcome& outcome : outcomes) {
    for (const RuleSeen& seen : outcome.rules) {
      if (seen.file.empty()) continue;
      const auto [at, is_new] = index.try_emplace({seen.file, seen.name}, out.size());
      if (is_new) out.push_back({.file = seen.file, .rule = seen.name});
      RuleCoverage& rule = out[at->second];
      rule.fires += seen.was_true ? 1 : 0;
      rule.silent += seen.was_false && !seen.was_true ? 1 : 0;
    }
  }
  return out;
}

}  // namespace pmjit
