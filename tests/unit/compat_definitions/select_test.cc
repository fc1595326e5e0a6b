// One instance, instances by pattern, other units. Source: spec derived-metrics.md §14, §15 E2.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/compat_definitions/world.h"

namespace pmjit::test {
namespace {

class PcpSelect : public testing::Test {
 protected:
  PcpSelect() {
    world.metric("x", "u32 instant none 1.1").metric("s", "u32 instant none");
    world.metric("text", "string instant none 1.1");
    world.instance_ids = {{"sda", 0}, {"sdb", 1}};
    world.instance_names = {{0, "sda"}, {1, "sdb"}, {3, "sdd extra words"}};
  }
  World world;
};

TEST_F(PcpSelect, OneInstanceKeepsItsNumberForEver) {
  Running run(world, "x[sdb]");
  EXPECT_EQ(run.at(0, {{"x", "0:5 1:6"}}), "1:6");
  EXPECT_EQ(run.at(1, {{"x", "0:5"}}), "");
  world.instance_ids["sdb"] = 7;
  EXPECT_EQ(run.at(2, {{"x", "1:8 7:9"}}), "1:8");
  world.instance_ids.clear();
  EXPECT_EQ(run.at(3, {{"x", "7:9 1:8"}}), "1:8");
}

// The name is looked up at the first fetch with values, and again until it is found.
TEST_F(PcpSelect, ANameThatIsNotFoundIsAskedForAgain) {
  Running run(world, "x[sdc]");
  EXPECT_EQ(run.at(0, {{"x", "0:5 2:6"}}), "");
  world.instance_ids["sdc"] = 2;
  EXPECT_EQ(run.at(1, {{"x", ""}}), "");
  EXPECT_EQ(run.at(2, {{"x", "0:5 2:6"}}), "2:6");
  Running late(world, "x[sdb]");
  EXPECT_EQ(late.at(0, {{"x", ""}}), "");
  world.instance_ids["sdb"] = 4;
  EXPECT_EQ(late.at(1, {{"x", "1:1 4:4"}}), "4:4");
}

TEST_F(PcpSelect, ASingularMetricHasNoInstances) {
  EXPECT_EQ(value_of(world, "s[sda]", {{"s", "5"}}), "");
  EXPECT_EQ(value_of(world, "matchinst(/./, s)", {{"s", "5"}}), "");
  EXPECT_EQ(value_of(world, "matchinst(!/./, s)", {{"s", "5"}}), "");
  EXPECT_EQ(value_of(world, "(sum(x))[sda]", {{"x", "0:5"}}), "");
}

TEST_F(PcpSelect, OfExpressionsAndErrors) {
  EXPECT_EQ(value_of(world, "(x * 2)[sdb]", {{"x", "0:5 1:6"}}), "1:12");
  EXPECT_EQ(value_of(world, "x[sda]", {{"x", "!-12350"}}), "!-12350");
  EXPECT_EQ(value_of(world, "text[sdb]", {{"text", "0:a 1:b"}}), "1:b");
}

TEST_F(PcpSelect, PatternsAreOfTheFirstWordAndAnywhereInIt) {
  const std::string all = "0:1 1:2 3:4";
  EXPECT_EQ(value_of(world, "matchinst(/d/, x)", {{"x", all}}), all);
  EXPECT_EQ(value_of(world, "matchinst(/^sd[ad]$/, x)", {{"x", all}}), "0:1 3:4");
  EXPECT_EQ(value_of(world, "matchinst(!/^sd[ad]$/, x)", {{"x", all}}), "1:2");
  EXPECT_EQ(value_of(world, "matchinst(/extra/, x)", {{"x", all}}), "");
  EXPECT_EQ(value_of(world, "matchinst(/sd(a|b)/, x + 1)", {{"x", all}}), "0:2 1:3");
}

// Without a name there is no verdict, not even of the negated form.
TEST_F(PcpSelect, AnInstanceWithoutANameIsNeverSelected) {
  EXPECT_EQ(value_of(world, "matchinst(/./, x)", {{"x", "0:1 9:9"}}), "0:1");
  EXPECT_EQ(value_of(world, "matchinst(!/b/, x)", {{"x", "0:1 9:9"}}), "0:1");
  Running run(world, "matchinst(/z/, x)");
  EXPECT_EQ(run.at(0, {{"x", "9:9"}}), "");
  world.instance_names[9] = "z";
  EXPECT_EQ(run.at(1, {{"x", "9:9"}}), "");
}

TEST_F(PcpSelect, TheVerdictIsThatOfTheFirstName) {
  Running run(world, "matchinst(/a/, x)");
  EXPECT_EQ(run.at(0, {{"x", "0:1 1:2"}}), "0:1");
  const int asked = world.names_asked;
  world.instance_names = {{0, "b"}, {1, "a"}};
  EXPECT_EQ(run.at(1, {{"x", "1:2 0:1"}}), "0:1");
  EXPECT_EQ(world.names_asked, asked);
}

class PcpRescale : public testing::Test {
 protected:
  std::string of(const std::string& type, const std::string& from, const std::string& to,
                 const std::string& values) {
    World world;
    world.metric("x", type + " instant " + from + " 1.1");
    return value_of(world, "rescale(x, \"" + to + "\")", {{"x", values}});
  }
};

TEST_F(PcpRescale, WholeNumbersRoundAndWrap) {
  EXPECT_EQ(of("u32", "byte", "Kbyte", "1:1023 2:512 3:511"), "1:1 2:1 3:0");
  EXPECT_EQ(of("u32", "Gbyte", "byte", "1:5"), "1:1073741824");
  EXPECT_EQ(of("u64", "Gbyte", "byte", "1:5"), "1:5368709120");
  EXPECT_EQ(of("32", "millisec", "sec", "1:-1500 2:1499"), "1:-1 2:1");
  EXPECT_EQ(of("64", "hour", "sec", "1:-2"), "1:-7200");
}

TEST_F(PcpRescale, RealOnesAreMultiplied) {
  EXPECT_EQ(of("double", "byte", "Kbyte", "1:512"), "1:0.5");
  EXPECT_EQ(of("float", "sec", "min", "1:90"), "1:1.5");
  EXPECT_EQ(of("double", "none", "count", "1:7"), "1:7");
}

}  // namespace
}  // namespace pmjit::test
