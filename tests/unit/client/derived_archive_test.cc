// Archives with derived metrics: names, descriptors, fetches; over tests/golden/archives/types-v3,
// whose metrics are 10@0 21@10 43@20 17@30 17@40 100@50.
#include "runtime/client/derived_context.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compiler/compat/registry/derive.h"
#include "runtime/client/archive_context/archive_context.h"
#include "runtime/model/value.h"
#include "runtime/text/float_text.h"
#include "tests/unit/archive/folder.h"

namespace pmjit::test {
namespace {

constexpr std::string_view kDefinitions =
    "t.ctr = delta(syn.ctr.u32)\nt.sum = syn.inst.u32 + syn.disc.u32\nt.bad = no.such\n"
    "syn.inst.twice = syn.inst.u32 * 2\nsyn.ctr.u32.below = 1\nt.number = 7\n"
    "syn.inst.u32 = 5\nt.half = syn.ctr.u32 / 2\nt.half(oneline) = a half\n";

class Opened {
 public:
  explicit Opened(Dialect dialect, const std::string& archive = "types-v3") {
    folder_.write("x.conf", kDefinitions);
    setenv("PCP_DERIVED_CONFIG", "", 1);
    derived_ = make_derived_metrics({.dialect = dialect});
    EXPECT_EQ(derived_->load(folder_.path("x.conf")), 8);
    auto opened = Archives::open(std::string(PMJIT_GOLDEN) + "/archives/" + archive);
    EXPECT_TRUE(opened) << opened.error().text();
    archives_ = *std::move(opened);
    auto recorded = std::make_unique<ArchiveContext>(*archives_, BadVolumes::pass_over);
    archive_ = recorded.get();
    context_ = std::make_unique<DerivedContext>(std::move(recorded), *derived_);
  }
  const Metadata& metadata() const { return archives_->metadata(); }
  DerivedContext* operator->() { return context_.get(); }

  std::string leaves(std::string_view name) {
    const auto found = context_->leaves(name);
    if (!found) return "-";
    std::string out;
    for (const Context::Leaf& leaf : *found) out += (out.empty() ? "" : " ") + leaf.name;
    return out;
  }
  PmId id(std::string_view name) { return context_->look_up(name).value_or(kNullId); }
  // "+10 11,64": seconds from the start, a value a metric; "-" for none, "!CODE", "end".
  std::string fetch(const std::vector<std::string>& names) {
    std::vector<PmId> pmids;
    for (const std::string& name : names) pmids.push_back(id(name));
    Fetched fetched;
    if (!context_->fetch(pmids, {}, fetched)) return "end";
    EXPECT_EQ(fetched.sets.size(), names.size());
    std::string out = fmt::format("+{}", seconds_between(fetched.stamp, archives_->start()));
    for (size_t i = 0; i < fetched.sets.size(); ++i) {
      const FetchedSet& set = fetched.sets[i];
      EXPECT_EQ(set.pmid, pmids[i]);
      out += i == 0 ? " " : ",";
      if (set.count < 0) out += fmt::format("!{}", set.count);
      if (set.count == 0) out += "-";
      for (const Value& value : set.values) {
        const int type = context_->describe(pmids[i])->pm_type;
        const auto atom = load_atom(set.format, type, value);
        out += atom ? atom_text(*atom, type) : "?";
      }
    }
    return out;
  }
  void between(int64_t step) {
    archive_->replay().set_mode(ReplayMode::interpolated, archives_->start(), {.sec = step});
  }

 private:
  Folder folder_;
  std::unique_ptr<DerivedMetrics> derived_;
  std::unique_ptr<Archives> archives_;
  ArchiveContext* archive_ = nullptr;
  std::unique_ptr<DerivedContext> context_;
};

TEST(DerivedArchive, DerivedNamesStandBehindRecordedOnes) {
  Opened six(Dialect::pcp6), seven(Dialect::pcp7);
  EXPECT_EQ(six.leaves("t"), "t.ctr t.sum t.bad t.number t.half");
  EXPECT_EQ(seven.leaves("t"), "t.ctr t.sum t.number t.half");
  EXPECT_TRUE(six.leaves("syn.inst").ends_with(" syn.inst.twice")) << six.leaves("syn.inst");
  EXPECT_EQ(six.leaves("t.sum"), "t.sum");
  EXPECT_EQ(six.leaves("t.bad"), "t.bad");
  EXPECT_EQ(seven.leaves("t.bad"), "-");
  EXPECT_EQ(six.leaves("none"), "-");
  EXPECT_EQ(six.leaves("t.none"), "-");
  EXPECT_TRUE(
      six.leaves("").ends_with("event.flags event.missed t.ctr t.sum t.bad t.number t.half"))
      << six.leaves("");
}

// A derived name below a recorded metric hides it from walks.
TEST(DerivedArchive, ANameBelowAMetricHidesIt) {
  Opened six(Dialect::pcp6);
  EXPECT_EQ(six.leaves("syn.ctr.u32"), "syn.ctr.u32.below");
  EXPECT_EQ(six->look_up("syn.ctr.u32"), PmId{*six.metadata().names.look_up("syn.ctr.u32")});
}

TEST(DerivedArchive, ARecordedMetricIsMeantFirst) {
  Opened six(Dialect::pcp6);
  const PmId pmid = six.id("syn.inst.u32");
  EXPECT_FALSE(six->derived(pmid));
  EXPECT_TRUE(six->derived(six.id("t.sum")));
  EXPECT_EQ(six->names(six.id("t.sum")), std::vector<std::string>{"t.sum"});
  EXPECT_EQ(six->names(pmid), std::vector<std::string>{"syn.inst.u32"});
  EXPECT_EQ(six->look_up("none").error(), pm_err::E_NAME);
}

TEST(DerivedArchive, DescriptorsAndTexts) {
  Opened six(Dialect::pcp6);
  EXPECT_EQ(six->describe(six.id("t.half"))->pmid, six.id("t.half"));
  EXPECT_EQ(six->describe(six.id("t.bad")).error(), pm_err::E_BADDERIVE);
  EXPECT_EQ(six->describe(12345).error(), pm_err::E_PMID_LOG);
  EXPECT_EQ(six->metric_text(TextKind::one_line, six.id("t.half")), "a half");
  EXPECT_EQ(six->metric_text(TextKind::help, six.id("t.half")), "a half");
  EXPECT_EQ(six->metric_text(TextKind::help, six.id("t.sum")).error(), pm_err::E_TEXT);
}

TEST(DerivedArchive, OperandsAreFetchedWithTheOthers) {
  Opened six(Dialect::pcp6);
  const std::vector<PmId> wanted{six.id("t.sum"), six.id("syn.disc.u32"), six.id("t.half"),
                                 six.id("syn.disc.u32")};
  const std::vector<PmId> expected{six.id("syn.disc.u32"), six.id("syn.inst.u32"),
                                   six.id("syn.ctr.u32")};
  EXPECT_EQ(six->recorded_of(wanted), expected);
  EXPECT_EQ(six->recorded_of({}), std::vector<PmId>{});
}

TEST(DerivedArchive, RecordByRecord) {
  Opened six(Dialect::pcp6);
  EXPECT_EQ(six.fetch({"t.ctr", "t.sum", "syn.inst.u32"}), "+0 -,20,10");
  EXPECT_EQ(six.fetch({"t.ctr", "t.sum", "syn.inst.u32"}), "+10 11,42,21");
  EXPECT_EQ(six.fetch({"t.sum", "t.ctr"}), "+20 86,22");
  EXPECT_EQ(six.fetch({"t.ctr"}), "+30 -26");
  EXPECT_EQ(six.fetch({"syn.inst.u32"}), "+40 17");
  EXPECT_EQ(six.fetch({"t.ctr"}), "+50 83");
  EXPECT_EQ(six.fetch({"t.ctr"}), "end");
}

TEST(DerivedArchive, InBetween) {
  Opened six(Dialect::pcp6);
  six.between(5);
  EXPECT_EQ(six.fetch({"t.half"}), "+0 5.000000e+00");
  EXPECT_EQ(six.fetch({"t.half", "t.number"}), "+5 8.000000e+00,7");
  EXPECT_EQ(six.fetch({"t.number"}), "+10 7");
  EXPECT_EQ(six.fetch({"syn.inst.twice"}), "+15 42");
}

TEST(DerivedArchive, WhatCannotBeBound) {
  Opened six(Dialect::pcp6);
  EXPECT_EQ(six.fetch({"t.bad"}), "+0 -");
  EXPECT_EQ(six.fetch({"t.bad", "syn.disc.u32"}), "+10 -,21");
  EXPECT_EQ(six.fetch({"t.bad", "t.half"}),
            fmt::format("+20 !{},2.150000e+01", int{pm_err::E_PMID}));
  six.between(10);
  EXPECT_EQ(six.fetch({"t.bad"}), fmt::format("+0 !{}", int{pm_err::E_PMID_LOG}));
}

// The first is the second's history (as libpcp 6.0.3), and both have values of their own.
TEST(DerivedArchive, OneMetricTwiceInAFetch) {
  Opened six(Dialect::pcp6);
  EXPECT_EQ(Opened(Dialect::pcp6).fetch({"t.ctr", "t.ctr"}), "+0 -,0");
  Opened again(Dialect::pcp6);
  (void)again.fetch({"t.ctr"});
  EXPECT_EQ(again.fetch({"t.ctr", "t.ctr"}), "+10 11,0");
  EXPECT_EQ(six.fetch({"t.half", "t.half"}), "+0 5.000000e+00,5.000000e+00");
  EXPECT_EQ(six.fetch({"t.sum", "t.sum"}), "+10 42,42");
}

}  // namespace
}  // namespace pmjit::test
