// "Did you mean": what is near, and what is not.
#include "runtime/base/near.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

const std::vector<std::string> kNames{"avg", "count", "delta", "max",
                                      "min", "sum",   "rate",  "rescale"};

TEST(Near, CountsEdits) {
  EXPECT_EQ(edit_distance("rate", "rate"), 0u);
  EXPECT_EQ(edit_distance("rate", "RATE"), 0u);
  EXPECT_EQ(edit_distance("rtae", "rate"), 1u);
  EXPECT_EQ(edit_distance("rat", "rate"), 1u);
  EXPECT_EQ(edit_distance("", "rate"), 4u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Near, FindsTyposHeadsAndLongForms) {
  EXPECT_EQ(near_names("cuont", kNames), std::vector<std::string>{"count"});
  EXPECT_EQ(near_names("average", kNames), std::vector<std::string>{"avg"});
  EXPECT_EQ(near_names("maximum", kNames), std::vector<std::string>{"max"});
  EXPECT_EQ(near_names("resc", kNames), std::vector<std::string>{"rescale"});
  EXPECT_TRUE(near_names("quantile", kNames).empty());
  EXPECT_TRUE(near_names("", kNames).empty());
}

TEST(Near, SaysItInWords) {
  EXPECT_EQ(near_names_text({}), "");
  EXPECT_EQ(near_names_text({"a"}), "did you mean a?");
  EXPECT_EQ(near_names_text({"a", "b", "c"}), "did you mean a, b or c?");
}

TEST(Near, FindsShortForms) {
  EXPECT_EQ(near_names("cnt", kNames), std::vector<std::string>{"count"});
}

TEST(Near, KeepsSlipsAlone) {
  const auto kept = [](std::string_view name, std::vector<std::string> near) {
    keep_slips(name, near);
    return near;
  };
  EXPECT_EQ(kept("disk.dev.wirte", {"disk.dev.write", "disk.dev.read"}),
            std::vector<std::string>{"disk.dev.write"});
  EXPECT_TRUE(kept("kernel.all.cpu.intr", {"kernel.all.cpu.idle"}).empty());
}

TEST(Near, LongNamesAreNotCompared) {
  EXPECT_EQ(edit_distance(std::string(100000, 'a'), "b"), 100000u);
}

}  // namespace
}  // namespace pmjit
