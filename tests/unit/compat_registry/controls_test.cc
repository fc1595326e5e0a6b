// Settings of the facility. Source: spec derived-metrics.md §7.4.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/compat_registry/loaded.h"

namespace pmjit::test {
namespace {

class ControlsTest : public testing::Test {
 protected:
  std::string line(const std::string& text) {
    (void)seven.read(text + "\n");
    return seven.said();
  }
  std::string environment(const std::string& text) {
    seven.controls.read_environment(text);
    return seven.said();
  }
  Loaded seven{Dialect::pcp7};
};

TEST_F(ControlsTest, NamesInAnyCaseAndCutShort) {
  EXPECT_EQ(line("#control GLOBAL_LIMIT=3"), "");
  EXPECT_EQ(seven.registry.limit, 3);
  EXPECT_EQ(line("#Control global_limit=4,option_novalue=1"), "");
  EXPECT_EQ(seven.registry.limit, 4);
  EXPECT_TRUE(seven.registry.missing_are_novalue);
  EXPECT_EQ(line("#CONTROL:g=-1,O=0"), "");
  EXPECT_EQ(seven.registry.limit, -1);
  EXPECT_FALSE(seven.registry.missing_are_novalue);
  EXPECT_EQ(line("#control debug_s=1,debug_sem=1,debug_eval=1"), "");
}

TEST_F(ControlsTest, OtherCommentsAreComments) {
  EXPECT_EQ(line("# control GLOBAL_LIMIT=3"), "");
  EXPECT_EQ(line("#contro"), "");
  EXPECT_EQ(line("#control"), "");
  EXPECT_EQ(line("#control "), "");
  EXPECT_EQ(seven.registry.limit, -1);
  Loaded six;
  (void)six.read("#control GLOBAL_LIMIT=3\n#control x\n");
  EXPECT_EQ(six.said(), "");
  EXPECT_EQ(six.registry.limit, -1);
}

TEST_F(ControlsTest, Mistakes) {
  EXPECT_EQ(line("#control none=3"), "[F:1] Warning: unknown derived metric control (none)\n");
  EXPECT_EQ(line("#control global_limit"),
            "[F:1] Error: missing '=' in derived metric control (global_limit)\n");
  EXPECT_EQ(line("#control global_limit="),
            "[F:1] Warning: missing value in derived metric control (global_limit=)\n");
  EXPECT_EQ(line("#control global_limit=3x,o=1"),
            "[F:1] Warning: bad value (3x,o=1) for derived metric control (global_limit)\n");
  EXPECT_EQ(line("#control global_limit=0"),
            "[F:1] Warning: failed to set derived metric control global_limit=0: Bad value for "
            "function argument\n");
  EXPECT_EQ(line("#control option_novalue=2"),
            "[F:1] Warning: failed to set derived metric control option_novalue=2: Bad value for "
            "function argument\n");
  EXPECT_EQ(seven.registry.limit, -1);
  EXPECT_FALSE(seven.registry.missing_are_novalue);
}

// After an unknown name or a failure the list goes on, after other mistakes it does not.
TEST_F(ControlsTest, WhatFollowsAMistake) {
  EXPECT_NE(line("#control none=3,o=1"), "");
  EXPECT_TRUE(seven.registry.missing_are_novalue);
  EXPECT_NE(line("#control g=0,o=0"), "");
  EXPECT_FALSE(seven.registry.missing_are_novalue);
  EXPECT_NE(line("#control g=a,o=1"), "");
  EXPECT_NE(line("#control g,o=1"), "");
  EXPECT_FALSE(seven.registry.missing_are_novalue);
}

TEST_F(ControlsTest, TheEnvironmentHolds) {
  EXPECT_EQ(environment("global_limit=5,none=1"),
            "Warning: $PCP_DERIVED_CONTROL: unknown derived metric control (none)\n");
  EXPECT_EQ(
      environment("global_limit"),
      "Warning: $PCP_DERIVED_CONTROL: missing '=' in derived metric control (global_limit)\n");
  EXPECT_EQ(line("#control global_limit=5"), "");
  EXPECT_EQ(line("#control global_limit=6"),
            "[F:1] Warning: failed to set derived metric control global_limit=6: Try again. "
            "Information not currently available\n");
  EXPECT_EQ(seven.registry.limit, 5);
  EXPECT_EQ(line("#control option_novalue=1"), "");
}

}  // namespace
}  // namespace pmjit::test
