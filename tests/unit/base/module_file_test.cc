// Modules that are opened when they are wanted: what is said where one is missing or another file.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "runtime/base/module_file.h"

namespace pmjit {
namespace {

constexpr ModuleFile kFile{.file = "libpmjit-none.so",
                           .symbol = "pmjit_none",
                           .variable = "PMJIT_MODULE_TEST",
                           .what = "module of nothing"};

class ModuleFileTest : public testing::Test {
 protected:
  ~ModuleFileTest() override { unsetenv(kFile.variable); }
};

TEST_F(ModuleFileTest, IsLookedForWhereTheProgramIs) {
  const auto opened = open_module(kFile);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().fault(), Fault::not_found);
  const std::string what = opened.error().what();
  EXPECT_TRUE(what.starts_with("module of nothing not found: /")) << what;
  EXPECT_NE(what.find("lib/pmjit/libpmjit-none.so, /"), std::string::npos) << what;
  EXPECT_TRUE(what.ends_with("lib/libpmjit-none.so")) << what;
  EXPECT_EQ(opened.error().help(), "set PMJIT_MODULE_TEST to its path");
}

TEST_F(ModuleFileTest, TheEnvironmentNamesIt) {
  setenv(kFile.variable, "/nowhere.so", 1);
  EXPECT_EQ(open_module(kFile).error().what(), "module of nothing not found: /nowhere.so");
  const std::string text = testing::TempDir() + "/pmjit_module_test.so";
  std::ofstream(text) << "no library";
  setenv(kFile.variable, text.c_str(), 1);
  EXPECT_EQ(open_module(kFile).error().fault(), Fault::unsupported);
  EXPECT_NE(open_module(kFile).error().what().find(text), std::string::npos);
  (void)std::remove(text.c_str());
}

TEST_F(ModuleFileTest, AnotherLibraryHasNoSuchFunction) {
  Dl_info libc{};
  ASSERT_NE(dladdr(reinterpret_cast<void*>(&std::getenv), &libc), 0);
  setenv(kFile.variable, libc.dli_fname, 1);
  const auto opened = open_module(kFile);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().what().find("no symbol pmjit_none"), std::string::npos);
  EXPECT_NE(opened.error().help(), "");
}

TEST(ModuleFile, OfAnotherBuild) {
  EXPECT_EQ(other_version(kFile, 1, 2).what(), "libpmjit-none.so: version 1, not 2");
  EXPECT_NE(other_version(kFile, 1, 2).help(), "");
}

}  // namespace
}  // namespace pmjit
