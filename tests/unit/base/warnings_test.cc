#include "runtime/base/warnings.h"

#include <gtest/gtest.h>

#include "runtime/base/limits.h"

namespace pmjit {
namespace {

TEST(Warnings, AreHandedOverOnce) {
  Warnings warnings;
  EXPECT_TRUE(warnings.take().empty());
  warnings.add("a is gone");
  warnings.add("a is back");
  EXPECT_EQ(warnings.take(), (std::vector<std::string>{"a is gone", "a is back"}));
  EXPECT_TRUE(warnings.take().empty());
}

TEST(Warnings, TellHowManyAreLeftOutAndBeginAnew) {
  Warnings warnings;
  for (size_t i = 0; i < limits::kWarningsMax + 1; ++i) warnings.add("a");
  EXPECT_EQ(warnings.take().back(), "1 more warning is not shown");
  for (size_t i = 0; i < limits::kWarningsMax + 7; ++i) warnings.add("a");
  const std::vector<std::string> taken = warnings.take();
  EXPECT_EQ(taken.size(), limits::kWarningsMax + 1);
  EXPECT_EQ(taken.back(), "7 more warnings are not shown");
  warnings.add("b");
  EXPECT_EQ(warnings.take(), std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace pmjit
