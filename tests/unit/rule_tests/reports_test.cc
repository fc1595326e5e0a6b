// Reports of tests, to the letter.
#include "rules/testing/reports.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

RuleTestReport report() {
  return {.results = {{.file = "a.case", .name = "one", .line = 3},
                      {.file = "a.case",
                       .name = "t<w>o",
                       .line = 9,
                       .verdict = TestVerdict::failed,
                       .faults = {"a.case:12: differs\n- x\n"},
                       .alone = "pmjit test a.case --only 't<w>o'"},
                      {.file = "b.case",
                       .verdict = TestVerdict::not_run,
                       .faults = {"line 4: bad\n"},
                       .alone = "pmjit test b.case"}},
          .coverage = std::vector<RuleCoverage>{{.file = "r", .rule = "a", .fires = 1},
                                                {.file = "r", .rule = "b", .fires = 1, .silent = 2},
                                                {.file = "r", .rule = "c", .silent = 1},
                                                {.file = "r", .rule = "d"}}};
}

TEST(Reports, TextIsForPeople) {
  EXPECT_EQ(text_report(report()),
            "ok    a.case:3: one\n"
            "FAIL  a.case:9: t<w>o\n"
            "  a.case:12: differs\n"
            "  - x\n"
            "  run it alone: pmjit test a.case --only 't<w>o'\n"
            "----  b.case\n"
            "  line 4: bad\n"
            "  run it alone: pmjit test b.case\n"
            "r: a is never silent (fires in 1, silent in 0)\n"
            "r: c never fires (fires in 0, silent in 1)\n"
            "r: d is never known (fires in 0, silent in 0)\n"
            "coverage: 1 of 4 rules fire in a test and are silent in another\n"
            "tests: 1 passed, 1 failed, 1 could not be run\n");
}

TEST(Reports, JUnitHasASuiteAFile) {
  const std::string out = junit_report(report());
  EXPECT_NE(out.find("<testsuites tests=\"3\" failures=\"1\" errors=\"1\">"), std::string::npos);
  EXPECT_NE(out.find("<testsuite name=\"a.case\" tests=\"2\" failures=\"1\" errors=\"0\">"),
            std::string::npos);
  EXPECT_NE(out.find("name=\"t&#60;w&#62;o\">\n      <failure message=\"a.case:12: differs\">"),
            std::string::npos);
  EXPECT_NE(out.find("<error message=\"line 4: bad\">"), std::string::npos);
  EXPECT_NE(out.find("<property name=\"r: b\" value=\"fires in 1, silent in 2\"/>"),
            std::string::npos);
}

TEST(Reports, JsonHasALineATestARuleAndASummary) {
  EXPECT_EQ(json_report(report()),
            R"({"event":"test","file":"a.case","test":"one","line":3,"result":"passed","faults":[]}
{"event":"test","file":"a.case","test":"t<w>o","line":9,"result":"failed",)"
            R"("faults":["a.case:12: differs\n- x\n"]}
{"event":"test","file":"b.case","test":null,"line":1,"result":"not run","faults":["line 4: bad\n"]}
{"event":"rule","file":"r","rule":"a","fires":1,"silent":0}
{"event":"rule","file":"r","rule":"b","fires":1,"silent":2}
{"event":"rule","file":"r","rule":"c","fires":0,"silent":1}
{"event":"rule","file":"r","rule":"d","fires":0,"silent":0}
{"event":"summary","tests":3,"passed":1,"failed":1,"not_run":1}
)");
}

}  // namespace
}  // namespace pmjit
