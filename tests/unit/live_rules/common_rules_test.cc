// Rules of pmie over several hosts that are asked ahead: read once for hosts that agree, and nobody
// waits for anybody. Times are those of a clock that only moves where somebody waits.
#include "rules/compat/common_rules.h"

#include <gtest/gtest.h>

#include <deque>

#include "compiler/compat/registry/derive.h"
#include "tests/unit/client_net/scripted_network.h"

namespace pmjit::test {
namespace {

using pmie::BoundRules;
using pmie::HostBinding;
using pmie::HostSources;
using std::chrono::milliseconds;
using std::chrono::seconds;

class CommonRulesTest : public testing::Test {
 protected:
  struct Host {
    Host(ScriptedNetwork& network, const std::string& name, const ClientSettings& settings,
         DerivedMetrics& derived, pmie::CommonRules& rules, std::string& told)
        : client(network, *parse_host_spec(name), settings),
          sources(network, settings, derived,
                  {.tell =
                       [&told](const pmie::HostChange& change) {
                         told += change.connection + (change.why ? " down; " : " back; ");
                       },
                   .asks_ahead = true}),
          binding(rules, sources) {
      sources.add_default(client, name);
      binding.begin();
    }
    HostClient client;
    HostSources sources;
    HostBinding binding;
  };

  ScriptedCollector& scripted(const std::string& host) { return network.others[host]; }

  void add(const std::string& name) {
    scripted(name).add_load_and_reads();
    names.push_back(name);
  }

  void open(const std::string& text) {
    rules.emplace(std::vector<pmie::CommonRuleFile>{{.text = text, .name = "rules"}},
                  pmie::ReaderOptions{.delta = 1});
    for (const std::string& name : names) {
      hosts.emplace_back(network, name, settings, *derived, *rules, told);
    }
  }

  // How many have their rules, after so long.
  size_t bound_after(milliseconds time) {
    const Instant end = clock.now() + time;
    std::vector<bool> bound(hosts.size());
    for (;;) {
      for (size_t i = 0; i < hosts.size(); ++i) {
        const Instant before = clock.now();
        if (!bound[i]) bound[i] = hosts[i].binding.advance().value();
        EXPECT_EQ(clock.now(), before) << "somebody has waited";
      }
      if (!network.run_some(end)) break;
    }
    return static_cast<size_t>(std::ranges::count(bound, true));
  }

  // The rules of a host, evaluated every second.
  struct Running {
    Running(CommonRulesTest& test, Host& host)
        : of(test),
          run(host.binding.rules().program, host.sources, zone,
              {.verbose = pmie::Verbose::plain,
               .stamps = false,
               .bind_waiting = [&host] { return host.binding.take_changes(); },
               .program_now = [&host] { return host.binding.program(); },
               .plan = host.binding.rules().plan,
               .keeps_little = true},
              [this](std::string_view text) { values += text; }) {
      run.begin(now);
    }
    std::string tick() {
      values.clear();
      run.ask(now);
      while (run.waits_until(now) && of.network.run_some(of.clock.now())) {
      }
      EXPECT_TRUE(run.tick());
      now += 1;
      of.clock.advance(seconds(1));
      return values;
    }
    CommonRulesTest& of;
    std::string values;
    Zone zone;
    double now = static_cast<double>(kStart);
    pmie::RuleRun run;
  };

  const BoundRules* rules_of(size_t host) { return &hosts[host].binding.rules(); }

  FakeClock clock{{.now = {}, .wall = WallTime(seconds(kStart)), .boot = {}}};
  ScriptedNetwork network{clock};
  ClientSettings settings{.request_timeout = seconds(10),
                          .reconnect_delays = {seconds(1)},
                          .reconnect_jitter = 0,
                          .jitter_seed = 1};
  std::unique_ptr<DerivedMetrics> derived = make_derived_metrics({});
  std::optional<pmie::CommonRules> rules;
  std::vector<std::string> names;
  std::deque<Host> hosts;
  std::string told;
};

TEST_F(CommonRulesTest, AreReadOnceForHostsThatAgree) {
  for (const char* const name : {"web1", "web2", "web3"}) add(name);
  open("a = load > 5; b = some_inst reads > 10;");
  EXPECT_EQ(bound_after(milliseconds(0)), 3U);
  EXPECT_EQ(rules_of(0), rules_of(1));
  EXPECT_EQ(rules_of(0), rules_of(2));
  EXPECT_EQ(rules->readings(), 2U) << "to know what is to be asked, and with the answers";
  EXPECT_FALSE(rules_of(0)->waits);
  for (const std::string& name : names) {
    const auto& log = scripted(name).log;
    EXPECT_EQ(std::ranges::count(log, "PMNS_NAMES"), 1) << name;
  }
}

TEST_F(CommonRulesTest, OneThatLacksAMetricHasItsOwnUntilItComes) {
  for (const char* const name : {"web1", "web2", "web3"}) add(name);
  const ScriptedMetric reads = scripted("web1").metrics["reads"];
  scripted("web2").metrics.erase("reads");
  scripted("web3").metrics.erase("reads");
  open("a = load > 5; b = some_inst reads > 10;");
  EXPECT_EQ(bound_after(milliseconds(0)), 3U);
  EXPECT_NE(rules_of(0), rules_of(1));
  EXPECT_EQ(rules_of(1), rules_of(2));
  EXPECT_TRUE(rules_of(1)->waits);
  EXPECT_EQ(rules->readings(), 3U);
  const auto messages = hosts[2].binding.messages();
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(messages[0].text.find("metric reads not in namespace for pmcd web3 (host web3)"),
            std::string::npos)
      << messages[0].text;

  scripted("web2").metrics["reads"] = reads;
  scripted("web3").metrics["reads"] = reads;
  for (Host& host : hosts) {
    if (!host.binding.rules().waits) continue;
    host.binding.look_again(seconds(1), clock.now());
    EXPECT_TRUE(host.binding.take_changes().empty()) << "it is asked only now";
  }
  while (network.run_some(clock.now())) {
  }
  EXPECT_FALSE(hosts[1].binding.take_changes().empty());
  EXPECT_FALSE(hosts[2].binding.take_changes().empty());
  EXPECT_FALSE(rules_of(1)->waits);
  EXPECT_EQ(rules_of(1), rules_of(2)) << "what has come is shared as well";
  EXPECT_EQ(rules->readings(), 4U);
  EXPECT_EQ(told, "");
}

TEST_F(CommonRulesTest, ASlowOneHoldsUpNobody) {
  for (const char* const name : {"web1", "web2", "web3"}) add(name);
  scripted("web1").delay = milliseconds(800);
  open("a = load > 5; b = some_inst reads > 10;");
  EXPECT_EQ(bound_after(milliseconds(0)), 2U);
  ASSERT_TRUE(hosts[0].binding.give_up());
  EXPECT_TRUE(rules_of(0)->waits);
  EXPECT_EQ(told, "web1 down; ");
  EXPECT_EQ(rules_of(0)->program.statements.size(), rules_of(1)->program.statements.size());
  clock.advance(seconds(5));
  EXPECT_FALSE(hosts[0].binding.take_changes().empty()) << "its answers were taken when they came";
  EXPECT_FALSE(rules_of(0)->waits);
  EXPECT_EQ(told, "web1 down; web1 back; ");
}

TEST_F(CommonRulesTest, MuteOnesWaitForThemselves) {
  for (const char* const name : {"mute1", "mute2", "web3"}) add(name);
  scripted("mute1").silent = scripted("mute2").silent = true;
  open("a = load > 5;");
  EXPECT_EQ(bound_after(milliseconds(10)), 1U);
  const Instant before = clock.now();
  for (int i : {0, 1}) ASSERT_TRUE(hosts[static_cast<size_t>(i)].binding.give_up());
  EXPECT_EQ(rules_of(0), rules_of(1)) << "of what nobody knows there is one";
  for (int tick = 0; tick < 5; ++tick) {
    for (Host& host : hosts) {
      EXPECT_TRUE(host.binding.take_changes().empty());
      host.binding.look_again(seconds(1), clock.now());
    }
  }
  EXPECT_EQ(clock.now(), before);
  scripted("mute1").silent = false;
  for (int tick = 0; tick < 20; ++tick) {
    clock.advance(seconds(1));
    for (Host& host : hosts) {
      (void)host.binding.take_changes();
      host.binding.look_again(seconds(1), clock.now());
    }
  }
  EXPECT_FALSE(rules_of(0)->waits);
  EXPECT_TRUE(rules_of(1)->waits);
}

TEST_F(CommonRulesTest, DerivedMetricsAreBoundWithoutWaiting) {
  EXPECT_FALSE(derived->define("twice", "load + load"));
  for (const char* const name : {"web1", "web2"}) add(name);
  open("a = twice > 5;");
  EXPECT_EQ(bound_after(milliseconds(0)), 2U);
  EXPECT_FALSE(rules_of(0)->waits);
  EXPECT_EQ(rules_of(0), rules_of(1));
}

// They are asked for with the fetch that brings them.
TEST_F(CommonRulesTest, InstancesThatComeHaveTheirNames) {
  add("web1");
  open("b = match_inst \"sdc\" (instant reads > 0);");
  ASSERT_EQ(bound_after(milliseconds(0)), 1U);
  Running running(*this, hosts[0]);
  const auto tick = [&] { return running.tick(); };
  EXPECT_EQ(tick(), "b: false false\n\n");
  scripted("web1").instances[kDisks][2] = "sdc";
  scripted("web1").metrics["reads"].values.emplace_back(2, 9);
  EXPECT_EQ(tick(), "b: false false true\n\n");
  scripted("web1").metrics["reads"].values.emplace_back(3, 9);
  EXPECT_EQ(tick(), "b: false false true false\n\n") << "nobody names it";
  EXPECT_EQ(tick(), "b: false false true false\n\n");
  EXPECT_EQ(std::ranges::count(scripted("web1").log, "INSTANCE_REQ"), 3) << "once for each";
}

TEST_F(CommonRulesTest, AHostThatWasRestartedIsFollowedByNames) {
  for (const char* const name : {"web1", "web2"}) add(name);
  open("a = load; b = load @0..1;");
  ASSERT_EQ(bound_after(milliseconds(0)), 2U);
  const BoundRules* const before = rules_of(0);
  Running running(*this, hosts[0]);
  EXPECT_EQ(running.tick(), "a: 7\nb: 7 ?\n\n");
  EXPECT_EQ(running.tick(), "a: 7\nb: 7 7\n\n");
  network.hang_up("web1");
  (void)running.tick();
  EXPECT_EQ(running.tick(), "a: 7\nb: 7 ?\n\n") << "the same metrics are there";
  EXPECT_EQ(rules_of(0), before);

  auto& metrics = scripted("web1").metrics;
  metrics["other"] = metrics["load"];
  metrics["other"].values[0].second = 99;
  metrics["load"].desc.pmid = 0x0f000009;
  metrics["load"].values[0].second = 8;
  network.hang_up("web1");
  std::string all;
  for (int i = 0; i < 3; ++i) all += running.tick();
  EXPECT_EQ(all.find("99"), std::string::npos) << all;
  EXPECT_TRUE(all.ends_with("a: 8\nb: 8 ?\n\n") || all.ends_with("a: 8\nb: 8 8\n\n")) << all;
  EXPECT_NE(rules_of(0), before);
  EXPECT_EQ(rules_of(1), before);
}

TEST_F(CommonRulesTest, AHostThatARuleNamesIsAskedAsWell) {
  for (const char* const name : {"web1", "web2"}) add(name);
  scripted("other").add_load_and_reads();
  scripted("other").delay = milliseconds(300);
  open("a = load > 5; b = load :other > 5;");
  EXPECT_EQ(bound_after(milliseconds(0)), 0U);
  EXPECT_EQ(bound_after(seconds(3)), 2U);
  EXPECT_FALSE(rules_of(0)->waits);
  EXPECT_FALSE(rules_of(1)->waits);
}

}  // namespace
}  // namespace pmjit::test
