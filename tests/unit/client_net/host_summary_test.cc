// What a host says of itself, over a scripted collector: what is asked, and what is left out where
// the host refuses.
#include "runtime/client/host_summary.h"

#include <gtest/gtest.h>

#include "tests/unit/client_net/scripted_network.h"

namespace pmjit::test {
namespace {

class HostSummaryTest : public testing::Test {
 protected:
  HostSummaryTest() { network.collector.add_load_and_reads(); }

  FakeClock clock{{.now = {}, .wall = {}, .boot = {}}};
  ScriptedNetwork network{clock};
  HostClient client{network, *parse_host_spec("web1"), ClientSettings{}};
  HostContext context{client};
};

TEST_F(HostSummaryTest, ListsMetricsAndDomains) {
  const auto all = summarize_host(context, {});
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(all->name, "web1") << "it does not say how it calls itself";
  EXPECT_FALSE(all->in_detail);
  ASSERT_EQ(all->metrics.size(), 2u);
  EXPECT_EQ(all->metrics[0].name, "load");
  EXPECT_EQ(all->metrics[1].desc->indom, kDisks);
  ASSERT_EQ(all->domains.size(), 1u);
  EXPECT_EQ(all->domains[0].instances.size(), 2u);
  EXPECT_EQ(all->domains[0].metrics, std::vector<std::string>{"reads"});
  ASSERT_EQ(all->agents.size(), 1u);
  EXPECT_EQ(all->agents[0].domain, 60u);
  EXPECT_EQ(all->agents[0].metrics, 2u);
  EXPECT_FALSE(all->agents[0].status) << "the collector does not say";
}

TEST_F(HostSummaryTest, TellsALostConnectionFromARefusal) {
  ASSERT_TRUE(context.connect());
  network.hang_up();
  network.refuses = true;
  const auto lost = summarize_host(context, {});
  ASSERT_FALSE(lost);
  EXPECT_NE(lost.error().text().find("web1"), std::string::npos) << lost.error().text();
}

TEST_F(HostSummaryTest, StopsWhenItIsTold) {
  ClientSettings settings{.jitter_seed = 1};
  settings.stop = [] { return true; };
  HostClient impatient(network, *parse_host_spec("web1"), settings);
  HostContext stopping(impatient);
  network.collector.silent = true;
  const auto stopped = summarize_host(stopping, {});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().what(), "interrupted");
}

}  // namespace
}  // namespace pmjit::test
