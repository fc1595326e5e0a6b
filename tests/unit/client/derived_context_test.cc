// Derived metrics over a context that is no archive: names, descriptors, instances, fetches, and
// what becomes of errors.
#include "runtime/client/derived_context.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/compat/registry/derive.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/archive/folder.h"
#include "tests/unit/client/memory_context.h"

namespace pmjit::test {
namespace {

constexpr InDomId kDisks = 60u << 22 | 1;

class DerivedContextTest : public testing::TestWithParam<Dialect> {
 protected:
  void SetUp() override {
    setenv("PCP_DERIVED_CONFIG", "", 1);
    folder_.write("x.conf",
                  "disk.all = disk.read + disk.write\ndisk.all(oneline) = both\n"
                  "disk.first = disk.read[sda]\nbad = no.such\nnumber = 7\nsum = sum(disk.read)\n"
                  "change = delta(load)\n");
    derived_ = make_derived_metrics({.dialect = GetParam()});
    ASSERT_EQ(derived_->load(folder_.path("x.conf")), 6);
    auto source = std::make_unique<MemoryContext>();
    source_ = source.get();
    read_ = source_->add("disk.read", {.pm_type = pm_type::u32, .indom = kDisks});
    write_ = source_->add("disk.write", {.pm_type = pm_type::u32, .indom = kDisks});
    load_ = source_->add("load", {.pm_type = pm_type::u32});
    source_->set_instances(kDisks, {{.id = 0, .name = "sda"}, {.id = 1, .name = "sdb"}});
    context_ = std::make_unique<DerivedContext>(std::move(source), *derived_);
  }

  static FetchedSet set(PmId pmid, std::vector<std::pair<int32_t, uint32_t>> values) {
    FetchedSet out{.pmid = pmid, .count = static_cast<int>(values.size())};
    for (const auto& [id, word] : values) out.values.push_back({.instance = id, .word = word});
    return out;
  }
  // At a second: disks 0 and 1 read 10 and 20 and write 1 and 2, load 5 plus the second.
  void answer(int64_t sec) {
    source_->answer({.stamp = {.sec = sec},
                     .sets = {set(read_, {{0, 10}, {1, 20}}), set(write_, {{0, 1}, {1, 2}}),
                              set(load_, {{kSingular, 5 + static_cast<uint32_t>(sec)}})}});
  }
  PmId id(std::string_view name) { return context_->look_up(name).value_or(kNullId); }
  // "@10 0:11 1:22, 7"; "!CODE" for errors of a set, "failed CODE" for those of the fetch.
  std::string fetch(const std::vector<std::string>& names, const Profile& profile = {}) {
    std::vector<PmId> pmids;
    for (const std::string& name : names) pmids.push_back(id(name));
    Fetched fetched;
    const auto done = context_->fetch(pmids, profile, fetched);
    if (!done) return fmt::format("failed {}", done.error().pm_code());
    std::string out = fmt::format("@{}", fetched.stamp.sec);
    for (const FetchedSet& got : fetched.sets) {
      if (&got != fetched.sets.data()) out += ',';
      if (got.count < 0) out += fmt::format(" !{}", got.count);
      if (got.count == 0) out += " -";
      for (const Value& value : got.values) {
        out += value.instance == kSingular ? " " : fmt::format(" {}:", value.instance);
        // A delta is a number of 64 bits, so it stands in a block.
        int64_t number = value.word;
        if (got.format != ValueFormat::in_place) {
          std::memcpy(&number, value.block.data(), sizeof number);
        }
        out += std::to_string(number);
      }
    }
    return out;
  }
  std::string leaves(std::string_view name) {
    const auto found = context_->leaves(name);
    if (!found) return fmt::format("!{}", found.error());
    std::string out;
    for (const Context::Leaf& leaf : *found) out += (out.empty() ? "" : " ") + leaf.name;
    return out;
  }
  std::string children(std::string_view name) {
    const auto found = context_->children(name);
    if (!found) return fmt::format("!{}", found.error());
    std::string out;
    for (const Context::Child& child : *found) {
      out += (out.empty() ? "" : " ") + child.name + (child.leaf ? "" : ".");
    }
    return out;
  }
  [[nodiscard]] bool six() const { return GetParam() == Dialect::pcp6; }

  Folder folder_;
  std::unique_ptr<DerivedMetrics> derived_;
  MemoryContext* source_ = nullptr;
  PmId read_ = 0, write_ = 0, load_ = 0;
  std::unique_ptr<DerivedContext> context_;
};

TEST_P(DerivedContextTest, DerivedMetricsFollowWhatAHostLists) {
  source_->list_leaves_at_once();
  EXPECT_EQ(leaves("disk"), "disk.read disk.write disk.all disk.first");
  EXPECT_EQ(
      leaves(""),
      "disk.read disk.write load event.flags event.missed disk.all disk.first number sum change");
  EXPECT_EQ(leaves("sum"), "sum");
  EXPECT_EQ(leaves("bad"), fmt::format("!{}", int{pm_err::E_NAME}));
  EXPECT_EQ(leaves("su"), fmt::format("!{}", int{pm_err::E_NAME}));
}

// As in damaged archives: the root has a child without a name, below which is no other name.
TEST_P(DerivedContextTest, NamesThatBeginWithADotAreListedOnce) {
  source_->add(".odd.too", {.pm_type = pm_type::u32});
  const std::string all = " " + leaves("") + " ";
  EXPECT_NE(all.find(" .odd.too "), std::string::npos) << all;
  EXPECT_EQ(all.find(" .odd.too "), all.rfind(" .odd.too ")) << all;
  EXPECT_NE(all.find(" disk.all "), std::string::npos) << all;
}

TEST_P(DerivedContextTest, NamesOfBothKinds) {
  EXPECT_EQ(leaves("disk"), "disk.read disk.write disk.all disk.first");
  EXPECT_EQ(children("disk"), "read write all first");
  EXPECT_EQ(children(""), six() ? "disk. load event. bad number sum change"
                                : "disk. load event. number sum change");
  EXPECT_EQ(children("number"), "");
  EXPECT_EQ(leaves("bad"), six() ? "bad" : fmt::format("!{}", int{pm_err::E_NAME}));
  EXPECT_EQ(children("none"), fmt::format("!{}", int{pm_err::E_NAME}));
  const std::string_view asked[] = {"disk.all", "none", "load"};
  const auto found = context_->look_up_names(asked);
  ASSERT_EQ(found.size(), 3);
  EXPECT_TRUE(context_->derived(found[0].value_or(kNullId)));
  EXPECT_EQ(found[1].error(), pm_err::E_NAME);
  EXPECT_EQ(found[2], load_);
  EXPECT_EQ(context_->names(*found[0]), std::vector<std::string>{"disk.all"});
  EXPECT_EQ(context_->names(read_), std::vector<std::string>{"disk.read"});
  EXPECT_EQ(context_->names(12345).error(), pm_err::E_PMID);
}

TEST_P(DerivedContextTest, DescriptorsAndTexts) {
  const PmId asked[] = {id("disk.all"), load_, id("bad"), 12345};
  const auto found = context_->describe_metrics(asked);
  ASSERT_EQ(found.size(), 4);
  EXPECT_EQ(found[0]->indom, kDisks);
  EXPECT_EQ(found[1]->pmid, load_);
  EXPECT_EQ(found[2].error(), pm_err::E_BADDERIVE);
  EXPECT_EQ(found[3].error(), pm_err::E_PMID_LOG);
  EXPECT_EQ(context_->metric_text(TextKind::help, id("disk.all")), "both");
  EXPECT_EQ(context_->metric_text(TextKind::help, load_), "all about load");
  EXPECT_EQ(context_->metric_text(TextKind::one_line, id("number")).error(), pm_err::E_TEXT);
}

TEST_P(DerivedContextTest, InstancesAreTheSources) {
  EXPECT_EQ(context_->instances(kDisks)->size(), 2);
  EXPECT_EQ(context_->instance_id(kDisks, "sdb"), 1);
  EXPECT_EQ(context_->instance_name(kDisks, 0), "sda");
  EXPECT_EQ(context_->instance_id(kDisks, "sdx").error(), pm_err::E_INST_LOG);
  EXPECT_EQ(context_->instances(99).error(), pm_err::E_INDOM_LOG);
}

TEST_P(DerivedContextTest, OperandsAreFetchedOnceAndDoNotShow) {
  answer(10);
  EXPECT_EQ(fetch({"disk.all", "load", "disk.first"}), "@10 0:11 1:22, 15, 0:10");
  EXPECT_EQ(source_->asked().back(), (std::vector<PmId>{load_, read_, write_}));
  answer(11);
  Profile profile;
  profile.restrict(kDisks, {1});
  EXPECT_EQ(fetch({"disk.all"}, profile), "@11 1:22");
  answer(12);
  EXPECT_EQ(fetch({"load"}), "@12 17");
}

TEST_P(DerivedContextTest, WithoutOperandsOnlyTheTimeIsFetched) {
  answer(10);
  EXPECT_EQ(fetch({"number"}), "@10 7");
  EXPECT_TRUE(source_->asked().back().empty());
}

TEST_P(DerivedContextTest, WhatCannotBeBound) {
  answer(10);
  EXPECT_EQ(fetch({"bad"}), fmt::format("@10 !{}", int{pm_err::E_NOAGENT}));
  answer(11);
  EXPECT_EQ(fetch({"bad", "number"}), fmt::format("@11 !{}, 7", int{pm_err::E_PMID}));
}

TEST_P(DerivedContextTest, AnErrorOfAnOperandIsTheMetrics) {
  source_->answer({.stamp = {.sec = 10},
                   .sets = {set(read_, {{0, 1}}), {.pmid = write_, .count = pm_err::E_AGAIN}}});
  EXPECT_EQ(fetch({"disk.all", "disk.read"}), fmt::format("@10 !{}, 0:1", int{pm_err::E_AGAIN}));
}

// The change after it is from the last fetch that succeeded.
TEST_P(DerivedContextTest, AFetchThatFailsMovesNoHistory) {
  answer(10);
  EXPECT_EQ(fetch({"change"}), "@10 -");
  source_->fail_next(pm_err::E_TIMEOUT);
  EXPECT_EQ(fetch({"change"}), fmt::format("failed {}", int{pm_err::E_TIMEOUT}));
  answer(13);
  EXPECT_EQ(fetch({"change"}), "@13 3");
  source_->fail_next(pm_err::E_IPC);
  EXPECT_EQ(fetch({"number"}), fmt::format("failed {}", int{pm_err::E_IPC}));
}

TEST_P(DerivedContextTest, ASourceThatDoesNotAnswerIsNotAMissingName) {
  source_->break_names(pm_err::E_TIMEOUT);
  EXPECT_EQ(leaves("disk"), fmt::format("!{}", int{pm_err::E_TIMEOUT}));
  EXPECT_EQ(children("disk"), fmt::format("!{}", int{pm_err::E_TIMEOUT}));
  EXPECT_EQ(context_->look_up("load").error(), pm_err::E_TIMEOUT);
}

TEST_P(DerivedContextTest, StoresAreTheSources) {
  const FetchedSet one[] = {set(load_, {{kSingular, 3}})};
  EXPECT_TRUE(context_->store(one));
  EXPECT_EQ(source_->stored().size(), 1);
  const FetchedSet other[] = {set(id("number"), {{kSingular, 3}})};
  EXPECT_EQ(context_->store(other).error(), pm_err::E_NOAGENT);
}

INSTANTIATE_TEST_SUITE_P(Dialects, DerivedContextTest,
                         testing::Values(Dialect::pcp6, Dialect::pcp7), [](const auto& info) {
                           return info.param == Dialect::pcp6 ? "pcp6" : "pcp7";
                         });

}  // namespace
}  // namespace pmjit::test
