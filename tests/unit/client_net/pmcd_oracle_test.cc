// HostContext against Debian's pmcd: it gives what PCP's own tools print of the same collector.
// Only with PMJIT_ORACLE=1 and PCP installed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "runtime/client/host_context.h"
#include "runtime/client/net/asio_network.h"
#include "tests/unit/client_net/pmcd_process.h"

namespace pmjit::test {
namespace {

class PmcdOracle : public testing::Test {
 protected:
  void SetUp() override {
    if (!pmcd_.runs()) GTEST_SKIP() << pmcd_.why();
  }

  HostClient client(const std::string& spec, ClientSettings settings = {}) {
    return {*network_, *parse_host_spec(spec), std::move(settings)};
  }

  PmcdProcess pmcd_;
  SystemClock clock_;
  std::unique_ptr<Network> network_ = make_network(clock_);
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

TEST_F(PmcdOracle, NamesAndIdentifiersAreThoseOfPminfo) {
  HostClient client = this->client(pmcd_.spec());
  HostContext context(client);
  const auto leaves = context.leaves("");
  ASSERT_TRUE(leaves) << pm_error_text(leaves.error());
  EXPECT_GT(leaves->size(), 1'000u);
  std::vector<std::string> ours;
  for (const auto& leaf : *leaves) {
    ours.push_back(fmt::format("{} PMID: {}", leaf.name, pmid_text(leaf.pmid)));
  }
  std::vector<std::string> theirs = lines_of(pmcd_.tool("pminfo -m"));
  std::erase_if(theirs, [](const std::string& line) { return line.starts_with("event."); });
  std::ranges::sort(ours);
  std::ranges::sort(theirs);
  EXPECT_EQ(ours, theirs);
  EXPECT_EQ(context.look_up("sample").error(), pm_err::E_NONLEAF);
  EXPECT_EQ(context.look_up("no.such").error(), pm_err::E_NAME);
  EXPECT_EQ(context.host_name() + "\n",
            pmcd_.tool("pminfo -f pmcd.hostname | sed -n 's/.*value \"\\(.*\\)\"/\\1/p' #"));
}

TEST_F(PmcdOracle, EveryMetricHasADescriptorTextAndValue) {
  HostClient client = this->client("unix:" + pmcd_.socket());
  HostContext context(client);
  const auto leaves = context.leaves("kernel");
  ASSERT_TRUE(leaves) << context.why()->text();
  std::vector<PmId> pmids;
  for (const auto& leaf : *leaves) pmids.push_back(leaf.pmid);
  const auto descs = context.describe_metrics(pmids);
  EXPECT_TRUE(std::ranges::all_of(descs, [](const auto& desc) { return desc.has_value(); }));
  Fetched fetched;
  ASSERT_TRUE(context.fetch(pmids, {}, fetched));
  ASSERT_EQ(fetched.sets.size(), pmids.size());
  size_t with_values = 0;
  for (size_t i = 0; i < pmids.size(); ++i) {
    EXPECT_EQ(fetched.sets[i].pmid, pmids[i]);
    if (fetched.sets[i].count > 0) ++with_values;
  }
  EXPECT_GT(with_values, 50u);
  const auto text = context.metric_text(TextKind::one_line, *context.look_up("hinv.ncpu"));
  ASSERT_TRUE(text);
  EXPECT_EQ(fmt::format("hinv.ncpu [{}]\n", *text), pmcd_.tool("pminfo -t hinv.ncpu"));
}

TEST_F(PmcdOracle, ProfilesRestrictAndStoresChange) {
  HostClient client = this->client(pmcd_.spec());
  HostContext context(client);
  const PmId bin = *context.look_up("sample.bin");
  const Desc desc = *context.describe(bin);
  Profile profile;
  profile.restrict(desc.indom, {300, 500});
  Fetched fetched;
  for (int again = 0; again < 2; ++again) {
    ASSERT_TRUE(context.fetch({&bin, 1}, profile, fetched));
    ASSERT_EQ(fetched.sets[0].values.size(), 2u);
    EXPECT_EQ(fetched.sets[0].values[1].word, 500u);
  }
  EXPECT_EQ(*context.instance_name(desc.indom, 300), "bin-300");
  EXPECT_EQ(*context.instance_id(desc.indom, "bin-400"), 400);
  EXPECT_EQ(context.instance_id(desc.indom, "bin-1").error(), pm_err::E_INST);
  const PmId written = *context.look_up("sample.write_me");
  FetchedSet set{.pmid = written, .count = 1};
  set.values.push_back({.instance = kSingular, .word = 4711});
  ASSERT_TRUE(context.store({&set, 1}));
  EXPECT_EQ(pmcd_.tool("pmprobe -v sample.write_me"), "sample.write_me 1 4711\n");
  const auto labels = context.labels(LabelLevel::domain, 29);
  ASSERT_TRUE(labels && labels->size() == 1);
  EXPECT_EQ((*labels)[0].json, R"({"agent":"sample","role":"testing"})");
}

TEST_F(PmcdOracle, AContextConnectsAgainAndLooksUpAgain) {
  HostClient client = this->client(pmcd_.spec(), {.reconnect_delays = {std::chrono::seconds(1)}});
  HostContext context(client);
  const PmId bin = *context.look_up("sample.bin");
  pmcd_.kill();
  Fetched fetched;
  const auto lost = context.fetch({&bin, 1}, {}, fetched);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().pm_code(), pm_err::E_IPC) << lost.error().text();
  const auto refused = context.connect();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().pm_code(), -ECONNREFUSED) << refused.error().text();
  pmcd_.start();
  ASSERT_TRUE(pmcd_.runs()) << pmcd_.why();
  EXPECT_FALSE(context.connect()) << "the delay is not over";
  const Instant until = clock_.now() + std::chrono::seconds(2);
  while (clock_.now() < until) (void)network_->run_some(until);
  EXPECT_TRUE(context.fetch({&bin, 1}, {}, fetched));
  EXPECT_EQ(client.connections(), 2u);
}

TEST_F(PmcdOracle, AFrozenCollectorIsTimedOut) {
  HostClient client =
      this->client(pmcd_.spec(), {.request_timeout = std::chrono::milliseconds(300)});
  HostContext context(client);
  const PmId bin = *context.look_up("sample.bin");
  pmcd_.freeze();
  Fetched fetched;
  const auto late = context.fetch({&bin, 1}, {}, fetched);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().pm_code(), pm_err::E_TIMEOUT) << late.error().text();
  pmcd_.thaw();
  EXPECT_TRUE(context.fetch({&bin, 1}, {}, fetched)) << "on a connection of its own";
}

}  // namespace
}  // namespace pmjit::test
