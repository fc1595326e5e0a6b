// Several hosts as one feed, over scripted collectors and a clock that moves by what happens: one
// wave for each time, and no host costs another one its values.
#include "runtime/client/host_fleet.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "runtime/client/host_fetcher.h"
#include "tests/unit/client_net/fleet_waves.h"

namespace pmjit::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class HostFleetTest : public FleetWaves {
 protected:
  HostFleetTest()
      : FleetWaves(
            {.request_timeout = seconds(3), .reconnect_delays = {seconds(2)}, .jitter_seed = 1}) {
    for (const std::string host : {"web1", "web2", "web3"}) {
      network.others[host].metrics["load"] = {.desc = {.pmid = kLoad, .pm_type = pm_type::u32},
                                              .values = {{kSingular, 7}}};
    }
  }

  Result<std::unique_ptr<HostFleet>> fleet_of(std::vector<std::string> hosts) {
    std::vector<FleetHost> wanted;
    for (const std::string& host : hosts) wanted.push_back({.spec = *parse_host_spec(host)});
    return HostFleet::open(network, wanted, settings);
  }

  void open(std::vector<std::string> hosts) {
    auto made = fleet_of(std::move(hosts));
    ASSERT_TRUE(made) << made.error().text();
    fleet = *std::move(made);
    std::vector<WantedMetric> wanted;
    for (uint32_t host = 0; host < fleet->members().size(); ++host) {
      const auto desc = fleet->hosts()->of_host(host).describe("load");
      ASSERT_TRUE(desc) << desc.error().text();
      wanted.emplace_back(desc->pmid);
    }
    feed = *fleet->open(wanted, {.origin = {.sec = kStart + 1}, .step = kSecond}, rosters);
  }

  std::string line() override {
    std::string out =
        fmt::format("{}: {}{}", since(now()), since(wave.groups[0].t), wave.late ? " late" : "");
    for (const Observations& operand : wave.operands) {
      const Row& row = operand.column.rows.front();
      if (row.status != 0) {
        out += fmt::format(" [{}]", row.status);
        continue;
      }
      uint32_t value = 0;
      std::memcpy(&value, operand.column.values.data() + row.offset * 4, 4);
      out += fmt::format(" {}", value);
    }
    for (const MissingHost& host : wave.missing) {
      out += fmt::format(" missing({})", host.host_id.index);
    }
    return out;
  }
};

// Three answers a host, and three more for what is described and read: one after the other they
// would take seconds.
TEST_F(HostFleetTest, MetadataOfAllHostsAreInFlightTogether) {
  std::vector<std::string> hosts;
  for (int i = 0; i < 20; ++i) {
    hosts.push_back(fmt::format("far{}", i));
    ScriptedCollector& host = network.others[hosts.back()];
    host.add_load_and_reads();
    host.delay = milliseconds(100);
    if (i == 7) host.metrics.erase("reads");
  }
  auto made = fleet_of(hosts);
  ASSERT_TRUE(made) << made.error().text();
  fleet = *std::move(made);
  EXPECT_LE(since(now()), 700) << "connected, and asked for names and time zones";
  const Instant opened = clock.now();
  const std::vector<std::string> wanted = {"load", "reads", "nowhere"};
  fleet->expect(wanted);
  for (uint32_t host = 0; host < hosts.size(); ++host) {
    const Catalog& of = fleet->hosts()->of_host(host);
    EXPECT_TRUE(of.describe("load"));
    EXPECT_FALSE(of.describe("nowhere"));
    const auto reads = of.describe("reads");
    EXPECT_EQ(reads.has_value(), host != 7);
    if (reads) {
      EXPECT_EQ(of.instances(reads->indom).size(), 2u);
    }
  }
  EXPECT_LE(clock.now() - opened, milliseconds(300));
  // What nobody expected is asked of all when the first catalog wants it.
  for (uint32_t host = 0; host < hosts.size(); ++host) {
    EXPECT_FALSE(fleet->hosts()->of_host(host).describe("unexpected"));
    EXPECT_FALSE(fleet->hosts()->of_host(host).leaves("load").empty());
  }
  EXPECT_LE(clock.now() - opened, milliseconds(1000));
}

TEST_F(HostFleetTest, AsksAllHostsTogether) {
  open({"web1", "web2", "web3"});
  network.others["web1"].delay = milliseconds(100);
  network.others["web2"].delay = milliseconds(300);
  network.others["web2"].metrics["load"].values[0].second = 8;
  EXPECT_EQ(next(), "1300: 1000 7 8 7") << "the slowest one decides, not their sum";
  EXPECT_EQ(next(), "2300: 2000 7 8 7");
  EXPECT_EQ(wave.by_source.sources, 3u);
  EXPECT_EQ(wave.by_source.source_of, (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(feed->stats().records, 6u);
}

TEST_F(HostFleetTest, WaitsOnceForAHostThatHangs) {
  open({"web1", "web2"});
  EXPECT_EQ(next(), "1000: 1000 7 7");
  network.others["web2"].silent = true;
  EXPECT_EQ(next(), "3000: 2000 late 7 [13] missing(1)");
  EXPECT_EQ(next(), "3050: 3000 7 [13] missing(1)") << "a twentieth of the tick, from now on";
  EXPECT_EQ(next(), "4050: 4000 7 [13] missing(1)");
  ASSERT_TRUE(fleet->members()[1]->feeds.why_down());
  EXPECT_FALSE(fleet->members()[0]->feeds.why_down());
  network.others["web2"].silent = false;
  std::string line;
  for (int ticks = 0; ticks < 8 && !line.ends_with(" 7 7"); ++ticks) line = next();
  EXPECT_TRUE(line.ends_with("000 7 7")) << line;
  EXPECT_EQ(fleet->members()[0]->feeds.tally().missed, 0u);
  EXPECT_GE(fleet->members()[1]->feeds.tally().missed, 3u);
}

TEST_F(HostFleetTest, TakesALateAnswerAtTheNextTime) {
  open({"web1", "web2"});
  network.others["web2"].delay = milliseconds(1'200);
  EXPECT_EQ(next(), "2000: 1000 late 7 [13] missing(1)");
  network.others["web2"].delay = {};
  EXPECT_EQ(next(), "2050: 2000 7 [13] missing(1)");
  EXPECT_EQ(next(), "3000: 3000 7 7");
  EXPECT_EQ(wave.operands[1].column.rows.front().stamp, (Stamp{.sec = kStart + 1}))
      << "the stamp is the host's own";
}

TEST_F(HostFleetTest, AHostThatComesAndGoesCostsTheOthersNothing) {
  open({"web1", "web2"});
  EXPECT_EQ(next(), "1000: 1000 7 7");
  int known = 0;
  for (int tick = 2; tick < 40; ++tick) {
    if (tick % 8 == 0) network.refused.insert("web2");
    if (tick % 8 == 0) network.hang_up("web2");
    if (tick % 8 == 3) network.refused.clear();
    const std::string line = next();
    EXPECT_TRUE(line.starts_with(fmt::format("{0}000: {0}000 7 ", tick))) << line;
    known += line.ends_with(" 7 7") ? 1 : 0;
  }
  EXPECT_GE(known, 10);
  EXPECT_LE(known, 25);
}

TEST_F(HostFleetTest, AHostThatIsAwayBorrowsMetadata) {
  network.refused.insert("web1");
  open({"web1", "web2"});
  ASSERT_TRUE(fleet->members()[0]->away);
  EXPECT_EQ(fleet->members()[0]->away->pm_code(), -ECONNREFUSED);
  EXPECT_EQ(&fleet->lender(), fleet->members()[1].get());
  EXPECT_EQ(next(), "1000: 1000 [13] 7 missing(0)");
  network.refused.clear();
  network.others["web1"].metrics["load"].desc.pmid = kLoad + 5;
  std::string line;
  for (int ticks = 0; ticks < 6 && !line.ends_with(" 7 7"); ++ticks) line = next();
  EXPECT_TRUE(line.ends_with(" 7 7")) << "its own identifier is looked up: " << line;
  EXPECT_TRUE(feed->take_warnings().empty());
}

TEST_F(HostFleetTest, ABorrowedMetricMayDiffer) {
  network.refused.insert("web2");
  open({"web1", "web2"});
  network.refused.clear();
  network.others["web2"].metrics["load"].desc.pm_type = pm_type::i32;
  std::string line;
  const std::string other = fmt::format(" 7 [{}]", int{pm_err::E_CONV});
  for (int ticks = 0; ticks < 6 && !line.ends_with(other); ++ticks) line = next();
  EXPECT_TRUE(line.ends_with(other)) << line;
}

TEST_F(HostFleetTest, SkipsTimesOfAllHostsTogether) {
  open({"web1", "web2"});
  clock.advance(milliseconds(2'500));
  EXPECT_EQ(next(), "2500: 2000 7 7");
  EXPECT_EQ(feed->stats().skipped, 0u) << "nobody has evaluated anything yet";
  clock.advance(milliseconds(4'000));
  EXPECT_EQ(next(), "6500: 6000 7 7");
  EXPECT_EQ(feed->stats().skipped, 3u);
}

TEST_F(HostFleetTest, RefusesOneThatIsNamedTwice) {
  const auto twice = fleet_of({"web1", "web2", "web1"});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().text(), "host web1: it is named twice\n  help: name each host once");
}

TEST_F(HostFleetTest, NamesHostsThatSayTheSameAsTheUserDid) {
  const auto same = fleet_of({"web1:1", "web1:2", "web2"});
  ASSERT_TRUE(same);
  EXPECT_EQ((*same)->members()[0]->name, "web1:1");
  EXPECT_EQ((*same)->members()[1]->name, "web1:2");
  EXPECT_EQ((*same)->members()[2]->name, "web2");
  ASSERT_EQ((*same)->notes().size(), 1u);
  EXPECT_TRUE((*same)->notes()[0].starts_with("web1:1, web1:2 are all web1"))
      << (*same)->notes()[0];
}

TEST_F(HostFleetTest, FailsWhereNoHostIsThere) {
  network.refuses = true;
  const auto none = fleet_of({"web1", "web2"});
  ASSERT_FALSE(none);
  EXPECT_TRUE(none.error().what().starts_with("none of the 2 hosts can be reached (web1: "))
      << none.error().text();
}

TEST_F(HostFleetTest, StopsSoonWhileAHostHangs) {
  network.others["web2"].silent = true;
  settings.stop = [this] { return since(now()) >= 200; };
  const auto stopped = fleet_of({"web1", "web2"});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().pm_code(), -EINTR);
  EXPECT_LE(since(now()), 300);
}

TEST_F(HostFleetTest, StopsSoonWhileMetadataAreAskedFor) {
  settings.stop = [this] { return since(now()) >= 1'000; };
  const auto made = fleet_of({"web1", "web2"});
  ASSERT_TRUE(made);
  network.others["web1"].silent = true;
  EXPECT_FALSE((*made)->hosts()->of_host(0).describe("load"));
  EXPECT_LE(since(now()), 1'100) << "the request's own deadline is later";
}

}  // namespace
}  // namespace pmjit::test
