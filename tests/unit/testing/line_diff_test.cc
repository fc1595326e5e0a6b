// A difference of lines: what people read when an expectation fails.
#include "runtime/testing/case_file.h"

#include <gtest/gtest.h>

namespace pmjit::cases {
namespace {

TEST(Diff, IsEmptyWhereNothingDiffers) {
  EXPECT_EQ(diff_text("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(diff_text("", ""), "");
}

TEST(Diff, KeepsWhatIsCommon) {
  EXPECT_EQ(diff_text("a\nb\nc\n", "a\nc\nd\n"), "  a\n- b\n  c\n+ d\n");
  EXPECT_EQ(diff_text("", "a\n"), "+ a\n");
  EXPECT_EQ(diff_text("a\n", ""), "- a\n");
}

// Its table has a cell for each pair of lines.
TEST(Diff, CutsWhatIsTooMuchToRead) {
  std::vector<std::string> expected, actual;
  for (int i = 0; i < 100'000; ++i) {
    expected.push_back("a" + std::to_string(i));
    actual.push_back("b" + std::to_string(i));
  }
  const std::string found = diff(expected, actual, std::equal_to<std::string>());
  EXPECT_TRUE(found.starts_with("- a0\n"));
  EXPECT_TRUE(
      found.ends_with("  and 99000 more lines that were expected\n"
                      "  and 99000 more lines that were found\n"));
}

}  // namespace
}  // namespace pmjit::cases
