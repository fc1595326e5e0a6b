#include "rules/testing/reports.h"

#include <algorithm>

namespace pmjit {

namespace {
constexpr TestFormat kFormats[] = {
    {"text", "a line a test, what differs, a summary", text_report},
    {"junit", "JUnit's XML, for continuous integration", junit_report},
    {"json", "JSON lines, an object a test", json_report},
};
}  // namespace

std::span<const TestFormat> test_formats() { return kFormats; }

size_t RuleTestReport::count(TestVerdict verdict) const {
  return static_cast<size_t>(std::ranges::count(results, verdict, &RuleTestResult::verdict));
}

}  // namespace pmjit
