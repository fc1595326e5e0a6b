// Strict expressions over several hosts, tick by tick: compiled with the metadata of each, reduced
// over all. Instances that come on one host, and a host that is down.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/driver/hosts.h"
#include "runtime/client/host_fleet.h"
#include "runtime/exec/evaluation.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/client_net/scripted_network.h"

namespace pmjit::test {
namespace {

using std::chrono::seconds;

class LiveFleet : public testing::Test {
 protected:
  LiveFleet() {
    for (const std::string host : {"web1", "web2"}) {
      ScriptedCollector& collector = network.others[host];
      collector.metrics["reads"] = {.desc = {.pmid = kReads,
                                             .pm_type = pm_type::u32,
                                             .indom = kDisks,
                                             .semantics = Semantics::instant,
                                             .units = Units{.dim_count = 1}}};
      collector.instances[kDisks] = {{0, "sda"}, {1, "sdb"}};
    }
    // The other one numbers its disks the other way round.
    network.others["web2"].instances[kDisks] = {{0, "sdb"}, {1, "sda"}};
  }

  // Of an expression about `reads`, which no host describes.
  std::string refusal_where_agents_say(int code) {
    for (auto& [host, collector] : network.others) collector.metrics["reads"].agent_status = code;
    const Compilation compiled = compiled_over_both("reads + 1");
    EXPECT_FALSE(compiled.ok());
    return compiled.rendered();
  }

  Compilation compiled_over_both(const std::string& expression) {
    auto made = HostFleet::open(
        network, {{.spec = *parse_host_spec("web1")}, {.spec = *parse_host_spec("web2")}},
        settings);
    EXPECT_TRUE(made) << made.error().text();
    fleet = *std::move(made);
    return compile_hosts(
        {.expressions = {{"<test>", expression}}}, *fleet->hosts(),
        {.evaluator = EvaluatorChoice::interpreter, .on_grid = true, .reasons = true});
  }

  void begin(const std::string& expression) {
    const Compilation compiled = compiled_over_both(expression);
    ASSERT_TRUE(compiled.ok()) << compiled.rendered() << compiled.failure;
    program = compiled.program;
    const FeedTimes times{.origin = {.sec = kStart + 1}, .step = kSecond};
    evaluation.emplace(
        program, fleet->catalog(),
        [this, times](std::vector<WantedMetric> wanted) {
          return fleet->open(std::move(wanted), times, rosters);
        },
        rosters, EvaluationOptions{.step = kSecond, .reasons = true});
  }

  using Values = std::vector<std::pair<int32_t, uint32_t>>;
  // The results at the next tick, of these readings.
  std::string tick(Values web1, Values web2) {
    network.others["web1"].metrics["reads"].values = std::move(web1);
    network.others["web2"].metrics["reads"].values = std::move(web2);
    while (true) {
      const Stamp now = stamp_from_nanos(clock.wall().time_since_epoch().count());
      for (auto& [host, collector] : network.others) collector.time = now;
      const auto next = evaluation->next_wave(results);
      EXPECT_TRUE(next) << next.error().text();
      if (!next || *next == Feed::Next::end) return "end";
      if (*next == Feed::Next::wave) return text();
      fleet->wait(evaluation->due());
    }
  }

  std::string text() {
    std::string out = fmt::format("{}s", results.times[0].sec - kStart);
    for (size_t k = 0; k < results.columns.size(); ++k) {
      const Column& column = results.columns[k];
      const ResultInfo& info = program->roots[k].info;
      const Row& row = column.rows[0];
      out += " " + (info.host.empty() ? "all" : info.host) + "(";
      if (row.status != kKnown) out += fmt::format("?{}", row.status);
      const auto instances = rosters.instances(row.roster_id);
      for (size_t i = 0; row.status == kKnown && i < instances.size(); ++i) {
        const auto name =
            evaluation->names().instance_name(info.domain, instances[i], results.times[0]);
        int64_t value = 0;
        std::memcpy(&value, column.values.data() + (row.offset + i) * sizeof value, sizeof value);
        out += fmt::format("{}{}={}", i == 0 ? "" : " ", name.value_or("?"),
                           column.is_valid(row.offset + i) ? fmt::format("{}", value) : "?");
      }
      out += ")";
    }
    return out;
  }

  FakeClock clock{{.now = {}, .wall = WallTime(seconds(kStart)), .boot = {}}};
  ScriptedNetwork network{clock};
  ClientSettings settings{.reconnect_delays = {seconds(1)}, .jitter_seed = 1};
  Rosters rosters;
  std::unique_ptr<HostFleet> fleet;
  std::shared_ptr<const Program> program;
  std::optional<Evaluation> evaluation;
  ResultBlock results;
};

TEST_F(LiveFleet, EachHostHasItsOwnInstances) {
  begin("reads + reads");
  EXPECT_EQ(tick({{0, 1}, {1, 2}}, {{0, 3}, {1, 4}}), "1s web1(sda=2 sdb=4) web2(sdb=6 sda=8)");
  network.others["web2"].silent = true;
  EXPECT_EQ(tick({{0, 1}}, {{0, 3}}), fmt::format("2s web1(sda=2) web2(?{})", int{kHostDown}));
}

TEST_F(LiveFleet, SumsMeetByName) {
  begin("sum_host(reads)");
  EXPECT_EQ(tick({{0, 1}, {1, 2}}, {{0, 30}, {1, 40}}), "1s all(sda=41 sdb=32)");
  // A disk that neither had comes on one of them.
  network.others["web2"].instances[kDisks] = {{0, "sdb"}, {1, "sda"}, {7, "sdz"}};
  EXPECT_EQ(tick({{0, 1}, {1, 2}}, {{0, 30}, {1, 40}, {7, 5}}), "2s all(sda=41 sdb=32 sdz=5)");
  EXPECT_EQ(tick({{0, 1}, {1, 2}}, {{1, 40}, {7, 6}}), "3s all(sda=41 sdb=2 sdz=6)");
  network.refused.insert("web2");
  network.hang_up("web2");
  EXPECT_EQ(tick({{0, 1}, {1, 2}}, {}), "4s all(sda=? sdb=?)") << "it may have any disk";
}

TEST_F(LiveFleet, DifferencesFromTheMeanFollowInstancesThatCome) {
  begin("reads - min_host(reads)");
  EXPECT_EQ(tick({{0, 1}}, {{1, 40}}), "1s web1(sda=0) web2(sda=39)");
  network.others["web1"].instances[kDisks] = {{0, "sda"}, {4, "sdq"}};
  network.others["web2"].instances[kDisks] = {{1, "sda"}, {9, "sdq"}};
  EXPECT_EQ(tick({{0, 1}, {4, 6}}, {{1, 40}, {9, 5}}), "2s web1(sda=0 sdq=1) web2(sda=39 sdq=0)");
}

TEST_F(LiveFleet, AMetricThatOneLacksHasANote) {
  network.others["web2"].metrics["writes"] = network.others["web2"].metrics["reads"];
  network.others["web2"].metrics["writes"].desc.pmid = kReads + 1;
  const Compilation compiled = compiled_over_both("writes * 2");
  ASSERT_TRUE(compiled.ok());
  ASSERT_EQ(compiled.program->roots.size(), 1u);
  EXPECT_EQ(compiled.program->roots[0].info.host, "web2");
  EXPECT_EQ(compiled.notes,
            std::vector<std::string>{"writes * 2 has no values on web1: a metric is missing"});
}

TEST_F(LiveFleet, AnAgentThatOneLacksJoinsWhenItComes) {
  ScriptedMetric& lacking = network.others["web2"].metrics["reads"];
  lacking.agent_status = pm_err::E_NOAGENT;
  begin("reads + reads");
  EXPECT_EQ(tick({{0, 1}, {1, 2}}, {{0, 3}}),
            fmt::format("1s web1(sda=2 sdb=4) web2(?{})", int{pm_err::E_NOAGENT}));
  const std::vector<std::string> said = evaluation->take_warnings();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0],
            "web2: metric reads has no values: web2 does not describe it: No PMCD agent for domain "
            "of request\n  help: is its agent running there? `pmjit info -h web2 reads` says when "
            "it is");
  EXPECT_EQ(tick({{0, 1}, {1, 2}}, {{0, 3}}),
            fmt::format("2s web1(sda=2 sdb=4) web2(?{})", int{pm_err::E_NOAGENT}));
  EXPECT_TRUE(evaluation->take_warnings().empty()) << "once";
  lacking.agent_status = 0;
  network.others["web2"].changes = wire::kAgentAdded;
  std::string line;
  for (int ticks = 0; ticks < 4 && line.find("web2(sdb=6") == line.npos; ++ticks) {
    line = tick({{0, 1}, {1, 2}}, {{0, 3}, {1, 4}});
  }
  EXPECT_TRUE(line.ends_with(" web1(sda=2 sdb=4) web2(sdb=6 sda=8)")) << line;
  EXPECT_EQ(evaluation->take_warnings(),
            std::vector<std::string>{"web2: metric reads is there again"});
}

TEST_F(LiveFleet, AMetricWhoseAgentNoHostHasIsAMistakeThatNamesAHost) {
  const std::string said = refusal_where_agents_say(pm_err::E_NOAGENT);
  EXPECT_NE(said.find("error[S01]: reads: web1 does not describe it: No PMCD agent"), said.npos)
      << said;
  EXPECT_NE(said.find("is its agent running there? `pmjit info -h web1 reads`"), said.npos) << said;
}

TEST_F(LiveFleet, AMetricThatHostsDenyIsNotOneThatTheyLack) {
  const std::string said = refusal_where_agents_say(pm_err::E_PERMISSION);
  EXPECT_NE(said.find("does not describe it: No permission to perform requested operation"),
            said.npos)
      << said;
  EXPECT_EQ(said.find("unknown metric"), said.npos) << said;
  EXPECT_NE(said.find("see [access] in its pmcd.conf"), said.npos) << said;
}

TEST_F(LiveFleet, AReductionOfDifferentUnitsIsRefused) {
  network.others["web2"].metrics["reads"].desc.units = Units{.dim_time = 1, .scale_time = 3};
  const Compilation compiled = compiled_over_both("sum_host(reads)");
  EXPECT_FALSE(compiled.ok());
  EXPECT_NE(compiled.failure.find("the hosts differ: web1 has"), std::string::npos)
      << compiled.failure;
}

}  // namespace
}  // namespace pmjit::test
