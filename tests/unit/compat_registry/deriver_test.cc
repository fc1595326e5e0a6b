// The derived metrics of a context: bound once, evaluated, refused. Source: spec derived-metrics.md
// §8, §9, §12.
#include <gtest/gtest.h>

#include <string>

#include "runtime/model/pm_codes.h"
#include "tests/unit/compat_registry/loaded.h"
#include "tests/unit/compat_registry/recorded.h"

namespace pmjit::test {
namespace {

class DeriverTest : public testing::TestWithParam<Dialect> {
 protected:
  explicit DeriverTest(Dialect dialect = GetParam()) : definitions(dialect) {}
  void define(const std::string& text) {
    (void)definitions.read(text);
    EXPECT_EQ(definitions.said(), "");
  }
  PmId id(std::string_view name) { return deriver.look_up(name).value_or(kNullId); }
  OrPmError<Desc> describe(std::string_view name) { return deriver.describe(id(name)); }
  // One set of each recorded metric that is given.
  std::string evaluated(std::string_view name, int64_t second, std::vector<FetchedSet> sets) {
    const Fetched fetched{.stamp = {.sec = second}, .sets = std::move(sets)};
    FetchedSet out;
    deriver.begin_fetch();
    deriver.evaluate(id(name), fetched, out);
    EXPECT_EQ(out.pmid, id(name));
    return text_of(out, describe(name).value_or(Desc{}).pm_type);
  }
  PmId recorded_id(std::string_view name) { return recorded.look_up(name).value(); }

  Loaded definitions;
  Recorded recorded;
  ContextDeriver deriver{definitions.registry, recorded, nullptr, definitions.say};
};

INSTANTIATE_TEST_SUITE_P(Both, DeriverTest, testing::Values(Dialect::pcp6, Dialect::pcp7),
                         [](const auto& dialect) {
                           return std::string(dialect_text(dialect.param));
                         });

TEST_P(DeriverTest, IsBoundOnceAndHasItsOwnIdentifier) {
  define("m = u32.a + u32.b\nwrong = u32.a + text.s\n");
  EXPECT_EQ(describe("m")->pmid, id("m"));
  EXPECT_EQ(describe("m")->pm_type, pm_type::u32);
  EXPECT_EQ(deriver.operands(id("m")).size(), 2u);
  EXPECT_EQ(describe("wrong").error(), pm_err::E_BADDERIVE);
  EXPECT_EQ(definitions.said(),
            "Semantic error: derived metric wrong: u32.a + text.s: Non-arithmetic type for right "
            "operand\n");
  EXPECT_EQ(describe("wrong").error(), pm_err::E_BADDERIVE);
  EXPECT_TRUE(deriver.operands(id("wrong")).empty());
  EXPECT_EQ(definitions.said(), "");
  EXPECT_EQ(evaluated("wrong", 0, {}), "!" + std::to_string(pm_err::E_PMID));
}

TEST_P(DeriverTest, NamesAndTexts) {
  define("m = 1\nm(oneline) = one\nn = 1\nn(helptext) = help\n");
  EXPECT_EQ(deriver.look_up("none").error(), pm_err::E_NAME);
  EXPECT_EQ(deriver.name(id("m")), "m");
  EXPECT_EQ(deriver.name(recorded_id("u32.a")), "");
  EXPECT_EQ(deriver.describe(recorded_id("u32.a")).error(), pm_err::E_PMID);
  EXPECT_EQ(deriver.one_line(id("m")), "one");
  EXPECT_EQ(deriver.help(id("m")), "one");
  EXPECT_EQ(deriver.one_line(id("n")).error(), pm_err::E_TEXT);
  EXPECT_EQ(deriver.help(id("n")), "help");
  EXPECT_EQ(deriver.help(1).error(), pm_err::E_PMID);
  EXPECT_EQ(deriver.metrics().size(), 4u);
  EXPECT_EQ(deriver.lists_unusable(), GetParam() == Dialect::pcp6);
}

TEST_P(DeriverTest, OneOfThisContextCanHaveATextAndGo) {
  EXPECT_FALSE(deriver.define("own", "u32.a"));
  const PmId pmid = id("own");
  EXPECT_EQ(deriver.help(pmid).error(), pm_err::E_PMID);
  EXPECT_TRUE(deriver.add_text("own", TextKind::one_line, "mine"));
  EXPECT_EQ(deriver.add_text("own", TextKind::one_line, "again").error(), pm_err::E_TEXT);
  EXPECT_EQ(deriver.add_text("none", TextKind::help, "x").error(), pm_err::E_NAME);
  EXPECT_EQ(deriver.help(pmid), "mine");
  const size_t before = deriver.count(), listed = deriver.metrics().size();
  EXPECT_TRUE(deriver.remove("own"));
  EXPECT_FALSE(deriver.remove("own"));
  EXPECT_GT(deriver.count(), before);
  EXPECT_EQ(deriver.metrics().size(), listed - 1);
  EXPECT_EQ(deriver.describe(pmid).error(), pm_err::E_PMID);
  EXPECT_FALSE(deriver.define("own", "u32.a"));
  EXPECT_NE(id("own"), pmid);
}

TEST_P(DeriverTest, OneOfTheProcessThatGoesLeavesTheOthersTheirIdentifiers) {
  define("m = 1\nn = 2\n");
  const PmId gone = id("m"), stays = id("n");
  EXPECT_TRUE(definitions.registry.remove("m"));
  EXPECT_FALSE(definitions.registry.remove("event.flags"));
  EXPECT_EQ(deriver.look_up("m").error(), pm_err::E_NAME);
  EXPECT_EQ(deriver.name(gone), "");
  EXPECT_EQ(deriver.name(stays), "n");
  define("m = 3\n");
  EXPECT_NE(id("m"), gone);
}

TEST_P(DeriverTest, MetricsThatAreAlwaysThereHaveNoValues) {
  EXPECT_EQ(describe("event.flags")->pm_type, pm_type::u32);
  EXPECT_EQ(describe("event.missed")->semantics, Semantics::discrete);
  EXPECT_EQ(evaluated("event.flags", 0, {}), "");
  EXPECT_TRUE(deriver.operands(id("event.flags")).empty());
}

TEST_P(DeriverTest, AMetricThatAsksForItselfIsRefused) {
  define("m = m\nn = n + 1\na = b\nb = c\nc = a\n");
  for (const char* name : {"m", "n", "a", "b", "c"}) {
    EXPECT_EQ(describe(name).error(), pm_err::E_BADDERIVE) << name;
  }
}

TEST_P(DeriverTest, OneOfAnotherHasNoValues) {
  define("one = u32.a\nsame = one\nmore = one + 1\n");
  EXPECT_EQ(describe("same")->pm_type, pm_type::u32);
  const auto asked = deriver.operands(id("same"));  // the source says that there is none
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0], id("one"));
  EXPECT_EQ(evaluated("same", 0, {set_of(recorded_id("u32.a"), {{-1, 5}})}), "");
  if (GetParam() == Dialect::pcp6) {
    EXPECT_EQ(evaluated("more", 0, {set_of(recorded_id("u32.a"), {{-1, 5}})}), "");
    return;
  }
  EXPECT_EQ(describe("more").error(), pm_err::E_BADDERIVE);
  EXPECT_EQ(definitions.said(),
            "Semantic error: derived metric more: operand one: Illegal nested derived metric\n");
}

TEST_P(DeriverTest, ALongChainOfThemDoesNotEndTheProgram) {
  std::string text;
  for (int i = 0; i < 100'000; ++i)
    text += "m" + std::to_string(i) + "=m" + std::to_string(i + 1) + "\n";
  define(text + "m100000=u32.a\n");
  (void)describe("m0");
  EXPECT_EQ(describe("m99990")->pm_type, pm_type::u32);
}

TEST_P(DeriverTest, ARecordedMetricHidesADerivedOneOfItsName) {
  define("u32.a = u32.b * 2\nm = u32.a\n");
  EXPECT_EQ(deriver.operands(id("m"))[0], recorded_id("u32.a"));
}

TEST_P(DeriverTest, ValuesStandInPlaceOrInBlocks) {
  define("m = u32.set + 1\nr = u32.set / 2\nf = avg(u32.set)\nt = text.s\nc = count(u32.set)\n");
  const FetchedSet set = set_of(recorded_id("u32.set"), {{2, 5}, {0, 7}});
  EXPECT_EQ(evaluated("m", 0, {set}), "2:6 0:8");
  EXPECT_EQ(evaluated("r", 0, {set}), "2:2.500000e+00 0:3.500000e+00");
  EXPECT_EQ(evaluated("f", 0, {set}), "6.000000e+00");
  EXPECT_EQ(evaluated("c", 0, {set}), "2");
  EXPECT_EQ(evaluated("m", 0, {{.pmid = set.pmid, .count = -12350}}), "!-12350");
  FetchedSet out;
  deriver.evaluate(id("m"), {.stamp = {}, .sets = {set}}, out);
  EXPECT_EQ(out.format, ValueFormat::in_place);
  deriver.evaluate(id("r"), {.stamp = {}, .sets = {}}, out);
  EXPECT_EQ(out.format, ValueFormat::block);
  EXPECT_EQ(out.count, 0);
}

TEST_P(DeriverTest, EachMetricHasItsOwnHistory) {
  define("m = delta(u32.a)\nn = delta(u32.a)\n");
  const auto at = [&](const char* name, int64_t second, uint32_t value) {
    return evaluated(name, second, {set_of(recorded_id("u32.a"), {{-1, value}})});
  };
  EXPECT_EQ(at("m", 0, 1), "");
  EXPECT_EQ(at("m", 1, 3), "2");
  EXPECT_EQ(at("n", 1, 3), "");
  EXPECT_EQ(at("m", 2, 7), "4");
  EXPECT_EQ(at("n", 2, 7), "4");
}

TEST_P(DeriverTest, InstancesAreTheContexts) {
  define("m = u32.set[one]\nn = matchinst(/^(zero|two)$/, u32.set)\n");
  const FetchedSet set = set_of(recorded_id("u32.set"), {{2, 5}, {1, 6}, {0, 7}});
  EXPECT_EQ(evaluated("m", 0, {set}), "1:6");
  EXPECT_EQ(evaluated("n", 0, {set}), "2:5 0:7");
}

// Definitions that come after the context are seen by it.
TEST_P(DeriverTest, LaterDefinitions) {
  define("m = u32.a\n");
  EXPECT_TRUE(describe("m"));
  define("n = u32.a / 2\n");
  EXPECT_EQ(describe("n")->pm_type, pm_type::f64);
  EXPECT_EQ(evaluated("n", 0, {set_of(recorded_id("u32.a"), {{-1, 5}})}), "2.500000e+00");
}

TEST_P(DeriverTest, BeyondTheFirstClusterOfIdentifiers) {
  std::string text;
  for (int i = 0; i < 1100; ++i) text += "m" + std::to_string(i) + " = " + std::to_string(i) + "\n";
  define(text);
  EXPECT_EQ(evaluated("m1021", 0, {}), "1021");
  EXPECT_EQ(evaluated("m1020", 0, {}), "1020");
  EXPECT_EQ(evaluated("m1099", 0, {}), "1099");
}

class NewerDeriver : public DeriverTest {
 protected:
  NewerDeriver() : DeriverTest(Dialect::pcp7) {}
};

TEST_F(NewerDeriver, MissingOperandsAreToldOrCountAsNone) {
  define("m = no.such\n#control option_novalue=1\nn = no.such\n");
  EXPECT_EQ(describe("n")->pm_type, pm_type::i32);
  EXPECT_EQ(evaluated("n", 0, {}), "");
  define("#control option_novalue=0\n");
  EXPECT_EQ(describe("m").error(), pm_err::E_BADDERIVE);
  EXPECT_EQ(definitions.said(),
            "Semantic error: derived metric m: operand no.such: Unknown operand metric\n");
}

TEST_F(NewerDeriver, ConstantsLikeAnotherDerivedMetric) {
  define("one = u32.set / 2\nn = mkconst(3, meta=one)\n");
  EXPECT_EQ(describe("n")->pm_type, pm_type::f64);
  EXPECT_EQ(evaluated("n", 0, {}), "0:3.000000e+00 1:3.000000e+00 2:3.000000e+00");
}

}  // namespace
}  // namespace pmjit::test
