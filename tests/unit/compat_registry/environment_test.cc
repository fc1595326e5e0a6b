// Which definitions come first: those of the environment or of the command line. Source: spec
// derived-metrics.md §6.1.
#include <gtest/gtest.h>

#include <cstdlib>

#include "compiler/compat/registry/derive.h"
#include "tests/unit/archive/folder.h"
#include "tests/unit/compat_registry/recorded.h"

namespace pmjit::test {
namespace {

class EnvironmentTest : public testing::Test {
 protected:
  EnvironmentTest() {
    folder.write("env.conf", "m = u32.a\n");
    folder.write("own.conf", "m = u32.a / 2\n");
    setenv("PCP_DERIVED_CONFIG", folder.path("env.conf").c_str(), 1);
    unsetenv("PCP_DERIVED_CONTROL");
  }
  ~EnvironmentTest() override {
    unsetenv("PCP_DERIVED_CONFIG");
    unsetenv("PCP_DERIVED_CONTROL");
    unsetenv("PCP_VAR_DIR");
  }
  // The type of m after own.conf was loaded, and what was said.
  int type_of_m(Dialect dialect, bool load_own = true) {
    const auto metrics = make_derived_metrics({.dialect = dialect});
    said.clear();
    metrics->tell([&](std::string_view text) { said += text; });
    if (load_own) (void)metrics->load(folder.path("own.conf"));
    const auto deriver = metrics->attach(recorded);
    const auto desc = deriver->describe(deriver->look_up("m").value_or(kNullId));
    return desc ? desc->pm_type : desc.error();
  }
  Folder folder;
  Recorded recorded;
  std::string said;
};

TEST_F(EnvironmentTest, InSixItWinsInSevenItLoses) {
  EXPECT_EQ(type_of_m(Dialect::pcp6), pm_type::u32);
  EXPECT_NE(said.find("own.conf:1] Error: pmRegisterDerived(m, ...)"), said.npos);
  EXPECT_EQ(type_of_m(Dialect::pcp7), pm_type::f64);
  EXPECT_NE(said.find("env.conf:1] Error: pmRegisterDerived(m, ...)"), said.npos);
}

TEST_F(EnvironmentTest, EmptyItIsNothingUnsetItIsTheInstalledFolder) {
  setenv("PCP_DERIVED_CONFIG", "", 1);
  EXPECT_EQ(type_of_m(Dialect::pcp6, false), pm_err::E_PMID);
  EXPECT_EQ(said, "");
  unsetenv("PCP_DERIVED_CONFIG");
  setenv("PCP_VAR_DIR", folder.path("installed").c_str(), 1);
  EXPECT_EQ(type_of_m(Dialect::pcp6, false), pm_err::E_PMID);
  folder.write("installed/config/derived/x", "m = u32.a\n");
  EXPECT_EQ(type_of_m(Dialect::pcp6, false), pm_type::u32);
  setenv("PCP_DERIVED_CONFIG", folder.path("none").c_str(), 1);
  EXPECT_EQ(type_of_m(Dialect::pcp6, false), pm_err::E_PMID);
  EXPECT_EQ(said, "");
}

TEST_F(EnvironmentTest, ControlsAreTheNewers) {
  setenv("PCP_DERIVED_CONTROL", "global_limit=1,x=2", 1);
  EXPECT_EQ(type_of_m(Dialect::pcp6, false), pm_type::u32);
  EXPECT_EQ(said, "");
  EXPECT_EQ(type_of_m(Dialect::pcp7), pm_type::f64);
  EXPECT_NE(said.find("unknown derived metric control (x)"), said.npos);
  EXPECT_NE(said.find("Too many global derived metrics"), said.npos);
}

}  // namespace
}  // namespace pmjit::test
