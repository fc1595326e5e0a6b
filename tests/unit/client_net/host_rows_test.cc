// Many hosts as rows of one feed, over scripted collectors and a clock that moves by what happens:
// who is in which wave, and that no host costs another one anything.
#include "runtime/sched/host_rows.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "runtime/client/host_fleet.h"
#include "runtime/sched/lateness.h"
#include "runtime/sched/row_block.h"
#include "tests/unit/client_net/fleet_waves.h"

namespace pmjit::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class HostRowsTest : public FleetWaves {
 protected:
  HostRowsTest() : FleetWaves({.reconnect_delays = {seconds(2)}, .jitter_seed = 1}) {
    for (const std::string host : {"web1", "web2", "web3"}) {
      network.others[host].add_load_and_reads();
      network.others[host].time = {.sec = kStart + 1};
    }
  }

  void open(std::vector<std::string> metrics, double place = 0) {
    std::vector<FleetHost> hosts;
    for (const std::string host : {"web1", "web2", "web3"}) {
      hosts.push_back({.spec = *parse_host_spec(host), .name = host});
    }
    auto made = HostFleet::open(network, hosts, settings);
    ASSERT_TRUE(made) << made.error().text();
    fleet = *std::move(made);
    const HostCatalog& lender = fleet->lender().feeds.catalog();
    rows = std::make_unique<HostRows>(*fleet, 0, std::vector<uint32_t>{0, 1, 2},
                                      TickPlace{.part = place});
    std::vector<WantedMetric> wanted;
    for (const std::string& metric : metrics) wanted.emplace_back(lender.describe(metric)->pmid);
    auto opened = rows->open(wanted, {.origin = {.sec = kStart + 1}, .step = kSecond}, rosters);
    ASSERT_TRUE(opened) << opened.error().text();
    feed = *std::move(opened);
  }

  std::string line() override {
    std::string out = fmt::format("{}: {}", since(now()), since(wave.groups[0].t));
    for (size_t i = 0; i < wave.hosts.size(); ++i) {
      out += fmt::format(" web{}", wave.hosts[i].index + 1);
      if (wave.groups[i].segment != 0) out += " afresh";
      for (const Observations& operand : wave.operands) {
        const Row& row = operand.column.rows[i];
        EXPECT_EQ(row.record, i);
        if (row.status != 0) {
          out += fmt::format("[{}]", row.status);
          continue;
        }
        for (size_t lane = 0; lane < rosters.size(row.roster_id); ++lane) {
          uint32_t value = 0;
          std::memcpy(&value, operand.column.values.data() + (row.offset + lane) * 4, 4);
          out += fmt::format("{}{}", lane == 0 ? "=" : ",", value);
        }
      }
    }
    return out;
  }

  std::string name_on(uint32_t host, int32_t instance) {
    return rows->row_catalogs()[host]->held_name(kDisks, instance, now()).value_or("?");
  }

  std::unique_ptr<HostRows> rows;
};

TEST_F(HostRowsTest, GivesOneWaveWhereAllAnswer) {
  network.others["web2"].metrics["load"].values[0].second = 8;
  open({"load", "reads"});
  EXPECT_EQ(next(), "1000: 1000 web1=7=10,11 web2=8=10,11 web3=7=10,11");
  EXPECT_EQ(next(), "2000: 2000 web1=7=10,11 web2=8=10,11 web3=7=10,11");
  EXPECT_EQ(name_on(1, 0), "sda");
  EXPECT_EQ(feed->stats().records, 6u);
}

TEST_F(HostRowsTest, WaitsForNobodyWhoIsSlow) {
  open({"load"});
  EXPECT_EQ(next(), "1000: 1000 web1=7 web2=7 web3=7");
  network.others["web2"].delay = milliseconds(800);
  EXPECT_EQ(next(), "2005: 2000 web1=7 web3=7");
  EXPECT_EQ(next(), "2800: 2000 web2=7");
  EXPECT_EQ(next(), "3005: 3000 web1=7 web3=7");
  EXPECT_FALSE(fleet->members()[1]->feeds.why_down());
}

TEST_F(HostRowsTest, GivesAHostThatHangsUpAtTheEndOfItsTick) {
  open({"load"});
  EXPECT_EQ(next(), "1000: 1000 web1=7 web2=7 web3=7");
  network.others["web3"].silent = true;
  EXPECT_EQ(next(), "2005: 2000 web1=7 web2=7");
  EXPECT_EQ(next(), "3000: 2000 web3[13]");
  EXPECT_TRUE(wave.late);
  EXPECT_EQ(wave.missing.front().host_id.index, 2u);
  EXPECT_TRUE(fleet->members()[2]->feeds.health().late());
  EXPECT_EQ(next(), "3005: 3000 web1=7 web2=7");
  EXPECT_EQ(next(), "4000: 3000 web3[13]");
}

TEST_F(HostRowsTest, AHostThatIsDownHasItsRowAtOnceAndComesBack) {
  open({"load"});
  EXPECT_EQ(next(), "1000: 1000 web1=7 web2=7 web3=7");
  network.refused.insert("web1");
  network.hang_up("web1");
  EXPECT_EQ(next(), "2000: 2000 web1[13] web2=7 web3=7");
  EXPECT_EQ(next(), "3000: 3000 web1[13] web2=7 web3=7");
  network.refused.clear();
  std::string last;
  for (int i = 0; i < 4; ++i) last = next();
  EXPECT_TRUE(last.ends_with("web1=7 web2=7 web3=7")) << last;
}

TEST_F(HostRowsTest, AHostThatRefusesToGiveValuesIsNotDown) {
  open({"load"});
  EXPECT_EQ(next(), "1000: 1000 web1=7 web2=7 web3=7");
  network.others["web2"].fetch_status = pm_err::E_PERMISSION;
  const std::string refused = fmt::format("web2[{}]", int{pm_err::E_PERMISSION});
  EXPECT_EQ(next(), fmt::format("2000: 2000 web1=7 {} web3=7", refused));
  EXPECT_FALSE(fleet->members()[1]->feeds.why_down());
  EXPECT_EQ(next(), fmt::format("3000: 3000 web1=7 {} web3=7", refused));
  network.others["web2"].fetch_status = 0;
  EXPECT_EQ(next(), "4000: 4000 web1=7 web2=7 web3=7");
  const auto warnings = feed->take_warnings();
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_TRUE(warnings[0].starts_with("web2: the host answers, and gives no values"))
      << warnings[0];
  EXPECT_EQ(warnings[1], "web2: the host gives values again");
}

TEST_F(HostRowsTest, OneThatLiesLosesItsOwnRowAlone) {
  open({"load"});
  EXPECT_EQ(next(), "1000: 1000 web1=7 web2=7 web3=7");
  network.others["web2"].garble = [](std::vector<std::byte>& answer) {
    answer[0] = std::byte{0x7f};  // two GiB
  };
  EXPECT_TRUE(next().find("web2[13]") != std::string::npos);
  const auto& why = fleet->members()[1]->feeds.why_down();
  ASSERT_TRUE(why);
  EXPECT_NE(why->text().find("web2"), std::string::npos) << why->text();
}

TEST_F(HostRowsTest, MetricsThatDifferHaveErrorRowsThereAlone) {
  network.others["web2"].metrics["load"].desc.pm_type = pm_type::i32;
  network.others["web3"].metrics.erase("load");
  network.others["web3"].metrics["reads"].desc.pmid = kReads + 16;
  open({"load", "reads"});
  EXPECT_EQ(next(), fmt::format("1000: 1000 web1=7=10,11 web2[{}]=10,11 web3[{}]=10,11",
                                int{pm_err::E_CONV}, int{pm_err::E_NAME}));
  const auto warnings = feed->take_warnings();
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("web2 has no values of load"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[1].find("web3 has no values of load"), std::string::npos) << warnings[1];
}

TEST_F(HostRowsTest, NamesOfInstancesAreKnownWithTheRowInWhichTheyCome) {
  network.others["web2"].instances[kDisks] = {{0, "nvme0"}, {1, "nvme1"}};
  open({"reads"});
  EXPECT_EQ(next(), "1000: 1000 web1=10,11 web2=10,11 web3=10,11");
  EXPECT_EQ(name_on(0, 0), "sda");
  EXPECT_EQ(name_on(1, 0), "nvme0");
  network.others["web1"].metrics["reads"].values = {{0, 1}, {2, 2}};
  network.others["web1"].instances[kDisks] = {{0, "sda"}, {2, "sdc"}};
  EXPECT_EQ(next(), "2000: 2000 web2=10,11 web3=10,11 web1=1,2");
  EXPECT_EQ(name_on(0, 2), "sdc");
}

TEST_F(HostRowsTest, BeginsAPartOfTheIntervalLater) {
  open({"load"}, 0.05);
  EXPECT_EQ(next(), "1050: 1000 web1=7 web2=7 web3=7");
  EXPECT_EQ(next(), "2050: 2000 web1=7 web2=7 web3=7");
  clock.advance(milliseconds(3500));
  EXPECT_EQ(next(), "5550: 5000 web1=7 web2=7 web3=7");
  EXPECT_EQ(feed->stats().skipped, 2u);
}

TEST_F(HostRowsTest, HistoryOfAHostWhoseTimeGoesBackStartsAfresh) {
  open({"load"});
  EXPECT_EQ(next(), "1000: 1000 web1=7 web2=7 web3=7");
  const auto next_wave = [&] {
    for (int rounds = 0; rounds < 1'000; ++rounds) {
      network.others["web1"].time = {.sec = kStart - 100};
      network.others["web2"].time = network.others["web3"].time = now();
      if (*feed->next(wave) == Feed::Next::wave) return line();
      fleet->wait(feed->due());
    }
    return std::string();
  };
  EXPECT_EQ(next_wave(), "2000: 2000 web1 afresh=7 web2=7 web3=7");
  EXPECT_EQ(feed->take_warnings().size(), 1u);
}

TEST_F(HostRowsTest, HostsAgreeThatDescribeWhatWasAskedForAlike) {
  network.others["web2"].metrics["load"].desc.pmid = kLoad + 16;  // by name it is the same
  network.others["web3"].metrics["load"].desc.pm_type = pm_type::i32;
  open({"load"});
  const std::vector<uint32_t> all = {0, 1, 2};
  EXPECT_EQ(agreeing_hosts(*fleet, 0, all), (std::vector<uint32_t>{0, 1}));
  EXPECT_FALSE(fleet->members()[0]->feeds.catalog().describe("writes"));
  network.others["web2"].metrics["writes"] = {.desc = {.pmid = kReads + 32}};
  EXPECT_EQ(agreeing_hosts(*fleet, 0, all), (std::vector<uint32_t>{0})) << "one has more";
  network.others["web2"].silent = true;
  EXPECT_EQ(agreeing_hosts(*fleet, 0, all), (std::vector<uint32_t>{0, 1})) << "nobody knows";
}

TEST_F(HostRowsTest, BatchesHaveEachHostOnceAndTheSameHostsAlways) {
  std::vector<FleetHost> hosts;
  std::vector<uint32_t> all;
  for (uint32_t i = 0; i < 500; ++i) {
    const std::string name = fmt::format("host{}", i);
    hosts.push_back({.spec = *parse_host_spec(name), .name = name});
    all.push_back(i);
  }
  auto made = HostFleet::open(network, hosts, settings);
  ASSERT_TRUE(made) << made.error().text();
  give_places(**made, {.part = 0.5});
  const auto batches = in_batches(**made, all);
  EXPECT_EQ(batches.size(), 8u);
  std::vector<bool> seen(all.size());
  double place = -1;
  for (const RowBatch& batch : batches) {
    EXPECT_GE(batch.hosts.size(), 62u);
    EXPECT_LE(batch.hosts.size(), 63u);
    EXPECT_LT(place, batch.place.part);
    EXPECT_LT(batch.place.part, 0.5);
    place = batch.place.part;
    for (const uint32_t host : batch.hosts) {
      EXPECT_FALSE(seen[host]);
      seen[host] = true;
    }
  }
  std::ranges::reverse(all);
  EXPECT_EQ(in_batches(**made, all)[3].hosts, batches[3].hosts);
  const RowBatch alone = in_batches(**made, {7}).front();
  EXPECT_EQ(alone.hosts, std::vector<uint32_t>{7});
  EXPECT_EQ(alone.place.part, (*made)->members()[7]->place->part)
      << "the other hosts do not matter";
}

// Agents that come and go bring descriptors that nobody has any more.
TEST(RowBlockTest, ForgetsLayoutsThatNoHostHas) {
  Rosters rosters;
  const Desc desc{.pmid = kLoad, .pm_type = pm_type::u32};
  RowBlock block({{.name = "load", .desc = desc, .elem = Elem::u32}}, rosters);
  std::shared_ptr<RowLayout> held = block.layout_of({desc});
  EXPECT_EQ(block.layout_of({desc}), held) << "hosts share it";
  for (PmId pmid = 1; pmid < 100; ++pmid) {
    Desc other = desc;
    other.pmid = pmid;
    held = block.layout_of({other});
  }
  EXPECT_LE(block.layouts(), 2u);
}

TEST(LatenessTest, CountsFromTheTenthSecondOnAndNamesTheLatest) {
  const std::vector<std::string> names = {"web1", "web2", "web3"};
  Lateness lateness(names.size(), {.sec = 100});
  const auto at = [](int64_t sec, Nanos later) {
    return stamp_from_nanos(sec * kSecond + later * 1'000'000);
  };
  lateness.add(2, at(101, 0), at(101, 900));
  EXPECT_EQ(lateness.evaluations(), 1u) << "a short run has no other";
  for (int64_t second = 110; second < 210; ++second) {
    lateness.add(0, at(second, 0), at(second, second == 150 ? 700 : 4));
    lateness.add(1, at(second, 50), at(second, 56));
  }
  EXPECT_EQ(lateness.evaluations(), 200u);
  EXPECT_NEAR(lateness.percentile(49), 4.1, 0.01);
  EXPECT_NEAR(lateness.percentile(99), 6.1, 0.01);
  EXPECT_EQ(lateness.times_text(), "100 times 2 hosts, 0 times 1 hosts");
  EXPECT_NE(lateness.text(names).find("latest web1 700.0 ms, web2 6.0 ms, web3 0.0 ms"),
            std::string::npos)
      << lateness.text(names);
}

}  // namespace
}  // namespace pmjit::test
