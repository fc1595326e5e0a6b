// What the tests of this folder begin with.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "rules/testing/test_file.h"

namespace pmjit {

inline const std::string kHead = "# it is shown\n#: run: rules\n";
inline const std::string kGiven =
    "--- metrics\nm u32 instant none\n--- samples every 10s\nm 1 2\n--- rules\nr = m > 1;\n";

inline RuleTestFile must_read(const std::string& text) {
  auto file = read_rule_tests("x.case", text);
  EXPECT_TRUE(file) << file.error().text();
  return file ? *std::move(file) : RuleTestFile();
}

}  // namespace pmjit
