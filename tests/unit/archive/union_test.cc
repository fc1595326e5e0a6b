// The metadata of several archives as one. Spec archives.md §9, §10.
#include <gtest/gtest.h>

#include "runtime/archive/reader/metadata.h"
#include "tests/unit/archive/meta_file.h"

namespace pmjit::test {
namespace {

TEST(Union, EverythingOfBoth) {
  const MetaFile a = MetaFile()
                         .desc({"m"}, 1, 2)
                         .indom({.sec = 10}, 2, {{1, "a"}, {2, "b"}})
                         .text(5, 1, "ours")
                         .text(6, 1, "long");
  const MetaFile b = MetaFile()
                         .desc({"m", "n"}, 1, 2)
                         .desc({"x"}, 7)
                         .indom({.sec = 30}, 2, {{1, "a"}, {3, "c"}})
                         .indom({.sec = 40}, 2, {{3, "-"}, {4, "d"}}, true)
                         .labels({.sec = 30}, LabelType::item, 7, {{kNoInstance, {{"k", "1"}}}})
                         .text(5, 1, "theirs");
  Metadata both = a.metadata();
  const Metadata more = b.metadata();
  merge_metadata(both, more);
  EXPECT_EQ(both.pmids, (std::vector<PmId>{1, 7}));
  EXPECT_EQ(both.names.find("n"), 1u);
  const Domain* domain = both.domain(2);
  ASSERT_NE(domain, nullptr);
  EXPECT_EQ(domain->set_count(), 3u);
  EXPECT_EQ(domain->name(2, {.sec = 20}), "b");
  EXPECT_EQ(domain->name_at(2, {.sec = 30}), std::unexpected(pm_err::E_INST_LOG));
  EXPECT_EQ(domain->name(3, {.sec = 39}), "c");
  EXPECT_EQ(domain->name(3, {.sec = 40}), std::nullopt);
  EXPECT_EQ(domain->name(4, {.sec = 40}), "d");
  EXPECT_EQ(domain->largest_set(), 2u);
  EXPECT_NE(both.labels.find(LabelType::item, 7, kNoInstance, {.sec = 30}), nullptr);
  EXPECT_EQ(both.texts.find(TextKind::one_line, TextOf::metric, 1), "theirs");
  EXPECT_EQ(both.texts.find(TextKind::help, TextOf::metric, 1), "long");
}

TEST(Union, SetsThatAlternate) {
  const MetaFile a = MetaFile()
                         .desc({"m"}, 1, 2)
                         .indom({.sec = 10}, 2, {{1, "a"}})
                         .indom({.sec = 30}, 2, {{2, "b"}});
  const MetaFile b = MetaFile()
                         .desc({"m"}, 1, 2)
                         .indom({.sec = 20}, 2, {{3, "c"}})
                         .indom({.sec = 30}, 2, {{2, "b"}});
  Metadata both = a.metadata();
  const Metadata more = b.metadata();
  merge_metadata(both, more);
  const Domain* domain = both.domain(2);
  EXPECT_EQ(domain->set_count(), 3u);  // equal sets of one stamp are one
  EXPECT_EQ(domain->name(1, {.sec = 20}), std::nullopt);
  EXPECT_EQ(domain->name(3, {.sec = 29}), "c");
  EXPECT_EQ(domain->name(2, {.sec = 30}), "b");
}

TEST(Union, MetricsMustAgree) {
  const MetaFile a = MetaFile().desc({"m"}, 1, 2), b = MetaFile().desc({"m"}, 1, 3);
  const auto conflict = find_desc_conflict(a.metadata(), b.metadata());
  ASSERT_TRUE(conflict.has_value());
  EXPECT_EQ(conflict->pmid, 1u);
  EXPECT_EQ(conflict->pm_code, pm_err::E_LOGCHANGEINDOM);
  EXPECT_FALSE(find_desc_conflict(a.metadata(), a.metadata()).has_value());
}

}  // namespace
}  // namespace pmjit::test
