// What units do in `+ - * /`: of the result, and the factors of its operands, odd ones too. Source:
// spec derived-metrics.md §11.3, §15 E6, E9, §17 defects 8 to 10; bounds as pminfo 6.0.3 has them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/compat_definitions/world.h"

namespace pmjit::test {
namespace {

class PcpUnits : public testing::Test {
 protected:
  PcpUnits() {
    world.metric("physmem", "u64 discrete Kbyte").metric("files", "u32 discrete count");
    world.metric("cpus", "u32 discrete none").metric("mb", "u32 discrete Mbyte");
  }
  // "U32 none = 5"
  std::string made(const std::string& expression) {
    const auto tree = bound(world, expression, {});
    if (!tree) return tree.error().message;
    const std::string value =
        value_of(world, expression, {{"physmem", "16053852"}, {"files", "40"}, {"cpus", "8"}});
    return fmt::format("{} {} = {}", pm_type_text(tree->desc().pm_type),
                       units_name(tree->desc().units), value);
  }
  World world;
};

TEST_F(PcpUnits, SmallerScalesAreConvertedUp) {
  EXPECT_EQ(made("physmem + mkconst(1, units=Mbyte)"), "DOUBLE Mbyte = 15678.58984375");
  EXPECT_EQ(made("mkconst(4096, units=byte) + physmem"), "DOUBLE Kbyte = 16053856");
  EXPECT_EQ(made("physmem / mkconst(4096, units=byte)"), "DOUBLE none = 4013463");
  EXPECT_EQ(made("physmem * mkconst(2, units=Mbyte)"), "DOUBLE Mbyte^2 = 31355.1796875");
  EXPECT_EQ(made("physmem + mkconst(1, units=Kbyte)"), "U64 Kbyte = 16053853");
  EXPECT_EQ(made("mkconst(1, units=sec) - mkconst(500, units=millisec)"), "DOUBLE millisec = 0.5");
  EXPECT_EQ(made("mkconst(90, units=sec) + mkconst(1, units=min)"), "DOUBLE min = 2.5");
  EXPECT_EQ(made("mkconst(20, units=\"count\") + mkconst(1, units=\"count x 10\")"),
            "DOUBLE count x 10 = 3");
}

TEST_F(PcpUnits, ThereIsAFactorForEachOperand) {
  const auto tree = bound(world, "physmem / mkconst(4096, units=byte)", {});
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->nodes[0].factor.div, 1);
  EXPECT_EQ(tree->nodes[2].factor.div, 1024);
  EXPECT_EQ(tree->nodes[2].factor.mul, 1);
}

TEST_F(PcpUnits, CountAndNoneGoTogether) {
  EXPECT_EQ(made("files + cpus"), "U32 count = 48");
  EXPECT_EQ(made("cpus + files"), "U32 none = 48");
  EXPECT_EQ(made("files + 1"), "U32 count = 41");
  EXPECT_EQ(made("1 + files"), "U32 count = 41");
  EXPECT_EQ(made("cpus - mb"), "Dimensions are not the same");
}

TEST_F(PcpUnits, ProductsAddDimensionsQuotientsSubtract) {
  EXPECT_EQ(made("mkconst(6, units=byte) * mkconst(2, units=sec)"), "U32 byte sec = 12");
  EXPECT_EQ(made("mkconst(6, units=Mbyte) / mkconst(2, units=min)"), "DOUBLE byte / min = 3");
  EXPECT_EQ(made("mkconst(6, units=sec) / 3"), "DOUBLE nanosec = 2");
  EXPECT_EQ(made("8 / mkconst(2, units=millisec)"), "DOUBLE / millisec = 4");
  EXPECT_EQ(made("mkconst(6, units=sec) / mkconst(2, units=sec)"), "DOUBLE none = 3");
  EXPECT_EQ(made("cpus * physmem"), "U64 Kbyte = 128430816");
}

// Defect 8: computed in Mbyte, called Kbyte.
TEST_F(PcpUnits, ANumberOnTheLeftWithTheLargerScale) {
  EXPECT_EQ(made("mkconst(1, units=Mbyte) + physmem"), "DOUBLE Kbyte = 15678.58984375");
  EXPECT_EQ(made("mkconst(1.0, type=float, units=\"Mbyte/sec\") - "
                 "mkconst(8, units=byte) / mkconst(2, units=millisec)"),
            "DOUBLE byte / millisec = 0.996185302734375");
}

// Defect 9.
TEST_F(PcpUnits, OppositeSigns) {
  EXPECT_EQ(made("mkconst(8, units=byte) * mkconst(2, units=\"count/Kbyte\")"),
            "DOUBLE count = 16384");
  EXPECT_EQ(made("mkconst(8, units=millisec) * mkconst(2, units=\"count/sec\")"),
            "DOUBLE count = 16000");
}

// Defect 10.
TEST_F(PcpUnits, AFactorCountsOnceWhateverThePower) {
  EXPECT_EQ(made("mkconst(4, units=\"byte^2\") + mkconst(3, units=\"Kbyte^2\")"),
            "DOUBLE Kbyte^2 = 3.00390625");
}

// Relations convert nothing.
TEST_F(PcpUnits, RelationsSeeBareNumbers) {
  EXPECT_EQ(made("mkconst(1, units=Mbyte) > mkconst(2, units=Kbyte)"), "U32 none = 0");
  EXPECT_EQ(made("mkconst(4, units=byte) > mkconst(3, units=Tbyte)"), "U32 none = 1");
}

TEST_F(PcpUnits, FactorsWrapAt32Bits) {
  EXPECT_EQ(made("mkconst(4, units=byte) + mkconst(3, units=Gbyte)"),
            "DOUBLE Gbyte = 3.0000000037252903");
  EXPECT_EQ(made("mkconst(4, units=byte) + mkconst(3, units=Tbyte)"), "DOUBLE Tbyte = inf");
  EXPECT_EQ(made("mkconst(4, units=Tbyte) + mkconst(3, units=byte)"), "DOUBLE byte = inf");
  EXPECT_EQ(made("mkconst(0, units=byte) + mkconst(3, units=Tbyte)"), "DOUBLE Tbyte = -nan");
  EXPECT_EQ(made("mkconst(4, units=\"1/byte\") + mkconst(3, units=\"1/Tbyte\")"),
            "DOUBLE / Tbyte = 3");
  EXPECT_EQ(made("mkconst(4, units=nanosec) + mkconst(3, units=hour)"),
            "DOUBLE hour = 3.0000000048935291");
  EXPECT_EQ(made("mkconst(4, units=\"byte count\") + mkconst(3, units=\"Gbyte count x 10\")"),
            "DOUBLE Gbyte count x 10 = 2.9999999981373549");
  EXPECT_EQ(made("mkconst(4, units=\"byte sec\") + mkconst(3, units=\"Ebyte hour\")"),
            "DOUBLE Ebyte hour = inf");
}

TEST_F(PcpUnits, DimensionsWrapAt4Bits) {
  const std::string seven = "mkconst(1, units=\"byte^7\")";
  EXPECT_EQ(made(seven + " * " + seven), "U32 / byte^2 = 1");
  EXPECT_EQ(made(seven + " * mkconst(1, units=byte)"), "U32 / byte^8 = 1");
  EXPECT_EQ(made("mkconst(1, units=\"1/byte^8\") / mkconst(1, units=byte)"), "DOUBLE byte^7 = 1");
  EXPECT_EQ(made(seven + " * " + seven + " * mkconst(4, units=\"byte^2\")"), "U32 none = 4");
}

}  // namespace
}  // namespace pmjit::test
