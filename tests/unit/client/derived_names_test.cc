#include "runtime/client/derived_context.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

// The next level below a name, "-" where nothing is, "metric" for one.
std::string below(const DerivedNames& names, std::string_view name) {
  const auto children = names.children(name);
  if (!children) return "-";
  if (children->empty()) return "metric";
  std::string out;
  for (const std::string& child : *children) out += (out.empty() ? "" : " ") + child;
  return out;
}

TEST(DerivedNames, AreATreeInTheOrderOfTheirRegistration) {
  DerivedNames names;
  EXPECT_EQ(below(names, ""), "-");
  for (const char* name : {"t.b", "t.a", "u", "t.c.d", "t.c.a", "t.b"}) names.add(name);
  EXPECT_EQ(below(names, ""), "t u");
  EXPECT_EQ(below(names, "t"), "b a c");
  EXPECT_EQ(below(names, "t.c"), "d a");
  EXPECT_EQ(below(names, "t.c.d"), "metric");
  EXPECT_EQ(below(names, "u"), "metric");
  EXPECT_EQ(below(names, "t.x"), "-");
  EXPECT_EQ(below(names, "t.c.d.e"), "-");
}

// Defect 16: the shorter name is the metric, whichever came first.
TEST(DerivedNames, BelowAMetricNothingIsListed) {
  DerivedNames names;
  names.add("a.b.c");
  names.add("a.b");
  EXPECT_EQ(below(names, "a.b"), "metric");
  names.add("x.y");
  names.add("x.y.z");
  EXPECT_EQ(below(names, "x.y"), "metric");
}

TEST(DerivedNames, ADotAtTheEndIsAPartWithoutAName) {
  DerivedNames names;
  names.add("a.");
  EXPECT_EQ(below(names, ""), "a");
  EXPECT_EQ(below(names, "a."), "metric");
}

}  // namespace
}  // namespace pmjit
