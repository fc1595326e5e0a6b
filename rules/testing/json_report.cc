// JSON lines: an object a test, an object a rule (coverage), and a summary.
#include <fmt/format.h>

#include "rules/testing/reports.h"
#include "runtime/report/text/json_text.h"

namespace pmjit {

namespace {

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

}  // namespace

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

}  // namespace pmjit
