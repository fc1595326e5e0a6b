// A host as a feed, over a scripted collector and a clock that moves by what happens: what waves
// come when, and what is in them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "runtime/client/host_feed.h"
#include "runtime/client/host_fetcher.h"
#include "runtime/client/outage_watch.h"
#include "tests/unit/client_net/scripted_network.h"

namespace pmjit::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class HostFeedTest : public testing::Test {
 protected:
  HostFeedTest() {
    ScriptedCollector& collector = network.collector;
    collector.metrics["load"] = {.desc = {.pmid = kLoad, .pm_type = pm_type::u32},
                                 .values = {{kSingular, 7}}};
    collector.metrics["reads"] = {
        .desc = {.pmid = kReads, .pm_type = pm_type::u32, .indom = kDisks},
        .values = {{0, 10}, {1, 11}}};
    collector.instances[kDisks] = {{0, "sda"}, {1, "sdb"}};
  }

  std::unique_ptr<Feed> open(std::vector<std::string_view> names, Nanos step) {
    std::vector<WantedMetric> wanted;
    for (const auto name : names) wanted.emplace_back(feeds.catalog().describe(name)->pmid);
    auto feed = feeds.open(wanted, {.origin = {.sec = kStart + 1}, .step = step}, rosters);
    EXPECT_TRUE(feed) << feed.error().text();
    return *std::move(feed);
  }

  // As open(); why not.
  std::string refusal(std::vector<WantedMetric> wanted) {
    const auto feed =
        feeds.open(std::move(wanted), {.origin = {.sec = kStart + 1}, .step = kSecond}, rosters);
    return feed ? "" : feed.error().text();
  }

  // Until a wave comes: a line of when, for when, and what. The collector's time is the clock's.
  std::string next(Feed& feed) {
    for (int rounds = 0; rounds < 1'000; ++rounds) {
      network.collector.time = stamp_from_nanos(clock.wall().time_since_epoch().count());
      const auto next = feed.next(wave);
      if (!next) return next.error().text();
      if (*next == Feed::Next::end) return "end";
      if (*next == Feed::Next::wave) return line();
      feeds.wait(feed.due());
    }
    return "no wave";
  }

  std::string line() {
    const auto since = [](Stamp stamp) {
      return static_cast<int64_t>((nanos(stamp) - kStart * kSecond) / 1'000'000);
    };
    const Stamp now = stamp_from_nanos(clock.wall().time_since_epoch().count());
    std::string out =
        fmt::format("{}: {}{}{}", since(now), since(wave.groups[0].t),
                    wave.groups[0].segment != 0 ? " afresh" : "", wave.late ? " late" : "");
    for (const MissingHost& host : wave.missing) out += fmt::format(" missing({})", host.status);
    for (const Observations& operand : wave.operands) {
      const Row& row = operand.column.rows.front();
      if (row.status != 0) {
        out += fmt::format(" [{}]", row.status);
        continue;
      }
      out += fmt::format(" {}[", since(row.stamp));
      const auto instances = rosters.instances(row.roster_id);
      for (size_t i = 0; i < instances.size(); ++i) {
        uint32_t value = 0;
        std::memcpy(&value, operand.column.values.data() + (row.offset + i) * 4, 4);
        const auto name = feeds.catalog().instance_name(kDisks, instances[i], wave.groups[0].t);
        out += fmt::format("{}{}={}", i == 0 ? "" : " ",
                           instances[i] == kSingular ? "" : name.value_or("?"), value);
      }
      out += "]";
    }
    return out;
  }

  FakeClock clock{{.now = {}, .wall = WallTime(seconds(kStart)), .boot = {}}};
  ScriptedNetwork network{clock};
  ClientSettings settings{.reconnect_delays = {seconds(2)}, .jitter_seed = 1};
  HostClient client{network, *parse_host_spec("web1"), settings};
  HostContext context{client};
  HostFeeds feeds{context};
  Rosters rosters;
  Wave wave;
};

// Each time has its own reason, not that of an attempt before.
TEST_F(HostFeedTest, SaysWhyThereWasNoAnswerThisTime) {
  const auto feed = open({"load"}, kSecond);
  const auto why = [&] { return feeds.why_down() ? feeds.why_down()->what() : "none"; };
  EXPECT_EQ(next(*feed), "1000: 1000 1000[=7]");
  network.hang_up();
  network.refuses = true;
  for (int i = 0; i < 2; ++i) (void)next(*feed);
  EXPECT_NE(why().find("refused"), std::string::npos) << why();
  network.refuses = false;
  network.collector.silent = true;
  for (int i = 0; i < 4; ++i) (void)next(*feed);
  EXPECT_EQ(why(), "no answer before the next time was due");
}

TEST_F(HostFeedTest, GivesAWaveForEachTick) {
  const auto feed = open({"load", "reads"}, kSecond);
  network.collector.delay = milliseconds(100);
  EXPECT_EQ(next(*feed), "1200: 1000 1000[=7] 1000[sda=10 sdb=11]") << "names have been asked for";
  network.collector.metrics["load"].values[0].second = 8;
  EXPECT_EQ(next(*feed), "2100: 2000 2000[=8] 2000[sda=10 sdb=11]");
  // A disk comes, and another takes the identifier of one that went.
  network.collector.metrics["reads"].values = {{0, 12}, {2, 1}};
  network.collector.instances[kDisks] = {{0, "sda"}, {2, "sdc"}};
  EXPECT_EQ(next(*feed), "3200: 3000 3000[=8] 3000[sda=12 sdc=1]");
  network.collector.instances[kDisks] = {{0, "sda"}, {1, "sdx"}, {2, "sdc"}};
  network.collector.metrics["reads"].values = {{0, 12}, {1, 5}, {2, 1}};
  EXPECT_EQ(next(*feed), "4200: 4000 4000[=8] 4000[sda=12 sdx=5 sdc=1]");
  EXPECT_EQ(*feeds.catalog().instance_name(kDisks, 1, {.sec = kStart + 2}), "sdb");
  const auto epoch = [&](int64_t second) {
    return feeds.catalog().domain_epoch(kDisks, {.sec = kStart + second});
  };
  EXPECT_EQ(epoch(1), epoch(2));
  EXPECT_NE(epoch(2), epoch(3));
  EXPECT_NE(epoch(3), epoch(4));
  EXPECT_EQ(feed->stats().records, 4u);
}

TEST_F(HostFeedTest, TellsOfValuesThatAreNotThere) {
  const auto feed = open({"load", "reads"}, kSecond);
  network.collector.metrics["load"].status = pm_err::E_AGAIN;
  network.collector.metrics["reads"].values.clear();
  EXPECT_EQ(next(*feed), fmt::format("1000: 1000 [{}] 1000[]", int{pm_err::E_AGAIN}));
}

TEST_F(HostFeedTest, SharesOneFetchAmongFeedsThatAreDue) {
  const auto every = open({"load"}, kSecond);
  const auto other = open({"reads", "load"}, 2 * kSecond);
  EXPECT_EQ(next(*every), "1000: 1000 1000[=7]");
  EXPECT_EQ(next(*other), "1000: 1000 1000[sda=10 sdb=11] 1000[=7]");
  EXPECT_EQ(feeds.fetches(), 1u);
  EXPECT_EQ(next(*every), "2000: 2000 2000[=7]");
  EXPECT_EQ(next(*every), "3000: 3000 3000[=7]");
  EXPECT_EQ(next(*other), "3000: 3000 3000[sda=10 sdb=11] 3000[=7]");
  EXPECT_EQ(feeds.fetches(), 3u);
}

TEST_F(HostFeedTest, ReportsAHostThatIsDownAndComesBack) {
  const auto feed = open({"load", "reads"}, kSecond);
  EXPECT_EQ(next(*feed), "1000: 1000 1000[=7] 1000[sda=10 sdb=11]");
  network.hang_up();
  network.refuses = true;
  EXPECT_EQ(next(*feed), fmt::format("2000: 2000 missing({}) [13] [13]", int{pm_err::E_IPC}));
  EXPECT_EQ(next(*feed), fmt::format("3000: 3000 missing({}) [13] [13]", -ECONNREFUSED));
  network.refuses = false;
  // It comes back as another: identifiers differ, and one metric has another type.
  network.collector.metrics["reads"].desc.pmid = kReads + 16;
  network.collector.metrics["load"].desc.pm_type = pm_type::i32;
  EXPECT_EQ(next(*feed), fmt::format("4000: 4000 missing({}) [13] [13]", -ECONNREFUSED));
  std::string line;
  for (int ticks = 0; ticks < 3 && line.find("sda") == std::string::npos; ++ticks) {
    line = next(*feed);
  }
  EXPECT_TRUE(line.ends_with(
      fmt::format(" [{}] {}[sda=10 sdb=11]", int{pm_err::E_CONV}, line.substr(0, 4))))
      << line;
  const auto warnings = feed->take_warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(warnings[0].starts_with("metric load is not what it was")) << warnings[0];
  EXPECT_FALSE(feeds.why_down()) << "it is back";
  EXPECT_GE(feeds.tally().missed, 3u);
  EXPECT_EQ(feeds.tally().times, feeds.tally().missed + 2);
}

TEST_F(HostFeedTest, GoesOnWhileAHostHangs) {
  const auto feed = open({"load"}, kSecond);
  EXPECT_EQ(next(*feed), "1000: 1000 1000[=7]");
  network.collector.delay = milliseconds(1'300);
  EXPECT_EQ(next(*feed), "3000: 2000 late missing(13) [13]");
  ASSERT_TRUE(feeds.why_down()) << "a host that hangs is down, though nothing has failed";
  EXPECT_EQ(feeds.why_down()->text(), "host web1: no answer before the next time was due");
  EXPECT_EQ(next(*feed), "3300: 3000 2000[=7]") << "what comes late is of the tick it comes in";
  network.collector.delay = {};
  EXPECT_EQ(next(*feed), "4000: 4000 4000[=7]");
  network.collector.silent = true;
  for (int tick = 5; tick < 14; ++tick) {
    EXPECT_EQ(next(*feed),
              fmt::format("{}: {} late missing(13) [13]", (tick + 1) * 1000, tick * 1000));
  }
  EXPECT_EQ(client.connections(), 1u);
}

// What is said, tick by tick: . nothing, L lost, S down or slow, B back.
std::string said(OutageWatch& watch, const HostFeeds& feeds) {
  switch (watch.look(feeds.health())) {
    case OutageWatch::Change::none: return ".";
    case OutageWatch::Change::lost: return "L";
    case OutageWatch::Change::late: return "S";
    case OutageWatch::Change::back: return "B";
  }
  return "?";
}

TEST_F(HostFeedTest, ASlowHostIsReportedOnce) {
  const auto feed = open({"load"}, kSecond);
  OutageWatch watch;
  std::string notes;
  const auto ticks = [&](int count) {
    notes.clear();
    for (int tick = 0; tick < count; ++tick) {
      (void)next(*feed);
      notes += said(watch, feeds);
    }
    return notes;
  };
  EXPECT_EQ(ticks(2), "..");
  network.collector.delay = milliseconds(2'700);
  EXPECT_EQ(ticks(20), "S...................");
  EXPECT_GT(feeds.tally().missed, 5u);
  EXPECT_LT(feeds.tally().missed, 20u) << "some answers come";
  network.collector.delay = {};
  const std::string then = ticks(12);
  EXPECT_EQ(std::ranges::count(then, 'B'), 1) << then;
  EXPECT_EQ(std::ranges::count(then, '.'), 11) << then;
  EXPECT_GE(then.find('B'), 4u) << "not before it is in time again and again";
  network.refuses = true;
  network.hang_up();
  EXPECT_EQ(ticks(3), "L..") << "a connection that is lost is no slowness";
  network.refuses = false;
  const std::string back = ticks(8);
  EXPECT_EQ(std::ranges::count(back, 'B'), 1) << back;
}

TEST_F(HostFeedTest, AHostThatRefusesAFetchHasAnswered) {
  const auto feed = open({"load", "reads"}, kSecond);
  EXPECT_EQ(next(*feed), "1000: 1000 1000[=7] 1000[sda=10 sdb=11]");
  network.collector.fetch_status = pm_err::E_PERMISSION;
  const std::string refused =
      fmt::format(" [{}] [{}]", int{pm_err::E_PERMISSION}, int{pm_err::E_PERMISSION});
  EXPECT_EQ(next(*feed), "2000: 2000" + refused);
  EXPECT_EQ(next(*feed), "3000: 3000" + refused);
  const std::vector<std::string> told = feed->take_warnings();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0],
            "the host answers, and gives no values: No permission to perform requested operation\n"
            "  help: its access rules refuse this client: see [access] in its pmcd.conf");
  EXPECT_EQ(feeds.tally().missed, 0u);
  EXPECT_FALSE(feeds.why_down());
  network.collector.fetch_status = 0;
  EXPECT_EQ(next(*feed), "4000: 4000 4000[=7] 4000[sda=10 sdb=11]") << "nothing begins afresh";
  EXPECT_EQ(feed->take_warnings(), std::vector<std::string>{"the host gives values again"});
}

TEST_F(HostFeedTest, SkipsTimesThatNobodyAskedFor) {
  const auto feed = open({"load"}, kSecond);
  EXPECT_EQ(next(*feed), "1000: 1000 1000[=7]");
  clock.advance(milliseconds(4'500));
  EXPECT_EQ(next(*feed), "5500: 5000 5500[=7]");
  EXPECT_EQ(feed->stats().skipped, 3u);
  EXPECT_TRUE(feed->take_warnings().empty());
}

TEST_F(HostFeedTest, CountsNoTimesBeforeTheFirst) {
  const auto feed = open({"load"}, kSecond);
  clock.advance(milliseconds(4'500));
  EXPECT_EQ(next(*feed), "4500: 4000 4500[=7]");
  EXPECT_EQ(feed->stats().skipped, 0u) << "nobody has evaluated anything yet";
}

TEST_F(HostFeedTest, BeginsAfreshWhereTheHostsTimeGoesBack) {
  const auto feed = open({"load"}, kSecond);
  EXPECT_EQ(next(*feed), "1000: 1000 1000[=7]");
  clock.advance(seconds(1));
  network.collector.time = {.sec = kStart - 60};
  ASSERT_EQ(*feed->next(wave), Feed::Next::nothing_yet);
  feeds.wait(feed->due());
  ASSERT_EQ(*feed->next(wave), Feed::Next::wave);
  EXPECT_EQ(wave.groups[0].segment, 1u);
}

TEST_F(HostFeedTest, MayBeClosedAtAnyTime) {
  network.collector.delay = milliseconds(10);
  auto one = open({"load"}, kSecond), two = open({"reads"}, kSecond);
  clock.advance(seconds(1));
  EXPECT_EQ(*one->next(wave), Feed::Next::nothing_yet);
  one.reset();
  // Connecting and describing took 50 ms.
  EXPECT_EQ(next(*two), "1070: 1000 0[sda=10 sdb=11]");
  clock.advance(milliseconds(980));
  EXPECT_EQ(*two->next(wave), Feed::Next::nothing_yet);
  two.reset();
  EXPECT_FALSE(client.connected()) << "nobody reads the answer";
  EXPECT_EQ(*context.look_up("load"), kLoad);
}

TEST_F(HostFeedTest, RefusesWhatNoColumnHolds) {
  network.collector.metrics["trace"] = {.desc = {.pmid = 99, .pm_type = pm_type::event}};
  const PmId pmid = feeds.catalog().describe("trace")->pmid;
  const auto feed = feeds.open({WantedMetric(pmid)}, {.origin = {}, .step = kSecond}, rosters);
  ASSERT_FALSE(feed);
  EXPECT_EQ(feed.error().pm_code(), pm_err::E_TYPE);
}

// More than one request has room for: of all feeds, which are one fetch.
TEST_F(HostFeedTest, RefusesMoreMetricsThanOneFetchHolds) {
  constexpr size_t kMost = 16'377;
  std::vector<WantedMetric> wanted;
  for (uint32_t i = 0; i <= kMost; ++i) {
    const std::string name = fmt::format("m{}", i);
    network.collector.metrics[name] = {.desc = {.pmid = 0x10000000 + i, .pm_type = pm_type::u32},
                                       .values = {{kSingular, i}}};
  }
  for (uint32_t i = 0; i <= kMost; ++i) {
    wanted.emplace_back(feeds.catalog().describe(fmt::format("m{}", i))->pmid);
  }
  EXPECT_NE(refusal(wanted).find("16378 metrics in one fetch, and a request has room for 16377"),
            std::string::npos);
  const WantedMetric last = wanted.back();
  wanted.pop_back();
  const auto feed = feeds.open(wanted, {.origin = {.sec = kStart + 1}, .step = kSecond}, rosters);
  ASSERT_TRUE(feed) << "the one that was refused counts no more";
  EXPECT_NE(refusal({last}), "");
  EXPECT_EQ(refusal({wanted.front()}), "") << "which is fetched anyway";
}

}  // namespace
}  // namespace pmjit::test
