// Archives made from the specification and recorded with real pmlogger: what their makers say is in
// them.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/archive/support.h"

namespace pmjit::test {
namespace {

std::unique_ptr<Archive> open_golden(std::string_view name) {
  auto archive = Archive::open(golden(name));
  EXPECT_TRUE(archive.has_value()) << archive.error().text();
  return archive ? *std::move(archive) : nullptr;
}

std::string first_lines(const std::string& text, size_t count) {
  size_t at = 0;
  for (size_t i = 0; i < count && at != std::string::npos; ++i) at = text.find('\n', at) + 1;
  return text.substr(0, at);
}

TEST(Golden, EveryTypeInBothVersions) {
  for (const char* name : {"types-v2", "types-v3"}) {
    const auto archive = open_golden(name);
    ASSERT_NE(archive, nullptr);
    for (const char* type : {"i32", "u32", "i64", "u64"}) {
      const std::string m = fmt::format("syn.ctr.{}", type);
      EXPECT_EQ(content(*archive, {m}),
                fmt::format("+0.000 {0} 10\n+10.000 {0} 21\n+20.000 {0} 43\n+30.000 {0} 17\n"
                            "+40.000 {0} 17\n+50.000 {0} 100\n",
                            m));
    }
    for (const char* type : {"flt", "dbl"}) {
      const std::string m = fmt::format("syn.inst.{}", type);
      EXPECT_EQ(content(*archive, {m}),
                fmt::format("+0.000 {0} 15\n+10.000 {0} 31.5\n+20.000 {0} 64.5\n+30.000 {0} 25.5\n"
                            "+40.000 {0} 25.5\n+50.000 {0} 150\n",
                            m));
    }
    EXPECT_EQ(first_lines(content(*archive, {"syn.disc.str"}), 2),
              "+0.000 syn.disc.str 'v10'\n+10.000 syn.disc.str 'v21'\n");
    EXPECT_EQ(archive->host(), "vec.example");
    EXPECT_EQ(archive->start(), (Stamp{1'700'000'000, 0}));
    EXPECT_EQ(archive->end(), (Stamp{1'700'000'050, 0}));
  }
}

TEST(Golden, MarksStandWhereTheyWereRecorded) {
  for (const char* name : {"mark-v2", "mark-v3"}) {
    const auto archive = open_golden(name);
    ASSERT_NE(archive, nullptr);
    EXPECT_EQ(content(*archive, {"mk.ctr"}),
              "+0.000 mk.ctr 100\n+10.000 mk.ctr 200\n+20.000 mk.ctr 300\n+20.001 mark\n"
              "+40.000 mk.ctr 1000\n+50.000 mk.ctr 1100\n+60.000 mk.ctr 1200\n+60.001 mark\n"
              "+61.000 mk.ctr 1210\n+62.000 mk.ctr 1220\n+70.000 mk.ctr 1300\n");
  }
}

TEST(Golden, ValueSetsWithoutValuesAndWithAnErrorCode) {
  const auto archive = open_golden("insts4");
  ASSERT_NE(archive, nullptr);
  const std::string text = content(*archive, {"in.ctr"});
  EXPECT_EQ(first_lines(text, 1), "+0.000 in.ctr [100]=100 [200]=200 [300]=300 [400]=400\n");
  EXPECT_NE(text.find("+30.000 in.ctr none\n"), std::string::npos) << text;
  EXPECT_NE(text.find("+60.000 in.ctr error -"), std::string::npos) << text;
}

TEST(Golden, InstancesComeAndGoThroughDeltas) {
  const auto archive = open_golden("insts20");
  ASSERT_NE(archive, nullptr);
  const Catalog& catalog = archive->catalog();
  const auto desc = catalog.describe("in.disc");
  ASSERT_TRUE(desc.has_value());
  const auto at = [&](int32_t id, int64_t seconds) {
    return catalog.instance_name(desc->indom, id, {1'700'000'000 + seconds, 0}).value_or("-");
  };
  EXPECT_EQ(at(300, -1), "-");
  EXPECT_EQ(at(300, 0), "i2 one");
  EXPECT_EQ(at(300, 19), "i2 one");
  EXPECT_EQ(at(300, 20), "-");
  EXPECT_EQ(at(300, 50), "i2 one");
  EXPECT_EQ(at(50, 49), "-");
  EXPECT_EQ(at(50, 50), "late");
  EXPECT_EQ(catalog.instances(desc->indom).size(), 21u);
  EXPECT_EQ(catalog.instances(desc->indom).front().name, "late");
}

TEST(Golden, SecondsBeyondThirtyTwoBits) {
  const auto archive = open_golden("far-v3");
  ASSERT_NE(archive, nullptr);
  EXPECT_EQ(archive->start().sec, 5'000'000'000);
}

TEST(Golden, TwoNamesOfOneMetricAndAnEmptyInstanceRecord) {
  const auto archive = open_golden("meta-v3");
  ASSERT_NE(archive, nullptr);
  std::unordered_map<PmId, int> names;
  for (const auto& name : archive->catalog().leaves("")) {
    const auto desc = archive->catalog().describe(name);
    ASSERT_TRUE(desc.has_value());
    if (++names[desc->pmid] == 2) SUCCEED() << name;
  }
  EXPECT_GT(archive->catalog().leaves("").size(), names.size());
  for (const auto& [indom, domain] : archive->metadata().domains) {
    const auto all = domain.all();
    ASSERT_FALSE(all.empty());
    // The empty record at 10 s changes nothing.
    const Stamp before{1'700'000'009, 0}, after{1'700'000'011, 0};
    for (const auto& instance : all) {
      EXPECT_EQ(domain.name(instance.id, before), domain.name(instance.id, after));
    }
  }
}

TEST(Golden, VolumesAreOneStream) {
  const auto archive = open_golden("vols-v3");
  ASSERT_NE(archive, nullptr);
  const std::string text = content(*archive);
  EXPECT_EQ(std::ranges::count(text, '\n'), 9);
  EXPECT_EQ(archive->end(), (Stamp{1'700'000'080, 0}));
  // Any physical file names the whole archive.
  for (const char* file : {"vols-v3.0", "vols-v3.2", "vols-v3.meta", "vols-v3.index"}) {
    EXPECT_EQ(content(Archive::open(golden(file))), text) << file;
  }
}

TEST(Golden, CountersThatWrapAreReadAsRecorded) {
  const auto archive = open_golden("wrap");
  ASSERT_NE(archive, nullptr);
  EXPECT_EQ(std::ranges::count(content(*archive), '\n'), 16);
}

TEST(Golden, RecordingsOfRealPmlogger) {
  struct Expected {
    const char* name;
    ptrdiff_t marks;
  };
  for (const auto& [name, marks] : {Expected{"rec-v2", 0}, Expected{"rec-v3", 0},
                                    Expected{"rec-mark-v2", 1}, Expected{"rec-mark-v3", 1}}) {
    const auto archive = open_golden(name);
    ASSERT_NE(archive, nullptr);
    const std::string text = content(*archive);
    EXPECT_EQ(text.find("error -12373"), std::string::npos) << name;
    ptrdiff_t found = 0;
    for (size_t at = 0; (at = text.find(" mark\n", at)) != std::string::npos; ++at) ++found;
    EXPECT_EQ(found, marks) << name;
    EXPECT_NE(text.find("pmcd.pmlogger.host"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace pmjit::test
