// Strict rules over many live hosts: the events that they have one host beside the other, whoever
// answers when, and what is said of hosts that lack a metric. Hosts are scripted, and the clock
// moves by what happens.
#include "rules/strict/fleet_replay.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rules/strict/strict_replay.h"
#include "tests/unit/client_net/scripted_network.h"
#include "tests/unit/strict/event_text.h"

namespace pmjit::strict {
namespace {

using test::kDisks;
using test::kSecond;
using test::kStart;

constexpr int64_t kTicks = 12;

// Hosts web1 … web4, each with values of its own at every second.
class Hosts {
 public:
  explicit Hosts(const std::string& text) {
    check(
        add_rules(
            set, {.name = "rules", .text = "// pmjit: dialect=strict\ndelta = 1 sec;\n" + text}, {})
            .has_value(),
        "no setting");
    EXPECT_EQ(set.errors, "");
    for (int i = 1; i <= 4; ++i) {
      test::ScriptedCollector& host = network.others[fmt::format("web{}", i)];
      host.metrics["load"] = {
          .desc = {.pmid = 1, .pm_type = pm_type::u32, .semantics = Semantics::instant}};
      host.metrics["forks"] = {
          .desc = {.pmid = 2, .pm_type = pm_type::u32, .semantics = Semantics::counter}};
      host.metrics["queue"] = {.desc = {.pmid = 3,
                                        .pm_type = pm_type::u32,
                                        .indom = kDisks,
                                        .semantics = Semantics::instant}};
      host.metrics["reads"] = {.desc = {.pmid = 4,
                                        .pm_type = pm_type::u32,
                                        .indom = kDisks,
                                        .semantics = Semantics::counter}};
      // The same identifiers are other disks on every other host.
      host.instances[kDisks] = {{0, i % 2 == 0 ? "sdb" : "sda"}, {1, i % 2 == 0 ? "sda" : "sdb"}};
    }
  }

  void open() {
    std::vector<FleetHost> hosts;
    for (const auto& [name, collector] : network.others) {
      hosts.push_back({.spec = *parse_host_spec(name), .name = name});
    }
    auto made = HostFleet::open(network, hosts, settings);
    check(made.has_value(), "a host is there");
    fleet = *std::move(made);
  }

  [[nodiscard]] TaskOptions options() const {
    return {.origin = {.sec = kStart + 1}, .end = {.sec = kStart + kTicks}};
  }
  [[nodiscard]] Stamp now() const {
    return stamp_from_nanos(clock.wall().time_since_epoch().count());
  }

  // Values as of now; they follow from the host and the second.
  void set_values() {
    const auto second = static_cast<uint32_t>(now().sec - kStart);
    uint32_t number = 0;
    for (auto& [name, host] : network.others) {
      ++number;
      host.time = now();
      const uint32_t some = (second * 7 + number * 5) % 11;
      host.metrics["load"].values = {{kSingular, some}};
      host.metrics["forks"].values = {{kSingular, second * second + number}};
      host.metrics["queue"].values = {{0, some}, {1, (some * 3) % 7}};
      host.metrics["reads"].values = {{0, second * number}, {1, second * second}};
      if ((second + number) % 5 == 0) host.metrics["queue"].values.pop_back();
    }
  }

  template <class Replay>
  std::string events_of(Replay& replay) {
    EventText events(kStart);
    replay.begin(events);
    while (true) {
      set_values();
      const auto progress = replay.advance();
      EXPECT_TRUE(progress) << progress.error().text();
      if (!progress || *progress == Replay::Progress::ended) break;
      if (*progress == Replay::Progress::waits) fleet->wait(replay.wakes());
    }
    replay.end();
    return events.text();
  }

  RuleSet set;
  FakeClock clock{{.now = {}, .wall = WallTime(std::chrono::seconds(kStart)), .boot = {}}};
  test::ScriptedNetwork network{clock};
  ClientSettings settings{.reconnect_delays = {std::chrono::seconds(1)}, .jitter_seed = 1};
  std::unique_ptr<HostFleet> fleet;
};

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  std::ranges::sort(out);
  return out;
}

// What only one of them has.
std::string difference(const std::string& one, const std::string& other) {
  const auto a = sorted_lines(one), b = sorted_lines(other);
  std::string out;
  for (const auto& line : a) {
    if (!std::ranges::binary_search(b, line)) out += "- " + line + "\n";
  }
  for (const auto& line : b) {
    if (!std::ranges::binary_search(a, line)) out += "+ " + line + "\n";
  }
  return out;
}

std::string fleet_events(Hosts& hosts) {
  hosts.open();
  const auto replay = FleetReplay::open(hosts.set, *hosts.fleet, hosts.options(), hosts.clock);
  EXPECT_TRUE(replay) << replay.error().text();
  return replay ? hosts.events_of(**replay) : "";
}

constexpr const char* kRules =
    "load = load > 6 -> print \"%h %v\";\n"
    "forks = rate(forks) > 9 -> print \"%h %v\";\n"
    "some = some_inst (queue > 4) -> print \"%h %i %v\";\n"
    "sum = sum_inst rate(reads) > 12 -> print \"%h %v\";\n"
    "sda = queue #sda > 4 -> print \"%h %i\";\n"
    "match = some_inst (match_inst \"^sdb\" queue > 3) -> print \"%i %v\";\n"
    "both = load > 3 && some_inst (queue > 3) -> print 3 sec \"%h\";\n"
    "beside = some_inst (queue > load) -> print \"%h %i\";\n"
    "clock = load > 6 && $minute >= 0 -> print \"%h\";\n"
    "all = sum_host load > 20 -> print \"%v\";\n"
    "named = load :'web2' > 4 -> print \"%h\";\n"
    "most = max_host load > 8 -> print \"%h %v\";\n"
    "high = alert load > 4 for 1 sec -> print 2 sec \"%h %v\" otherwise -> print \"%v is over\";\n"
    "each = alert critical queue > 3 until queue < 2 for 1 sec -> print \"%h %i %v\";\n"
    "gone = alert queue > 2 keep 2 sec gone unknown -> print \"%i\" otherwise -> print \"%i\";\n"
    "any = alert sum_host load > 20 -> print \"%h %v\";\n";

TEST(FleetReplayTest, EventsAreThoseOfHostsBesideEachOther) {
  Hosts one(kRules), other(kRules);
  one.open();
  const auto beside = StrictReplay::open(one.set, *one.fleet, one.options(), {});
  ASSERT_TRUE(beside) << beside.error().text();
  const std::string expected = one.events_of(**beside);
  const std::string found = fleet_events(other);
  EXPECT_EQ(difference(expected, found), "");
  EXPECT_EQ(sorted_lines(found).size(), sorted_lines(expected).size());
  EXPECT_GT(std::ranges::count(expected, '\n'), 100);
}

// Nothing was asked for the times that went by while rules were compiled: they are no times of it.
TEST(FleetReplayTest, RulesBeginWithTheFirstTimeThatIsAskedFor) {
  for (const char* beyond : {"load = load >= 0", "load = sum_host load >= 0"}) {
    Hosts hosts(
        fmt::format("{} -> print 1 hour \"x\";\n"
                    "delta = 20 sec;\n"
                    "rare = sum_host load >= 0 -> print 1 hour \"y\";\n",
                    beyond));
    hosts.open();
    const auto replay = StrictReplay::open(hosts.set, *hosts.fleet, hosts.options(), {});
    ASSERT_TRUE(replay) << replay.error().text();
    hosts.clock.advance(std::chrono::milliseconds(3'500));
    const std::string events = hosts.events_of(**replay);
    EXPECT_NE(events.find("1 rare true"), std::string::npos) << "still due then: " << events;
    EXPECT_NE(events.find("3 "), std::string::npos) << events;
    EXPECT_EQ(events.find("unknown"), std::string::npos) << events;
    EXPECT_EQ((*replay)->skipped(), 0U);
  }
}

// Its events come later, as of the time at which it was due, and are the same.
TEST(FleetReplayTest, ASlowHostIsEvaluatedByItself) {
  constexpr const char* kLoad = "load = load > 6 -> print \"%h %v\";\n";
  Hosts all(kLoad), slow(kLoad);
  const auto prompt = sorted_lines(fleet_events(all));
  slow.open();
  const auto replay = FleetReplay::open(slow.set, *slow.fleet, slow.options(), slow.clock);
  ASSERT_TRUE(replay) << replay.error().text();
  slow.network.others["web2"].delay = std::chrono::milliseconds(300);
  EXPECT_EQ(sorted_lines(slow.events_of(**replay)), prompt);
  EXPECT_NE((*replay)->lateness().text({{"web1", "web2", "web3", "web4"}}).find("latest web2 3"),
            std::string::npos)
      << (*replay)->lateness().text({{"web1", "web2", "web3", "web4"}});
}

TEST(FleetReplayTest, AHostThatHangsIsUnknownAloneAndTheOthersGoOn) {
  Hosts hosts("load = load >= 0 -> print 1 hour \"%h\";\n");
  hosts.open();
  const auto replay = FleetReplay::open(hosts.set, *hosts.fleet, hosts.options(), hosts.clock);
  ASSERT_TRUE(replay) << replay.error().text();
  hosts.network.others["web3"].silent = true;
  const std::string events = hosts.events_of(**replay);
  EXPECT_NE(events.find("1 web3:load unknown\n"), std::string::npos) << events;
  for (const char* host : {"web1", "web2", "web4"}) {
    EXPECT_NE(events.find(fmt::format("1 {}:load true", host)), std::string::npos) << events;
    EXPECT_EQ(events.find(fmt::format("{}:load unknown", host)), std::string::npos) << events;
  }
  EXPECT_EQ((*replay)->lateness().evaluations(), 3U * 3)
      << "of three hosts, from the tenth second on";
}

TEST(FleetReplayTest, HostsThatDifferHaveAProgramOfTheirOwn) {
  Hosts hosts(
      "extra = extra > 1 -> print 1 hour \"%h\";\n"
      "load = load >= 0 -> print 1 hour \"%h %v\";\n");
  hosts.network.others["web3"].metrics["extra"] = {
      .desc = {.pmid = 9, .pm_type = pm_type::u32, .semantics = Semantics::instant},
      .values = {{kSingular, 5}}};
  hosts.network.others["web2"].metrics["load"].desc.pm_type = pm_type::i32;
  hosts.open();
  const auto replay = FleetReplay::open(hosts.set, *hosts.fleet, hosts.options(), hosts.clock);
  ASSERT_TRUE(replay) << replay.error().text();
  EXPECT_EQ(
      (*replay)->notes(),
      (std::vector<std::string>{"extra does not run on web1, web2, web4: a metric is missing"}));
  const std::string events = hosts.events_of(**replay);
  EXPECT_NE(events.find("1 web3:extra true"), std::string::npos) << events;
  EXPECT_EQ(events.find("web1:extra"), std::string::npos) << events;
  for (const char* host : {"web1", "web2", "web3", "web4"}) {
    EXPECT_NE(events.find(fmt::format("1 {}:load true", host)), std::string::npos) << events;
  }
}

TEST(FleetReplayTest, AMetricThatNoHostHasIsAMistake) {
  Hosts hosts(
      "load = load > 1 -> print \"%h\";\n"
      "none = no.such > 1 -> print \"%h\";\n");
  hosts.open();
  const auto replay = FleetReplay::open(hosts.set, *hosts.fleet, hosts.options(), hosts.clock);
  ASSERT_FALSE(replay);
  EXPECT_NE(replay.error().text().find("no.such"), std::string::npos) << replay.error().text();
  EXPECT_NE(replay.error().text().find("rules:4:8"), std::string::npos) << replay.error().text();
}

TEST(FleetReplayTest, WhatNoHostHasTheMetricsOfIsLeftOutIfAsked) {
  Hosts hosts(
      "load = load >= 0 -> print 1 hour \"%h\";\n"
      "none = no.such > 1 -> print \"%h\";\n"
      "all = sum_host no.such > 1 -> print \"x\";\n"
      "sum = sum_host load >= 0 -> print 1 hour \"x\";\n");
  hosts.open();
  TaskOptions options = hosts.options();
  options.leaves_out = true;
  const auto replay = FleetReplay::open(hosts.set, *hosts.fleet, options, hosts.clock);
  ASSERT_TRUE(replay) << replay.error().text();
  EXPECT_EQ((*replay)->lacking(),
            (std::vector<LackingRule>{{1, 0}, {1, 1}, {1, 2}, {1, 3}, {2, std::nullopt}}));
  EXPECT_NE((*replay)->notes().front().find("no.such"), std::string::npos);
  const std::string events = hosts.events_of(**replay);
  EXPECT_NE(events.find("web1:load true"), std::string::npos) << events;
  EXPECT_NE(events.find("1 sum true"), std::string::npos) << events;
}

TEST(FleetReplayTest, OtherMistakesAreSaidOnce) {
  Hosts hosts("bad = forks > 1 -> print \"%h\";\n");
  hosts.open();
  const auto replay = FleetReplay::open(hosts.set, *hosts.fleet, hosts.options(), hosts.clock);
  ASSERT_FALSE(replay);
  const std::string text = replay.error().text();
  EXPECT_NE(text.find("rules:3"), std::string::npos) << text;
  EXPECT_EQ(text.find("error["), text.rfind("error[")) << text;
}

}  // namespace
}  // namespace pmjit::strict
