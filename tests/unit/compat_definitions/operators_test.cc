// Operators, value by value: which values meet, what they are converted to, what wraps. Source:
// spec derived-metrics.md §13.1–§13.4, §15 E3–E5.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/compat_definitions/world.h"

namespace pmjit::test {
namespace {

class PcpOperators : public testing::Test {
 protected:
  PcpOperators() {
    for (const std::string type : {"32", "u32", "64", "u64", "float", "double"}) {
      world.metric("a" + type, type + " instant none").metric("b" + type, type + " instant none");
    }
    world.metric("l", "u32 instant none 1.1").metric("r", "u32 instant none 1.1");
  }
  // a OP b, of a type each.
  std::string of(const std::string& left_type, const std::string& left, const std::string& op,
                 const std::string& right_type, const std::string& right) {
    return value_of(world, "a" + left_type + op + "b" + right_type,
                    {{"a" + left_type, left}, {"b" + right_type, right}});
  }
  std::string same(const std::string& type, const std::string& left, const std::string& op,
                   const std::string& right) {
    return of(type, left, op, type, right);
  }
  std::string sets(const std::string& expression, const std::string& left,
                   const std::string& right) {
    return value_of(world, expression, {{"l", left}, {"r", right}, {"au32", "10"}});
  }
  World world;
};

TEST_F(PcpOperators, WholeNumbersWrap) {
  EXPECT_EQ(same("32", "2147483647", "+", "1"), "-2147483648");
  EXPECT_EQ(same("32", "-2147483648", "-", "1"), "2147483647");
  EXPECT_EQ(same("32", "65537", "*", "65537"), "131073");
  EXPECT_EQ(same("32", "1000000", "*", "1000000"), "-727379968");
  EXPECT_EQ(same("u32", "4294967295", "+", "2"), "1");
  EXPECT_EQ(same("u32", "1", "-", "2"), "4294967295");
  EXPECT_EQ(same("u32", "65536", "*", "65536"), "0");
  EXPECT_EQ(same("64", "9223372036854775807", "+", "1"), "-9223372036854775808");
  EXPECT_EQ(same("64", "-9223372036854775808", "-", "1"), "9223372036854775807");
  EXPECT_EQ(same("64", "4294967296", "*", "4294967296"), "0");
  EXPECT_EQ(same("64", "-9223372036854775808", "*", "-1"), "-9223372036854775808");
  EXPECT_EQ(same("u64", "18446744073709551615", "+", "2"), "1");
  EXPECT_EQ(same("u64", "1000000", "-", "1000001"), "18446744073709551615");
  EXPECT_EQ(same("u64", "4294967297", "*", "4294967297"), "8589934593");
}

TEST_F(PcpOperators, OperandsAreConvertedToTheResult) {
  EXPECT_EQ(of("32", "1000000", "-", "u32", "3000000"), "4292967296");
  EXPECT_EQ(of("32", "-1", "+", "64", "0"), "-1");
  EXPECT_EQ(of("u32", "4294967295", "+", "64", "0"), "4294967295");
  EXPECT_EQ(of("32", "-1", "+", "u64", "0"), "18446744073709551615");
  EXPECT_EQ(of("64", "-1", "+", "u64", "0"), "18446744073709551615");
  EXPECT_EQ(of("u32", "4294967295", "*", "u64", "1"), "4294967295");
  EXPECT_EQ(of("64", "16777217", "+", "float", "0"), "1.67772e+07");
  EXPECT_EQ(of("u64", "18446744073709551615", "+", "double", "0"), "1.8446744073709552e+19");
  EXPECT_EQ(of("float", "0.1", "+", "double", "0"), "0.10000000149011612");
}

TEST_F(PcpOperators, OfTwoThatAreNotANumberTheLeftOneStays) {
  for (const std::string type : {"float", "double"}) {
    for (const std::string op : {"+", "-", "*", "/"}) {
      EXPECT_EQ(same(type, "nan", op, "-nan"), "nan") << type << op;
      EXPECT_EQ(same(type, "-nan", op, "nan"), "-nan") << type << op;
      EXPECT_EQ(same(type, "1", op, "-nan"), "-nan") << type << op;
      EXPECT_EQ(same(type, "-nan", op, "1"), "-nan") << type << op;
    }
  }
}

TEST_F(PcpOperators, Quotients) {
  EXPECT_EQ(same("32", "7", "/", "2"), "3.5");
  EXPECT_EQ(same("32", "-7", "/", "2"), "-3.5");
  EXPECT_EQ(same("u64", "0", "/", "0"), "0");
  EXPECT_EQ(same("double", "0", "/", "0"), "0");
  EXPECT_EQ(same("double", "-0.0", "/", "5"), "0");
  EXPECT_EQ(same("u32", "1", "/", "0"), "inf");
  EXPECT_EQ(same("32", "-1", "/", "0"), "-inf");
  EXPECT_EQ(same("double", "nan", "/", "1"), "nan");
  EXPECT_EQ(same("double", "inf", "-", "inf"), "-nan");
  EXPECT_EQ(same("float", "1e38", "*", "1e38"), "inf");
}

TEST_F(PcpOperators, RelationsAreOfThePromotedType) {
  EXPECT_EQ(same("32", "-1", "<", "1"), "1");
  EXPECT_EQ(of("32", "-1", "<", "u32", "1"), "0");
  EXPECT_EQ(of("u32", "4294967295", "==", "32", "-1"), "1");
  EXPECT_EQ(of("32", "-1", "<", "64", "1"), "1");
  EXPECT_EQ(of("64", "-1", ">", "u64", "1"), "1");
  EXPECT_EQ(of("32", "16777217", "==", "float", "16777216"), "1");
  EXPECT_EQ(of("32", "16777217", "==", "double", "16777216"), "0");
  EXPECT_EQ(value_of(world, "-2 < 1"), "0");
  for (const char* op : {"<", "<=", "==", ">=", ">"}) {
    EXPECT_EQ(same("double", "nan", op, "1"), "0") << op;
  }
  EXPECT_EQ(same("double", "nan", "!=", "nan"), "1");
  EXPECT_EQ(same("u64", "18446744073709551615", ">", "18446744073709551614"), "1");
  EXPECT_EQ(same("64", "5", "<=", "5"), "1");
  EXPECT_EQ(same("64", "5", ">=", "6"), "0");
  EXPECT_EQ(same("64", "5", "!=", "6"), "1");
}

TEST_F(PcpOperators, LogicNeedsBothSides) {
  EXPECT_EQ(same("32", "-5", "&&", "3"), "1");
  EXPECT_EQ(same("32", "-5", "&&", "0"), "0");
  EXPECT_EQ(same("double", "0", "||", "0.5"), "1");
  EXPECT_EQ(same("u64", "0", "||", "0"), "0");
  EXPECT_EQ(of("u32", "1", "||", "u32", ""), "");
  EXPECT_EQ(of("u32", "", "&&", "u32", "0"), "");
  EXPECT_EQ(value_of(world, "1 || 1 && 0"), "0");
  EXPECT_EQ(value_of(world, "!0 && 0"), "0");
}

TEST_F(PcpOperators, Prefixes) {
  const auto one = [&](const std::string& op, const std::string& type, const std::string& value) {
    return value_of(world, op + "a" + type, {{"a" + type, value}});
  };
  EXPECT_EQ(one("-", "32", "-2147483648"), "-2147483648");
  EXPECT_EQ(one("-", "32", "5"), "-5");
  EXPECT_EQ(one("-", "u32", "1"), "-1");
  EXPECT_EQ(one("-", "u32", "4294967295"), "1");
  EXPECT_EQ(one("-", "64", "-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(one("-", "u64", "18446744073709551615"), "1");
  EXPECT_EQ(one("-", "float", "1.5"), "-1.5");
  EXPECT_EQ(one("-", "double", "0"), "-0");
  for (const std::string type : {"32", "u32", "64", "u64", "float", "double"}) {
    EXPECT_EQ(one("!", type, "0"), "1") << type;
    EXPECT_EQ(one("!", type, "7"), "0") << type;
    EXPECT_EQ(one("!", type, ""), "") << type;
  }
  EXPECT_EQ(one("!", "double", "nan"), "0");
  EXPECT_EQ(value_of(world, "-1 / 0"), "-inf");
  EXPECT_EQ(value_of(world, "2 - -1"), "3");
}

TEST_F(PcpOperators, SetsMeetByInstanceInTheOrderOfTheLeft) {
  EXPECT_EQ(sets("l + r", "1:1 3:3 4:4", "1:10 3:30"), "1:11 3:33");
  EXPECT_EQ(sets("l + r", "3:3 1:1", "1:10 3:30"), "3:33 1:11");
  EXPECT_EQ(sets("l + r", "1:1 2:2 3:3", "3:30 2:20 1:10"), "1:11 2:22 3:33");
  EXPECT_EQ(sets("l + r", "9:9 1:1", "1:10 8:80"), "1:11");
  EXPECT_EQ(sets("l + r", "1:1", "2:2"), "");
  EXPECT_EQ(sets("l + r", "1:1", ""), "");
  EXPECT_EQ(sets("l + r", "", "1:1"), "");
  EXPECT_EQ(sets("l > r", "1:1 2:2", "2:1 1:1"), "1:0 2:1");
}

// No more results than the shorter side has: a second 1 on the left still finds its partner, a
// third has no room.
TEST_F(PcpOperators, AnInstanceTwiceOnTheLeft) {
  EXPECT_EQ(sets("l + r", "1:1 1:2 2:3", "1:10 2:20"), "1:11 1:12");
  EXPECT_EQ(sets("l + r", "1:1 2:2", "1:10 1:11 2:20"), "1:11 2:22");
}

TEST_F(PcpOperators, ASingularSideIsRepeated) {
  EXPECT_EQ(sets("l + 1", "3:3 1:1", ""), "3:4 1:2");
  EXPECT_EQ(sets("1 - l", "3:3 1:1", ""), "3:4294967294 1:0");
  EXPECT_EQ(sets("l * au32", "3:3 1:1", ""), "3:30 1:10");
  EXPECT_EQ(sets("l + 1", "", ""), "");
  EXPECT_EQ(sets("sum(l) + r", "3:3 1:1", "7:1"), "7:5");
  EXPECT_EQ(sets("scalar(l) + scalar(r)", "3:3 1:1", "7:1"), "4");
}

// What one instance is selected from still has its domain.
TEST_F(PcpOperators, SelectedInstancesDoNotMeet) {
  world.instance_ids = {{"x", 1}, {"y", 3}};
  EXPECT_EQ(sets("l[x] + r[y]", "1:1 3:3", "1:10 3:30"), "");
  EXPECT_EQ(sets("l[x] + r[x]", "1:1 3:3", "3:30 1:10"), "1:11");
  EXPECT_EQ(sets("scalar(l[x]) + scalar(r[y])", "1:1 3:3", "1:10 3:30"), "31");
}

TEST_F(PcpOperators, AnErrorOfAnyOperandIsTheErrorOfTheWhole) {
  EXPECT_EQ(sets("l + r", "1:1", "!-12345"), "!-12345");
  EXPECT_EQ(sets("l + r", "!-12344", "!-12345"), "!-12344");
  EXPECT_EQ(sets("1 || sum(r)", "", "!-12345"), "!-12345");
  EXPECT_EQ(sets("count(r) + 1", "", "!-12345"), "1");
  EXPECT_EQ(sets("count(r) + sum(r)", "", "!-12345"), "!-12345");
}

}  // namespace
}  // namespace pmjit::test
