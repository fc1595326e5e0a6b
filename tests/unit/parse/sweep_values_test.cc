// The values of a sweep's parameters: what is written and what becomes of it.
#include "compiler/parse/sweep_values.h"

#include <gtest/gtest.h>

#include "compiler/parse/parse.h"

namespace pmjit {
namespace {

// The values, as they would be typed; or the code of what is wrong.
std::string read(const std::string& text) {
  Diags diags;
  const auto values = parse_sweep_values({.name = "<values>", .text = text}, diags);
  if (!values) return std::string(diag_code_text(diags.all().front().code));
  EXPECT_TRUE(diags.empty());
  std::string out;
  for (const ParameterValue& value : values->values) {
    out += (out.empty() ? "" : " ") + std::string(value.negative ? "-" : "") + value.digits;
  }
  return out;
}

TEST(SweepValues, AreListedAsTheyAreTyped) {
  EXPECT_EQ(read("t=5"), "5");
  EXPECT_EQ(read("t=-1,2.50,.5,1e3"), "-1 2.50 .5 1e3");
  EXPECT_EQ(read("t=18446744073709551615"), "18446744073709551615");
}

TEST(SweepValues, RangesCountInDecimalDigits) {
  EXPECT_EQ(read("t=0..3:1"), "0 1 2 3");
  EXPECT_EQ(read("t=-2..2:2"), "-2 0 2");
  EXPECT_EQ(read("t=0..0.3:0.1"), "0.0 0.1 0.2 0.3");  // not 0.30000000000000004
  EXPECT_EQ(read("t=-0.1..0.1:.1"), "-0.1 0.0 0.1");
  EXPECT_EQ(read("t=0..1:0.4"), "0.0 0.4 0.8");  // 1 is not reached
  EXPECT_EQ(read("t=7..7:1"), "7");
  EXPECT_EQ(read("t=0..2e9:1e9"), "0e9 1e9 2e9");
  EXPECT_EQ(read("t=1e-30..2e-30:1e-30"), "1e-30 2e-30");
  EXPECT_EQ(read("t=1.00..1.02:0.01"), "1.0 1.01 1.02");
}

TEST(SweepValues, HaveAFiniteNumberOfThem) {
  EXPECT_EQ(read("t=1..10000:1").size(), 48'893u);
  EXPECT_EQ(read("t=0..10000:1"), "P16");
  EXPECT_EQ(read("t=0..999999999999999999:1"), "P16");
  EXPECT_EQ(read("t=-999999999999999999..999999999999999999:0.1"), "P13");
}

TEST(SweepValues, RefuseWhatIsNone) {
  for (const std::string text :
       {"", "t", "=1", "t=", "t=1,", "t=+1", "t=--1", "t=1 ", "t=0x10", "t=inf", "t=1..2",
        "t=1..:1", "t=..2:1", "t=1..2:", "t=1..2:1:1", "t=.", "t=1e", "$t=1", "t.u=1"}) {
    EXPECT_EQ(read(text), "P13") << text;
  }
  EXPECT_EQ(read("t=2..1:1"), "P14");
  EXPECT_EQ(read("t=1..2:0"), "P14");
  EXPECT_EQ(read("t=1e999"), "P06");
}

std::string substituted(const std::string& text, const ParameterValue& value) {
  Diags diags;
  const auto ast = parse_expression({.name = "", .text = text}, Parameters::allowed, diags);
  return ast ? print(substitute(*ast, {{"t", value}})) : "";
}

TEST(Substitute, PutsTheNumberInThePlace) {
  EXPECT_EQ(substituted("x > $t", {.digits = "5"}), "x > 5");
  EXPECT_EQ(substituted("x > ($t)", {.negative = true, .digits = "5"}), "x > (-5)");
  EXPECT_EQ(substituted("$t - $t * $u", {.negative = true, .digits = "0.5"}),
            "(-0.5) - (-0.5) * $u");
  EXPECT_EQ(substituted("x > mkconst($t, units=\"s\")", {.negative = true, .digits = "5"}),
            "x > (-mkconst(5, units=\"s\"))");
  EXPECT_EQ(substituted("x > mkconst($t, units=\"s\")", {.digits = "5"}),
            "x > mkconst(5, units=\"s\")");
}

// The same tree as that of the typed text, so that everything after it is the same.
TEST(Substitute, MakesTheTreeOfTheText) {
  Diags diags;
  const auto ast = parse_expression({.name = "", .text = "a > $t && b < $t * 2 ? $t : c[i]"},
                                    Parameters::allowed, diags);
  const auto typed =
      parse_expression({.name = "", .text = "a > 1.5 && b < 1.5 * 2 ? 1.5 : c[i]"}, diags);
  ASSERT_TRUE(ast && typed);
  EXPECT_TRUE(same_tree(substitute(*ast, {{"t", {.digits = "1.5"}}}), *typed));
}

TEST(Parameters, AreRefusedWhereNobodyGivesThemAValue) {
  Diags diags;
  EXPECT_FALSE(parse_expression({.name = "", .text = "x > $t"}, diags));
  EXPECT_EQ(diag_code_text(diags.all().front().code), "P12");
  Diags of_file;
  EXPECT_FALSE(parse_definitions({.name = "", .text = "a = $t\n"}, of_file).definitions[0].ast);
  EXPECT_EQ(diag_code_text(of_file.all().front().code), "P12");
}

TEST(ValueText, IsTheShortest) {
  EXPECT_EQ(value_text({.negative = true, .digits = "5"}), "-5");
  EXPECT_EQ(value_text({.digits = "2.50"}), "2.5");
  EXPECT_EQ(value_text({.digits = "1e3"}), "1000");
  EXPECT_EQ(value_text({.digits = "5."}), "5");
  EXPECT_EQ(value_text({.digits = "00010"}), "10");
  EXPECT_EQ(value_text({.negative = true, .digits = "00"}), "-0");
}

}  // namespace
}  // namespace pmjit
