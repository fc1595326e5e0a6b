// Types, semantics and domains of every kind of node. Source: spec derived-metrics.md §11.1, §11.2.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/compat_definitions/world.h"

namespace pmjit::test {
namespace {

constexpr const char* kTypes[] = {"32", "U32", "64", "U64", "FLOAT", "DOUBLE"};
constexpr const char* kPromoted[6][6] = {
    {"32", "U32", "64", "U64", "FLOAT", "DOUBLE"},
    {"U32", "U32", "64", "U64", "FLOAT", "DOUBLE"},
    {"64", "64", "64", "U64", "FLOAT", "DOUBLE"},
    {"U64", "U64", "U64", "U64", "FLOAT", "DOUBLE"},
    {"FLOAT", "FLOAT", "FLOAT", "FLOAT", "FLOAT", "DOUBLE"},
    {"DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE", "DOUBLE"},
};

TEST(PcpMetadata, All36PairsOfTypes) {
  for (size_t l = 0; l < 6; ++l) {
    for (size_t r = 0; r < 6; ++r) {
      World world;
      world.metric("l", fmt::format("{} instant none", kTypes[l]));
      world.metric("r", fmt::format("{} instant none", kTypes[r]));
      const std::string expected = fmt::format("{} instant none", kPromoted[l][r]);
      for (const std::string op : {"+", "-", "*"}) {
        EXPECT_EQ(said(world, "l" + op + "r"), expected) << kTypes[l] << op << kTypes[r];
      }
      EXPECT_EQ(said(world, "l / r"), "DOUBLE instant none");
      for (const std::string op : {"<", "<=", "==", ">=", ">", "!=", "&&", "||"}) {
        EXPECT_EQ(said(world, "l" + op + "r"), "U32 instant none");
      }
    }
  }
}

TEST(PcpMetadata, TypesOfFunctionsAndPrefixes) {
  constexpr const char* kDelta[] = {"32", "64", "64", "DOUBLE", "FLOAT", "DOUBLE"};
  constexpr const char* kNegated[] = {"32", "32", "64", "64", "FLOAT", "DOUBLE"};
  for (size_t i = 0; i < 6; ++i) {
    World world;
    world.metric("x", fmt::format("{} counter Kbyte 1.1", kTypes[i]));
    const std::string own = kTypes[i];
    EXPECT_EQ(said(world, "delta(x)"), fmt::format("{} instant Kbyte 1.1", kDelta[i]));
    EXPECT_EQ(said(world, "-x"), fmt::format("{} instant Kbyte 1.1", kNegated[i]));
    EXPECT_EQ(said(world, "!x"), own + " counter Kbyte 1.1");
    EXPECT_EQ(said(world, "rate(x)"), "DOUBLE instant Kbyte / sec 1.1");
    EXPECT_EQ(said(world, "instant(x)"), own + " instant Kbyte 1.1");
    EXPECT_EQ(said(world, "avg(x)"), "FLOAT instant Kbyte");
    EXPECT_EQ(said(world, "max(x)"), own + " instant Kbyte");
    EXPECT_EQ(said(world, "min(x)"), own + " instant Kbyte");
    EXPECT_EQ(said(world, "sum(x)"), own + " counter Kbyte");
    EXPECT_EQ(said(world, "scalar(x)"), own + " counter Kbyte");
    EXPECT_EQ(said(world, "count(x)"), "U32 instant count");
    EXPECT_EQ(said(world, "defined(x)"), "U32 discrete none");
    EXPECT_EQ(said(world, "x[i]"), own + " counter Kbyte 1.1");
    EXPECT_EQ(said(world, "matchinst(/i/, x)"), own + " counter Kbyte 1.1");
    EXPECT_EQ(said(world, "rescale(x, \"byte\")"), own + " counter byte 1.1");
  }
}

TEST(PcpMetadata, Numbers) {
  World world;
  EXPECT_EQ(said(world, "1"), "U32 discrete none");
  EXPECT_EQ(said(world, "1.5"), "DOUBLE discrete none");
  EXPECT_EQ(said(world, "1 + 2"), "U32 discrete none");
  EXPECT_EQ(said(world, "-1"), "32 instant none");
  EXPECT_EQ(said(world, "2 - -1"), "U32 instant none");
  EXPECT_EQ(said(world, "1 ? 2 : 3"), "U32 discrete none");
}

class PcpSemantics : public testing::Test {
 protected:
  PcpSemantics() {
    world.metric("ctr", "u64 counter none").metric("ins", "u64 instant none");
    world.metric("dis", "u64 discrete none").metric("set", "u64 instant none 1.1");
    world.metric("cset", "u64 counter none 1.1");
  }
  World world;
};

TEST_F(PcpSemantics, OfSumsAndRelations) {
  for (const std::string op : {" + ", " - ", " > ", " && "}) {
    const std::string type = op == " + " || op == " - " ? "U64" : "U32";
    EXPECT_EQ(said(world, "dis" + op + "dis"), type + " discrete none");
    EXPECT_EQ(said(world, "dis" + op + "ins"), type + " instant none");
    EXPECT_EQ(said(world, "ins" + op + "dis"), type + " instant none");
    EXPECT_EQ(said(world, "ctr" + op + "ctr"), type + " counter none");
  }
  EXPECT_EQ(said(world, "ctr > 1"), "U32 counter none");
  EXPECT_EQ(said(world, "1 < ctr"), "U32 counter none");
  EXPECT_EQ(said(world, "ins < ctr"), "U32 instant none");
  EXPECT_EQ(said(world, "dis && ctr"), "U32 discrete none");
}

// That of the left operand, but of the right one behind a number.
TEST_F(PcpSemantics, OfProductsWithACounter) {
  EXPECT_EQ(said(world, "ctr * ins"), "U64 counter none");
  EXPECT_EQ(said(world, "ctr / dis"), "DOUBLE counter none");
  EXPECT_EQ(said(world, "ins * ctr"), "U64 instant none");
  EXPECT_EQ(said(world, "dis * ctr"), "U64 discrete none");
  EXPECT_EQ(said(world, "3 * ctr"), "U64 counter none");
  EXPECT_EQ(said(world, "mkconst(3, type=u64) * ctr"), "U64 counter none");
  EXPECT_EQ(said(world, "(1 + 2) * ctr"), "U64 discrete none");
}

TEST_F(PcpSemantics, DomainsComeFromWhicheverHasOne) {
  EXPECT_EQ(said(world, "set + ins"), "U64 instant none 1.1");
  EXPECT_EQ(said(world, "ins + set"), "U64 instant none 1.1");
  EXPECT_EQ(said(world, "1 + set"), "U64 instant none 1.1");
  EXPECT_EQ(said(world, "set > 1"), "U32 instant none 1.1");
  EXPECT_EQ(said(world, "set + set"), "U64 instant none 1.1");
  EXPECT_EQ(said(world, "sum(set) * set"), "U64 instant none 1.1");
  EXPECT_EQ(said(world, "ins ? set : ins"), "U64 instant none 1.1");
  EXPECT_EQ(said(world, "ins ? ins : set"), "U64 instant none 1.1");
  EXPECT_EQ(said(world, "set ? set : set"), "U64 instant none 1.1");
  EXPECT_EQ(said(world, "1 ? ins : set", k7), "U64 instant none");
}

TEST(PcpMetadata, TimeOfARate) {
  World world;
  world.metric("ms", "u64 counter millisec").metric("hours", "u64 counter hour");
  world.metric("n", "u64 counter count");
  EXPECT_EQ(said(world, "rate(ms)"), "DOUBLE instant none");
  EXPECT_EQ(said(world, "rate(hours)"), "DOUBLE instant none");
  EXPECT_EQ(said(world, "rate(n)"), "DOUBLE instant count / sec");
  World other;
  other.metric("ms", "u64 counter millisec");
  const auto tree = bound(other, "rate(ms)", {});
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->desc().units, Units{});
}

}  // namespace
}  // namespace pmjit::test
