// Reports: what became of the tests, for people and machines. No times in them: the same tests give
// the same bytes.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/testing/run_test.h"

namespace pmjit {

// Coverage: which rules of rule files the tests show firing, and which they show silent.
struct RuleCoverage {
  std::string file, rule;
  uint32_t fires = 0;   // tests in which it became true
  uint32_t silent = 0;  // tests in which it was false, and never true

  [[nodiscard]] bool covered() const { return fires > 0 && silent > 0; }
};

// In the order in which tests show them; rules that stand in a test are left out.
[[nodiscard]] std::vector<RuleCoverage> coverage_of(std::span<const RuleTestOutcome> outcomes);

enum class TestVerdict : uint8_t { passed, failed, not_run };

struct RuleTestResult {
  std::string file, name;  // no name: the file as a whole
  uint32_t line = 1;
  TestVerdict verdict = TestVerdict::passed;
  std::vector<std::string> faults{};  // what is wrong, or why it could not be run
  std::string alone{};                // the command that runs it alone
};

struct RuleTestReport {
  std::vector<RuleTestResult> results;
  std::optional<std::vector<RuleCoverage>> coverage;  // none: nobody asked

  [[nodiscard]] size_t count(TestVerdict verdict) const;
};

struct TestFormat {
  std::string_view name, what;
  std::string (*write)(const RuleTestReport& report);
};
[[nodiscard]] std::span<const TestFormat> test_formats();

// The formats, each in its file.
[[nodiscard]] std::string text_report(const RuleTestReport& report);
[[nodiscard]] std::string junit_report(const RuleTestReport& report);
[[nodiscard]] std::string json_report(const RuleTestReport& report);

}  // namespace pmjit
