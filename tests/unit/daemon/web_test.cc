// Who may ask, and metrics as Prometheus reads them.
#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "rules/web/metric_sheet.h"
#include "rules/web/process_metrics.h"
#include "rules/web/web_access.h"

namespace pmjit {
namespace {

TEST(WebAccess, Tokens) {
  EXPECT_TRUE(bears_token("Bearer abc", "abc"));
  EXPECT_FALSE(bears_token("Bearer abd", "abc"));
  EXPECT_FALSE(bears_token("Bearer ab", "abc"));
  EXPECT_FALSE(bears_token("Bearer abcabc", "abc"));
  EXPECT_FALSE(bears_token("abc", "abc"));
  EXPECT_FALSE(bears_token("Bearer ", ""));
}

TEST(WebAccess, HostNames) {
  const std::vector<std::string> names{"web1"};
  for (const char* const ours : {"localhost:9145", "127.0.0.1", "[::1]:9145", "web1:80"}) {
    EXPECT_TRUE(host_is_ours(ours, names)) << ours;
  }
  for (const char* const other : {"", "evil.example", "web1.evil.example"}) {
    EXPECT_FALSE(host_is_ours(other, names)) << other;
  }
}

TEST(MetricSheet, Text) {
  MetricSheet sheet;
  sheet.add(WebMetric::actions_total, {{"verb", "a\"\\\n"}});
  sheet.add(WebMetric::actions_total, {{"verb", "a\"\\\n"}}, 2);
  EXPECT_EQ(sheet.text(),
            "# HELP pmjit_actions_total Actions of rules, by their result.\n"
            "# TYPE pmjit_actions_total counter\n"
            "pmjit_actions_total{verb=\"a\\\"\\\\\\n\"} 3\n");
}

// As many series as rules would be too many.
TEST(MetricSheet, TheDearestRulesAreNamed) {
  MetricSheet sheet;
  for (int i = 0; i < 300; ++i) {
    sheet.add(WebMetric::rule_seconds_total, {{"rule", "r" + std::to_string(i)}}, i);
  }
  const std::string text = sheet.text();
  EXPECT_NE(text.find("{rule=\"r299\"} 299\n"), std::string::npos) << text;
  EXPECT_NE(text.find("{rule=\"r100\"} 100\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("{rule=\"r99\"}"), std::string::npos) << text;
  EXPECT_NE(text.find("{rule=\"other\"} 4950\n"), std::string::npos) << text;
}

TEST(ProcessMetrics, AreThoseOfThisProcess) {
  const std::string text = process_metrics_text();
  for (const char* const name :
       {"cpu_seconds_total", "resident_memory_bytes", "virtual_memory_bytes", "threads",
        "start_time_seconds", "open_fds", "max_fds"}) {
    const size_t at = text.find(std::string("\nprocess_") + name + " ");
    ASSERT_NE(at, std::string::npos) << name << "\n" << text;
    const double value = std::stod(text.substr(text.find(' ', at)));
    EXPECT_GE(value, std::string_view(name) == "cpu_seconds_total" ? 0 : 1) << name;
  }
  const double started = std::stod(text.substr(text.find("\nprocess_start_time_seconds ") + 28));
  EXPECT_NEAR(started, static_cast<double>(std::time(nullptr)), 600);
}

TEST(MetricSheet, BucketsAddUp) {
  MetricSheet sheet;
  sheet.observe(WebMetric::state_commit_seconds, {}, 0.001);
  sheet.observe(WebMetric::state_commit_seconds, {}, 100);
  const std::string text = sheet.text();
  EXPECT_NE(text.find("_bucket{le=\"0.001\"} 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("_bucket{le=\"10\"} 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("_bucket{le=\"+Inf\"} 2\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace pmjit
